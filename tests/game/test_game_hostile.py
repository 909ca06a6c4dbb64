"""Anything that can be read, at any moment: refused, or carried out; folded, or an `EventError`. Nothing else."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.game.codec import EventError
from appliance.game.commands import decode_command
from appliance.game.events import EVENT_TYPES, CommandsUndone, decode_event
from appliance.game.points import decode_key
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal
from appliance.game.round import INITIAL, decide, fold, set_aside
from appliance.game.state import Ledger
from appliance.record import MAX_RECORD_BYTES, uuid7
from tests.game.by_floor import COMMANDS, AnyFloor
from tests.game.by_look import look
from tests.game.by_schema import SEVEN_PM

MOMENTS = (0, -1, 10**9, 2**62, -(2**62))
"""A screen's clock may say anything."""

CHANCE = st.randoms(use_true_random=False)


@settings(max_examples=150, deadline=None)
@given(chance=CHANCE, steps=st.integers(1, 40))
def test_any_command_at_any_time_is_refused_or_carried_out(chance: random.Random, steps: int) -> None:
    floor = AnyFloor(chance)
    floor.gather()
    for _ in range(steps):
        floor.wait()
        floor.ask()
        look(floor.ledger, floor.at)
    look(floor.ledger, chance.choice(MOMENTS))


@settings(max_examples=150, deadline=None)
@given(chance=CHANCE, steps=st.integers(1, 40))
def test_an_event_that_cannot_be_true_is_an_error_or_leaves_what_can_be_shown(
    chance: random.Random, steps: int
) -> None:
    floor = AnyFloor(chance)
    floor.gather()
    for _ in range(steps):
        floor.wait()
        if chance.random() < 0.4:
            floor.forge()
        else:
            floor.ask()
        look(floor.ledger, floor.at)
    look(floor.ledger, chance.choice(MOMENTS))


@settings(max_examples=100, deadline=None)
@given(chance=CHANCE, steps=st.integers(1, 40))
def test_whatever_was_given_is_undone_and_given_again_later(chance: random.Random, steps: int) -> None:
    floor = AnyFloor(chance)
    floor.gather()
    for _ in range(steps):
        floor.wait()
        before = floor.ledger
        floor.ask()
        if floor.ledger.undoable != before.undoable + 1 or floor.ledger.redoable or before.redoable:
            continue
        later = floor.at + chance.choice((0, 1, 10**6))
        undone = asked(floor.ledger, "undo", later)
        assert but_for_the_clock(undone) == but_for_the_clock(before)
        again = asked(undone, "redo", later + chance.choice((0, 1, 10**6)))
        assert but_for_the_clock(again) == but_for_the_clock(floor.ledger)
    told = INITIAL
    for kind, raw, at, cause in floor.told:
        told = fold(told, decode_event(kind, raw), at, cause)
    assert msgspec.json.encode(told.round) == msgspec.json.encode(floor.ledger.round)
    assert (told.undoable, told.redoable) == (floor.ledger.undoable, floor.ledger.redoable)


def asked(ledger: Ledger, do: str, at: int) -> Ledger:
    events = decide(ledger, decode_command({"do": do, "round": "R1"}), at, "again")
    assert not isinstance(events, Refusal)
    for event in events:
        ledger = fold(ledger, event, at, "again")
    return ledger


def but_for_the_clock(ledger: Ledger) -> bytes:
    return msgspec.json.encode(ledger.round and replace(ledger.round, clock=None))


def test_what_is_drawn_reaches_every_command() -> None:
    """Else the tests above would say little: each command is carried out on some evening, not only refused."""
    never = set(COMMANDS)
    for seed in range(1000):
        floor = AnyFloor(random.Random(seed))
        floor.gather()
        for _ in range(40):
            floor.wait()
            floor.ask()
        never -= floor.carried_out.keys()
        if not never:
            return
    assert not never


