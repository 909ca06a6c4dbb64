"""A venue's pen: signed streams for the league to take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Raw

from appliance import record as rec
from appliance.game import events, script
from appliance.game import round as rules
from appliance.link.envelope import Batch
from appliance.record import Head, Record

DATA = Path(__file__).parents[1] / "data"


class Scribe:
    """Writes one stream as a device of a venue does, and cuts it into batches."""

    def __init__(
        self, stream: str, device: str, key: Ed25519PrivateKey, *, epoch: str = "1-00c0ffee00c0ffee",
        after: Head | None = None,
    ) -> None:  # fmt: skip
        self.stream, self.device, self.key, self.epoch = stream, device, key, epoch
        self.raws: list[bytes] = []
        self.heads: list[Head] = []
        link = rec.Link(after.epoch, after.seq, after.hash) if after else None
        self._prev = after.hash if after else None
        self.write(rec.EPOCH_OPENED, rec.EpochOpened(link, device, "test"))

    def write(self, kind: str, data: Any, at: int = 1_800_000_000_000, cause: str | None = None) -> Head:
        """Append a record; ``data`` is anything JSON, or its bytes."""
        body = Raw(data) if isinstance(data, bytes) else rec.to_raw(data)
        seq = len(self.raws) + 1
        raw = rec.encode(
            Record(
                stream=self.stream, epoch=self.epoch, seq=seq, id=rec.uuid7(at, os.urandom(10)), at=at,
                type=kind, data=body, cause=cause, prev=self._prev,
            )
        )  # fmt: skip
        self.raws.append(raw)
        self._prev = rec.digest(raw)
        self.heads.append(Head(self.stream, self.epoch, seq, self._prev))
        return self.heads[-1]

    def batch(self, first: int = 1, last: int | None = None) -> Batch:
        """Records ``first`` … ``last``, signed at their end."""
        last = last or len(self.raws)
        signature = rec.sign(self.key, self.heads[last - 1])
        return Batch(self.stream, self.epoch, first, tuple(Raw(raw) for raw in self.raws[first - 1 : last]), signature)


def play(stream: Scribe, lines: list[str]) -> Scribe:
    """Play a script by the rules into a stream."""
    ledger = rules.INITIAL
    for line in script.parse_script(lines):
        command_id = f"0198f0a0-0000-7000-8000-{line.line_no:012}"
        outcome = rules.decide(ledger, line.command, line.at_ms, command_id)
        if isinstance(outcome, rules.Refusal):
            continue
        for event in outcome:
            kind, data = events.encode_event(event)
            ledger = rules.fold(ledger, event, line.at_ms, command_id)
            stream.write(kind, data, line.at_ms, command_id)
    return stream


def evening_script() -> list[str]:
    """The evening of the test data."""
    return (DATA / "evening-18.jsonl").read_text(encoding="utf-8").splitlines()


def evening(key: Ed25519PrivateKey) -> Scribe:
    """That evening in a signed stream."""
    return play(Scribe("round/R1", "director", key), evening_script())
