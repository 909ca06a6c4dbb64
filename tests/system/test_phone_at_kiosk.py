"""A phone, from a commissioner's card at a kiosk to a key on a table's pad: kiosk, director and broker are real."""

from __future__ import annotations

import asyncio
import base64
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest

from appliance.apps.demo_season import FLOOR, PLAYERS, VENUE
from appliance.conductor import Conductor
from appliance.console import signing
from appliance.console.asked import Answered
from appliance.console.way import Way
from appliance.floor.said import say
from appliance.floorglance import DEAD_S
from appliance.i18n import Translator
from appliance.link import topics
from appliance.link.envelope import PadKeys, encode
from appliance.phone import Phone
from appliance.record import uuid7
from appliance.station import Station
from tests.link.harness import raw_publisher
from tests.system.houses import Floor, House

T = TypeVar("T")
EN = Translator("en")
WHO = [person.number for person in PLAYERS[:4]]
TABLE = f"table/{VENUE}-1"


def new_id() -> str:
    return uuid7(time.time_ns() // 1_000_000, os.urandom(10))


def now(asked: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asked)


class Hands(Station):
    """A kiosk at which a test does in the engine's thread what a card would."""

    def _take(self, item: Any) -> None:
        if callable(item):
            item()
        else:
            super()._take(item)

    def card(self) -> None:
        """The commissioner's was held to the reader, and nobody waits for them."""
        self.inbox.put(lambda: self.menu.open(FLOOR.number, FLOOR.uid))


class Evening:
    """A director that serves phones, and table 1 with its kiosk, where four play and every action is tracked."""

    def __init__(self, house: House, floor: Floor) -> None:
        self.house, self.floor = house, floor
        place = house.workplace("director")
        self.way = Way(place.data, place.now_ms)
        self.director = Conductor(place, way=self.way)
        self.way.served(8090, False)
        self.director.start()
        self.kiosk = Hands(house.workplace("table-1"))
        self.kiosk.start()
        floor.must("open")
        for number in WHO:
            floor.must("register", participant=number, identity_checked=True)
        floor.must("start", seats={number: [1, seat] for seat, number in enumerate(WHO, 1)}, button=4)
        self.wait("the table's copy", lambda: self.kiosk.snapshot.rounds and self.kiosk.snapshot.rounds[0].tables)
        self.wait("word of phones", lambda: not self.kiosk.phonebook.hindrance)

    def end(self) -> None:
        for worker in (self.kiosk, self.director):
            worker.stop()
            worker.join(10)
            assert worker.failure is None

    def wait(self, what: str, found: Callable[[], T]) -> T:
        return self.house.wait_for(what, found)

    @property
    def said(self) -> list[str]:
        """What can be chosen at the kiosk's menu."""
        menu = self.kiosk.snapshot.menu
        return [say(line.text, EN) for line in menu.page.lines if line.item is not None] if menu is not None else []

    def touch(self, line: str) -> None:
        """Touch a line of the menu, once it has been read."""
        number = self.wait(line, lambda: self.said.index(line) + 1 if line in self.said else 0) - 1
        time.sleep(DEAD_S + 0.02)
        self.kiosk.choose([f"item:{number}"])

    def picture(self, whose: str = "A commissioner's: everything") -> tuple[str, bytes]:
        """Have a picture shown; what a phone reads in it."""
        self.kiosk.card()
        for line in ("Phones", "Sign a phone in", whose):
            self.touch(line)
        shown = self.wait("the picture", lambda: (menu := self.kiosk.snapshot.menu) is not None and menu.page.pairing)
        assert shown.left in (59, 60)
        url, _, fragment = shown.picture.partition("#")
        assert url == shown.address == self.kiosk.phonebook._heard.url  # type: ignore[union-attr]
        session, _, key = fragment.partition(".")
        return session, base64.urlsafe_b64decode(key + "=")

    def paired(self, whose: str) -> Phone:
        session, key = self.picture(whose)
        assert self.way.key(session) == key, "the director has the key that the picture has"
        code = now(self.way.claim(session, b"n" * 16, "Pixel 8"))
        assert code == signing.code(key, b"n" * 16)
        self.wait("the digits", lambda: self.digits == code)
        self.touch("Yes: sign it in")
        phone = self.wait("the phone", lambda: self.way.phone(session))
        self.touch("Close the menu")
        self.wait("the menu to leave", lambda: self.kiosk.snapshot.menu is None)
        return phone

    @property
    def digits(self) -> str:
        menu = self.kiosk.snapshot.menu
        return menu.page.pairing.code if menu is not None and menu.page.pairing is not None else ""

    def press(self, phone: Phone, keys: str, seen: str = "", id: str = "") -> Answered:
        return now(self.way.keys(phone, id or new_id(), 1, keys, seen or self.stamp))

    @property
    def stamp(self) -> str:
        return self.wait("the pad", lambda: self.way.sight.pads.get(1)).stamp  # type: ignore[union-attr]


@pytest.fixture
def evening(open_house: Callable[..., House]) -> Iterator[Evening]:
    house = open_house("mosquitto", tracked=["table-1"])
    with house.floor() as floor:
        evening = Evening(house, floor)
        try:
            yield evening
        finally:
            evening.end()


def code(answered: Answered) -> str:
    assert not answered.ok and answered.refusal is not None, answered
    return answered.refusal.code


def test_a_phone_is_signed_in_by_the_kiosks_picture_and_cut_off_there(evening: Evening) -> None:
    phone = evening.paired("A commissioner's: everything")
    assert (phone.role, phone.who, phone.by) == ("commissioner", FLOOR.number, "table-1")
    (there,) = evening.wait("the list", lambda: evening.kiosk.phonebook.signed_in)
    assert (there.session, there.agent) == (phone.session, "Pixel 8")
    evening.kiosk.card()
    for line in ("Phones", "Cut a phone off", "A commissioner's", "Yes, do it"):
        evening.touch(line)
    evening.wait("it to be gone", lambda: evening.way.phone(phone.session) is None)
    assert evening.way.standing(phone.session) == "cut-off"
    evening.wait("an empty list", lambda: not evening.kiosk.phonebook.signed_in)


def test_a_phone_that_nobody_says_anything_to_is_refused_when_the_menu_leaves(evening: Evening) -> None:
    session, key = evening.picture()
    now(evening.way.claim(session, b"n" * 16, "Pixel 8"))
    evening.wait("the digits", lambda: evening.digits == signing.code(key, b"n" * 16))
    evening.kiosk.inbox.put(evening.kiosk.menu.close)
    evening.wait("it to be refused", lambda: evening.way.standing(session) == "refused")
    assert evening.way.phone(session) is None


def test_a_dealers_phone_presses_the_tables_keys_and_none_of_a_page_that_is_no_more(evening: Evening) -> None:
    phone = evening.paired("The dealer's at table 1")
    assert evening.press(phone, "next").ok
    evening.floor.wait("the hand", lambda round: round.tables[1].hand == 1)
    evening.wait("its keys", lambda: "fold" in evening.way.sight.pads[1].keys)
    seen, id = evening.stamp, new_id()
    assert evening.press(phone, "fold", seen, id).ok
    assert evening.press(phone, "fold", seen, id).ok, "asked again it is answered again"
    assert code(evening.press(phone, "fold", seen)) == "moved-on"
    hands = evening.kiosk.snapshot.table
    assert hands is not None and hands.current is not None and hands.hand is not None
    assert len(hands.hand.live) == 3, "one fold, though it was asked for three times"
    evening.wait("all copies", lambda: evening.house.same_stream(TABLE, "table-1"))
    folds = [each for each in evening.house.stream("table-1", TABLE) if each["data"].get("device") == phone.device]
    assert [each["data"]["actor"] for each in folds] == ["dealer"]


def test_keys_that_no_phone_of_the_venues_stream_pressed_are_not_taken(evening: Evening) -> None:
    """Whoever writes on a network without TLS may know the stamp, but is in no record that the director signed."""
    dealer = evening.paired("The dealer's at table 1")
    other = evening.paired("The dealer's at table 2")
    topic = topics.reply(VENUE, "table-1", "keys")
    with raw_publisher(evening.house.brokers["venue"].endpoint) as rude:
        for n, device in enumerate(("phone-ffffffffffff", "floor", other.device, dealer.device)):
            keys = PadKeys(f"forged-{n}", 1, device, "next", evening.stamp)
            rude.publish(topic, encode(keys), qos=1)
            evening.wait("an answer", lambda n=n: f"forged-{n}" in evening.kiosk._padtelling._answers)
            taken = evening.kiosk._padtelling._answers[f"forged-{n}"].taken
            assert taken is (device == dealer.device), device
    evening.floor.wait("the hand", lambda round: round.tables[1].hand == 1)


def test_at_a_director_that_serves_no_phones_the_menu_says_so(open_house: Callable[..., House]) -> None:
    house = open_house("mosquitto")
    director, kiosk = Conductor(house.workplace("director")), Hands(house.workplace("door"))
    director.start()
    kiosk.start()
    try:
        house.wait_for("the director", lambda: kiosk.phonebook._heard)
        kiosk.card()
        house.wait_for("the menu", lambda: kiosk.snapshot.menu)
        time.sleep(DEAD_S + 0.02)
        lines = kiosk.snapshot.menu.page.lines  # type: ignore[union-attr]
        phones = next(line.item for line in lines if say(line.text, EN) == "Phones")
        kiosk.inbox.put(lambda: kiosk.menu._press([f"item:{phones}"], kiosk.menu.glance.stamp))
        house.wait_for("the page", lambda: (menu := kiosk.snapshot.menu) and say(menu.page.title, EN) == "Phones")
        line = kiosk.snapshot.menu.page.lines[0]  # type: ignore[union-attr]
        assert not line.enabled and say(line.reason, EN).startswith("No phone can come")
    finally:
        for worker in (kiosk, director):
            worker.stop()
            worker.join(10)
            assert worker.failure is None
