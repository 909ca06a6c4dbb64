"""Serial UID readers without hardware, on a pseudo-terminal: an RDM6300, and one that says lines.

Both say a card's UID again and again while it lies there.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from appliance.hw.emulation.wire import Wire

REPEAT_S = 0.06


def rdm6300_frame(uid: bytes) -> bytes:
    """The frame by which an RDM6300 tells of a UID of five bytes."""
    check = 0
    for byte in uid:
        check ^= byte
    return b"\x02" + uid.hex().upper().encode() + f"{check:02X}".encode() + b"\x03"


def line(uid: bytes) -> bytes:
    """The line by which a reader of the other kind tells of a UID."""
    return uid.hex().upper().encode() + b"\r\n"


class EmulatedSerialReader:
    """A reader at the end of a cable whose other end is ``path``; ``message`` makes what it says of a UID.

    ``taken`` is what it says when the card is taken away; most say nothing.
    """

    def __init__(
        self, path: Path, message: Callable[[bytes], bytes] = rdm6300_frame, *, taken: bytes = b"", plugged: bool = True
    ) -> None:
        self.wire = Wire(path, lambda _: None, self._repeat)
        self.mangle: Callable[[bytes], bytes] | None = None
        """Applied to each message: what a bad cable does."""
        self._message = message
        self._taken = taken
        self._lock = threading.Lock()
        self._field: bytes | None = None
        if plugged:
            self.wire.plug()

    def plug(self) -> None:
        self.wire.plug()

    def unplug(self) -> None:
        self.wire.unplug()

    def close(self) -> None:
        self.wire.close()

    def put(self, uid: bytes) -> None:
        """Lay a card down: it is told at once, and then again and again."""
        with self._lock:
            self._field = uid
        self._repeat()

    def take(self) -> None:
        with self._lock:
            had, self._field = self._field, None
        if had:
            self.say(self._taken)

    def say(self, sent: bytes) -> None:
        """Send any bytes, as they are."""
        self.wire.send(sent)

    def _repeat(self) -> None:
        with self._lock:
            if self._field is None:
                return
            message = self._message(self._field)
            self.say(self.mangle(message) if self.mangle else message)
        self.wire.call_at(time.monotonic() + REPEAT_S)
