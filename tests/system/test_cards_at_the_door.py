"""A whole kiosk and simulated cards that answer as real ones: every verdict, the PIN, two readers, a dead printer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from appliance.apps.demo_cards import CardOffice
from appliance.apps.demo_season import FLOOR, FORGED_UID, PLAYERS, VENUE, Person
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.pin import hash_pin
from appliance.cards.secret import Secret
from appliance.desk import simulated
from appliance.game.roster import RosterEntry
from appliance.i18n import Translator
from appliance.identity import load_or_make
from tests.system.hands import Hand, command
from tests.system.houses import House

PIN = "4829157"
GENUINE, WEAK, COPIED, STOLEN, SIGNED, OTHER = PLAYERS[:6]
SECOND_FLOOR = Person("000002", "Bořivoj", "Druhý", "0400025A2D6180")
K2: dict[str, bytes] = {}


def issue(office: CardOffice) -> tuple[Sequence[RosterEntry], Sequence[str]]:
    """Cards of all kinds; keys of the genuine and the copied one are at the kiosks."""
    people = (GENUINE, WEAK, COPIED, STOLEN, OTHER, SECOND_FLOOR)
    office.issue((person.uid, person.number) for person in people)
    office.keep(office.clone(COPIED.uid), "copy")
    pages = EmulatedNtag21x(Model.NTAG215, bytes.fromhex(SIGNED.uid), maker=simulated.MAKER)
    office.issue_signed(pages, SIGNED.number)
    stolen = RosterEntry(participant=STOLEN.number, state="active", cards=(), withdrawn={STOLEN.uid: "stolen"})
    floor = RosterEntry(
        participant=SECOND_FLOOR.number, state="active", cards=(SECOND_FLOOR.uid,), role="commissioner",
        pin=hash_pin(PIN),
    )  # fmt: skip
    K2.update({p.uid: _k2(office, p.uid) for p in people})
    return (stolen, floor), [GENUINE.uid, COPIED.uid, OTHER.uid]


def _k2(office: CardOffice, uid: str) -> bytes:
    key: Secret = EmulatedNtag424.load(office.path(uid)).memory.keys[2].value
    return key.reveal()


@pytest.fixture
def house(open_house: Callable[..., House]) -> Iterator[House]:
    house = open_house(least="signed", cards=issue)
    yield house
    nothing_secret_is_told(house)


def opened(house: House) -> None:
    house.start("director", "door")
    house.wait_for("the door's reader", lambda: house.is_ready("door"))
    hand = Hand(house, "floor")
    assert hand.ask(command({"do": "open"})).ok
    hand.close()
    house.wait_for("the door's copy", lambda: house.same_round("door") and house.same_stream(f"league/{VENUE}", "door"))


def card(house: House, name: str) -> None:
    house.drive("door", f"tap card {name}")


def notes(house: House, kind: str) -> list[dict[str, Any]]:
    return [note["data"] for note in house.stream("director", f"venue/{VENUE}") if note["type"] == f"{kind}/1"]


def registered(house: House) -> list[str]:
    records = house.stream("director", "round/R1")
    return [record["data"]["participant"] for record in records if record["type"] == "registered/1"]


def refused(house: House) -> list[str]:
    return [note["reason"] for note in notes(house, "card-refused")]


def nothing_secret_is_told(house: House) -> None:
    """No key and no PIN in any log, journal or other file but the simulated cards' own (`appliance.cards`)."""
    keys = [form for key in K2.values() for form in (key, key.hex().encode(), key.hex().upper().encode())]
    for file in house.folder.rglob("*"):
        if file.is_file() and file.parent.name != "cards":
            data = file.read_bytes()
            assert not any(key in data for key in keys), file
            assert PIN.encode() not in data, file


