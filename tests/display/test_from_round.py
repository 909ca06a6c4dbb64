"""A round at a moment becomes what a screen shows of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.from_round import (
    Link,
    Scene,
    Venue,
    clock_view,
    door_view,
    next_change_ms,
    short_name,
    table_view,
)
from appliance.display.view import Blinds, Prize
from appliance.game import clock as clocks
from appliance.game.commands import (
    Announce,
    decode_command,
)
from appliance.game.play import DealMade
from appliance.game.rehearse import step
from appliance.game.roster import Roster, RosterEntry, RoundOffered, fold_roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import parse_script
from appliance.game.state import Ledger, Round
from appliance.game.values import parse_time

ANNOUNCE: dict[str, Any] = {
    "do": "announce",
    "round": "R1",
    "venue": "brno",
    "starts_at": "2027-01-15T19:00:00+01:00",
    "profile": "cpl-2017",
    "deposit": 100,
    "shares": ["50", "30", "20"],
    "seats_per_table": 9,
    "ante_by": "bb",
    "levels": [
        {"sb": 25, "bb": 50, "minutes": 15},
        {"break": 10},
        {"sb": 50, "bb": 100, "ante": 100, "minutes": 15},
    ],
}
PLAYERS = [f"{n:06}" for n in range(101, 107)]
SEATS = {who: [1, n] for n, who in enumerate(PLAYERS[:4], 1)} | {who: [2, n] for n, who in enumerate(PLAYERS[4:], 1)}

STACKS = {who: 4800 for who in PLAYERS if who != "000104"}


def at(time: str, day: int = 15) -> int:
    return parse_time(f"2027-01-{day}T{time}+01:00")


def script() -> list[dict[str, Any]]:
    lines: list[tuple[str, dict[str, Any]]] = [("18:00:00", ANNOUNCE), ("18:01:00", {"do": "open"})]
    lines += [("18:05:00", {"do": "register", "participant": who, "identity_checked": True}) for who in PLAYERS]
    lines += [
        ("19:00:00", {"do": "start", "seats": SEATS, "button": 1}),
        ("19:01:00", {"do": "next_hand", "table": 1}),
        ("19:05:00", {"do": "pause"}),
        ("19:06:00", {"do": "resume"}),
        ("19:30:00", {"do": "bust", "participant": "000104"}),
        (
            "19:40:00",
            {"do": "end_early", "reason": "požár", "stacks": STACKS},
        ),
    ]
    return [{"at": f"2027-01-15T{time}+01:00", "round": "R1", **fields} for time, fields in lines]


@pytest.fixture(scope="module")
def ledger_at() -> Callable[[int], Ledger]:
    parsed = parse_script(json.dumps(line) for line in script())

    def ledger_at(at_ms: int) -> Ledger:
        ledger = INITIAL
        for line in parsed:
            if line.at_ms <= at_ms:
                answer = step(ledger, line, seed=1)
                ledger = ledger if isinstance(answer, Refusal) else answer
        return ledger

    return ledger_at


@pytest.fixture(scope="module")
def scene(ledger_at: Callable[[int], Ledger]) -> Callable[..., Scene]:
    def scene(time: str, **more: Any) -> Scene:
        at_ms = at(time)
        values = {"round": ledger_at(at_ms).round, "roster": Roster(), "link": Link(), "venue": Venue("Brno"), **more}
        return Scene(at_ms=at_ms, **values)

    return scene


def test_before_the_start_the_screen_counts_down_to_it(scene: Callable[..., Scene]) -> None:
    board = table_view(scene("18:24:00"), 1).board
    assert (board.phase, board.starts_in_s) == ("open", 36 * 60)
    assert board.face is not None
    assert (board.face.level, board.face.running, board.face.blinds.bb) == (1, False, 50)
    assert board.field is not None
    assert (board.field.entries, board.capacity, board.deposit, board.stack) == (6, 90, 100, 4000)
    assert board.starts_at is not None
    assert (board.starts_at.hour, board.starts_at.minute) == (19, 0)


def test_a_table_in_play(scene: Callable[..., Scene]) -> None:
    view = table_view(scene("19:02:30"), 1)
    face = view.board.face
    assert face is not None
    assert (view.hand, face.remaining_s, face.span_s) == (1, 750, 900)
    assert [seat.who for seat in view.seats] == [*PLAYERS[:4], None, None, None, None, None]
    marks = {
        "button": [seat.number for seat in view.seats if seat.button],
        "sb": [seat.number for seat in view.seats if seat.small_blind],
        "bb": [seat.number for seat in view.seats if seat.big_blind],
    }
    assert marks == {"button": [1], "sb": [2], "bb": [3]}
    assert face.next_is_break
    assert face.next_blinds == Blinds(sb=50, bb=100, ante=100, ante_from_bb=True)
    assert face.next_break_in_s == 750
    assert face.next_break_at is not None
    assert (face.next_break_at.hour, face.next_break_at.minute) == (19, 15)
    assert view.board.prizes == (
        Prize(place=1, amount=300),
        Prize(place=2, amount=180),
        Prize(place=3, amount=120),
    )
    assert view.board.field is not None
    assert (view.board.field.left, view.board.field.average) == (6, 4000)


def test_a_paused_clock_promises_no_time_of_day(scene: Callable[..., Scene]) -> None:
    board = table_view(scene("19:05:30"), 1).board
    assert board.phase == "paused"
    assert board.face is not None
    assert (board.face.running, board.face.next_break_at, board.face.next_break_in_s) == (False, None, 600)


def test_a_break_shows_the_level_just_played_and_when_play_goes_on(scene: Callable[..., Scene]) -> None:
    face = table_view(scene("19:20:00"), 1).board.face
    assert face is not None
    assert (face.on_break, face.level, face.remaining_s) == (True, 1, 360)
    assert face.break_ends_at is not None
    assert (face.break_ends_at.hour, face.break_ends_at.minute) == (19, 26)


def test_CK_6_a_clock_that_hand_for_hand_play_holds_is_not_paused(scene: Callable[..., Scene]) -> None:
    now = scene("19:28:00")
    assert now.round is not None and now.round.clock is not None
    clock = clocks.held(now.round.structure, now.round.clock, now.at_ms)
    board = clock_view(replace(now, round=replace(now.round, clock=clock))).board
    assert board.face is not None
    assert (board.phase, board.face.running, board.face.next_break_at) == ("running", False, None)


def test_CK_2_the_hand_in_play_keeps_its_blinds(scene: Callable[..., Scene]) -> None:
    view = table_view(scene("19:28:00"), 1)
    assert view.board.face is not None
    assert view.board.face.blinds.bb == 100
    assert view.hand_blinds is not None
    assert view.hand_blinds.bb == 50
    assert table_view(scene("19:28:00"), 2).hand_blinds is None, "no hand was played there"


def test_CK_2_a_hand_that_is_not_tracked_says_nothing_of_its_blinds(scene: Callable[..., Scene]) -> None:
    now = scene("19:28:00")
    assert now.round is not None
    for level, shown in ((0, False), (1, True), (2, False), (3, False)):
        table = replace(now.round.tables[1], level=level)
        view = table_view(replace(now, round=replace(now.round, tables={1: table})), 1)
        assert (view.hand_blinds is not None) is shown, level


def test_after_the_end_the_results_are_shown(scene: Callable[..., Scene]) -> None:
    board = clock_view(scene("19:50:00")).board
    assert board.phase == "finished"
    assert [(r.place, r.who) for r in board.results][-1] == (6, "000104")
    assert sum(r.prize for r in board.results) == 600
    assert all(r.points for r in board.results)


def test_P_points_by_a_key_the_league_has_not_confirmed_are_flagged(scene: Callable[..., Scene]) -> None:
    ended = scene("19:50:00")
    assert ended.round is not None
    assert not ended.round.key.confirmed
    for view in (table_view(ended, 1), clock_view(ended), door_view(ended)):
        assert not view.board.key_confirmed
    stood_by = replace(ended, round=replace(ended.round, key=replace(ended.round.key, confirmed=True)))
    for view in (table_view(stood_by, 1), clock_view(stood_by), door_view(stood_by)):
        assert view.board.key_confirmed


def test_without_a_round_there_is_none_tonight(scene: Callable[..., Scene]) -> None:
    board = door_view(scene("17:00:00")).board
    assert (board.phase, board.face, board.field) == ("none", None, None)
    assert table_view(scene("17:00:00"), 1).seats == ()


def test_the_leagues_offer_says_what_is_on_before_it_is_announced(scene: Callable[..., Scene]) -> None:
    offer = decode_command(ANNOUNCE)
    assert isinstance(offer, Announce)
    roster = fold_roster(Roster(), RoundOffered(announcement=offer))
    board = door_view(scene("17:00:00", roster=roster)).board
    assert (board.phase, board.deposit, board.stack, board.capacity) == ("announced", 100, 4000, 90)
    assert board.face is not None
    assert board.face.blinds.bb == 50
    the_day_before = Scene(round=None, roster=roster, link=Link(), venue=Venue("Brno"), at_ms=at("17:00:00", 14))
    assert door_view(the_day_before).board.phase == "none"


def test_names_come_from_the_roster_and_are_short(scene: Callable[..., Scene]) -> None:
    roster = fold_roster(
        Roster(), RosterEntry(participant="000102", state="active", name="Ing. Kateřina Šťastná, Ph.D.")
    )
    seats = table_view(scene("19:02:00", roster=roster), 1).seats
    assert [seat.who for seat in seats[:3]] == ["000101", "Kateřina Š.", "000103"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Jan Novák", "Jan N."),
        ("Mgr. Bc. Eva Žáková", "Eva Ž."),
        ("Anna Marie Nováková", "Anna N."),
        ("Pelé", "Pelé"),
        ("  ", ""),
        ("Dr.", "Dr."),
        ("Maxmilián-Kryšpín Žluťoučký, MBA", "Maxmilián-Kryšpín Ž."),
    ],
)
def test_short_names(name: str, short: str) -> None:
    assert short_name(name) == short


def test_a_prompt_gets_what_it_needs(scene: Callable[..., Scene]) -> None:
    check = door_view(scene("18:30:00", prompt=p.CheckIdentity("000200", 100))).prompt
    assert check is not None
    assert (check.who, check.chips) == ("000200", 4000)
    seat = door_view(scene("19:10:00", prompt=p.YourSeat("000105", 2, 1))).prompt
    assert seat is not None
    assert [(table.number, table.seats, table.taken) for table in seat.plan] == [
        (1, 9, (1, 2, 3, 4)),
        (2, 9, (1, 2)),
    ]
    wrong = door_view(scene("17:00:00", prompt=p.WrongEvening(at("19:00:00", 22)))).prompt
    assert wrong is not None
    assert wrong.next_round_at is not None
    assert wrong.next_round_at.day == 22


def test_a_tap_too_early_is_told_apart_from_another_evening(scene: Callable[..., Scene]) -> None:
    for starts_at, today in ((at("19:00:00"), True), (at("00:30:00"), True), (at("19:00:00", 22), False)):
        view = door_view(scene("18:00:30", prompt=p.WrongEvening(starts_at))).prompt
        assert view is not None
        assert view.next_round_today is today


def test_a_tap_before_the_announcement_is_too_early_for_the_round_on_offer(scene: Callable[..., Scene]) -> None:
    offer = decode_command(ANNOUNCE)
    assert isinstance(offer, Announce)
    roster = fold_roster(Roster(), RoundOffered(announcement=offer))
    view = door_view(scene("17:00:00", round=None, roster=roster, prompt=p.WrongEvening())).prompt
    assert view is not None
    assert view.next_round_today
    assert view.next_round_at is not None
    assert view.next_round_at.hour == 19


def test_a_lost_director_and_reader_are_shown_with_their_time(scene: Callable[..., Scene]) -> None:
    link = Link(director=False, director_lost_at=at("19:01:00"), reader=False, one_copy=True)
    status = table_view(scene("19:02:00", link=link), 1).board.status
    assert (status.director, status.reader, status.one_copy) == (False, False, True)
    assert status.director_lost_at is not None
    assert (status.director_lost_at.hour, status.director_lost_at.minute) == (19, 1)


@pytest.mark.parametrize("time", ["18:30:00.400", "19:02:00.250", "19:15:59.999", "19:05:30.500", "19:50:00"])
def test_the_next_change_is_the_first_moment_at_which_the_view_differs(
    scene: Callable[..., Scene], ledger_at: Callable[[int], Ledger], time: str
) -> None:
    def seen(at_ms: int, round: Round | None) -> object:
        view = table_view(Scene(round=round, roster=Roster(), link=Link(), venue=Venue("Brno"), at_ms=at_ms), 1)
        return view.board.starts_in_s, view.board.face, view.board.now.replace(second=0, microsecond=0)

    start = at(time)
    round = ledger_at(start).round
    step_ms = next_change_ms(round, start)
    assert 1 <= step_ms <= 60_000
    before = [_times(seen(start + ms, round)) for ms in (0, step_ms - 1)]
    assert before[0] == before[1]
    assert _times(seen(start + step_ms, round)) != before[0]


def _times(seen: Any) -> object:
    """What a screen writes of it: a time of day to the minute."""
    starts_in, face, now = seen
    return starts_in, face and (face.level, face.remaining_s, face.on_break), now


@pytest.mark.parametrize(("time", "average"), [("19:15:59", 4000), ("19:16:00", 4600)])
def test_T_13_the_first_breaks_chips_are_shown_when_it_begins(
    ledger_at: Callable[[int], Ledger], scene: Callable[..., Scene], time: str, average: int
) -> None:
    """No command tells of them yet; the clock stood from 19:05 to 19:06."""
    round = ledger_at(at("19:06:00")).round
    assert round is not None
    owing = replace(round, chip_up=600, rules=replace(round.rules, chip_up="automatic"))
    for view in (table_view(scene(time, round=owing), 1), clock_view(scene(time, round=owing))):
        assert view.board.field is not None
        assert (view.board.field.average, view.board.field.chips_in_play) == (average, 6 * average)


def test_T_10_after_a_deal_no_screen_says_what_the_dealt_places_would_pay(
    ledger_at: Callable[[int], Ledger], scene: Callable[..., Scene]
) -> None:
    round = ledger_at(at("19:31:00")).round
    assert round is not None
    assert len(clock_view(scene("19:31:00", round=round)).board.prizes) == 3
    left = {player.participant: 120 for player in round.players.values() if player.seat}
    two = dict(list(left.items())[:2])
    for amounts, shown in ((left, ()), (two, (Prize(place=3, amount=120),))):
        dealt = replace(round, deal=DealMade(at=0, kind="manual", amounts=amounts))
        assert clock_view(scene("19:31:00", round=dealt)).board.prizes == shown