@pytest.fixture
def at_two_tables(evening):
    """Three at table 1, two at table 2; 4 was out and 5 is, 6 is void; 7 never came."""
    evening.seated((1, 2, 3), (4, 5, 6), button=1, profile="casino-2012", reentry=True)
    evening.do("next_hand", table=1).do("next_hand", table=2)
    evening.bust(5)
    return evening.do("void", participant="000006", reason="x")


IMPOSSIBLE: dict[str, list[dict]] = {
    "opened/1": [{}],
    "cancelled/1": [{"returned": {}}],
    "rescheduled/1": [{"starts_at": 0}],
    "registered/1": [
        {"participant": "000001", "deposit": 100, "chips": 4000, "seat": [1, 5]},
        {"participant": "000007", "deposit": 100, "chips": 4000, "seat": [1, 1]},
        {"participant": "000007", "deposit": 100, "chips": 4000},
    ],
    "unregistered/1": [{"participant": "000001", "returned": 0}, {"participant": "000007", "returned": 0}],
    "deposited/1": [{"participant": who, "amount": 1, "chips": 40} for who in ("000005", "000006", "000007")],
    "started/1": [
        {
            "seed": 1, "buttons": {"1": 1}, "clock": {"entry": 0, "running": True, "ends_at": 1},
            "seats": {f"{n:06}": [1, n] for n in range(1, 7)},
        }
    ],
    "clock-set/1": [{"by": "x", "clock": {"entry": 99, "running": True}}],
    "hand-started/1": [
        {
            "table": table, "hand": 2, "button": 1, "sb": 2, "bb": 3, "sb_seat": 2, "bb_seat": 3, "level": 1,
            "small_blind": 1, "big_blind": 2, **more,
        }
        for table, more in ((3, {}), (1, {"waiting": {"9": "waits"}}), (1, {"together": 1}))
    ],
    "stacks-counted/1": [
        {"table": 1, "stacks": {who: 5}, "total": None} for who in ("000005", "000006", "000007")
    ] + [{"table": 3, "stacks": {"000001": 5}, "total": 5}],
    "busted/1": [{"participant": who} for who in ("000005", "000006", "000007")],
    "reinstated/1": [
        {"participant": "000005", "seat": [1, 1], "chips": 4000},
        *({"participant": who, "seat": [1, 5], "chips": 1} for who in ("000001", "000006", "000007")),
    ],
    "paid/1": [{"participant": "000007", "amount": 1}],
    "player-moved/1": [
        {"participant": "000001", "source": [1, 1], "target": [1, 2]},
        {"participant": "000001", "source": [1, 1], "target": [1, 1]},
        {"participant": "000001", "source": [1, 2], "target": [2, 5]},
        {"participant": "000001", "source": None, "target": [2, 5]},
        {"participant": "000005", "source": None, "target": [2, 5]},
    ],
    "final-table-drawn/1": [
        {"table": 1, "seats": seats, "button": 1, "draw": 1}
        for seats in (
            {},
            {"1": "000001", "2": "000002", "3": "000003"},
            {"1": "000001", "2": "000002", "3": "000003", "4": "000004", "5": "000004"},
            {"1": "000001", "2": "000002", "3": "000003", "4": "000004", "5": "000005"},
        )
    ],
    "finished/1": [
        {"results": [], "stacks": {"000001": 5}},
        {"results": [], "stacks": {f"{n:06}": 5 for n in range(1, 6)}},
        {"results": [], "stacks": {}},
    ],
    "absent-marked/1": [{"participant": who} for who in ("000005", "000006", "000007")],
    "present-marked/1": [{"participant": who} for who in ("000005", "000006", "000007")],
    "sat-out/1": [{"participant": who} for who in ("000005", "000006", "000007")],
    "player-locked/1": [{"participant": "000007", "on": True}],
    "table-broken/1": [
        {"table": 2, "seats": seats, "draw": 1}
        for seats in ({}, {"000004": [2, 7]}, {"000004": [1, 1]}, {"000004": [1, 5], "000001": [1, 6]})
    ] + [{"table": 3, "seats": {}, "draw": 1}],
    "taken-out/1": [
        {"participant": who, "why": "excluded", "chips": 1} for who in ("000005", "000006", "000007")
    ],
    "hand-for-hand-set/1": [{"on": True, "first": {"3": 1}}, {"on": False}],
    "chip-up-given/1": [{"chips": {who: 5}} for who in ("000005", "000006", "000007")],
    "bonus-card-used/1": [{"participant": who, "chips": 5} for who in ("000005", "000006", "000007")],
    "reentered/1": [
        {"participant": "000005", "deposit": 100, "chips": 4000, "seat": [1, 1], "draw": 1},
        *(
            {"participant": who, "deposit": 100, "chips": 4000, "seat": [1, 5], "draw": 1}
            for who in ("000001", "000006", "000007")
        ),
    ],
    "ruling-made/1": [{"ruling": "I-13", "facts": {}, "outcome": "commissioner-decides", "table": 3}],
    "sanctioned/1": [{"participant": "000007", "kind": "warning", "reason": "x"}],
    "coloured-up/1": [
        {"table": 1, "denomination": 25, "to": 100, "changes": {who: 5}, "stacks": {who: 5}}
        for who in ("000005", "000006", "000007")
    ] + [{"table": 3, "denomination": 25, "to": 100, "changes": {}, "stacks": {}}],
    "deal-agreed/1": [
        {"kind": "icm", "amounts": amounts, "stacks": {}}
        for amounts in ({}, {"000001": 5}, {f"{n:06}": 5 for n in range(1, 6)})
    ] + [{"kind": "icm", "amounts": {f"{n:06}": 5 for n in range(1, 5)}, "stacks": {"000005": 5}}],
    "voided/1": [{"participant": "000006", "reason": "x"}, {"participant": "000007", "reason": "x"}],
    "time-called/1": [
        {"table": 1, "participant": who, "think_ms": 1, "count_ms": 1, "ends": "fold"}
        for who in ("000004", "000005", "000006", "000007")
    ],
    "time-call-ended/1": [{"table": 3, "outcome": "acted"}],
    "undone/1": [{"n": 99, "commands": ["x"] * 99}, {"n": 1, "commands": []}],
    "redone/1": [{"n": 1, "commands": ["x"]}],
}  # fmt: skip
"""By type, what cannot be true at `at_two_tables`."""