def test_LG_6_cards_of_every_kind_at_one_door(house: House) -> None:
    opened(house)
    card(house, GENUINE.uid)
    house.tap("door", FLOOR.uid)
    house.wait_for("the genuine card's owner", lambda: registered(house) == [GENUINE.number])
    card(house, WEAK.uid)
    house.tap("door", FLOOR.uid)
    house.wait_for("the weak card's owner, after an identity check", lambda: registered(house)[1:] == [WEAK.number])
    card(house, SIGNED.uid)
    house.tap("door", FLOOR.uid)
    house.wait_for("the owner of a card of pages", lambda: registered(house)[2:] == [SIGNED.number])
    for name in ("copy", STOLEN.uid):
        card(house, name)
    house.drive("door", f"tap {FORGED_UID}")
    house.drive("door", f"tap {OTHER.uid}")
    house.drive("door", "tap 08A1B2C3")
    house.drive("door", "unreadable gone")
    house.wait_for("notes of the refused", lambda: len(refused(house)) == 5)
    assert refused(house) == ["forged", "stolen", "unknown", "too-weak", "phone"]
    tiers = {note["participant"]: note["tier"] for note in notes(house, "card-accepted")}
    assert tiers == {GENUINE.number: "genuine", FLOOR.number: "genuine", WEAK.number: "weak", SIGNED.number: "weak"}
    assert registered(house) == [GENUINE.number, WEAK.number, SIGNED.number]


def test_a_weak_commissioners_card_confirms_only_with_the_pin(house: House) -> None:
    opened(house)
    card(house, GENUINE.uid)
    card(house, SECOND_FLOOR.uid)
    house.wait_for("the weak card", lambda: len(notes(house, "card-accepted")) == 2)
    house.press("door", *"000000", "return")
    house.wait_for("the wrong PIN's note", lambda: [n["answer"] for n in notes(house, "pin-checked")] == ["wrong"])
    assert registered(house) == []
    house.press("door", *PIN, "return")
    house.wait_for("the registration", lambda: registered(house) == [GENUINE.number])
    house.wait_for("its note", lambda: [n["answer"] for n in notes(house, "pin-checked")] == ["wrong", "right"])
    record = next(r for r in house.stream("director", "round/R1") if r["type"] == "registered/1")
    assert record["data"]["actor"] == SECOND_FLOOR.number


def test_a_pulled_plug_gives_no_attempts_at_a_pin_back(house: House) -> None:
    opened(house)
    for tried in range(1, 6):
        card(house, SECOND_FLOOR.uid)
        house.wait_for("the weak card", lambda tried=tried: len(notes(house, "card-accepted")) == tried)
        house.press("door", *"000000", "return")
        house.wait_for("its note", lambda tried=tried: len(notes(house, "pin-checked")) == tried)
        house.kill("door")
        house.revive("door")
        house.wait_for("the door's reader", lambda: house.is_ready("door"))
    card(house, SECOND_FLOOR.uid)
    house.wait_for("the weak card", lambda: len(notes(house, "card-accepted")) == 6)
    house.press("door", *PIN, "return")
    house.wait_for("its note", lambda: len(notes(house, "pin-checked")) == 6)
    assert [note["answer"] for note in notes(house, "pin-checked")] == ["wrong"] * 4 + ["locked"] * 2


def test_a_card_whose_sealed_key_has_ended_is_weak_from_then_on(house: House) -> None:
    opened(house)
    card(house, GENUINE.uid)
    house.wait_for("a genuine tap", lambda: [n["tier"] for n in notes(house, "card-accepted")] == ["genuine"])
    (house.data("door") / "card-keys.json").unlink()
    card(house, GENUINE.uid)
    house.wait_for("a weak tap", lambda: [n["tier"] for n in notes(house, "card-accepted")] == ["genuine", "weak"])
    again = CardOffice(house.folder / "other-office")
    again.issue([(GENUINE.uid, GENUINE.number)])
    again.seal_for("door", house.data("door"), [GENUINE.uid], 7_000_000_000_000)
    card(house, GENUINE.uid)
    house.wait_for("keys of another league change nothing", lambda: len(notes(house, "card-accepted")) == 3)
    assert notes(house, "card-accepted")[2]["tier"] == "weak"


def test_a_card_torn_away_or_heard_wrongly_counts_with_the_next_tap(house: House) -> None:
    opened(house)
    for trick in ("yank 2", "tear 3", "mute", "garble 3"):
        house.drive("door", f"tap card {GENUINE.uid} {trick}")
    card(house, GENUINE.uid)
    house.tap("door", FLOOR.uid)
    house.wait_for("the registration", lambda: registered(house) == [GENUINE.number])


