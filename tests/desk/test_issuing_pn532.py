"""The desk at a PN532, through nfcpy and a serial line: both kinds of card, torn away in the middle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.cards.emulator.ntag21x import EmulatedNtag21x
from appliance.cards.emulator.ntag21x_models import Model
from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.desk import simulated
from appliance.desk.ledger import opened
from appliance.desk.session import Session
from appliance.desk.simulated import AnyCard
from appliance.hw.emulation.pn532 import EmulatedPn532
from appliance.hw.emulation.radio import Type2Card, Type4Card
from appliance.hw.nfc import NfcReader
from appliance.hw.ports import ReaderState
from tests.desk.conftest import UID, Bench

PATIENCE_S = 20.0


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[EmulatedPn532]:
    chip = EmulatedPn532(tmp_path / "ttyPN532")
    yield chip
    chip.close()


def _in_the_field(card: AnyCard) -> Type4Card | Type2Card:
    return Type4Card(UID, card) if isinstance(card, EmulatedNtag424) else Type2Card(UID, card)


@pytest.mark.parametrize(
    "new", [lambda: EmulatedNtag424(UID), lambda: EmulatedNtag21x(Model.NTAG215, UID, simulated.MAKER)],
    ids=["ntag424", "ntag215"],
)  # fmt: skip
def test_a_card_torn_away_from_a_pn532_is_issued_when_it_comes_back(
    bench: Bench, content: Callable[[Any], Any], chip: EmulatedPn532, tmp_path: Path, new: Callable[[], AnyCard]
) -> None:
    undisturbed, card = new(), new()
    bench.issue(undisturbed)
    told: list[str] = []
    outcome: list[Any] = []
    with opened(tmp_path / "pn532.jsonl", "tester") as ledger:
        desk = bench.desk(ledger)
        session = Session(lambda channel, uid: desk.issue(channel, uid, "000101"), told.append)
        reader = NfcReader(str(chip.wire.path))
        desk_thread = threading.Thread(target=lambda: outcome.append(session.run(reader, PATIENCE_S)))
        desk_thread.start()
        while reader.state is not ReaderState.ONLINE:
            threading.Event().wait(0.01)
        card.tear(after=20, done=True)
        chip.put(_in_the_field(card))
        while not told:
            threading.Event().wait(0.01)
        chip.take()
        card.power_off()
        chip.put(_in_the_field(card))
        desk_thread.join(PATIENCE_S)
    assert told == ["the card was not read to the end (gone): put it back and leave it there"]
    assert outcome and outcome[0].card.state == "valid"
    assert content(card) == content(undisturbed)
