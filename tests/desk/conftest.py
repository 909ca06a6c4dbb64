"""A desk with keys, a ledger and simulated cards."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from appliance import nodump
from appliance.apps.cards_keys import note_key
from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.emulator.ntag424_json import to_json
from appliance.cli import main
from appliance.desk import keyfile, ledger, simulated
from appliance.desk.desk import Desk
from appliance.desk.keys import DeskKeys, new_keys
from appliance.desk.ledger import Ledger, opened
from appliance.desk.simulated import AnyCard
from appliance.hw.ports import CardLost

UID = bytes.fromhex("04958CAA5C5E80")
DAY = dt.date(2027, 3, 1)
PHRASE = "žluťoučký kůň úpěl"


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


class Clerk:
    """Types commands in a folder of her own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.keys = folder / "desk.keys"
        self.said = self.complained = ""
        self._capsys = capsys

    def card(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def types(self, *words: object) -> int:
        try:
            code = main(["cards", *map(str, words)])
        except SystemExit as end:
            code = int(end.code or 0)
        self.said, self.complained = self._capsys.readouterr()
        return code

    def at(self, action: str, card: str, *words: object) -> int:
        return self.types(action, *words, "--keys", self.keys, "--who", "Věra", "--simulated", self.card(card))

    @property
    def ledger(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in (self.folder / "desk.keys.ledger.jsonl").read_text().splitlines()]

    def load(self) -> DeskKeys:
        return keyfile.load(self.keys, keyfile.passphrase(PHRASE))


@pytest.fixture
def clerk(tmp_path: Path, keys: DeskKeys, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Clerk:
    """With a key file that is quick to open."""
    phrase = tmp_path / "phrase"
    phrase.write_text(PHRASE + "\n")
    phrase.chmod(0o600)
    monkeypatch.setenv("TABLESIDE_PASSPHRASE_FILE", str(phrase))
    monkeypatch.setattr(keyfile, "COST", 1 << 10)
    monkeypatch.setattr(nodump, "no_core_dumps", lambda: None)  # of this process: it goes on to other tests
    keyfile.create(tmp_path / "desk.keys", keys, keyfile.passphrase(PHRASE), 1 << 10)
    with ledger.opened(tmp_path / "desk.keys.ledger.jsonl", "tester") as book:
        note_key(book, keys)
    return Clerk(tmp_path, capsys)
