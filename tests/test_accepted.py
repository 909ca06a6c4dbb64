"""Registering accepts the rules and the game plan in force, and which versions those were is recorded (LG-12)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from appliance.engine import Order
from appliance.game.commands import Register
from appliance.game.events import Registered, decode_event, encode_event
from appliance.game.publications import Accepted, Edition, Editions
from appliance.game.righttime import Spell, Times
from appliance.game.roster import fold_roster
from appliance.game.round import decide, fold
from appliance.intake import Here, order_of
from appliance.kinds import timed
from tests.test_intake import NOW, here, message, register

DAY = 24 * 3600 * 1000
HASHES = {number: f"{number:02x}" * 32 for number in (2, 7, 8)}


def edition(kind: Any, version: int, since: int) -> Edition:
    return Edition(kind=kind, version=version, since=since, hash=HASHES[version], cs="Text")


TOLD = Editions(editions=(edition("rules", 8, NOW + 1), edition("rules", 7, NOW - DAY), edition("plan", 2, NOW - DAY)))


def at_venue() -> Here:
    place = here()
    return place._replace(roster=fold_roster(place.roster, TOLD))


def accepted(place: Here, now: int = NOW, **fields: Any) -> list[tuple[str, int]]:
    order = order_of(message({**register(), **fields}), place, now)
    assert isinstance(order, Order) and isinstance(order.command, Register)
    return [(one.kind, one.version) for one in order.command.accepted]


def test_LG_12_the_director_puts_in_what_is_in_force() -> None:
    assert accepted(at_venue()) == [("rules", 7), ("plan", 2)]
    assert accepted(at_venue(), NOW + 1) == [("rules", 8), ("plan", 2)]
    assert accepted(here()) == []


def test_LG_12_a_command_cannot_claim_another_version() -> None:
    claimed = [{"kind": "rules", "version": 8, "hash": HASHES[8]}]
    assert accepted(here(), accepted=claimed) == []
    assert accepted(at_venue(), accepted=claimed) == [("rules", 7), ("plan", 2)]


def test_LG_12_what_is_in_force_goes_by_the_right_time() -> None:
    place = at_venue()
    behind = timed(place.ledgers["R1"], Times((Spell(NOW - DAY, DAY),)))
    assert accepted(place._replace(ledgers={"R1": behind}), NOW) == [("rules", 8), ("plan", 2)]


def test_LG_12_the_record_and_the_round_keep_it() -> None:
    place = at_venue()
    order = order_of(message(register()), place, NOW)
    assert isinstance(order, Order)
    ledger = place.ledgers["R1"]
    events = decide(ledger, order.command, NOW, order.id)
    assert isinstance(events, tuple)
    [event] = events
    assert isinstance(event, Registered)
    kind, data = encode_event(event)
    assert decode_event(kind, data) == event
    round = fold(ledger, event, NOW, order.id).round
    assert round is not None
    assert round.players["000101"].accepted == (Accepted("rules", 7, HASHES[7]), Accepted("plan", 2, HASHES[2]))


def test_LG_12_records_of_before_have_none() -> None:
    event = decode_event("registered/1", b'{"participant":"000101","deposit":100,"chips":4000}')
    assert isinstance(event, Registered) and event.accepted == ()
    assert b"accepted" not in encode_event(replace(event))[1]
