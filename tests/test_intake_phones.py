"""What a phone may ask: a commissioner's what a commissioner may, a dealer's what its table's keys may."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from appliance import kinds
from appliance.engine import Order
from appliance.game.roster import RosterEntry, fold_roster
from appliance.intake import Here, order_of
from appliance.kinds import CardAccepted, DeviceDropped, FloorCall, OfflineRefused, TimeConfirmed
from appliance.link.envelope import CommandMessage, Refusal
from appliance.phone import Phone
from appliance.phonenotes import PhonePaired
from tests.test_intake_table import BUST, HERE, NEXT, STACKS

NOW = 1_800_000_000_000
ID = "018fd0a0-0000-7000-8000-000000000001"
BOSS, DEALER = "000001", "dealer"
PHONE = Phone(session="a1" * 8, role="commissioner", who=BOSS, by="door")
DEALERS = Phone(session="b2" * 8, role="dealer", table=1, who=BOSS, by="door")
ROSTER = fold_roster(HERE.roster, RosterEntry(participant=BOSS, state="active", role="commissioner"))


def here(phone: Phone | None) -> Here:
    return HERE._replace(phone=phone, roster=ROSTER)


def asked(body: Any, phone: Phone, actor: str = "", *, at: Here | None = None, **fields: Any) -> Order | Refusal:
    note = isinstance(body, msgspec.Struct)
    raw = msgspec.Raw(msgspec.json.encode(body if note else {"round": "R1", **body}))
    actor = actor or (DEALER if phone.role == "dealer" else phone.who)
    message = CommandMessage(ID, phone.device, actor, "venue" if note else "R1", 5000, raw, **fields)
    return order_of(message, at or here(phone), NOW)


def code(found: Order | Refusal) -> str:
    return found.code if isinstance(found, Refusal) else ""


def test_a_commissioners_phone_gives_commands_as_its_commissioner_from_itself() -> None:
    found = asked({"do": "pause"}, PHONE, revision=7)
    assert isinstance(found, Order)
    assert (found.actor, found.device, found.revision) == (BOSS, PHONE.device, 7)
    assert json.loads(found.body)["do"] == "pause"


@pytest.mark.parametrize("phone", [PHONE, DEALERS])
def test_a_phone_that_the_director_does_not_name_is_an_unknown_device(phone: Phone) -> None:
    other = msgspec.structs.replace(phone, session="c3" * 8)
    for nobody in (here(None), here(other)):
        assert code(asked({"do": "pause"}, phone, at=nobody)) == "unknown-device"


@pytest.mark.parametrize("actor", ["000002", DEALER, "table", "999999"])
def test_a_commissioners_phone_speaks_for_nobody_else(actor: str) -> None:
    assert code(asked({"do": "pause"}, PHONE, actor)) == "not-authorised"
    assert code(asked(NEXT, PHONE, actor)) == "not-authorised"


@pytest.mark.parametrize("body", [NEXT, STACKS, BUST])
def test_a_dealers_phone_may_what_its_tables_keys_may(body: dict[str, Any]) -> None:
    found = asked(body, DEALERS)
    assert isinstance(found, Order) and (found.actor, found.device) == (DEALER, DEALERS.device)
    assert isinstance(asked(body, DEALERS, at=here(DEALERS)._replace(tables={})), Order), "also where no kiosk stands"


@pytest.mark.parametrize(
    "body",
    [
        {"do": "pause"}, {**NEXT, "table": 2}, {**STACKS, "table": 2}, {**BUST, "table": 2}, {"do": "undo"},
        {**BUST, "participant": "000107"}, {"do": "bust", "participant": "000100"},
        {"do": "deposit", "participant": "000100", "amount": 100},
    ],
)  # fmt: skip
@pytest.mark.parametrize("actor", [DEALER, BOSS, "table"])
def test_a_dealers_phone_may_nothing_else(body: dict[str, Any], actor: str) -> None:
    assert code(asked(body, DEALERS, actor)) == "not-authorised"


@pytest.mark.parametrize("phone", [PHONE, DEALERS])
@pytest.mark.parametrize(("state", "role"), [("blocked", "commissioner"), ("active", "participant")])
def test_with_its_commissioners_rights_a_phones_end(phone: Phone, state: Any, role: Any) -> None:
    roster = fold_roster(ROSTER, RosterEntry(participant=BOSS, state=state, role=role))
    after = here(phone)._replace(roster=roster)
    assert code(asked(NEXT, phone, at=after)) == "not-authorised"
    call = FloorCall(device=phone.device, table=1, about="floor", open=True, at=NOW)
    assert code(asked(call, phone, at=after)) == "not-authorised"


def call(phone: Phone, table: int, **fields: Any) -> FloorCall:
    return FloorCall(**{"device": phone.device, "table": table, "about": "time", "open": True, "at": NOW, **fields})


def test_a_dealer_calls_the_floor_to_their_table_and_a_commissioner_ends_any_call() -> None:
    assert isinstance(asked(call(DEALERS, 1), DEALERS), Order)
    assert code(asked(call(DEALERS, 2), DEALERS)) == "not-authorised"
    assert isinstance(asked(call(PHONE, 2, open=False), PHONE), Order)
    assert code(asked(call(PHONE, 2, device="table-1"), PHONE)) == "bad-command", "it says where it comes from"


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (TimeConfirmed(device=PHONE.device, by=BOSS, shown=NOW, right=NOW), ""),
        (TimeConfirmed(device=PHONE.device, by="000002", shown=NOW, right=NOW), "not-authorised"),
        (DeviceDropped(device="spare-1a2b3c", key="ab" * 32, by=BOSS), "not-adopted"),
        (DeviceDropped(device="spare-1a2b3c", key="ab" * 32, by="000002"), "not-authorised"),
        (CardAccepted(device=PHONE.device, uid="04", participant="000100", tier="uid"), "not-authorised"),
        (kinds.HandOpened(round="R1", table=1, hand=1), "not-authorised"),
        (
            PhonePaired(session="c3" * 8, role="commissioner", by=BOSS, device="door", since=NOW, until=NOW + 1),
            "not-authorised",
        ),
    ],
)
def test_a_phone_has_noted_what_a_commissioner_decides_and_no_devices_own_word(note: kinds.Note, expected: str) -> None:
    assert code(asked(note, PHONE)) == expected
    assert code(asked(note, DEALERS)) in ("not-authorised", "bad-command")


def test_no_kiosk_has_a_phone_noted_as_signed_in_by_itself() -> None:
    note = PhonePaired(session="c3" * 8, role="commissioner", by=BOSS, device="door", since=NOW, until=NOW + 1)
    raw = msgspec.Raw(msgspec.json.encode(note))
    for device in ("door", "table-1"):
        assert code(order_of(CommandMessage(ID, device, BOSS, "venue", 5000, raw), here(None), NOW)) == "bad-command"


def test_that_a_refused_hand_was_seen_to_is_the_commissioners_word() -> None:
    told = OfflineRefused(
        device=PHONE.device,
        table=1,
        round="R1",
        hand=1,
        last=1,
        code="stale",
        id=ID,
        by=BOSS,
        open=False,
        at=NOW,
    )
    assert isinstance(asked(told, PHONE), Order)
    assert code(asked(msgspec.structs.replace(told, device=DEALERS.device), DEALERS)) == "not-authorised"
