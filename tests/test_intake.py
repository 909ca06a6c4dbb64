"""What comes as a command is believed in nothing: form, device, actor, participant, money next door."""

import json

import msgspec
import pytest

from appliance import intake
from appliance.engine import Order
from appliance.game.commands import (
    decode_command,
)
from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.game.round import INITIAL, decide, fold
from appliance.intake import Here, order_of, takes_money
from appliance.link.envelope import CommandMessage, Refusal
from appliance.record import uuid7

NOW = 1_800_000_000_000
HOUR = 3_600_000
ID = uuid7(NOW, bytes(10))
LEVELS = [{"sb": 25, "bb": 50, "ante": 0, "minutes": 15}]


def roster():
    found = Roster()
    people = [("000001", "active", "commissioner"), ("000002", "blocked", "commissioner")]
    people += [("000101", "active", "participant"), ("000102", "blocked", "participant")]
    for number, state, role in people:
        found = fold_roster(found, RosterEntry(participant=number, state=state, role=role))
    return found


def played(number, *commands, at=NOW, deposit=300, **announced):
    announce = {
        "do": "announce", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": "cpl-2017",
        "deposit": deposit, "shares": ["100"], "seats_per_table": 9, "levels": LEVELS, "seed": 7, **announced,
    }  # fmt: skip
    ledger = INITIAL
    for n, fields in enumerate([announce, {"do": "open"}, *commands]):
        events = decide(ledger, decode_command({"round": number, **fields}), at, str(n))
        assert isinstance(events, tuple), events
        for event in events:
            ledger = fold(ledger, event, at, str(n))
    return ledger


def register(number="000101"):
    return {"do": "register", "participant": number, "identity_checked": True}


def here(**rounds):
    return Here("brno", {"door", "floor"}, roster(), rounds or {"R1": played("R1")})


def message(body, *, id=ID, device="door", actor="000001", round="R1"):
    raw = body if isinstance(body, bytes) else msgspec.json.encode({"round": round, **body})
    return CommandMessage(id, device, actor, round, 5000, msgspec.Raw(raw))


def code(found):
    assert isinstance(found, Refusal), found
    return found.code, json.loads(bytes(found.detail))


def test_an_order_says_who_gave_it_where_and_in_what_words():
    found = order_of(message(register()), here(), NOW)
    assert (found.actor, found.device) == ("000001", "door")
    assert found.command == decode_command(found.body) == decode_command({"round": "R1", **register()})
    assert takes_money(found)


def test_a_commands_words_are_kept_on_one_line_and_not_if_they_are_many(monkeypatch):
    spread = json.dumps({"round": "R1", **register()}, indent=2).encode()
    assert b"\n" in spread and b"\n" not in order_of(message(spread), here(), NOW).body
    monkeypatch.setattr(intake, "MAX_KEPT_BYTES", len(order_of(message(spread), here(), NOW).body) - 1)
    assert order_of(message(spread), here(), NOW).body == b""


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (message(register(), id="not-a-uuid"), "bad-command"),
        (message(register(), id=ID.upper()), "bad-command"),
        (message(register(), device="stranger"), "unknown-device"),
        (message(register(), actor="000101"), "not-authorised"),
        (message(register(), actor="000002"), "not-authorised"),
        (message(register(), actor="999999"), "not-authorised"),
        (message({**register(), "extra": 1}), "bad-command"),
        (message(b"[" * 60_000), "bad-command"),
        (message(b'{"do":"register","round":"R2","participant":"000101","identity_checked":true}'), "wrong-round"),
        (message(register(), round="R9"), "not-announced"),
        (message(b'{"type":"card-refused/1","device":"table-1","reason":"unknown"}', round="venue"), "bad-command"),
        (message(b'{"type":"hand-opened/1","round":"R1","table":1,"hand":1}', round="venue"), "bad-command"),
    ],
)
def test_what_is_not_to_be_believed_is_refused_with_a_code(given, wanted):
    assert code(order_of(given, here(), NOW))[0] == wanted