@pytest.mark.parametrize(("kind", "fields"), [(kind, each) for kind, several in IMPOSSIBLE.items() for each in several])
def test_what_cannot_have_happened_does_not_fold(at_two_tables, kind: str, fields: dict) -> None:
    event = decode_event(kind, msgspec.json.encode(fields))
    with pytest.raises(EventError):
        fold(at_two_tables.ledger, event, at_two_tables.at, "forged")


def test_every_type_is_among_those_that_cannot_have_happened() -> None:
    assert set(EVENT_TYPES) - set(IMPOSSIBLE) == {"announced/1", "seat-locked/1"}


@pytest.mark.parametrize(
    "changes",
    [
        {"tables": []},
        {"tables": [1, 1]},
        {"tables": [1]},
        {"seats_per_table": 1},
        {"seats_per_table": 11},
        {"chip_set": [0, 25]},
        {"shares": ["0"]},
        {"rules": {"balance_gap": 0}},
        {"rules": {"players_minimum": 0}},
    ],
)
def test_an_announcement_by_which_nobody_could_play_does_not_fold(evening, changes: dict) -> None:
    evening.announce()
    kind, raw, *_ = evening.log[0]
    with pytest.raises(EventError):
        decode_event(kind, msgspec.json.encode({**msgspec.json.decode(raw), **changes}))


