"""Whose device a table is (DESIGN §3): that of the newest epoch of its stream.

A device that never wrote the stream, a spare one or one whose disk was lost, goes on from what the director has of it:
it opens the next epoch once that is here. One that did write it, and finds that another has gone on since, writes no
more: its table is another's.
"""

from __future__ import annotations

from appliance.engine import Engine, opener
from appliance.link.envelope import Ack


class TablePlace:
    """One table's stream at one device. For the engine thread."""

    def __init__(self, engine: Engine, stream: str, device: str) -> None:
        self._engine, self._stream, self._device = engine, stream, device
        self._told: Ack | None = None

    @property
    def ours(self) -> bool:
        """Whether this journal writes the stream."""
        newest = self._engine.journal.newest(self._stream)
        return newest is not None and newest.epoch.endswith(f"-{self._engine.journal.id}")

    @property
    def elsewhere(self) -> str:
        """The device that has gone on since this one wrote; "" where it is this one's, or nobody's yet."""
        journal = self._engine.journal
        if self.ours or not any(epoch.endswith(f"-{journal.id}") for epoch in journal.epochs(self._stream)):
            return ""
        by = opener(journal, self._stream)
        return "" if by == self._device else by

    def told(self, ack: Ack) -> None:
        """The director that serves has said how far the stream is."""
        if ack.stream == self._stream:
            self._told = ack

    def take(self) -> bool:
        """Write from here on, where the table is nobody's or a device's that is gone; False: not, or not yet.

        Raises `JournalError`.
        """
        if self.ours:
            return True
        ack, journal = self._told, self._engine.journal
        if ack is None or self.elsewhere:
            return False
        here = journal.head(self._stream, ack.epoch)
        if ack.upto > (here.seq if here else 0):
            return False
        self._engine.own_epoch(self._stream, "start", dated=True)
        return True