def test_a_note_goes_to_the_venues_stream_without_an_actor():
    body = b'{"type":"card-refused/1","device":"door","reason":"unknown","uid":"04AA"}'
    found = order_of(message(body, round="venue", actor="kiosk"), here(), NOW)
    assert (found.stream, found.actor, found.command.uid) == ("venue/brno", "", "04AA")


@pytest.mark.parametrize(("number", "reason"), [("000102", "blocked"), ("000777", "unknown")])
def test_LG_4_only_active_participants_of_the_roster_are_registered(number, reason):
    found = code(order_of(message(register(number)), here(), NOW))
    assert found == ("card-refused", {"participant": number, "reason": reason})


def test_T_3_deposits_of_the_venues_other_rounds_count_for_24_hours():
    next_door = played("R2", register(), at=NOW - 2 * HOUR)
    found = order_of(message(register()), here(R1=played("R1"), R2=next_door), NOW)
    assert code(found) == ("deposit-limit", {"limit": 500, "left": 200})
    day_old = played("R2", register(), at=NOW - 24 * HOUR)
    assert isinstance(order_of(message(register()), here(R1=played("R1"), R2=day_old), NOW), Order)
    minute_less = played("R2", register(), at=NOW - 24 * HOUR + 1)
    assert code(order_of(message(register()), here(R1=played("R1"), R2=minute_less), NOW))[0] == "deposit-limit"


@pytest.mark.parametrize("undone", [{"do": "cancel"}, {"do": "unregister", "participant": "000101"}])
def test_T_3_a_returned_deposit_does_not_count(undone):
    next_door = played("R2", register(), undone, at=NOW - HOUR)
    assert isinstance(order_of(message(register()), here(R1=played("R1"), R2=next_door), NOW), Order)
    mine = played("R1", register(), at=NOW - HOUR)
    top_up = message({"do": "deposit", "participant": "000101", "amount": 200})
    assert isinstance(order_of(top_up, here(R1=mine, R2=next_door), NOW), Order)


def test_T_3_money_that_an_undo_or_a_redo_brings_back_counts():
    """Register, take it back, register next door: what comes back would be too much."""
    next_door = played("R2", register(), at=NOW - HOUR)
    undone = played("R1", register(), {"do": "undo"}, at=NOW - HOUR)
    returned = played("R1", register(), {"do": "unregister", "participant": "000101"}, at=NOW - HOUR)
    cancelled = played("R1", register(), {"do": "cancel"}, at=NOW - HOUR)
    for mine, body in ((undone, {"do": "redo"}), (returned, {"do": "undo"}), (cancelled, {"do": "undo"})):
        refused = code(order_of(message(body), here(R1=mine, R2=next_door), NOW))
        assert refused == ("deposit-limit", {"limit": 500, "left": 200, "participant": "000101"}), body
        found = order_of(message(body), here(R1=mine), NOW)
        assert isinstance(found, Order) and takes_money(found)


def test_an_undo_that_brings_no_money_back_is_none_of_the_limits_business():
    next_door = played("R2", register(), at=NOW - HOUR)
    mine = played("R1", register(), at=NOW - 30 * HOUR)
    assert isinstance(order_of(message({"do": "undo"}), here(R1=mine, R2=next_door), NOW), Order)


def test_T_3_a_top_up_sees_what_came_in_next_door_since_the_registration():
    mine = played("R1", register(), at=NOW - 3 * HOUR, deposit=100)
    next_door = played("R2", register(), at=NOW - HOUR)
    top_up = message({"do": "deposit", "participant": "000101", "amount": 150})
    assert code(order_of(top_up, here(R1=mine, R2=next_door), NOW)) == ("deposit-limit", {"limit": 500, "left": 100})
    smaller = message({"do": "deposit", "participant": "000101", "amount": 100})
    assert isinstance(order_of(smaller, here(R1=mine, R2=next_door), NOW), Order)


