"""A desk with keys, a ledger and simulated cards."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.emulator.ntag424_json import to_json
from appliance.desk import simulated
from appliance.desk.desk import Desk
from appliance.desk.keys import DeskKeys, new_keys
from appliance.desk.ledger import Ledger, opened
from appliance.desk.simulated import AnyCard
from appliance.hw.ports import CardLost

UID = bytes.fromhex("04958CAA5C5E80")
DAY = dt.date(2027, 3, 1)


class Bench:
    """A desk whose ledger is opened anew for each card, as the command does."""

    def __init__(self, keys: DeskKeys, path: Path) -> None:
        self.keys = keys
        self.path = path
        self.steps: list[tuple[str, int]] = []

    def at(self, job: Callable[[Desk], Any]) -> Any:
        with opened(self.path, "tester", lambda: dt.datetime(2027, 3, 1, 9, tzinfo=dt.UTC)) as ledger:
            return job(self.desk(ledger))

    def desk(self, ledger: Ledger) -> Desk:
        return Desk(
            self.keys, ledger, lambda: DAY, lambda step, number: self.steps.append((step, number)), (simulated.maker(),)
        )

    def issue(self, card: AnyCard, participant: str = "000101", **options: Any) -> Any:
        card.power_off()
        return self.at(lambda desk: desk.issue(simulated.channel(card), card.uid.hex().upper(), participant, **options))

    def wipe(self, card: AnyCard) -> Any:
        card.power_off()
        return self.at(lambda desk: desk.wipe(simulated.channel(card), card.uid.hex().upper()))

    def enter(self, card: AnyCard) -> Any:
        card.power_off()
        return self.at(lambda desk: desk.enter(simulated.channel(card), card.uid.hex().upper()))

    def torn(self, card: AnyCard, after: int, done: bool, job: Callable[[AnyCard], Any]) -> bool:
        """Do it with a card torn away in the middle; False when it was finished before that."""
        card.power_off()
        real, card.power_off = card.power_off, lambda: None  # type: ignore[method-assign]
        try:
            card.tear(after, done)
            job(card)
        except CardLost:
            return True
        finally:
            card.power_off = real  # type: ignore[method-assign]
        return False


@pytest.fixture(scope="session")
def keys() -> DeskKeys:
    return new_keys("cpl", "https://liga.example/card")


@pytest.fixture
def bench(keys: DeskKeys, tmp_path: Path) -> Bench:
    return Bench(keys, tmp_path / "ledger.jsonl")


@pytest.fixture
def blank() -> EmulatedNtag424:
    return EmulatedNtag424(UID)


@pytest.fixture
def pages_card() -> EmulatedNtag21x:
    return EmulatedNtag21x(Model.NTAG213, UID, simulated.MAKER)


@pytest.fixture(scope="session")
def content() -> Callable[[AnyCard], Any]:
    """All that a card remembers, but how often it was read."""

    def told(card: AnyCard) -> Any:
        return to_json(card.memory) if isinstance(card, EmulatedNtag424) else card.area

    return told
