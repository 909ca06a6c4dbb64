"""The desk at a PC/SC reader, through the real pcscd: a card torn away several times, and issued all the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.desk.ledger import opened
from appliance.desk.session import Session
from appliance.hw.pcsc import PcscReader
from tests.contract.emulated_reader import NTAG424_ATR, ApduCard
from tests.contract.virtualcard import Pcscd, ReaderConfig, VirtualCard, process_socket, vpcd
from tests.desk.conftest import UID, Bench

process_socket()
PATIENCE_S = 60.0


@pytest.fixture
def slot() -> Iterator[ReaderConfig]:
    reader = vpcd("Desk")
    with Pcscd(reader):
        yield reader


def test_a_card_torn_away_from_a_pcsc_reader_is_issued_when_it_comes_back(
    bench: Bench, blank: EmulatedNtag424, content: Callable[[Any], Any], slot: ReaderConfig, tmp_path: Path
) -> None:
    undisturbed = EmulatedNtag424(UID)
    bench.issue(undisturbed)
    told: list[str] = []
    outcome: list[Any] = []
    with opened(tmp_path / "pcsc.jsonl", "tester") as ledger:
        desk = bench.desk(ledger)
        session = Session(lambda channel, uid: desk.issue(channel, uid, "000101"), told.append)
        reader = PcscReader("Desk", dialog_s=PATIENCE_S)
        desk_thread = threading.Thread(target=lambda: outcome.append(session.run(reader, PATIENCE_S)))
        desk_thread.start()
        for after, done in ((9, True), (14, False), (11, True)):
            blank.power_off()
            torn = ApduCard(UID.hex(), blank)
            with VirtualCard(slot.address, torn, atr=NTAG424_ATR) as card:
                card.wait_until_noticed()
                blank.tear(after, done)
                assert card.gone.wait(PATIENCE_S)
        blank.power_off()
        with VirtualCard(slot.address, ApduCard(UID.hex(), blank), atr=NTAG424_ATR):
            desk_thread.join(PATIENCE_S)
    assert outcome and outcome[0].card.state == "valid"
    assert content(blank) == content(undisturbed)