def out_and_free_to_reenter(deposit=100):
    """R1 under a house that has re-entry; 000101 went out an hour ago."""
    announced = {"profile": "casino-2012", "reentry": True, "deposit": deposit, "seed": 7}
    others = [register("000103"), register("000104")]
    return played("R1", register(), *others, {"do": "start"}, {"do": "bust", "participant": "000101"},
                  at=NOW - HOUR, **announced)  # fmt: skip


def reenter(**fields):
    return message({"do": "reenter", "participant": "000101", **fields})


def test_T_3_T_11_a_re_entry_counts_what_came_in_next_door():
    found = order_of(reenter(), here(R1=out_and_free_to_reenter(), R2=played("R2", register(), at=NOW)), NOW)
    assert isinstance(found, Order) and takes_money(found)
    more = here(R1=out_and_free_to_reenter(), R2=played("R2", register(), at=NOW, deposit=301))
    assert code(order_of(reenter(), more, NOW)) == ("deposit-limit", {"limit": 500, "left": 99})
    day_old = here(R1=out_and_free_to_reenter(), R2=played("R2", register(), at=NOW - 24 * HOUR, deposit=301))
    assert isinstance(order_of(reenter(), day_old, NOW), Order)


def test_T_3_T_11_what_is_told_at_the_re_entry_counts_beside_it():
    next_door = here(R1=out_and_free_to_reenter(), R2=played("R2", register(), at=NOW, deposit=200))
    assert isinstance(order_of(reenter(deposits_24h=100), next_door, NOW), Order)
    assert code(order_of(reenter(deposits_24h=101), next_door, NOW))[0] == "deposit-limit"


def test_T_11_the_rounds_own_refusal_of_a_re_entry_is_the_better_answer():
    """The director then asks the rules of the round, which say that the player is not out."""
    still_in = here(R1=played("R1", register(), at=NOW), R2=played("R2", register(), at=NOW))
    assert isinstance(order_of(reenter(), still_in, NOW), Order)


def test_LG_4_T_11_who_is_blocked_meanwhile_does_not_come_back():
    blocked = message({"do": "reenter", "participant": "000102"})
    assert code(order_of(blocked, here(), NOW))[0] == "card-refused"


def test_T_3_what_was_told_at_the_registration_counts_for_a_top_up_too():
    mine = played("R1", {**register(), "deposits_24h": 150}, deposit=100)
    next_door = played("R2", register(), deposit=200)
    for amount, enough in ((51, False), (50, True)):
        top_up = message({"do": "deposit", "participant": "000101", "amount": amount})
        assert isinstance(order_of(top_up, here(R1=mine, R2=next_door), NOW), Order) is enough


def drop(**changes):
    return {"type": "device-dropped/1", "device": "spare-1a2b3c", "key": "ab" * 32, "by": "000001"} | changes


def test_a_commissioner_drops_what_was_let_in_on_the_spot_and_nothing_else() -> None:
    place = here()._replace(adopted={"spare-1a2b3c": "ab" * 32})
    raw = msgspec.json.encode(drop())
    assert isinstance(order_of(message(raw, round="venue"), place, NOW), Order)
    for changes, actor, code in (
        ({"device": "table-1"}, "000001", "not-adopted"),
        ({"key": "cd" * 32}, "000001", "not-adopted"),
        ({"by": "000101"}, "000101", "not-authorised"),
        ({"by": "000002"}, "000002", "not-authorised"),
        ({}, "000101", "not-authorised"),
    ):
        raw = msgspec.json.encode(drop(**changes))
        refused = order_of(message(raw, round="venue", actor=actor), place, NOW)
        assert isinstance(refused, Refusal) and refused.code == code, changes


def test_what_was_let_in_is_not_noted_by_a_message() -> None:
    """Only the director itself writes it, once the device has proved that it has the code."""
    note = {"type": "device-adopted/1", "device": "door", "key": "ab" * 32, "role": "door", "by": "000001"}
    refused = order_of(message(msgspec.json.encode(note), round="venue"), here(), NOW)
    assert isinstance(refused, Refusal) and refused.code == "bad-command"
