"""The desk at a reader: waits for the card, goes on when a torn card comes back, and touches no other meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from appliance.cards.emulator.ntag424 import EmulatedNtag424
from appliance.cards.emulator.ntag424_json import to_json
from appliance.cards.emulator.ntag424_state import delivered
from appliance.desk.desk import Refused
from appliance.desk.ledger import opened
from appliance.desk.session import GaveUp, Session
from appliance.hw.ports import ReaderState
from appliance.hw.simulated import SimulatedReader
from appliance.hw.simulated_card import Fault, Trick
from tests.desk.conftest import Bench

PATIENCE_S = 30.0


class Sitting:
    """A session in a thread of its own, and hands at its reader."""

    def __init__(self, bench: Bench, ledger: Any) -> None:
        self.told: list[str] = []
        self.reader = SimulatedReader()
        self.outcome: Any = None
        desk = bench.desk(ledger)
        session = Session(lambda channel, uid: desk.issue(channel, uid, "000101"), self.told.append)
        self._thread = threading.Thread(target=self._run, args=(session,))

    def _run(self, session: Session[Any]) -> None:
        try:
            self.outcome = session.run(self.reader, PATIENCE_S)
        except (Refused, GaveUp) as error:
            self.outcome = error

    def __enter__(self) -> Sitting:
        self._thread.start()
        while self.reader.state is not ReaderState.ONLINE:
            threading.Event().wait(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@pytest.fixture
def sit(bench: Bench, tmp_path: Path) -> Any:
    with opened(tmp_path / "ledger.jsonl", "tester") as ledger:
        yield Sitting(bench, ledger)


def test_a_card_that_is_torn_away_and_put_back_is_issued(sit: Sitting, blank: EmulatedNtag424) -> None:
    with sit:
        sit.reader.put(blank, Fault(Trick.YANK, 20))
        sit.reader.put(blank, Fault(Trick.TEAR, 17))
        sit.reader.put(blank, Fault(Trick.MUTE, 9))
        sit.reader.put(blank)
    assert sit.outcome.card.state == "valid"
    assert any("put it back" in line for line in sit.told)


def test_no_other_card_is_touched_while_one_is_half_done(
    sit: Sitting, blank: EmulatedNtag424, content: Callable[[Any], Any]
) -> None:
    other = EmulatedNtag424(bytes.fromhex("04958CAA5C5E81"))
    with sit:
        sit.reader.put(blank, Fault(Trick.TEAR, 20))
        sit.reader.put(other)
        sit.reader.put(blank)
    assert sit.outcome.uid == blank.uid.hex().upper()
    assert content(other) == to_json(delivered(other.uid))
    assert "this is another card: put 04958CAA5C5E80 back first" in sit.told


def test_a_card_that_cannot_be_written_is_refused_at_once(sit: Sitting) -> None:
    with sit:
        sit.reader.put("04A1B2C3")
    assert isinstance(sit.outcome, Refused)
    assert sit.outcome.code == "no-card"


def test_a_card_that_does_not_come_ends_the_wait(bench: Bench) -> None:
    session = Session(lambda _channel, _uid: None, lambda _line: None)
    with pytest.raises(GaveUp, match="no card within 0 s"):
        session.run(SimulatedReader(), 0.05)


def test_a_reader_that_is_not_there_is_the_last_word(bench: Bench) -> None:
    """Nobody can put a card on a reader that does not work: what is said last is the cause."""
    session = Session(lambda _channel, _uid: None, lambda _line: None)
    reader = SimulatedReader()
    reader.unplug()
    with pytest.raises(GaveUp, match="no card within 0 s: reader offline: "):
        session.run(reader, 0.2)
