"""Instructions reach the screens of the tables concerned and the door, in words of both languages (S-3 to S-6)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display.fonts import FontBook
from appliance.display.from_round import Link, Scene, Venue, clock_view, door_view, table_view
from appliance.display.layout import draw_list
from appliance.display.layout_moves import MOST, halves, move_lines, move_text
from appliance.display.ops import Text
from appliance.display.view import ClockView, Move, Seat, TableView
from appliance.game.commands import (
    decode_command,
)
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal, decide, fold
from appliance.game.state import Round
from appliance.game.values import parse_time
from appliance.i18n import LANGUAGES, Translator

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920), (480, 800))
START = parse_time("2027-01-15T19:00:00+01:00")
MINUTE = 60_000
PLAYERS = [f"{number:06}" for number in range(101, 111)]


def played(*commands: dict[str, Any], seats: dict[str, list[int]], **announced: Any) -> Round:
    """A round of ten, started at seven, after ``commands`` given at once."""
    announce = {
        "do": "announce", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
        "deposit": 100, "shares": ["100"], "seats_per_table": 9, "seed": 7,
        "levels": [{"sb": 25, "bb": 50, "minutes": 90}], **announced,
    }  # fmt: skip
    register = [{"do": "register", "participant": who, "identity_checked": True} for who in PLAYERS]
    given = [announce, {"do": "open"}, *register, {"do": "start", "seats": seats, "button": 1}, *commands]
    ledger = INITIAL
    for order, fields in enumerate(given):
        events = decide(ledger, decode_command({"round": "R1", **fields}), START, str(order))
        assert not isinstance(events, Refusal), events
        for event in events:
            ledger = fold(ledger, event, START, str(order))
    assert ledger.round is not None
    return ledger.round


def seated(*sizes: int) -> dict[str, list[int]]:
    spots = [[table, seat] for table, size in enumerate(sizes, 1) for seat in range(1, size + 1)]
    return dict(zip(PLAYERS, spots, strict=True))


def scene(round: Round | None, minutes: int = 1) -> Scene:
    return Scene(round=round, roster=Roster(), link=Link(), venue=Venue("Brno"), at_ms=START + minutes * MINUTE)


def hands(*tables: int) -> list[dict[str, Any]]:
    return [{"do": "next_hand", "table": table} for table in tables]


BALANCED = played(*hands(1, 2, 3), {"do": "balance"}, seats=seated(5, 2, 3))
MOVED = Move(who="000104", source=(1, 4), target=(2, 3))


def test_S_3_both_tables_concerned_and_the_door_tell_a_move() -> None:
    assert table_view(scene(BALANCED), 1).moves == (MOVED,)
    assert table_view(scene(BALANCED), 2).moves == (MOVED,)
    assert table_view(scene(BALANCED), 3).moves == ()
    assert door_view(scene(BALANCED)).moves == (MOVED,)


def test_S_3_a_move_is_told_until_the_next_hand_of_the_new_table_whatever_the_time() -> None:
    assert table_view(scene(BALANCED, minutes=60), 1).moves == (MOVED,)
    later = played(*hands(1, 2, 3), {"do": "balance"}, *hands(2), seats=seated(5, 2, 3))
    assert table_view(scene(later), 1).moves == ()
    assert table_view(scene(later), 2).moves == ()


def test_S_3_where_hands_are_not_tracked_a_move_is_told_for_ten_minutes() -> None:
    untracked = played({"do": "balance"}, seats=seated(5, 2, 3))
    assert len(door_view(scene(untracked, minutes=9)).moves) == 1
    assert door_view(scene(untracked, minutes=10)).moves == ()


@pytest.mark.parametrize(
    "then",
    [
        {"do": "bust", "participant": "000104"},
        {"do": "undo"},
        {"do": "end_early", "reason": "a power cut", "stacks": dict.fromkeys(PLAYERS, 4000)},
    ],
)
def test_S_3_a_move_that_no_longer_holds_is_not_told(then: dict[str, Any]) -> None:
    over = played(*hands(1, 2, 3), {"do": "balance"}, then, seats=seated(5, 2, 3))
    assert door_view(scene(over)).moves == ()


def test_S_4_the_screen_of_a_broken_table_tells_all_its_players_where_they_sit() -> None:
    broken = played(*hands(1, 2), {"do": "break_table", "table": 2}, seats=seated(3, 7), seats_per_table=10)
    told = table_view(scene(broken), 2)
    assert [move.source for move in told.moves] == [(2, seat) for seat in range(1, 8)]
    assert {move.target[0] for move in told.moves} == {1}
    assert told.moves == table_view(scene(broken), 1).moves


def test_S_6_the_final_table_tells_everybody_their_seat() -> None:
    final = played(*hands(1, 2), {"do": "final_table"}, seats=seated(5, 5), seats_per_table=10)
    assert len(table_view(scene(final), 1).moves) == 10
    assert len(table_view(scene(final), 2).moves) == 5


def test_S_6_who_draws_the_seat_they_had_is_told_the_seat_and_not_to_go_there() -> None:
    """Under some seed somebody does: everybody else is told both seats."""
    for seed in range(20):
        final = played(*hands(1), {"do": "final_table"}, seats=seated(10), seats_per_table=10, seed=seed)
        told = table_view(scene(final), 1).moves
        stay = [move for move in told if move.source is None]
        assert len(told) == 10
        assert not [move for move in told if move.source == move.target]
        for move in stay:
            assert move.who == PLAYERS[move.target[1] - 1]
        if stay:
            return
    raise AssertionError("nobody drew their own seat under any seed")


def test_S_5_seats_that_are_not_dealt_in_and_absent_players_are_marked() -> None:
    gap = dict(zip(PLAYERS, [*([1, seat] for seat in (1, 2, 4, 6, 7)), *([2, s] for s in range(1, 6))], strict=True))
    moves = [
        {"do": "move", "participant": "000106", "seat": [1, 3]},
        {"do": "move", "participant": "000107", "seat": [1, 5]},
        {"do": "sit_out", "participant": "000107"},
        {"do": "absent", "participant": "000101"},
    ]
    before = table_view(scene(played(*hands(1), *moves, seats=gap)), 1)
    assert [move.deals_in for move in before.moves] == ["after-button", "after-button"]
    seats = {
        seat.number: (seat.waits, seat.absent)
        for seat in table_view(scene(played(*hands(1), *moves, *hands(1), seats=gap)), 1).seats
    }
    assert seats[1] == (None, True)
    assert seats[3] == ("button", False)
    assert seats[5] == ("choice", False)
    assert {seats[n] for n in (2, 4, 6, 7)} == {(None, False)}


@pytest.mark.parametrize(
    ("deals_in", "en", "cs"),
    [
        ("next-hand", "is dealt in next hand", "hraje příští handu"),
        ("after-button", "is dealt in after the button", "čeká na button"),
        ("big-blind", "is dealt in as a lone big blind", "hraje jako samotný big blind"),
    ],
)
def test_a_move_is_said_in_both_languages(deals_in: Any, en: str, cs: str) -> None:
    move = Move(who="000112", source=(3, 4), target=(1, 7), deals_in=deals_in)
    assert move_text(move, Translator("en")) == f"000112: table 3 seat 4 → table 1 seat 7, {en}"
    assert move_text(move, Translator("cs")) == f"000112: stůl 3, místo 4 → stůl 1, místo 7, {cs}"
    assert move_text(replace(move, source=None), Translator("en")) == f"000112: table 1 seat 7, {en}"


def test_of_very_many_moves_the_first_are_told_and_how_many_more() -> None:
    moves = tuple(replace(MOVED, who=f"{n:06}") for n in range(30))
    lines = move_lines(moves, Translator("cs"))
    assert len(lines) == MOST
    assert lines[-1] == "a ještě 19 přesunů"
    assert move_lines(moves[:MOST], Translator("cs"))[-1].startswith("000011")


def drawn(view: TableView, size: tuple[int, int], lang: str, fonts: FontBook) -> list[Text]:
    return [op for op in draw_list(view, size, Translator(lang), fonts) if isinstance(op, Text)]


def test_of_many_moves_each_says_only_where_to_go_and_when_if_not_at_once() -> None:
    """Nine at a final table were told in letters that nobody could read."""
    many = [
        Move(who="000112", source=(3, 4), target=(1, 7)),
        Move(who="000113", source=(3, 5), target=(1, 8), deals_in="after-button"),
        Move(who="000114", source=None, target=(1, 9)),
    ]
    assert move_lines(tuple(many), Translator("en")) == [
        "000112 → table 1 seat 7",
        "000113 → table 1 seat 8, is dealt in after the button",
        "000114: table 1 seat 9, is dealt in next hand",
    ]
    assert (
        move_lines(tuple(many[:2]), Translator("cs"))[0]
        == "000112: stůl 3, místo 4 → stůl 1, místo 7, hraje příští handu"
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 3, 9])
@pytest.mark.parametrize("alone", [True, False])
def test_every_move_is_written_out_in_letters_of_one_size(
    evening: TableView, fonts: FontBook, size: tuple[int, int], count: int, lang: str, alone: bool
) -> None:
    """Up to a whole table of nine, its own screen or another's; at 800x480 in letters of ten pixels or more."""
    moves = tuple(Move(who="Kateřina Š.", source=(3, n), target=(1, n), deals_in="next-hand") for n in range(count))
    seats = tuple(Seat(number=seat.number) for seat in evening.seats) if alone else evening.seats
    texts = drawn(replace(evening, seats=seats, moves=moves), size, lang, fonts)
    lines = move_lines(moves, Translator(lang))
    parts = [half for line in lines for half in halves(line)]
    told = lines if [op.text for op in texts if op.text in lines] else parts
    written = [op for op in texts if op.text in told]
    assert [op.text for op in written] == told
    assert len({op.size for op in written}) == 1
    assert written[0].size >= (7 if size == (480, 800) else 10)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("size", "count", "alone", "least"), [
    ((1920, 1080), 1, False, 52), ((1280, 720), 1, False, 34), ((1080, 1920), 1, False, 44),
    ((1920, 1080), 6, True, 56), ((1280, 720), 6, True, 36), ((1080, 1920), 6, True, 44),
])  # fmt: skip
def test_moves_are_as_large_as_there_is_room(
    evening: TableView, fonts: FontBook, size: tuple[int, int], count: int, alone: bool, least: int, lang: str
) -> None:
    """One was told in a ribbon half of which was empty, six above half a screen with nothing on it."""
    moves = tuple(Move(who="Kateřina Š.", source=(3, n), target=(1, n), deals_in="next-hand") for n in range(count))
    seats = tuple(Seat(number=seat.number) for seat in evening.seats) if alone else evening.seats
    texts = drawn(replace(evening, seats=seats, moves=moves), size, lang, fonts)
    assert min(op.size for op in texts if "→" in op.text) >= least


def test_S_3_the_wall_tells_every_move(evening: TableView, fonts: FontBook) -> None:
    assert clock_view(scene(BALANCED)).moves == (MOVED,)
    wall = ClockView(board=evening.board, moves=(MOVED,))
    for size in SIZES:
        ops = draw_list(wall, size, Translator("cs"), fonts)
        texts = [op for op in ops if isinstance(op, Text)]
        told = [op for op in texts if "000104" in op.text]
        assert len(told) == 1
        assert told[0].size >= (40 if min(size) >= 1080 else 17)


def test_the_marks_of_seats_that_wait_are_written(evening: TableView, fonts: FontBook) -> None:
    seats = tuple(replace(seat, waits="button", absent=False) for seat in evening.seats)
    assert "čeká na button" in [op.text for op in drawn(replace(evening, seats=seats), (1920, 1080), "cs", fonts)]
    seats = tuple(replace(seat, waits="choice", absent=False) for seat in evening.seats)
    assert "vynechává" in [op.text for op in drawn(replace(evening, seats=seats), (1920, 1080), "cs", fonts)]
