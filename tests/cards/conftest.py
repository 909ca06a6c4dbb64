"""A delivered card, and a reader that has selected it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings

from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.ntag424 import Ntag424

# python -m pytest tests/cards --hypothesis-profile=fuzz: as many examples as half a minute a test takes
settings.register_profile("fuzz", max_examples=20_000, deadline=None)


class Script:
    """A card that knows a dialogue by heart, and insists on its questions."""

    def __init__(self, *lines: tuple[str, str]) -> None:
        self.lines = [(bytes.fromhex(asked), bytes.fromhex(answer)) for asked, answer in lines]

    def transmit(self, apdu: bytes) -> bytes:
        asked, answer = self.lines.pop(0)
        assert apdu.hex() == asked.hex()
        return answer


class Tampered:
    """A card whose answers pass through somebody's hands: ``change(number, answer)`` gives what arrives."""

    def __init__(self, card: EmulatedNtag424, change: Callable[[int, bytes], bytes]) -> None:
        self.card = card
        self.change = change
        self.number = 0

    def transmit(self, apdu: bytes) -> bytes:
        answer = self.change(self.number, self.card.transmit(apdu))
        self.number += 1
        return answer


@pytest.fixture
def card() -> EmulatedNtag424:
    return EmulatedNtag424(bytes.fromhex("04958CAA5C5E80"))


@pytest.fixture
def reader(card: EmulatedNtag424) -> Ntag424:
    selected = Ntag424(card)
    selected.select()
    return selected


@pytest.fixture(scope="session")
def script() -> type[Script]:
    return Script


@pytest.fixture(scope="session")
def tampered() -> type[Tampered]:
    return Tampered
