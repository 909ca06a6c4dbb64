"""A screen shows whatever state a journal folds to, at whatever time its clock says: it never ends over one."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.display.from_round import (
    Link,
    Scene,
    Venue,
    clock_view,
    door_view,
    later,
    next_change_ms,
    scene_change_ms,
    table_view,
)
from appliance.display.prompt import WrongEvening, YourSeat
from appliance.display.view import Face
from appliance.game import clock as clocks
from appliance.game.codec import EventError
from appliance.game.events import decode_event, encode_event
from appliance.game.report import report
from appliance.game.roster import Notice, Roster, SeasonLine, SeasonStandings
from appliance.game.round import INITIAL, Refusal, decide, fold, set_aside
from appliance.game.script import parse_script
from appliance.game.state import Ledger

SEVEN = 1_800_036_000_000
PLAYERS = [f"{n:06}" for n in range(1, 7)]
CALLED = PLAYERS[1]
"""Somebody who is drawn to table 1."""


def evening() -> list[tuple[str, Any, int, str]]:
    """The events of a short evening that has one of nearly every kind: type, data, time and cause."""
    commands: list[dict[str, Any]] = [
        {
            "do": "announce", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "casino-2012",
            "deposit": 100, "shares": ["50", "30", "20"], "seats_per_table": 3, "late_registration": True, "seed": 7,
            "levels": [{"sb": 25, "bb": 50, "minutes": 15}, {"break": 10}, {"sb": 50, "bb": 100, "minutes": 15}],
        },
        {"do": "open"},
        *({"do": "register", "participant": who, "identity_checked": True} for who in PLAYERS[:5]),
        {"do": "reschedule", "starts_at": "2027-01-15T20:00:00+01:00"},
        {"do": "open"},
        {"do": "start"},
        {"do": "next_hand", "table": 1},
        {"do": "time_call", "table": 1, "participant": CALLED},
        {"do": "register", "participant": PLAYERS[5], "identity_checked": True},
        {"do": "deposit", "participant": PLAYERS[0], "amount": 50},
        {"do": "pause"},
        {"do": "begin_break", "minutes": 5},
        {"do": "resume"},
        {"do": "bust", "participant": PLAYERS[1]},
        {"do": "reinstate", "participant": PLAYERS[1]},
        {"do": "undo", "n": 2},
        {"do": "redo"},
        {"do": "bust", "participant": PLAYERS[2], "hand": 1, "stack": 5},
        {"do": "bust", "participant": PLAYERS[3]},
        {"do": "final_table"},
        {"do": "end_early", "reason": "x", "stacks": {PLAYERS[0]: 7, PLAYERS[4]: 7, PLAYERS[5]: 9}},
    ]  # fmt: skip
    lines = [json.dumps({"at": "2027-01-15T19:00:00+01:00", "round": "R1", **command}) for command in commands]
    told: list[tuple[str, Any, int, str]] = []
    ledger = INITIAL
    for line in parse_script(lines):
        at_ms, cause = line.at_ms + line.line_no * 20_000, f"c{line.line_no}"
        answer = decide(ledger, line.command, at_ms, cause)
        assert not isinstance(answer, Refusal), answer
        for event in answer:
            kind, raw = encode_event(event)
            told.append((kind, msgspec.json.decode(raw), at_ms, cause))
            ledger = fold(ledger, event, at_ms, cause)
    return told


TOLD = evening()

NUMBERS = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([-(10**30), -(2**63), 10**12, 10**15, 2**62, 2**63, 10**30, 253_402_343_999_000]),
)
VALUES = st.one_of(NUMBERS, st.none(), st.sampled_from(["", "000001", "000009", "0", "x"]), st.just([]), st.just({}))
TIMES = st.one_of(NUMBERS, st.integers(SEVEN - 10**8, SEVEN + 10**8))


def leaves(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(leaf for key, child in children for leaf in leaves(child, (*path, key)))]


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = data.copy()
    copy[path[0]] = changed(data[path[0]], path[1:], value)
    return copy


def promised(ledger: Ledger, at_ms: int, face: Face | None) -> None:
    """In a break, what follows by the screen is what the clock shows once the break is over (CK-3)."""
    if ledger.round is None or face is None or not face.on_break or face.next_blinds is None:
        return
    ends_at = clocks.face(ledger.round, at_ms).ends_at
    if ends_at is None:
        return
    then = clocks.face(ledger.round, ends_at)
    if not then.on_break:
        assert (then.level, then.sb, then.bb) == (face.following, face.next_blinds.sb, face.next_blinds.bb)
        assert face.resumes_s in (None, -(-then.remaining_ms // 1000))


def look(ledger: Ledger, at_ms: int, roster: Roster) -> None:
    """Every screen of this state, and what the league derives from it."""
    for prompt in (None, WrongEvening(at_ms), YourSeat("000001", 1, 1)):
        link = Link(director=False, director_lost_at=at_ms)
        scene = Scene(round=ledger.round, roster=roster, link=link, venue=Venue("Brno"), at_ms=at_ms, prompt=prompt)
        for view in (table_view(scene, 1), table_view(scene, 9), clock_view(scene), door_view(scene)):
            after = msgspec.structs.replace(scene, at_ms=at_ms + 1000)
            later(view, after)
        promised(ledger, at_ms, table_view(scene, 1).board.face)
        assert 1 <= scene_change_ms(scene) <= 60_000
    assert 1 <= next_change_ms(ledger.round, at_ms) <= 60_000
    json.dumps(report(ledger, at_ms))


LINES = (
    SeasonLine(place=1, participant=CALLED, points_half=390, name="Věra Žáčková"),
    SeasonLine(place=2, participant="9", points_half=0),
)


def roster_at(until: int | None, written: int, as_of: int) -> Roster:
    """What the league has told, at any times at all."""
    standings = SeasonStandings(season="2027", as_of=as_of, participants=2, rows=LINES)
    return Roster(notice=Notice(text_cs="a", text_en="b", until=until), notice_at=written, standings=standings)


ROSTERS = st.builds(Roster) | st.builds(roster_at, st.none() | TIMES, TIMES, TIMES)


@settings(max_examples=400, deadline=None)
@given(data=st.data(), at_ms=TIMES, roster=ROSTERS)
def test_no_record_and_no_time_ends_a_screen(data: st.DataObject, at_ms: int, roster: Roster) -> None:
    wrong = data.draw(st.sampled_from(range(len(TOLD))))
    kind, fields, then, cause = TOLD[wrong]
    change = data.draw(st.sampled_from(["value", "time", "twice", "gone", "early"]))
    told = list(TOLD)
    match change:
        case "value":
            path = data.draw(st.sampled_from(leaves(fields)))
            told[wrong] = (kind, changed(fields, path, data.draw(VALUES)), then, cause)
        case "time":
            told[wrong] = (kind, fields, data.draw(TIMES), cause)
        case "twice":
            told.insert(data.draw(st.integers(wrong, len(TOLD))), told[wrong])
        case "gone":
            del told[wrong]
        case "early":
            told.insert(data.draw(st.integers(0, wrong)), told.pop(wrong))
    ledger = INITIAL
    upto = data.draw(st.integers(1, len(told)))
    for kind, fields, then, cause in told[:upto]:
        try:
            ledger = fold(ledger, decode_event(kind, msgspec.json.encode(fields)), then, cause)
        except EventError:
            ledger = set_aside(ledger, then, cause) if data.draw(st.booleans()) else ledger
    look(ledger, at_ms, roster)
