"""Who gave which command of a round, and where: the first record of each tells (`engine.Order`)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from appliance import engine
from appliance.console.sight import Given
from appliance.journal import Journal
from appliance.record import Record


class _Asked(Struct, frozen=True):
    do: str = ""


class _Origin(Struct, frozen=True):
    actor: str = ""
    device: str = ""
    command: _Asked = _Asked()


_origins = msgspec.json.Decoder(_Origin)


class Givers:
    """Reads each record once, of the rounds that are asked for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._read: dict[str, tuple[str, int]] = {}
        self._given: dict[str, dict[str, Given]] = {}

    def of(self, stream: str) -> Mapping[str, Given]:
        """By command, as far as records tell."""
        head = self._journal.newest(stream)
        if head is not None and self._read.get(stream) != (head.epoch, head.seq):
            self._read_on(stream, head.epoch, head.seq)
        return self._given.get(stream, {})

    def _read_on(self, stream: str, epoch: str, seq: int) -> None:
        done = self._read.get(stream)
        goes_on = done is not None and done[0] == epoch and done[1] < seq
        lines = [(epoch, seq)] if goes_on else engine.history(self._journal, stream)
        known = dict(self._given.get(stream, {})) if goes_on else {}
        for record in engine.records(self._journal, stream, lines, done if goes_on else None):
            if record.cause is not None and record.cause not in known:
                known[record.cause] = _given(record)
        self._given[stream], self._read[stream] = known, (epoch, seq)


def _given(record: Record) -> Given:
    try:
        origin = _origins.decode(record.data)
    except msgspec.MsgspecError:
        return Given("", "")
    return Given(origin.actor, origin.device, origin.command.do)
