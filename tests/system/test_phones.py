"""Phones at a director that runs, over a real broker: from the kiosk that shows a key to a command that is carried out,
on the tables' screens, and answered; and what strangers on the network can do about it: nothing.

The kiosk is a bare client here, so that it can say what no kiosk of ours would; the pages' server is not needed, as
what it does with a request ends in `appliance.console.way.Way`.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import msgspec
import pytest

from appliance.apps.demo_season import FLOOR, PLAYERS, VENUE
from appliance.conductor import Conductor
from appliance.console import signing
from appliance.console.asked import Answered
from appliance.console.way import Way
from appliance.floorwords import FloorWord
from appliance.game.commands import decode_command
from appliance.link import envelope, topics
from appliance.link.client import Message
from appliance.link.envelope import CommandMessage, Hello, PadKeys, Phones, Reply
from appliance.phone import Phone
from appliance.phonekey import seal
from appliance.phonenotes import ConfirmPhone, CutOffPhone, PairPhone
from appliance.record import uuid7
from tests.link.society import Peer
from tests.system.houses import Floor, House
from tests.system.test_buttons import begun

T = TypeVar("T")
NUMBER = FLOOR.number
NONCE = bytes(range(16))


def new_id() -> str:
    return uuid7(time.time_ns() // 1_000_000, os.urandom(10))


def now(asked: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asked)


class Kiosk:
    """A device that says what a test has it say, and keeps what it hears."""

    def __init__(self, house: House, name: str = "door") -> None:
        self.house, self.name = house, name
        self.peer = Peer(house.brokers["venue"].endpoint, f"test-{name}", [topics.reply_filter(VENUE, name)])
        self.peer.connected()
        self.phones = Phones()
        self.keys: list[PadKeys] = []
        self.replies: dict[str, Reply] = {}

    def meet(self) -> None:
        """Say hello until the director, which may not be there yet, tells of phones."""
        said = [0.0]

        def greeted() -> str:
            if time.monotonic() > said[0] + 0.3:
                said[0] = time.monotonic()
                self._publish("hello", envelope.encode(Hello(self.name, (), copies=False)))
            return self.phones.url

        self.wait("the console", greeted)

    def hear(self) -> None:
        while not self.peer.inbox.empty():
            event = self.peer.inbox.get()
            if not isinstance(event, Message):
                continue
            match event.topic.split("/")[7:]:
                case []:
                    reply = envelope.decode(Reply, event.payload)
                    self.replies[reply.id] = reply
                case ["phones"]:
                    self.phones = envelope.decode(Phones, event.payload)
                case ["keys"]:
                    self.keys.append(envelope.decode(PadKeys, event.payload))

    def wait(self, what: str, found: Callable[[], T | None]) -> T:
        def look() -> T | None:
            self.hear()
            return found()

        value = self.house.wait_for(what, look)
        assert value is not None
        return value

    def asks(self, want: Any, *, actor: str = "", id: str = "", device: str = "") -> Reply:
        """Say it until it is answered, as kiosks do."""
        number, body = id or new_id(), msgspec.Raw(msgspec.json.encode(want))
        message = CommandMessage(number, device or self.name, actor or want.by, "venue", 5000, body)
        self.replies.pop(number, None)
        said = [0.0]

        def answered() -> Reply | None:
            if time.monotonic() > said[0] + 0.5:
                said[0] = time.monotonic()
                self._publish("cmd", envelope.encode(message), qos=0)
            return self.replies.get(number)

        return self.wait("an answer", answered)

    def _publish(self, leaf: topics.DeviceLeaf, payload: bytes, qos: int = 1) -> None:
        self.peer.client.publish(topics.device(VENUE, self.name, leaf), payload, qos=qos)


class Venue:
    """A director in this process, a kiosk that has a copy (`floor`), and one that says anything (`kiosk`)."""

    def __init__(self, house: House, floor: Floor) -> None:
        self.house, self.floor = house, floor
        self.kiosk = Kiosk(house)
        self.begin()
        self.kiosk.meet()

    def begin(self) -> None:
        place = self.house.workplace("director")
        self.way = Way(place.data, place.now_ms)
        self.director = Conductor(place, way=self.way)
        self.way.served(8090, False)
        self.director.start()

    def end(self) -> None:
        self.director.stop()
        self.director.join(10)
        assert self.director.failure is None

    def offered(self, role: str = "commissioner", table: int | None = None) -> tuple[str, bytes]:
        session, key = os.urandom(8).hex(), os.urandom(32)
        box = seal(key, session, self.kiosk.phones.seal)
        reply = self.kiosk.asks(PairPhone(session=session, role=role, table=table, box=box, by=NUMBER))  # type: ignore[arg-type]
        assert reply.ok, reply
        return session, key

    def paired(self, role: str = "commissioner", table: int | None = None) -> Phone:
        session, key = self.offered(role, table)
        assert self.way.key(session) == key
        code = now(self.way.claim(session, NONCE, "Pixel 8"))
        assert code == signing.code(key, NONCE)
        waits = self.kiosk.wait("the kiosk to show it", lambda: self.kiosk.phones.waiting)[0]
        assert (waits.session, waits.code, waits.device, waits.agent) == (session, code, "door", "Pixel 8")
        assert self.way.phone(session) is None and self.way.standing(session) == "claimed"
        assert self.kiosk.asks(ConfirmPhone(session=session, yes=True, by=NUMBER)).ok
        phone = self.way.phone(session)
        assert phone is not None and self.way.standing(session) == "confirmed"
        return phone

    def gives(self, phone: Phone, do: str, *, id: str = "", revision: int | None = None, **fields: Any) -> Answered:
        command = decode_command({"do": do, "round": "R1", **fields})
        return now(self.way.command(phone, id or new_id(), command, revision))


@pytest.fixture
def venue(open_house: Callable[..., House]) -> Iterator[Venue]:
    house = open_house("mosquitto")
    with house.floor() as floor:
        venue = Venue(house, floor)
        try:
            yield venue
        finally:
            venue.kiosk.peer.client.stop()
            venue.end()


def code(answered: Answered) -> str:
    assert not answered.ok and answered.refusal is not None, answered
    return answered.refusal.code


def test_a_phone_that_was_confirmed_at_the_kiosk_gives_a_command_that_all_devices_have(venue: Venue) -> None:
    begun(venue.floor)
    phone = venue.paired()
    command = new_id()
    answered = venue.gives(phone, "next_hand", id=command, table=1)
    assert answered == Answered(True, None, copied=True)
    sight = venue.way.sight
    assert sight.given[command] == (NUMBER, phone.device, "next_hand")
    assert [each.session for each in sight.phones] == [phone.session] and "floor" in sight.devices
    venue.floor.wait("the hand", lambda round: round.tables[1].hand == 1)
    there = venue.kiosk.wait("the phone in the list", lambda: venue.kiosk.phones.phones)[0]
    assert (there.session, there.who, there.agent) == (phone.session, NUMBER, "Pixel 8")


def test_of_two_phones_that_saw_the_same_one_is_told_that_the_state_has_moved_on(venue: Venue) -> None:
    begun(venue.floor)
    one, other = venue.paired(), venue.paired()
    seen = venue.way.sight.heads["round/R1"]
    hand = decode_command({"do": "next_hand", "round": "R1", "table": 1})

    async def both() -> list[Answered]:
        return await asyncio.gather(*(venue.way.command(each, new_id(), hand, seen) for each in (one, other)))

    answers = now(both())
    assert sorted(each.ok for each in answers) == [False, True]
    assert [code(each) for each in answers if not each.ok] == ["moved-on"]
    assert venue.floor.wait("the hand", lambda round: round.tables[1].hand == 1).tables[1].hand == 1


def test_a_command_that_comes_again_is_carried_out_once_and_gets_the_same_answer(venue: Venue) -> None:
    begun(venue.floor)
    phone, command = venue.paired(), new_id()
    seen = venue.way.sight.heads["round/R1"]
    first = venue.gives(phone, "next_hand", id=command, table=1, revision=seen)
    assert first.ok and venue.gives(phone, "next_hand", id=command, table=1, revision=seen).ok
    assert venue.floor.wait("the hand", lambda round: round.tables[1].hand > 0).tables[1].hand == 1


def test_what_moved_on_may_be_given_again_under_the_same_id(venue: Venue) -> None:
    begun(venue.floor)
    phone, command = venue.paired(), new_id()
    assert code(venue.gives(phone, "next_hand", id=command, table=1, revision=1)) == "moved-on"
    seen = venue.way.sight.heads["round/R1"]
    assert venue.gives(phone, "next_hand", id=command, table=1, revision=seen).ok


def test_a_dealers_phone_may_what_its_table_may_and_nothing_else(venue: Venue) -> None:
    begun(venue.floor)
    phone = venue.paired("dealer", 1)
    assert venue.gives(phone, "next_hand", table=1).ok
    assert code(venue.gives(phone, "next_hand", table=2)) == "not-authorised"
    assert code(venue.gives(phone, "pause")) == "not-authorised"
    player = PLAYERS[0].number
    assert code(venue.gives(phone, "unregister", participant=player)) == "not-authorised"
    cut = msgspec.json.encode(CutOffPhone(session="0" * 16, by=NUMBER))
    assert code(now(venue.way.note(phone, new_id(), cut))) == "not-authorised"


def test_a_commissioners_phone_has_all_screens_say_something_and_no_dealers_and_no_kiosk_does(venue: Venue) -> None:
    phone, dealers = venue.paired(), venue.paired("dealer", 1)
    at = venue.house.workplace("director").now_ms()
    word = FloorWord(device=phone.device, by=NUMBER, text="Pizza je tady.", at=at, until=at + 60_000)
    assert now(venue.way.note(phone, new_id(), word)).ok
    shown = venue.house.wait_for("the word", lambda: venue.floor.station.snapshot.word)
    assert shown == word
    foreign = msgspec.structs.replace(word, device=dealers.device)
    assert code(now(venue.way.note(dealers, new_id(), foreign))) == "not-authorised"
    refused = venue.kiosk.asks(msgspec.structs.replace(word, device="door")).refusal
    assert refused is not None and refused.code == "bad-command"


def test_a_phone_is_cut_off_at_once_and_from_any_kiosk(venue: Venue) -> None:
    begun(venue.floor)
    phone, other = venue.paired(), venue.paired()
    assert venue.kiosk.asks(CutOffPhone(session=phone.session, by=NUMBER)).ok
    assert venue.way.phone(phone.session) is None
    assert venue.way.standing(phone.session) == "cut-off"
    assert code(venue.gives(phone, "pause")) == "phone-gone"
    cut = msgspec.json.encode(CutOffPhone(session=other.session, by=NUMBER))
    assert now(venue.way.note(other, new_id(), cut)).ok, "a phone signs itself out"
    assert code(venue.gives(other, "pause")) == "phone-gone"
    venue.kiosk.wait("an empty list", lambda: not venue.kiosk.phones.phones)


def test_after_a_restart_phones_are_signed_in_and_no_count_counts_again(venue: Venue) -> None:
    phone = venue.paired()
    assert venue.way.take(phone.session, 7)
    venue.end()
    venue.begin()
    venue.house.wait_for("the phone", lambda: venue.way.phone(phone.session))
    assert not venue.way.take(phone.session, 7) and not venue.way.take(phone.session, 8)
    assert venue.way.take(phone.session, venue.way.high(phone.session) + 1)
    answered = venue.gives(phone, "open")
    assert answered.refusal is None or answered.refusal.code != "phone-gone"


def test_what_is_forged_on_the_network_signs_no_phone_in(venue: Venue) -> None:
    kiosk = venue.kiosk
    session, key = os.urandom(8).hex(), os.urandom(32)
    want = PairPhone(session=session, role="commissioner", box=seal(key, session, kiosk.phones.seal), by=NUMBER)
    stranger = Kiosk(venue.house, "stranger")
    refused = stranger.asks(want).refusal
    assert refused is not None and refused.code == "unknown-device"
    refused = kiosk.asks(want, actor="000101").refusal
    assert refused is not None and refused.code == "not-authorised"
    player = msgspec.structs.replace(want, by=PLAYERS[0].number)
    refused = kiosk.asks(player).refusal
    assert refused is not None and refused.code == "not-authorised"
    assert venue.way.key(session) is None
    session, _ = venue.offered()
    now(venue.way.claim(session, NONCE, ""))
    elsewhere = Kiosk(venue.house, "table-1")
    refused = elsewhere.asks(ConfirmPhone(session=session, yes=True, by=NUMBER)).refusal
    assert refused is not None and refused.code == "phone-gone"
    assert venue.way.phone(session) is None
    for each in (stranger, elsewhere):
        each.peer.client.stop()


def test_a_phones_name_is_no_devices_on_the_network(venue: Venue) -> None:
    begun(venue.floor)
    phone = venue.paired()
    forged = Kiosk(venue.house, phone.device)
    body = msgspec.Raw(b'{"do":"pause","round":"R1"}')
    message = CommandMessage(new_id(), phone.device, NUMBER, "R1", 5000, body)
    forged._publish("cmd", envelope.encode(message))
    reply = forged.wait("an answer", lambda: forged.replies.get(message.id))
    assert reply.refusal is not None and reply.refusal.code == "unknown-device"
    forged.peer.client.stop()


@pytest.fixture
def tracked(open_house: Callable[..., House]) -> Iterator[Venue]:
    """A venue whose first table has a kiosk that tracks its hands."""
    house = open_house("mosquitto", tracked=["table-1"])
    with house.floor() as floor:
        venue = Venue(house, floor)
        try:
            house.start("table-1")
            yield venue
        finally:
            venue.kiosk.peer.client.stop()
            venue.end()


def test_a_dealers_phone_plays_the_hand_that_its_tables_kiosk_writes(tracked: Venue) -> None:
    begun(tracked.floor)
    phone, way = tracked.paired("dealer", 1), tracked.way

    def press(keys: str, seen: str = "", id: str = "") -> Answered:
        return now(way.keys(phone, id or new_id(), 1, keys, seen or way.sight.pads[1].stamp))

    tracked.house.wait_for("the pad", lambda: 1 in way.sight.pads and "next" in way.sight.pads[1].keys)
    before, first = way.sight.pads[1].stamp, new_id()
    assert press("next", id=first).ok
    tracked.house.wait_for("the hand", lambda: 1 in way.sight.tables and way.sight.tables[1].current)
    assert press("next", before, id=first).ok, "the same keys again are pressed once"
    assert code(press("fold", before)) == "moved-on"
    stamp = way.sight.pads[1].stamp
    assert press("fold").ok and way.sight.pads[1].stamp != stamp, "who reads the answer sees what it did"
    tracked.floor.wait("the hand", lambda round: round.tables[1].hand == 1)
