"""A table's pad, as its kiosk tells the director of it, and the keys that phones press on it.

Whoever presses a key on a phone saw a page that is a moment old. So each state of the pad has a stamp, of all that a
key's meaning hangs on; a key that was pressed on another one is not taken. For the engine thread.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from appliance.game.state import Round
from appliance.link.envelope import BadPayload, PadKeys, PadShown, encode
from appliance.pad import Pad
from appliance.record import Head

_KEPT = 32
_NO_STAMP = "-"


class PadSeen(NamedTuple):
    """All that a key's meaning hangs on. ``head``: the last record of the table's own stream."""

    pad: Pad
    keys: tuple[str, ...]
    head: Head | None
    round: Round | None

    def is_same(self, other: PadSeen | None) -> bool:
        """Whether it is sure at a glance that nothing is different."""
        return other is not None and self[:3] == other[:3] and self.round is other.round


class PadTelling:
    """For the kiosk of ``table``. ``send`` tells the director, if there is one that wants to know."""

    def __init__(self, table: int, send: Callable[[PadShown], None]) -> None:
        self._table, self._send = table, send
        self._seen: PadSeen | None = None
        self._shown = PadShown(table, _NO_STAMP)
        self._told: PadShown | None = None
        self._answers: dict[str, PadShown] = {}
        self._owed: list[PadShown] = []

    def again(self) -> None:
        """Who listens may not have heard what was told."""
        self._told = None

    def look(self, seen: PadSeen | None, *, wanted: bool = True) -> None:
        """The pad as it is now; None: there is none here. It is told when it has changed, where that is ``wanted``, and
        to whom it is owed: what it tells of, the records that the last keys made, has been sent by then.
        """
        self._take(seen)
        owed, self._owed = self._owed, []
        for answer in owed:
            self._send(answer)
        if wanted and self._shown != self._told and (seen is not None or self._told is not None):
            self._told = self._shown
            self._send(self._shown)

    def _take(self, seen: PadSeen | None) -> None:
        if seen is None:
            self._seen, self._shown = None, PadShown(self._table, _NO_STAMP)
        elif not seen.is_same(self._seen):
            self._seen, self._shown = seen, self._page(seen)

    def press(self, asked: PadKeys, seen: PadSeen | None, press: Callable[[str], PadSeen | None] | None) -> None:
        """Press a phone's keys one after another until one leads to nothing; the next `look` answers with the pad as it
        is then. Asked again, it is only answered again.

        ``seen``: the pad as it is; ``press`` presses one key, and returns what there is to be seen then; None: whoever
        asks may not.
        """
        self._take(seen)
        answer = self._answers.get(asked.id)
        if answer is None:
            taken = press is not None and self._seen is not None and asked.seen == self._shown.stamp
            for key in asked.keys.split() if taken else ():
                self._take(press(key) if press is not None else seen)
                if self._seen is None or self._seen.pad.problem is not None:
                    break
            answer = msgspec.structs.replace(self._shown, id=asked.id, taken=taken)
            while len(self._answers) >= _KEPT:
                del self._answers[next(iter(self._answers))]
            self._answers[asked.id] = answer
            self._told = self._shown
        self._owed.append(answer)

    def _page(self, seen: PadSeen) -> PadShown:
        pad, head, round = msgspec.json.encode(seen.pad), seen.head, seen.round
        table = round.tables.get(self._table) if round is not None else None
        at: tuple[Any, ...] = (
            (head.epoch, head.seq) if head is not None else None,
            (round.id, round.phase, table.hand if table is not None else None) if round is not None else None,
        )
        stamp = hashlib.blake2b(msgspec.json.encode((pad, seen.keys, at)), digest_size=8).hexdigest()
        shown = PadShown(self._table, stamp, seen.keys, msgspec.Raw(pad))
        try:
            encode(shown)
        except BadPayload:  # something endless was typed
            return msgspec.structs.replace(shown, pad=msgspec.Raw(b"{}"))
        return shown
