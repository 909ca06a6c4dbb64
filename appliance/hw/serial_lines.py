"""What UID readers on a serial line say: two protocols, each a bounded parser of bytes that makes UIDs.

Whatever is not a whole, right message is passed over; the parser goes on with the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

TAKEN = "-"
"""What a parser gives instead of a UID when the reader says that the card was taken away."""

_HEX = frozenset(b"0123456789ABCDEF")
_START = 0x02
_END = 0x03
_DIGITS = 12

MAX_LINE = 64
"""Characters of a line at most; longer ones are no UIDs."""

_UID_BYTES = range(4, 11)


class Parser(Protocol):
    """Makes UIDs, upper-case hex, of a stream of bytes."""

    def feed(self, data: bytes) -> list[str]:
        """The UIDs that ``data`` completes, and `TAKEN`."""

    def forget(self) -> None:
        """The message begun so far will not be completed: the line was silent."""

    def skip(self) -> None:
        """What was fed so far may have begun in the middle of a message: pass over the rest of it."""


class Rdm6300:
    """125 kHz readers of the RDM6300 kind: 02, ten hex digits, two of their XOR, 03; repeated while a card lies there.

    The digits are capitals, as the module sends them: so no byte of a frame can change unnoticed.
    """

    def __init__(self) -> None:
        self._digits: bytearray | None = None

    def feed(self, data: bytes) -> list[str]:
        return [uid for byte in data if (uid := self._take(byte))]

    def forget(self) -> None:
        self._digits = None

    skip = forget

    def _take(self, byte: int) -> str:
        """One byte further; the UID, when it ends a good frame."""
        if byte == _START:
            self._digits = bytearray()
        elif self._digits is None:
            pass
        elif byte in _HEX and len(self._digits) < _DIGITS:
            self._digits.append(byte)
        else:
            digits, self._digits = bytes(self._digits), None
            if byte == _END and len(digits) == _DIGITS:
                return _checked(digits)
        return ""


def _checked(digits: bytes) -> str:
    """The UID in a frame's digits; empty when the check is wrong."""
    *uid, check = bytes.fromhex(digits.decode())
    for byte in uid:
        check ^= byte
    return "" if check else digits[:-2].decode()


class Lines:
    """One UID in hex a line, 4 to 10 bytes, ended by CR, LF or both; a line "-" says that the card was taken away.

    There is no check in it: what is promised is that only a whole line counts.
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> list[str]:
        return [said for byte in data if (said := self._take(byte))]

    def forget(self) -> None:
        self._line.clear()
        self._too_long = False

    def skip(self) -> None:
        self._too_long = self._too_long or bool(self._line)
        self._line.clear()

    def _take(self, byte: int) -> str:
        if byte in b"\r\n":
            line, whole = bytes(self._line).strip(b" \t"), not self._too_long
            self._line.clear()
            self._too_long = False
            return _uid(line) if whole else ""
        if len(self._line) >= MAX_LINE:
            self._too_long = True
            self._line.clear()
        if not self._too_long:
            self._line.append(byte)
        return ""


def _uid(line: bytes) -> str:
    """The UID a line holds, or `TAKEN`; empty for anything else."""
    if line == TAKEN.encode():
        return TAKEN
    digits = line.upper()
    if len(digits) % 2 or len(digits) // 2 not in _UID_BYTES or not _HEX.issuperset(digits):
        return ""
    return digits.decode()


PROTOCOLS: Mapping[str, Callable[[], Parser]] = {"rdm6300": Rdm6300, "line": Lines}
"""The protocols by the name the configuration has for them."""
