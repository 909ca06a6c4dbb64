"""What director and kiosks tell each other of phones, over a real broker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import Raw

from appliance.link import envelope, topics
from appliance.link.broker import Broker
from appliance.link.envelope import PadKeys, PadShown, Phones, PhoneWaits
from appliance.pad import KEYS as KEYS_OF_PADS
from tests.link.harness import fresh, raw_publisher
from tests.link.venue import Evening

KEYS = PadKeys("id-1", 1, "phone-00112233aabb", "fold", seen="s1")
SHOWN = PadShown(1, "s2", ("next", "undo"), Raw(b'{"typed":"12"}'), id="id-1")


@pytest.fixture
def evening(broker: Broker) -> Iterator[Evening]:
    evening = Evening(broker.endpoint, fresh("v"))
    yield evening
    evening.close()


def test_a_kiosk_hears_of_phones_and_a_table_of_their_keys_and_tells_what_its_pad_shows(evening: Evening) -> None:
    phones: list[Phones] = []
    keys: list[PadKeys] = []
    pads: list[tuple[str, PadShown]] = []
    evening.director.link._on_pad = lambda device, shown: pads.append((device, shown))
    evening.kiosk("door", on_phones=phones.append)
    table = evening.kiosk("table-1", on_keys=keys.append)
    evening.until(lambda: evening.director.link.devices == ["door", "table-1"])
    waits = PhoneWaits("00112233aabbccdd", "4711", "dealer", "door", 1, "Pixel")
    told = Phones("http://192.168.1.5:8090/", "ab" * 32, (waits,))
    evening.director.link.show_phones("door", told)
    evening.director.link.press_keys("table-1", KEYS)
    evening.until(lambda: phones and keys)
    assert (phones, keys) == ([told], [KEYS])
    table.link.show_pad(SHOWN)
    evening.until(lambda: bool(pads))
    assert pads == [("table-1", SHOWN)]


def test_a_pad_is_told_to_nobody_while_nobody_directs(evening: Evening) -> None:
    table = evening.kiosk("table-1")
    evening.until(lambda: evening.director.link.devices == ["table-1"])
    evening.stop(evening.director)
    evening.until(lambda: table.link.director is None)
    table.link.show_pad(SHOWN)


def test_what_is_no_word_of_phones_is_dropped(evening: Evening) -> None:
    heard: list[object] = []
    kiosk = evening.kiosk("table-1", on_phones=heard.append, on_keys=heard.append)
    evening.until(lambda: kiosk.link.director is not None)
    with raw_publisher(evening.endpoint) as rude:
        for leaf, payload in (("phones", b"{"), ("keys", b'{"id":"","table":1,"phone":"p","keys":""}')):
            rude.publish(topics.reply(evening.venue, "table-1", leaf), payload)
        rude.publish(topics.reply(evening.venue, "table-1", "phones"), envelope.encode(Phones()))
        evening.until(lambda: bool(heard))
    assert heard == [Phones()]


def test_every_key_of_a_pad_can_be_told() -> None:
    keys = (*KEYS_OF_PADS, *(f"seat-{number}" for number in range(1, 11)))
    shown = PadShown(1, "s", keys)
    assert envelope.decode(PadShown, envelope.encode(shown)) == shown
