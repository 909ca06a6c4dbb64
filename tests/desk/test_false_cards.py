"""A false card on the desk: a program with a card's number that is brought to have the real one's keys written into it.

Whoever speaks as a blank card does, with the factory's keys that everybody knows, understands all that it is sent.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.ntag424 import KEYS, Ntag424
from appliance.cards.secret import Secret
from appliance.desk.desk import Refused
from appliance.hw.ports import Technology
from tests.desk.conftest import UID, Bench

CHANGE_KEY = 0xC4


class Spy:
    """A false card: answers as one of factory's keys, says what versions it likes, and knows what it was sent."""

    technology = Technology.ISO_DEP

    def __init__(self, versions: Callable[[int, bool], int] = lambda _key, _in_session: 0) -> None:
        self.card = EmulatedNtag424(UID)
        self.versions = versions
        self.sent: list[int] = []

    def transmit(self, apdu: bytes) -> bytes:
        self.sent.append(apdu[1])
        if apdu[1] == 0x64:
            key = self.card.memory.keys[apdu[5]]
            in_session = len(apdu) > 7  # then there is a MAC behind the key's number
            real, key.version = key.version, self.versions(apdu[5], in_session)
            try:
                return self.card.transmit(apdu)
            finally:
                key.version = real
        return self.card.transmit(apdu)

    def read_pages(self, page: int) -> bytes:
        raise OSError

    def write_page(self, page: int, data: bytes) -> None:
        raise OSError

    def command(self, raw: bytes) -> bytes:
        raise OSError


def issue(bench: Bench, spy: Spy) -> None:
    bench.at(lambda desk: desk.issue(spy, UID.hex().upper(), "000101"))


def wipe(bench: Bench, spy: Spy) -> None:
    bench.at(lambda desk: desk.wipe(spy, UID.hex().upper()))


def test_LG_6_a_blank_card_that_says_it_is_an_issued_one_gets_no_keys(bench: Bench, blank: EmulatedNtag424) -> None:
    """Its holder comes to have the keys renewed, and would go home with keys for as many copies as he likes."""
    bench.issue(blank)
    bench.keys = bench.keys.renewed()
    spy = Spy()
    with pytest.raises(Refused) as refused:
        issue(bench, spy)
    assert refused.value.code == "not-that-card"
    assert CHANGE_KEY not in spy.sent
    assert bench.issue(blank).card.key_version == 2, "the real card is"


@pytest.mark.parametrize("first", [1, 0])
def test_LG_6_no_key_of_a_card_is_told_to_one_that_has_not_proved_it(
    bench: Bench, blank: EmulatedNtag424, first: int
) -> None:
    """To wipe a key is to send its difference to the factory's zeros; key 0 says that it is wiped already."""
    bench.issue(blank)
    spy = Spy(lambda key, in_session: 0 if key == 0 else 1 if in_session else first)
    with pytest.raises(Refused) as refused:
        wipe(bench, spy)
    assert refused.value.code in ("foreign-key", "changing-version")
    assert CHANGE_KEY not in spy.sent


def test_a_card_torn_away_before_its_last_key_proves_the_others_and_can_be_wiped(bench: Bench) -> None:
    card = EmulatedNtag424(UID)
    reader = Ntag424(card)
    reader.select()
    reader.authenticate(0, Secret(bytes(16)))
    for number in KEYS[1:]:
        reader.change_key(number, bench.keys.card_key(UID, number, 1), 1)
    bench.wipe(card)
    assert [key.version for key in card.memory.keys] == [0] * 5