@pytest.mark.parametrize("phase", ["announced", "open", "moved", "finished", "cancelled"])
def test_what_happens_during_play_does_not_fold_before_or_after_it(evening, phase: str) -> None:
    evening.opened(3)
    match phase:
        case "announced":
            evening.do("undo", n=evening.ledger.undoable)
        case "moved":
            evening.do("reschedule", starts_at="2027-02-15T19:00:00+01:00")
        case "finished":
            evening.do("start").bust(1).bust(2)
        case "cancelled":
            evening.do("cancel")
    assert evening.round.phase.value == phase
    during = [
        ("busted/1", {"participant": "000003"}),
        ("clock-set/1", {"by": "x", "clock": {"entry": 0, "running": True, "ends_at": 1}}),
        ("hand-for-hand-set/1", {"on": True}),
        ("chip-up-given/1", {"chips": {}}),
        ("deposited/1", {"participant": "000003", "amount": 1, "chips": 40}),
        ("final-table-drawn/1", {"table": 1, "seats": {"1": "000003"}, "button": 1, "draw": 1}),
        ("deal-agreed/1", {"kind": "icm", "amounts": {"000003": 5}, "stacks": {}}),
    ]
    for kind, fields in during:
        with pytest.raises(EventError):
            fold(evening.ledger, decode_event(kind, msgspec.json.encode(fields)), evening.at, "forged")


def test_an_event_set_aside_is_undone_with_its_command(at_two_tables) -> None:
    """The writer counts it among its commands: undo by both gives the same."""
    before = at_two_tables.state_bytes()
    ledger = set_aside(at_two_tables.ledger, at_two_tables.at, "forged")
    assert ledger.in_doubt and ledger.undoable == at_two_tables.ledger.undoable + 1
    ledger = fold(ledger, CommandsUndone(n=1, commands=("forged",)), at_two_tables.at, "undo")
    assert not ledger.in_doubt and msgspec.json.encode(ledger.round) == before


def test_an_absurd_stack_that_leaves_play_is_told_in_full(evening) -> None:
    """A count and a bonus on top are more than any amount that a person may enter."""
    evening.seated((1, 2, 3), (4, 5), profile="cpl", bonus_card=500)
    evening.do("stacks", table=2, stacks={"000004": 10**12, "000005": 1})
    evening.do("bonus_card", participant="000004").do("absent", participant="000004")
    evening.do("break_table", table=2)
    assert evening.round.eliminations[0].stack == 10**12 + 500


@pytest.mark.parametrize(
    "fields",
    [
        {"holdings": {"000001": {"1000000000": 10**12}}},
        {"holdings": {"000001": {"25": 10**12}}},
        {"holdings": {"000001": {"25": 1, "1000000001": 1}}},
        {"to": 10**9 + 25},
        {"cards": {"000001": ["K" * 65]}},
    ],
)
def test_chips_that_nobody_has_are_no_command(fields: dict) -> None:
    whole = {"do": "colour_up", "round": "R1", "table": 1, "denomination": 25, "to": 100, "holdings": {}}
    with pytest.raises(CommandError):
        decode_command({**whole, **fields})


@pytest.mark.parametrize("do", ["register", "reenter"])
@pytest.mark.parametrize("at", ["", "tonight", "2027-01-15T19:00:00", "1969-12-31T23:00:00Z", "2027-13-01T00:00:00Z"])
def test_a_deposit_elsewhere_has_a_time(do: str, at: str) -> None:
    """One without ended the director: nothing but the decision looked at it."""
    checked = {"identity_checked": True} if do == "register" else {}
    with pytest.raises(CommandError):
        decode_command({"do": do, "round": "R1", "participant": "000001", "deposits_24h": [[at, 5]], **checked})


