"""Frames between host and PN532 (NXP UM0701-02, 6.2.1): start code, length, its check, data, their check."""

from __future__ import annotations

ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
ERROR = bytes.fromhex("0000FF01FF7F8100")
"""What the chip answers to a command it does not know."""

MAX_DATA = 265
"""Bytes in a frame at most: the chip's buffer."""

_START = b"\x00\xff"
_SHORT_HEAD = 4
_LONG_HEAD = 7


def frame(data: bytes) -> bytes:
    """The frame around ``data``, which begins with its direction (D4 to the chip, D5 from it)."""
    size = len(data)
    head = (
        bytes((size, -size & 0xFF))
        if size < 0xFF
        else b"\xff\xff" + size.to_bytes(2, "big") + bytes((-(size >> 8) - (size & 0xFF) & 0xFF,))
    )
    return b"\x00" + _START + head + data + bytes((-sum(data) & 0xFF, 0))


class Frames:
    """Finds the frames in a stream of bytes; what is no frame, or a frame with a wrong check, is passed over."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The data of each frame that ``data`` completes; `ACK` and `NACK` stand for themselves."""
        self._rest += data
        found: list[bytes] = []
        while True:
            start = self._rest.find(_START)
            if start < 0:
                self._rest = self._rest[-1:]
                return found
            self._rest = self._rest[start:]
            used, what = _first(self._rest)
            if not used:
                return found
            self._rest = self._rest[used:]
            if what:
                found.append(what)


def _first(stream: bytes) -> tuple[int, bytes]:
    """How many bytes the frame at the start of ``stream`` uses (0: it is not complete), and its data."""
    if len(stream) < _SHORT_HEAD:
        return 0, b""
    head = _SHORT_HEAD
    size, check = stream[2], stream[3]
    if (size, check) == (0x00, 0xFF):
        return head, ACK
    if (size, check) == (0xFF, 0x00):
        return head, NACK
    if (size, check) == (0xFF, 0xFF):
        head = _LONG_HEAD
        if len(stream) < head:
            return 0, b""
        size = int.from_bytes(stream[4:6], "big")
        good = sum(stream[4:7]) & 0xFF == 0
    else:
        good = size + check & 0xFF == 0
    if not good or not 0 < size <= MAX_DATA:
        return len(_START), b""
    if len(stream) < head + size + 1:
        return 0, b""
    if sum(stream[head : head + size + 1]) & 0xFF:
        return head + size + 1, b""
    return head + size + 1, stream[head : head + size]
