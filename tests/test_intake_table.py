"""A table's kiosk may do at its own table what the dealer does there, and nothing else (DESIGN §3, §5)."""

import json

import msgspec
import pytest

from appliance.engine import Order
from appliance.game.commands import decode_command
from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.game.round import INITIAL, decide, fold
from appliance.intake import Here, order_of
from appliance.link.envelope import CommandMessage, Refusal
from appliance.record import uuid7

NOW = 1_800_000_000_000
ID = uuid7(NOW, bytes(10))
PLAYERS = [f"{100 + n:06}" for n in range(8)]
DEVICES = {"door", "table-1", "table-2", "spare", "floor"}
ANNOUNCED = {
    "do": "announce", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
    "deposit": 300, "shares": ["100"], "seats_per_table": 4,
    "levels": [{"sb": 25, "bb": 50, "ante": 0, "minutes": 15}], "seed": 7,
}  # fmt: skip


def running():
    """Eight players at tables 1 and 2: 000100 to 000103 at the first."""
    ledger = INITIAL
    seats = {number: (n // 4 + 1, n % 4 + 1) for n, number in enumerate(PLAYERS)}
    commands = [
        ANNOUNCED, {"do": "open"},
        *({"do": "register", "participant": number, "identity_checked": True} for number in PLAYERS),
        {"do": "start", "seats": seats, "button": 1},
    ]  # fmt: skip
    for n, fields in enumerate(commands):
        events = decide(ledger, decode_command({"round": "R1", **fields}), NOW, str(n))
        assert isinstance(events, tuple), events
        for event in events:
            ledger = fold(ledger, event, NOW, str(n))
    return ledger


HERE = Here("brno", DEVICES, Roster(), {"R1": running()}, {1: "table-1", 2: "table-2"})


def asked(body, *, device="table-1", actor="table", here=HERE):
    raw = msgspec.json.encode({"round": "R1", **body})
    return order_of(CommandMessage(ID, device, actor, "R1", 5000, msgspec.Raw(raw)), here, NOW)


NEXT = {"do": "next_hand", "table": 1}
STACKS = {"do": "stacks", "table": 1, "stacks": {"000100": 7000}}
BUST = {"do": "bust", "participant": "000100", "table": 1, "hand": 1, "stack": 500}


@pytest.mark.parametrize("body", [NEXT, STACKS, BUST])
def test_a_table_advances_its_hands_and_tells_stacks_and_busts(body):
    found = asked(body)
    words = {"round": "R1", **body}
    assert found == Order(ID, "round/R1", decode_command(words), "table", "table-1", msgspec.json.encode(words))


EVERYTHING_ELSE = [
    {"do": "open"}, {"do": "cancel"}, {"do": "start"}, {"do": "pause"}, {"do": "resume"}, {"do": "next_level"},
    {"do": "undo"}, {"do": "redo"}, {"do": "reinstate", "participant": "000100"},
    {"do": "register", "participant": "000100", "identity_checked": True},
    {"do": "pay", "participant": "000100", "amount": 5}, {"do": "set_remaining", "seconds": 5},
    {"do": "deposit", "participant": "000100", "amount": 50}, {"do": "balance"}, {"do": "final_table"},
    {"do": "end_early", "reason": "x", "stacks": {"000100": 5}}, {"do": "break_table", "table": 1},
    {"do": "absent", "participant": "000100"}, {"do": "sanction", "participant": "000100", "kind": "warning",
                                                 "reason": "x"},
]  # fmt: skip


@pytest.mark.parametrize("body", EVERYTHING_ELSE, ids=lambda body: body["do"])
def test_a_table_may_ask_for_nothing_else(body):
    assert refused(asked(body)) == "not-authorised"


@pytest.mark.parametrize("body", [NEXT, STACKS, BUST])
@pytest.mark.parametrize("device", ["table-2", "door", "spare", "floor"])
def test_only_the_device_that_writes_the_tables_stream_is_the_table(body, device):
    assert refused(asked(body, device=device)) == "not-authorised"


@pytest.mark.parametrize(
    "body", [{**NEXT, "table": 2}, {**STACKS, "table": 2}, {**BUST, "table": 2}, {**NEXT, "table": 9}]
)
def test_a_table_may_do_nothing_at_another(body):
    assert refused(asked(body)) == "not-authorised"


def test_a_table_busts_nobody_who_sits_elsewhere_or_at_no_table_it_names():
    assert refused(asked({**BUST, "participant": "000107"})) == "not-authorised"
    assert refused(asked({"do": "bust", "participant": "000100"})) == "not-authorised"
    assert refused(asked({"do": "bust", "participant": "000100", "hand": 1})) == "not-authorised"


def test_a_table_that_nobody_has_written_for_is_nobodys():
    assert refused(asked(NEXT, here=HERE._replace(tables={}))) == "not-authorised"
    assert refused(asked(NEXT, here=HERE._replace(tables={1: ""}), device="door")) == "not-authorised"


def test_a_device_that_is_not_of_the_venue_is_no_table():
    assert refused(asked(NEXT, here=HERE._replace(devices={"door"}))) == "unknown-device"


@pytest.mark.parametrize("actor", ["Table", "table ", "table-1", "000100", "tisch"])
def test_nobody_else_becomes_the_table_by_a_name(actor):
    assert refused(asked(NEXT, actor=actor)) == "not-authorised"


def test_nobody_on_the_roster_gains_a_tables_word_by_their_number_being_its_name():
    named = fold_roster(Roster(), RosterEntry(participant="table", state="active", role="commissioner"))
    assert refused(asked({"do": "open"}, here=HERE._replace(roster=named))) == "not-authorised"


def refused(found):
    assert isinstance(found, Refusal), found
    assert json.loads(bytes(found.detail)).keys() <= {"actor", "device"}
    return found.code
