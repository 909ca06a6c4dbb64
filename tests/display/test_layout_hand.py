"""A tracked hand on the felt: nothing over anything, every amount whole, the clock first, and the keys large enough."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Literal

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.fonts import CAP_HEIGHT, FontBook
from appliance.display.hand_text import pot_lines, reading_text
from appliance.display.layout import draw_list
from appliance.display.layout_pad import hit, key_words
from appliance.display.layout_places import Places, places
from appliance.display.ops import Box, Op, Round, Text
from appliance.display.padboxes import key_boxes
from appliance.display.theme import DARK
from appliance.display.view import HandSeat, HandView, PadView, PotView, ReadingView, Seat, TableView
from appliance.game.hand.cards import parse_cards
from appliance.game.hand.ranking import strength
from appliance.i18n import LANGUAGES, NBSP, Translator
from tests.display.tracked_views import KEYS, PADS, tracked_hand

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920))
NAMES = ("Bartoloměj P.", "Maxmilián-Kryšpín Ž.", "Jan N.", "Kateřina Š.", "000000000123", "Eva Ž.")
SEATS = tuple(
    Seat(number=n, who=NAMES[n % len(NAMES)], button=n == 3, small_blind=n == 4, big_blind=n == 5) for n in range(1, 11)
)
FULL = HandView(
    street="turn",
    board=("As", "Th", "9d", "??"),
    pots=tuple(PotView(amount=amount) for amount in (1_234_567, 2_345_678, 3_456_789, 4_567_890, 5_678_901)),
    seats=tuple(HandSeat(number=n, stack=7_654_321, bet=1_234_567) for n in range(1, 11)),
    to_act=5,
    call=2_400_000,
    bet=True,
    raise_min=4_800_000,
    raise_max=7_654_321,
)
"""Ten players, four side pots, stacks of seven digits."""


def laid_out(view: TableView, size: tuple[int, int], lang: str, fonts: FontBook) -> list[Op]:
    return list(draw_list(view, size, Translator(lang), fonts))


def where(view: TableView, size: tuple[int, int], fonts: FontBook) -> Places:
    return places(Canvas(size, Translator("cs"), DARK, fonts), view)


def written(ops: list[Op]) -> list[str]:
    return [op.text for op in ops if isinstance(op, Text)]


def plain(texts: list[str]) -> list[str]:
    """With ordinary spaces."""
    return [text.replace(NBSP, " ") for text in texts]


@pytest.fixture
def full(evening: TableView) -> TableView:
    return replace(evening, seats=SEATS, tracked=FULL)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pad", [None, PadView(keys=KEYS)], ids=["alone", "keys"])
@pytest.mark.parametrize("count", [2, 6, 9, 10])
def test_nothing_on_the_felt_lies_over_anything_else(
    full: TableView, fonts: FontBook, size: tuple[int, int], pad: PadView | None, count: int
) -> None:
    shown = where(replace(full, seats=SEATS[:count], pad=pad), size, fonts)
    assert shown.hand is not None
    assert shown.middle is not None
    boxes = [box for place in shown.hand.places for box in place]
    boxes += [shown.on_clock, shown.middle.board, shown.middle.pots, shown.middle.turn, shown.foot]
    boxes += [shown.pad] if shown.pad else []
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.meets(b)]
    assert all(Box(0, 0, *size).holds(box) for box in boxes)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("pad", [None, PadView(keys=KEYS)], ids=["alone", "keys"])
def test_every_amount_of_a_full_table_is_whole(
    full: TableView, fonts: FontBook, size: tuple[int, int], lang: str, pad: PadView | None
) -> None:
    said = written(laid_out(replace(full, pad=pad), size, lang, fonts))
    number = Translator(lang).number
    assert said.count(number(7_654_321)) >= 10
    assert said.count(number(1_234_567)) >= 10
    for pot in FULL.pots:  # named, or where that would be too small to read the amount alone
        named = any(text.endswith(number(pot.amount)) and len(text) > 12 for text in said)
        assert named or number(pot.amount) in said, pot
    turn = " ".join(said)
    assert number(2_400_000) in turn
    assert f"{number(4_800_000)}\u00a0–\u00a0{number(7_654_321)}" in turn


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(60))
def test_no_hand_writes_one_text_over_another(
    evening: TableView, fonts: FontBook, size: tuple[int, int], seed: int
) -> None:
    rng = random.Random(seed)
    seats = SEATS[: rng.choice((2, 6, 9, 10))]
    view = replace(evening, seats=seats, tracked=tracked_hand(rng, seats), pad=rng.choice((None, *PADS)))
    texts = [op for op in laid_out(view, size, rng.choice(LANGUAGES), fonts) if isinstance(op, Text)]
    inks = []
    for op in texts:
        top = op.box.y + fonts.ascent(op.size, op.bold) - round(CAP_HEIGHT * op.size)
        inks.append((op.text, Box(op.box.x, top, op.box.w, round(CAP_HEIGHT * op.size))))
        assert op.box.w <= op.room.w, op
    assert not [(a, b) for (a, one), (b, other) in combinations(inks, 2) if one.meets(other)]


@pytest.mark.parametrize("size", SIZES)
def test_a_long_name_has_two_lines_or_small_letters_before_it_is_cut(
    tracked: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    seats = tuple(replace(seat, who=NAMES[n % 2]) for n, seat in enumerate(tracked.seats))
    said = written(laid_out(replace(tracked, seats=seats, pad=None), size, "cs", fonts))
    assert not [text for text in said if text.endswith("…")]
    assert NAMES[1] in " ".join(said).replace("- ", "-")


@pytest.mark.parametrize("size", SIZES)
def test_the_time_stays_the_largest_thing_on_the_screen(
    full: TableView, tracked: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    for view in (full, tracked, replace(full, pad=PadView(keys=KEYS))):
        ops = [op for op in laid_out(view, size, "cs", fonts) if isinstance(op, Text)]
        largest = max(op.size for op in ops)
        assert "".join(op.text for op in ops if op.size == largest) == "12:34"
        assert largest > 1.15 * max(op.size for op in ops if op.size < largest)
        assert {"200\u00a0/\u00a0400"} <= {op.text for op in ops}


def test_each_suit_has_a_shape_of_its_own_and_an_unknown_card_its_back(tracked: TableView, fonts: FontBook) -> None:
    assert tracked.tracked is not None
    for board, shapes in ((("As", "Kh", "Qd", "Jc"), "♠♥♦♣"), (("??", "??", "??"), "")):
        view = replace(tracked, tracked=replace(tracked.tracked, board=board), pad=None)
        ops = laid_out(view, (1920, 1080), "cs", fonts)
        assert "".join(text for text in written(ops) if text in "♠♥♦♣") == shapes
        backs = [op for op in ops if isinstance(op, Round) and op.color == DARK.card_back]
        assert len(backs) == board.count("??")


def test_who_is_to_act_is_marked_by_a_sign_and_who_folded_by_a_word(tracked: TableView, fonts: FontBook) -> None:
    said = written(laid_out(replace(tracked, pad=None), (1920, 1080), "en", fonts))
    assert said.count("▶") == 1
    assert said.count("all-in") == 1
    assert len([text for text in said if text.endswith("folded")]) == 4
    turn = ["To act: Eva Ž.", "call 2,400", "raise to 3,600 – 31,050"]
    assert [part for text in plain(said) for part in text.split(" · ") if part in turn] == turn


def test_at_the_end_it_says_who_won_what(tracked: TableView, fonts: FontBook) -> None:
    assert tracked.tracked is not None
    pots = (PotView(amount=8400, winners=(4,)), PotView(amount=3200, winners=(5, 9)))
    seats = tuple(
        replace(seat, bet=0, won={4: 8400, 5: 1600, 9: 1600}.get(seat.number, 0)) for seat in tracked.tracked.seats
    )
    over = replace(tracked.tracked, waits="nothing", pots=pots, seats=seats, to_act=None)
    said = plain(written(laid_out(replace(tracked, tracked=over, pad=None), (1920, 1080), "en", fonts)))
    assert {"Pot: 8,400 → Tomáš H.", "Side 1: 3,200 → Eva Ž., Lucie D."} <= set(said)
    assert (said.count("+8,400"), said.count("+1,600"), said.count("▶")) == (1, 2, 0)


def test_the_winning_hand_is_named_where_its_cards_are_known(tracked: TableView, fonts: FontBook) -> None:
    assert tracked.tracked is not None
    full = strength(parse_cards("KsKdKh7c7d2s3h"))
    over = replace(tracked.tracked, waits="nothing", pots=(PotView(amount=8400, winners=(4,), strength=full),))
    said = plain(written(laid_out(replace(tracked, tracked=over, pad=None), (1920, 1080), "cs", fonts)))
    assert any("(full house, králové na sedmách)" in text for text in said), said


def test_seats_told_by_number_say_that_they_are_seats(tracked: TableView) -> None:
    assert tracked.tracked is not None
    pots = (PotView(amount=1375, winners=(4,)), PotView(amount=100, winners=(5, 9)), PotView(amount=50, winners=(5,)))
    lines = plain(pot_lines(replace(tracked.tracked, pots=pots), {}, Translator("cs")))
    assert lines == ["Bank: 1 375 → místo 4", "Vedlejší 1: 100 → místa 5, 9", "Vedlejší 2: 50 → místo 5"]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("cs", "Tomáš H.: navýšit na\u00a0200. Žetonů je víc, než dorovnání potřebuje: navyšuje se na jejich hodnotu."),
        ("en", "Tomáš H.: raise to 200. There are more chips than the call needs: a raise to their value."),
    ],
)
def test_H_6_what_a_push_was_read_as_stands_above_the_keys(
    tracked: TableView, fonts: FontBook, lang: Literal["cs", "en"], words: str
) -> None:
    read = ReadingView(seat=4, action="raise", amount=200, reason="several-chips-raise")
    pad = PadView(keys=KEYS, reading=read)
    assert reading_text(read, "Tomáš H.", Translator(lang)).replace(NBSP, " ") == words.replace(NBSP, " ")
    for size in ((1920, 1080), (1280, 720), (800, 480)):
        shown = " ".join(written(laid_out(replace(tracked, pad=pad), size, lang, fonts))).replace(NBSP, " ")
        assert words[-9:] in shown


def test_who_is_out_of_chips_and_whose_hand_is_dead_is_marked(tracked: TableView, fonts: FontBook) -> None:
    hand = tracked.tracked
    assert hand is not None
    first, second, *rest = hand.seats
    seats = (replace(first, stack=0, out=True), replace(second, folded=True, dead=True), *rest)
    said = written(laid_out(replace(tracked, tracked=replace(hand, seats=seats)), (1920, 1080), "en", fonts))
    assert "out of chips" in said and any(text.endswith("dead hand") for text in said)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("pad", PADS)
def test_every_key_is_large_enough_for_a_finger_and_touched_where_it_is_drawn(
    tracked: TableView, fonts: FontBook, size: tuple[int, int], pad: PadView
) -> None:
    view, words = replace(tracked, pad=pad), Translator("cs")
    shown = where(view, size, fonts)
    assert shown.pad is not None
    boxes = key_boxes(Canvas(size, words, DARK, fonts), shown.pad, pad)
    assert sorted(key for key, _ in boxes) == sorted(key for key in pad.keys if not key.startswith("seat-"))
    assert not [(a, b) for a, b in combinations(boxes, 2) if a[1].meets(b[1])]
    for key, box in boxes:
        assert min(box.w, box.h) >= min(size) // 12, (key, box)
        assert shown.pad.holds(box)
        for x, y in ((box.x, box.y), (box.cx, box.cy), (box.right - 1, box.bottom - 1)):
            assert hit(view, size, words, fonts, x, y) == key


def test_seats_are_touched_on_the_map_where_they_may_be_chosen(tracked: TableView, fonts: FontBook) -> None:
    size, words = (1920, 1080), Translator("cs")
    shown = where(tracked, size, fonts)
    assert shown.hand is not None
    for seat, place in zip(tracked.seats, shown.hand.places, strict=True):
        expected = f"seat-{seat.number}" if seat.who else None
        assert hit(tracked, size, words, fonts, place.plate.cx, place.plate.cy) == expected
        assert min(place.plate.w, place.plate.h) >= min(size) // 12
    assert hit(tracked, size, words, fonts, 5, 5) is None
    assert hit(replace(tracked, pad=None), size, words, fonts, shown.hand.rim.cx, shown.hand.rim.y) is None


def test_keys_say_what_they_would_do(tracked: TableView) -> None:
    hand, pad, words = tracked.tracked, PadView(keys=KEYS), Translator("cs")
    assert hand is not None
    assert key_words("check-call", pad, hand, words) == ("Dorovnat", "2\u00a0400")
    assert key_words("check-call", pad, replace(hand, call=0), words) == ("Čekat", "")
    assert key_words("raise", pad, hand, words) == ("Navýšit na", "nejméně 3\u00a0600")
    assert key_words("raise", replace(pad, typed="6400"), hand, words) == ("Navýšit na", "6\u00a0400")
    assert key_words("raise", pad, replace(hand, bet=False), words)[0] == "Vsadit"
    assert key_words("all-in", pad, hand, words) == ("All-in", "31\u00a0050")
    assert key_words("next", pad, replace(hand, waits="board", street="flop"), words) == ("Turn", "")
    assert key_words("next", pad, replace(hand, waits="nothing"), words) == ("Další handa", "")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refused_key_says_why(tracked: TableView, fonts: FontBook, lang: str) -> None:
    pad = PadView(keys=KEYS, refused=("nothing-to-call", {}))
    said = " ".join(written(laid_out(replace(tracked, pad=pad), (1920, 1080), lang, fonts)))
    assert Translator(lang).refusal("nothing-to-call") in said


def test_every_key_has_words_in_both_languages(tracked: TableView) -> None:
    for pad in PADS:
        for key in pad.keys:
            czech, english = (key_words(key, pad, tracked.tracked, Translator(lang)) for lang in ("cs", "en"))
            assert czech[0]
            assert english[0]
            if len(key) > 2 and key not in ("all-in", "plus", "back") and not key.startswith("seat-"):
                assert czech != english, key


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (800, 480)])
def test_keys_of_one_kind_are_equally_wide(tracked: TableView, fonts: FontBook, size: tuple[int, int]) -> None:
    for rare in (("seat", "menu"), ("seat", "cards", "menu"), ("seat", "undo", "menu", "player-back")):
        keys = ("fold", "check-call", "all-in", "raise", "push", "plus", "back", *"0123456789", "00", *rare)
        view = replace(tracked, pad=PadView(keys=keys))
        c = Canvas(size, Translator("cs"), DARK, fonts)
        box = places(c, view).pad
        assert box is not None and view.pad is not None
        widths = [place.w for key, place in key_boxes(c, box, view.pad) if key in rare]
        assert max(widths) - min(widths) <= 1 and len(widths) == len(rare)


def test_of_several_pots_the_amounts_are_told_where_names_would_be_too_small(
    tracked: TableView, fonts: FontBook
) -> None:
    pots = (PotView(amount=1375), PotView(amount=1125), PotView(amount=1600))
    assert tracked.tracked is not None
    view = replace(tracked, tracked=replace(tracked.tracked, pots=pots))
    small = written(laid_out(view, (800, 480), "cs", fonts))
    large = written(laid_out(replace(view, pad=None), (1920, 1080), "cs", fonts))
    assert "Bank: 1\u00a0375" in large
    assert "1\u00a0375" in small or "Bank: 1\u00a0375" in small