def test_hand_numbers_are_such_that_others_follow(evening) -> None:
    """One told by hand counts where hands are not tracked, and the next one is one more."""
    evening.seated((1, 2, 3), (4, 5, 6))
    with pytest.raises(CommandError):
        evening.ask("bust", participant="000001", hand=10**6 + 1)
    evening.bust(1, hand=10**6).do("hand_for_hand", on=True)
    assert max(span.first for span in evening.round.hand_spans) == 10**6 + 1


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("player-moved/1", {"participant": "000001", "source": [1, 1], "target": [1, 10]}),
        ("player-moved/1", {"participant": "000001", "source": [1, 1], "target": [99, 1]}),
        ("reinstated/1", {"participant": "000005", "seat": [1, 10], "chips": 1}),
        ("reentered/1", {"participant": "000005", "seat": [99, 1], "chips": 1, "deposit": 1, "draw": 1}),
        (
            "final-table-drawn/1",
            {"table": 99, "seats": {str(n): f"{n:06}" for n in range(1, 5)}, "button": 1, "draw": 1},
        ),
    ],
)
def test_nobody_sits_where_there_is_no_seat(at_two_tables, kind: str, fields: dict) -> None:
    with pytest.raises(EventError):
        fold(at_two_tables.ledger, decode_event(kind, msgspec.json.encode(fields)), at_two_tables.at, "forged")


@pytest.mark.parametrize("name", ["", "\u0000", "a\nb", "`", " - at `$`", "\ud800", "$", "x" * 60_000])
@pytest.mark.parametrize("inside", ["", "levels", "points_key"])
def test_a_field_of_any_name_is_unknown_and_nothing_else(evening, inside: str, name: str) -> None:
    """One without a name ended the director."""
    level = {"sb": 25, "bb": 50, "minutes": 15}
    key = {"name": "x", "winner": {"3": 5}}
    fields = {
        "do": "announce", "round": "R1", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "deposit": 100,
        "profile": "cpl-2017", "shares": ["100"], "seats_per_table": 9, "levels": [level], "points_key": key,
    }  # fmt: skip
    decode_command(json.dumps(fields))
    wrong = {"": fields, "levels": level, "points_key": key}[inside]
    wrong[name] = 1
    with pytest.raises(CommandError):
        decode_command(json.dumps(fields))
    with pytest.raises(CommandError):
        decode_key(json.dumps({**key, name: 1}))


def test_a_whole_evening_is_undone_at_once_however_long_it_was(evening) -> None:
    """The ids of two thousand commands are more than a record holds."""
    evening.started(3)
    before = evening.state_bytes()
    for n in range(2500):
        command = decode_command({"do": "next_hand", "round": "R1", "table": 1})
        command_id = uuid7(SEVEN_PM + n, bytes(10))
        for event in decide(evening.ledger, command, evening.at, command_id):
            evening.ledger = fold(evening.ledger, event, evening.at, command_id)
    after = evening.state_bytes()
    evening.do("undo", n=2500)
    assert len(evening.log[-1][1]) < MAX_RECORD_BYTES - 4096
    assert evening.state_bytes() == before
    evening.do("redo", n=2500)
    assert len(evening.log[-1][1]) < MAX_RECORD_BYTES - 4096
    assert evening.state_bytes() == after


@pytest.mark.parametrize(("n", "named"), [(2, 1), (1, 2), (1001, 1), (999, 1000), (3000, 999)])
def test_an_undo_that_names_others_than_it_takes_back_does_not_fold(evening, n: int, named: int) -> None:
    evening.started(3)
    for _ in range(1200):
        evening.do("next_hand", table=1)
    with pytest.raises(EventError):
        fold(evening.ledger, CommandsUndone(n=n, commands=("x",) * named), evening.at, "forged")


def test_a_command_of_a_later_version_is_what_an_undo_takes_back(evening) -> None:
    """Who does not know what it did must still count it: else the undo would take back the command before it."""
    evening.started(3).do("pause")
    later = decode_event("teleported/9", b"{}")
    ledger = fold(evening.ledger, later, evening.at, "later")
    ledger = fold(ledger, later, evening.at, "later")
    assert (ledger.round, ledger.undoable) == (evening.round, evening.ledger.undoable + 1)
    ledger = fold(ledger, CommandsUndone(n=1, commands=("later",)), evening.at, "undo")
    assert (ledger.round, ledger.undoable) == (evening.round, evening.ledger.undoable)
    evening.do("undo", n=1)
    assert fold(evening.ledger, later, evening.at, None) is evening.ledger, "told by nobody's command"
    assert fold(INITIAL, later, evening.at, "later") is INITIAL