def test_two_readers_and_one_of_them_unplugged(house: House) -> None:
    sockets = [house.data("door") / name for name in ("reader", "second")]
    wallet = f'wallet = "{house.folder}/cards"'
    second = f'name = "second"\ndriver = "simulated"\nsocket = "{sockets[1]}"\n{wallet}'
    first = f'driver = "simulated"\nsocket = "{sockets[0]}"\n{wallet}'
    house.configure("door", first)
    file = house.data("door") / "device.toml"
    text = file.read_text().replace("[reader]\n", '[[reader]]\nname = "first"\n')
    file.write_text(text.replace("[screen]", f"[[reader]]\n{second}\n[screen]"))
    opened(house)
    house.drive("door", "unplug", sockets[0])
    before = house.picture("door").read_bytes()
    house.drive("door", f"tap card {GENUINE.uid}", sockets[1])
    house.drive("door", f"tap card {FLOOR.uid}", sockets[1])
    house.wait_for("a registration by the other reader", lambda: registered(house) == [GENUINE.number])
    house.drive("door", "plug", sockets[0])
    house.drive("door", f"tap card {WEAK.uid}", sockets[0])
    house.drive("door", f"tap card {FLOOR.uid}", sockets[1])
    house.wait_for("both readers at once", lambda: registered(house)[1:] == [WEAK.number])
    assert before != house.picture("door").read_bytes()


def test_a_printer_that_takes_nothing_holds_up_no_tap(house: House) -> None:
    ours, theirs = os.openpty()
    try:
        printer = f'[printer]\ndriver = "serial"\nport = "{os.ttyname(theirs)}"\nprofile = "TM-T20II"\n'
        house.configure("door", more=printer)
        opened(house)
        for person in (GENUINE, WEAK):
            card(house, person.uid)
            house.tap("door", FLOOR.uid)
        house.wait_for("both to be registered", lambda: registered(house) == [GENUINE.number, WEAK.number])
    finally:
        os.close(ours)
        os.close(theirs)
    card(house, OTHER.uid)
    house.tap("door", FLOOR.uid)
    house.wait_for("a tap after the printer was pulled", lambda: registered(house)[2:] == [OTHER.number])
    house.check()


def test_T_3_a_receipt_for_each_deposit_and_a_second_only_as_a_copy_though_the_door_is_killed(house: House) -> None:
    paper = house.folder / "paper"
    paper.touch()
    house.configure("door", more=f'[printer]\ndriver = "file"\nport = "{paper}"\nprofile = "TM-T20II"\n')
    opened(house)
    for person in (GENUINE, WEAK):
        card(house, person.uid)
        house.tap("door", FLOOR.uid)
        house.wait_for("the registration", lambda who=person.number: who in registered(house))
        house.wait_for("its receipt", lambda who=person.number: who.encode() in paper.read_bytes())
        house.kill("door")
        house.start("door")
        house.wait_for("the door's reader", lambda: house.is_ready("door"))
        house.wait_for("the door's roster", lambda: house.same_stream(f"league/{VENUE}", "door"))
    card(house, OTHER.uid)
    house.tap("door", FLOOR.uid)
    house.wait_for("the third receipt", lambda: OTHER.number.encode() in paper.read_bytes())
    printed = paper.read_bytes()
    receipts = [printed.count(person.number.encode()) for person in (GENUINE, WEAK, OTHER)]
    copies = printed.count(Translator("cs").gettext("COPY").encode())  # killed before it knew that it was printed
    assert min(receipts) == 1 and sum(receipts) == 3 + copies, (receipts, copies)


def test_a_kiosk_leaves_no_core_dump_with_keys_in_it(house: House) -> None:
    opened(house)
    card(house, GENUINE.uid)
    pid = house.programs["door"].pid
    limits = Path(f"/proc/{pid}/limits").read_text()
    assert next(line for line in limits.splitlines() if "core file" in line).split()[4:6] == ["0", "0"]
    assert load_or_make(house.data("door") / "device.key")
