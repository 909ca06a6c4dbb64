"""What a tracked table says of its hand: legible at every size, in both languages, and of one player at a time."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.from_round import table_view
from appliance.display.hand_text import names
from appliance.display.layout_pad import refused_text
from appliance.display.messages import message
from appliance.display.ops import Box, Op, Round, Text
from appliance.display.parted import draw_parted, largest
from appliance.display.prompt import Refused
from appliance.display.theme import DARK
from appliance.display.view import HandSeat, HandView, PadView, PotView, Seat, TableView
from appliance.game import state
from appliance.game.hand.cards import parse_cards
from appliance.game.hand.ranking import strength
from appliance.game.roster import Roster, RosterEntry
from appliance.i18n import LANGUAGES, NBSP, Translator
from tests.display.test_from_hand import Look, hand_of, look, played, scene, seat
from tests.display.test_layout_hand import SEATS, laid_out, plain, where, written
from tests.display.tracked_views import KEYS

__all__ = ["look", "played"]  # fixtures

SIZES = ((1920, 1080), (1280, 720), (800, 480))
THREE = (PotView(amount=1375), PotView(amount=1125), PotView(amount=1600))


def texts(ops: list[Op], *said: str) -> list[Text]:
    return [op for op in ops if isinstance(op, Text) and op.text.replace(NBSP, " ") in said]


def at_ten_seats(evening: TableView, hand: HandView, pad: PadView | None = None) -> TableView:
    return replace(evening, seats=SEATS, tracked=hand, pad=pad or PadView(keys=KEYS))


def legible(size: tuple[int, int]) -> int:
    """The least height of letters that are read from a seat, of a screen of this size."""
    return size[1] * 24 // 1080


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("bet", [0, 50])
def test_who_folded_says_so_beside_stack_and_button(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str, bet: int
) -> None:
    dealt = tuple(HandSeat(number=n, stack=14_975, bet=bet, folded=True) for n in range(1, 11))
    ops = laid_out(at_ten_seats(evening, HandView(seats=dealt)), size, lang, fonts)
    word = "složeno" if lang == "cs" else "folded"
    stack = Translator(lang).number(14_975).replace(NBSP, " ")
    assert len(texts(ops, word)) == len(texts(ops, stack)) == 10
    assert min(op.size for op in texts(ops, word, stack)) >= legible(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_dead_hand_keeps_its_stack_on_the_plate(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    dealt = tuple(HandSeat(number=n, stack=325, folded=True, dead=n == 5, away=n == 6) for n in range(1, 11))
    ops = laid_out(at_ten_seats(evening, HandView(seats=dealt)), size, lang, fonts)
    assert len(texts(ops, "325")) == 10
    assert len(texts(ops, "mrtvá handa", "dead hand")) == len(texts(ops, "chybí", "away")) == 1


def test_H_9_a_fold_out_of_turn_is_a_fold_and_no_dead_hand(look: Look) -> None:
    view, _ = look("seat-1 fold fold")
    assert (seat(view, 1).folded, seat(view, 1).dead) == (True, False)
    view, _ = look("seat-1 dead")
    assert (seat(view, 1).folded, seat(view, 1).dead) == (True, True)


@pytest.mark.parametrize("size", SIZES)
def test_the_number_of_a_bright_plate_is_apart_from_its_stack(
    evening: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    hand = HandView(seats=(HandSeat(number=1, stack=300),), to_act=1)
    view = at_ten_seats(evening, hand)
    plan = where(view, size, fonts).hand
    assert plan is not None
    plate = plan.places[0].plate
    ops = laid_out(view, size, "cs", fonts)
    number, stack = (
        next(op for op in ops if isinstance(op, Text) and op.text == text and plate.holds(op.box))
        for text in ("1", "300")
    )
    behind = [op for op in ops if isinstance(op, Round) and plate.holds(op.box) and op.box.holds(number.box)]
    assert number.color != stack.color
    assert behind[-1].color == DARK.plate and not behind[-1].box.meets(stack.box)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_line_begins_or_ends_with_a_dot_between_two(
    tracked: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    assert tracked.pad is not None
    pads = (
        tracked.pad,
        replace(tracked.pad, mode="winners", pot=1, typed=""),
        replace(tracked.pad, mode="cards", seat=10, typed=""),
    )
    for pad in pads:
        said = written(laid_out(replace(tracked, pad=pad), size, lang, fonts))
        assert not [text for text in said if text.strip(f" {NBSP}").startswith("·") or text.rstrip().endswith("·")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_H_14_of_three_pots_each_is_named_and_the_one_asked_for_is_marked(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    hand = HandView(waits="winners", pots=THREE, seats=tuple(HandSeat(number=n, stack=0) for n in range(1, 5)))
    ops = laid_out(at_ten_seats(evening, hand, PadView(keys=("done",), mode="winners", pot=2)), size, lang, fonts)
    chips = [
        op
        for op in ops
        if isinstance(op, Text) and op.text.endswith(tuple(map(Translator(lang).number, (1375, 1125, 1600))))
    ]
    on_felt = [op for op in chips if op.bold and op.color in (DARK.blinds, DARK.on_accent)]
    assert [":" in op.text for op in on_felt] == [True] * 3
    assert [op.color for op in on_felt] == [DARK.blinds, DARK.blinds, DARK.on_accent]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_H_11_each_pot_names_the_hand_that_won_it_in_letters_of_one_size(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str, count: int
) -> None:
    pair = strength(parse_cards("KsKdQh7c4d2s3h"))
    pots = tuple(replace(pot, winners=(n + 2,), strength=pair) for n, pot in enumerate(THREE[:count]))
    dealt = tuple(HandSeat(number=n, stack=1000) for n in range(1, 11))
    for pad in (PadView(keys=("next", "undo")), None):
        view = replace(at_ten_seats(evening, HandView(waits="nothing", pots=pots, seats=dealt)), pad=pad)
        ops = laid_out(view, size, lang, fonts)
        said = " ".join(plain(written(ops)))
        assert said.count("→") == count
        assert said.replace("(", "").count("pár králů" if lang == "cs" else "pair of kings") == count, said
        assert len({op.size for op in ops if isinstance(op, Text) and "→" in op.text}) == 1


def test_players_of_one_name_are_told_apart_by_their_seats() -> None:
    seats = (Seat(number=1, who="Jan N."), Seat(number=2, who="Eva Ž."), Seat(number=7, who="Jan N."), Seat(number=8))
    told = names(seats, Translator("cs"))
    assert told == {
        1: f"Jan{NBSP}N.{NBSP}(místo{NBSP}1)",
        2: f"Eva{NBSP}Ž.",
        7: f"Jan{NBSP}N.{NBSP}(místo{NBSP}7)",
        8: "8",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_tells_players_of_one_name_apart_and_ends_a_sentence_once(lang: str) -> None:
    for code in ("needs-reinstating", "no-chips"):
        alone = refused_text(code, {"who": "Jan N."}, Translator(lang))
        assert f"Jan{NBSP}N." in alone and ".." not in alone
        assert NBSP + "7)" in refused_text(code, {"who": "Jan N.", "who_seat": 7}, Translator(lang))


def test_H_16_after_an_all_in_nobody_is_next_to_show(look: Look) -> None:
    view, _ = look("all-in all-in fold fold fold fold fold fold fold", "next next next")
    hand = hand_of(view)
    assert (hand.waits, hand.to_act) == ("open", None)


def test_a_canvas_of_no_room_is_written_on_without_fault(fonts: FontBook) -> None:
    c = Canvas((800, 480), Translator("cs"), DARK, fonts)
    draw_parted(c, Box(0, 0, 3, 3), ["a b", "c"], 20, DARK.ink)
    assert largest(c, Box(0, 0, 3, 3), ["slovo"], 20) == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_banner_about_one_of_two_with_the_same_name_tells_the_seat(
    look: Look, played: tuple[state.Round, int], lang: str
) -> None:
    _, told = look("fold")
    assert told.hands.current is not None
    there = {player.seat: player.participant for player in told.hands.current.begun.players}
    first, second = list(there)[:2]
    alike = (RosterEntry(participant=there[seat], state="active", name="Jan Novák") for seat in (first, second))
    roster = Roster(entries={entry.participant: entry for entry in alike})
    prompt = Refused("needs-reinstating", {}, there[second])
    view = table_view(replace(scene(played, told), roster=roster, prompt=prompt), 1)
    assert view.prompt is not None and view.prompt.seat == second
    said = " ".join(message(view.prompt, Translator(lang)).lines)
    assert said.replace(NBSP, " ").count(f"{second})") == 2 and ".." not in said
