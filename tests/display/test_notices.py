"""What the room should know reaches the screens it concerns, in words of both languages, beside the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display import notice as n
from appliance.display.fonts import FontBook
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, table_view
from appliance.display.layout import draw_list
from appliance.display.messages import notice_text
from appliance.display.ops import Text
from appliance.display.view import ClockView, DoorView, Status, TableView, View
from appliance.game.commands import (
    decode_command,
)
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal, decide, fold
from appliance.game.state import Round
from appliance.game.values import parse_time
from appliance.i18n import LANGUAGES, Translator

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920), (480, 800), (1920, 515), (480, 320), (320, 240))
START = parse_time("2027-01-15T19:00:00+01:00")
MINUTE = 60_000
PLAYERS = [f"{number:06}" for number in range(101, 109)]


def played(*commands: dict[str, Any], seats: dict[str, list[int]] | None = None, **announced: Any) -> Round:
    """A round of eight after ``commands``, a minute apart from the start; not started without ``seats``."""
    announce = {
        "do": "announce", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
        "deposit": 100, "shares": ["100"], "seats_per_table": 9, "seed": 7,
        "levels": [{"sb": 25, "bb": 50, "minutes": 15}], **announced,
    }  # fmt: skip
    register = [{"do": "register", "participant": who, "identity_checked": True} for who in PLAYERS]
    start = [{"do": "start", "seats": seats, "button": 1}] if seats else []
    ledger = INITIAL
    for order, fields in enumerate([announce, {"do": "open"}, *register, *start, *commands]):
        at_ms = START + max(0, order - 1 - len(register)) * MINUTE - MINUTE
        events = decide(ledger, decode_command({"round": "R1", **fields}), at_ms, str(order))
        assert not isinstance(events, Refusal), events
        for event in events:
            ledger = fold(ledger, event, at_ms, str(order))
    assert ledger.round is not None
    return ledger.round


def seated(*sizes: int) -> dict[str, list[int]]:
    """So many of the eight players at tables 1, 2, …"""
    spots = [[table, seat] for table, size in enumerate(sizes, 1) for seat in range(1, size + 1)]
    return dict(zip(PLAYERS, spots, strict=True))


def scene(round: Round | None, at_ms: int = START + 10 * MINUTE) -> Scene:
    return Scene(round=round, roster=Roster(), link=Link(), venue=Venue("Brno"), at_ms=at_ms)


def test_LG_3_the_door_says_that_too_few_are_registered_until_the_start() -> None:
    assert door_view(scene(played(), START - MINUTE)).notices == (n.BelowMinimum(registered=8, minimum=10),)
    assert door_view(scene(played(seats=seated(4, 4)))).notices == ()
    assert door_view(scene(None)).notices == ()


def test_LG_3_a_full_round_is_not_said_to_lack_players() -> None:
    assert door_view(scene(played(capacity=8), START - MINUTE)).notices == ()


@pytest.mark.parametrize(
    ("lang", "said"), [("cs", "Registrováno 8, je třeba aspoň 10"), ("en", "8 registered, at least 10 needed")]
)
def test_LG_3_the_minimum_does_not_read_as_the_capacity(lang: str, said: str) -> None:
    """ "8 of 10" was read as eight places taken of ten."""
    words = notice_text(n.BelowMinimum(registered=8, minimum=10), Translator(lang)).replace("\u00a0", " ")
    assert words.startswith(said)


def test_S_3_the_tables_to_be_balanced_say_so_and_no_other() -> None:
    round = played(seats=seated(4, 2, 2))
    fullest, emptiest, between = (table_view(scene(round), number).notices for number in (1, 2, 3))
    assert fullest == emptiest == (n.Balance(from_table=1, to_table=2),)
    assert between == ()


def test_S_3_a_table_where_play_halts_says_by_how_many_it_is_short() -> None:
    round = played(seats=seated(5, 2, 1), profile="tda-2024")
    assert n.TableShort(short=3) in table_view(scene(round), 2).notices
    assert not [notice for notice in table_view(scene(round), 1).notices if isinstance(notice, n.TableShort)]
    assert table_view(scene(round), 3).notices == (n.Balance(from_table=1, to_table=3), n.LonePlayer())


def test_a_lone_players_table_asks_for_the_commissioner() -> None:
    round = played(seats=seated(7, 1))
    assert n.LonePlayer() in table_view(scene(round), 2).notices
    assert n.LonePlayer() not in table_view(scene(round), 1).notices


def test_T_4_chips_that_differ_are_told_at_every_table() -> None:
    counts = [
        {"do": "stacks", "table": 1, "stacks": dict.fromkeys(PLAYERS[:4], 4000)},
        {"do": "stacks", "table": 2, "stacks": dict.fromkeys(PLAYERS[4:], 3900)},
    ]
    round = played(*counts, seats=seated(4, 4))
    for number in (1, 2):
        assert table_view(scene(round), number).notices == (n.ChipsDiffer(counted=31_600, expected=32_000),)
    assert door_view(scene(round)).notices == ()


def test_CK_5_tables_whose_small_chips_are_needed_no_longer_say_so_until_they_are_changed_up() -> None:
    levels = [{"sb": 25, "bb": 50, "minutes": 2}, {"break": 10}, {"sb": 100, "bb": 200, "minutes": 90}]
    changed = {"do": "colour_up", "table": 1, "denomination": 25, "to": 100, "holdings": {}}
    round = played(changed, seats=seated(4, 4), levels=levels, chip_set=[25, 100, 500])
    assert table_view(scene(round, START + MINUTE), 2).notices == ()
    for later in (3, 20):
        shown = [table_view(scene(round, START + later * MINUTE), number).notices for number in (1, 2)]
        assert shown == [(), (n.ColourUpDue(denomination=25, to=100),)]


def test_CK_6_a_table_ahead_of_others_names_those_it_waits_for_and_they_none() -> None:
    hands = [{"do": "next_hand", "table": table} for table in (1, 2, 3)]
    begun = [*hands, {"do": "hand_for_hand", "on": True}, {"do": "next_hand", "table": 1}]
    one, *others = (table_view(scene(played(*begun, seats=seated(3, 3, 2))), number).notices for number in (1, 2, 3))
    assert one == (n.WaitsForTables((2, 3)),)
    assert others == [(), ()]
    both = played(*begun, {"do": "next_hand", "table": 2}, seats=seated(3, 3, 2))
    assert [table_view(scene(both), number).notices for number in (1, 2)] == [(n.WaitsForTables((3,)),)] * 2
    ended = played(*begun, {"do": "hand_for_hand", "on": False}, seats=seated(3, 3, 2))
    assert table_view(scene(ended), 1).notices == ()


def test_T_13_the_bonus_stack_is_told_everywhere_in_the_first_break_and_in_no_other() -> None:
    level = {"sb": 25, "bb": 50, "minutes": 10}
    levels = [level, {"break": 10}, level, {"break": 10}, level]
    shows = n.BonusStack(chips=2000)
    round = played(seats=seated(4, 4), levels=levels, profile="cpl", chip_up=2000)
    given = played({"do": "chip_up"}, seats=seated(4, 4), levels=levels, chip_up=2000)
    for evening in (round, given):
        told = {minute: clock_view(scene(evening, START + minute * MINUTE)).notices for minute in (5, 15, 25, 35)}
        assert {minute for minute, notices in told.items() if shows in notices} == {15}
        assert shows in table_view(scene(evening, START + 15 * MINUTE), 2).notices
    waits = played(seats=seated(4, 4), levels=levels, chip_up=2000)  # by the commissioner, who has not given it yet
    assert shows not in clock_view(scene(waits, START + 15 * MINUTE)).notices


def test_T_9_a_guarantee_that_does_not_hold_is_told_to_the_room() -> None:
    round = played(seats=seated(4, 4), guarantee=5000)
    void = n.GuaranteeVoid(guarantee=5000, minimum=10)
    assert door_view(scene(round)).notices == clock_view(scene(round)).notices == (void,)
    assert table_view(scene(round), 1).notices == ()


def test_a_cancelled_round_has_nothing_more_to_say() -> None:
    round = played({"do": "cancel"}, guarantee=5000)
    assert door_view(scene(round)).notices == clock_view(scene(round)).notices == ()


@pytest.mark.parametrize(
    ("notice", "czech", "english"),
    [
        (n.BelowMinimum(0, 10), "Registrováno 0, je třeba aspoň 10", "0 registered, at least 10 needed"),
        (n.BelowMinimum(1, 10), "Registrován 1, je třeba aspoň 10", "1 registered, at least 10 needed"),
        (n.BelowMinimum(3, 10), "Registrováni 3, je třeba aspoň 10", "3 registered, at least 10 needed"),
        (n.BelowMinimum(8, 10), "Registrováno 8, je třeba aspoň 10", "8 registered, at least 10 needed"),
        (n.Balance(1, 2), "od stolu 1 ke stolu 2", "from table 1 to table 2"),
        (n.ColourUpDue(25, 1000), "Žetony 25 už nejsou potřeba: vyměňte je za 1 000", "colour up to 1,000"),
        (n.TableShort(1), "o 1 hráče méně než u nejplnějšího", "1 player fewer"),
        (n.TableShort(3), "o 3 hráče méně", "3 players fewer"),
        (n.TableShort(5), "o 5 hráčů méně", "5 players fewer"),
        (n.LonePlayer(), "jen jeden hráč", "Only one player"),
        (n.ChipsDiffer(1, 4000), "napočítán 1 žeton, má jich být 4 000", "1 chip counted, 4,000 expected"),
        (n.ChipsDiffer(2, 4000), "napočítány 2 žetony", "2 chips counted"),
        (n.ChipsDiffer(31_600, 32_000), "napočítáno 31 600 žetonů", "31,600 chips counted"),
        (
            n.WaitsForTables((2, 3)),
            "Hra handa po handě: před další handou počkejte na stoly 2, 3",
            "wait for tables 2, 3",
        ),
        (n.BonusStack(2000), "Bonusové žetony: 2 000 pro každého, kdo je ve hře", "2,000 chips for everybody still in"),
        (n.GuaranteeVoid(5000, 10), "5 000 Kč neplatí", "CZK 5,000 does not hold"),
    ],
)
def test_every_notice_in_words(notice: n.Notice, czech: str, english: str) -> None:
    for lang, words in (("cs", czech), ("en", english)):
        assert words in notice_text(notice, Translator(lang)).replace("\u00a0", " ")


NOTICES: tuple[n.Notice, ...] = (
    n.Balance(from_table=11, to_table=12),
    n.TableShort(short=5),
    n.LonePlayer(),
    n.ChipsDiffer(counted=3_160_000, expected=3_200_000),
    n.ColourUpDue(denomination=100, to=500),
    n.BelowMinimum(registered=8, minimum=10),
    n.GuaranteeVoid(guarantee=45_000, minimum=10),
    n.BonusStack(chips=2000),
    n.WaitsForTables((2, 3)),
    n.FloorCalled(table=12, about="time"),
    n.PrinterStands("paper-out"),
    n.Ruled("I-7", 217, "commissioner-decides", "Bank se dělí mezi všechny hráče v handě. " * 12),
)


def test_there_is_a_sample_of_every_notice() -> None:
    assert {type(notice) for notice in NOTICES} == set(n.Notice.__args__)


def drawn(view: View, size: tuple[int, int], lang: str, fonts: FontBook) -> list[Text]:
    return [op for op in draw_list(view, size, Translator(lang), fonts) if isinstance(op, Text)]


def said(texts: list[Text]) -> str:
    """All that is written, in reading order of the draw list, wrapped lines joined."""
    return " ".join(op.text for op in texts)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("told", [NOTICES[:1], NOTICES[1:5]])
def test_notices_are_whole_at_every_size_and_the_time_stays_largest(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str, told: tuple[n.Notice, ...]
) -> None:
    texts = drawn(replace(evening, notices=told), size, lang, fonts)
    for notice in told:
        assert notice_text(notice, Translator(lang)) in said(texts)
    largest = max(op.size for op in texts)
    assert "".join(op.text for op in texts if op.size == largest) == "12:34"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_room_reads_its_notices_at_the_door_and_on_the_wall(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    for view in (
        DoorView(board=evening.board, notices=NOTICES[5:]),
        ClockView(board=evening.board, notices=NOTICES[5:]),
    ):
        words = said(drawn(view, size, lang, fonts))
        assert all(notice_text(notice, Translator(lang)) in words for notice in NOTICES[5:])


@pytest.mark.parametrize("size", SIZES[:3])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("notice", NOTICES[:5])
def test_a_notice_of_a_table_leaves_the_clock_as_it_is(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str, notice: n.Notice
) -> None:
    plain = drawn(evening, size, lang, fonts)
    assert set(plain) <= set(drawn(replace(evening, notices=(notice,)), size, lang, fonts))


@pytest.mark.parametrize("size", SIZES[:3])
def test_notices_are_legible_and_smaller_than_what_is_played(
    evening: TableView, fonts: FontBook, size: tuple[int, int]
) -> None:
    texts = drawn(replace(evening, notices=NOTICES[:1]), size, "cs", fonts)
    words = notice_text(NOTICES[0], Translator("cs"))
    written = next(op for op in texts if words in op.text)
    blinds = next(op for op in texts if op.text == "200\u00a0/\u00a0400")
    assert size[1] / 45 <= written.size < blinds.size / 2


def test_a_notice_leaves_warnings_and_a_prompt_their_places(
    evening: TableView, fonts: FontBook, prompts: tuple[Any, ...]
) -> None:
    board = replace(evening.board, status=Status(reader=False))
    view = replace(evening, board=board, prompt=prompts[0], notices=NOTICES[:2])
    words = said(drawn(view, (1280, 720), "cs", fonts))
    assert "Čtečka nepracuje" in words
    assert notice_text(NOTICES[1], Translator("cs")) in words
    assert "ověří totožnost" in words


POINTS_NOTE = {"cs": "Body podle nepotvrzeného klíče", "en": "Points by an unconfirmed key"}


@pytest.fixture
def finished(finished_views: Callable[..., tuple[View, ...]]) -> Callable[..., tuple[View, ...]]:
    return finished_views


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_P_points_of_an_unconfirmed_key_are_flagged_on_every_screen_at_every_size(
    finished: Callable[..., tuple[View, ...]], fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    for view in finished(key_confirmed=False):
        words = said(drawn(view, size, lang, fonts))
        assert Translator(lang).gettext("{points} pts", points=130) in words, type(view)
        assert POINTS_NOTE[lang] in words, type(view)
    for view in finished(key_confirmed=True):
        assert POINTS_NOTE[lang] not in said(drawn(view, size, lang, fonts)), type(view)


@pytest.mark.parametrize("size", SIZES[:3])
def test_P_the_flag_is_legible(
    finished: Callable[..., tuple[View, ...]], fonts: FontBook, size: tuple[int, int]
) -> None:
    for view in finished(key_confirmed=False):
        flags = [op for op in drawn(view, size, "cs", fonts) if op.text in POINTS_NOTE["cs"] and len(op.text) > 3]
        assert flags
        assert all(op.size >= size[1] / 45 for op in flags), type(view)


@pytest.mark.parametrize("size", SIZES[:3])
def test_P_the_flag_costs_no_line_of_the_results(
    finished: Callable[..., tuple[View, ...]], fonts: FontBook, size: tuple[int, int]
) -> None:
    for plain, flagged in zip(finished(key_confirmed=True), finished(key_confirmed=False), strict=True):
        places = [
            [op.text for op in drawn(view, size, "en", fonts) if op.text.endswith("th")] for view in (plain, flagged)
        ]
        assert places[0] == places[1], type(plain)


def test_P_nothing_is_flagged_where_no_points_are_shown(evening: TableView, fonts: FontBook) -> None:
    board = replace(evening.board, key_confirmed=False)
    for view in (replace(evening, board=board), ClockView(board=board), DoorView(board=board)):
        assert POINTS_NOTE["cs"] not in said(drawn(view, (1280, 720), "cs", fonts))


def test_I_13_a_recorded_ruling_stands_on_its_table_until_the_next_hand() -> None:
    hand = {"do": "next_hand", "table": 1}
    flop = {"do": "ruling", "ruling": "I-5", "facts": {"error": "no-burn", "acted": 0}, "table": 1, "hand": 1}
    own = {"do": "ruling", "ruling": "I-13", "decision": "Bank se dělí.", "reason": "Karty se smíchaly.", "table": 1}
    told = n.Ruled("I-5", 1, "reshuffle-flop")
    assert table_view(scene(played(hand, flop, seats=seated(4, 4))), 1).notices == (told,)
    assert table_view(scene(played(hand, flop, seats=seated(4, 4))), 2).notices == ()
    assert table_view(scene(played(hand, flop, hand, seats=seated(4, 4))), 1).notices == ()
    between = table_view(scene(played(hand, own, seats=seated(4, 4))), 1).notices
    assert between == (n.Ruled("I-13", None, "commissioner-decides", "Bank se dělí."),)
    assert notice_text(told, Translator("cs")).startswith("Rozhodnutí I-5 (1. handa): Chybně vyložený flop")
    assert notice_text(between[0], Translator("en")).endswith("Bank se dělí.")
    long = n.Ruled("I-13", 7, "commissioner-decides", "Slova " * 80)
    assert len(notice_text(long, Translator("en"))) < 200
    assert notice_text(n.Ruled("I-99", 7, "of-a-later-version"), Translator("en")) == "Ruling I-99 (hand 7)"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1080, 1920)])
def test_in_a_break_each_notice_has_a_line_that_is_read_across_the_room(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    """Chips to change up and chips to get shared one small line."""
    assert evening.board.face is not None
    board = replace(evening.board, face=replace(evening.board.face, on_break=True))
    view = replace(evening, board=board, notices=(n.ColourUpDue(25, 100), n.BonusStack(5000)))
    ops = draw_list(view, size, Translator(lang), fonts)
    told = [op for op in ops if isinstance(op, Text) and op.text.startswith("ℹ")]
    assert len(told) == 2
    assert min(op.size for op in told) >= min(size) * 4 // 100 - (10 if size[0] < size[1] else 0)


def test_a_break_without_notices_is_drawn_on_every_screen(evening: TableView, fonts: FontBook) -> None:
    assert evening.board.face is not None
    board = replace(evening.board, face=replace(evening.board.face, on_break=True))
    for view in (replace(evening, board=board), ClockView(board=board), DoorView(board=board)):
        assert not [op for op in draw_list(view, (1280, 720), Translator("cs"), fonts)
                    if isinstance(op, Text) and op.text.startswith("ℹ")]  # fmt: skip
