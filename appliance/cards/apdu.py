"""Commands and answers of ISO/IEC 7816-4 as contactless cards speak them, and what their status words mean.

Native commands of NXP's cards travel wrapped in class 90 and are answered with 91xx; the status words below
are those of the NTAG 424 DNA data sheet (NT4H2421Gx), section 10.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol


class Card(Protocol):
    """Anything that carries an APDU to an ISO-DEP card and brings the answer: a reader's channel, an emulator."""

    def transmit(self, apdu: bytes, /) -> bytes:
        """The answer with its two status bytes; ConnectionError when the card is gone."""


class Fault(StrEnum):
    """What is wrong with a card's answer; stable codes."""

    WRONG_KEY = "wrong-key"
    """The card does not have the key it was asked for."""
    LATER = "later"
    """After failed authentications the card makes everybody wait (91AD)."""
    LOCKED = "locked"
    """Too many failed authentications: this key is blocked (919D)."""
    FORGED = "forged"
    """The answer was not made by the holder of the key: wrong MAC, padding or random number."""
    MALFORMED = "malformed"
    """The answer is not what this command answers: cut short, too long, an impossible value."""
    NOT_AUTHENTICATED = "not-authenticated"
    """The command needs an authentication with another key, or with any (91AE)."""
    PERMISSION_DENIED = "permission-denied"
    """The command is not allowed in this state of the card, file or key."""
    LENGTH = "length"
    """The card found the command too short or too long."""
    PARAMETER = "parameter"
    """The card takes no such value."""
    INTEGRITY = "integrity"
    """The card found our MAC, padding or checksum wrong."""
    NO_SUCH_KEY = "no-such-key"
    """The card has no key of this number, or we have not the key that is needed."""
    NO_SUCH_FILE = "no-such-file"
    """The card has no such file or application: it is another card."""
    NO_SUCH_COMMAND = "no-such-command"
    """The card does not know the command: it is another card."""
    BOUNDARY = "boundary"
    """Beyond the file's end."""
    ABORTED = "aborted"
    """A command came in the middle of another (91CA)."""
    MEMORY = "memory"
    """The card could not write its memory."""
    MORE_FRAMES = "more-frames"
    """The card has more to say where nothing more belongs (91AF)."""
    UNKNOWN_STATUS = "unknown-status"
    """A status word that the data sheet does not have."""


STATUS: dict[int, Fault] = {
    0x911C: Fault.NO_SUCH_COMMAND,
    0x911E: Fault.INTEGRITY,
    0x9140: Fault.NO_SUCH_KEY,
    0x917E: Fault.LENGTH,
    0x919D: Fault.PERMISSION_DENIED,
    0x919E: Fault.PARAMETER,
    0x91AD: Fault.LATER,
    0x91AE: Fault.NOT_AUTHENTICATED,
    0x91AF: Fault.MORE_FRAMES,
    0x91BE: Fault.BOUNDARY,
    0x91CA: Fault.ABORTED,
    0x91EE: Fault.MEMORY,
    0x91F0: Fault.NO_SUCH_FILE,
    0x6581: Fault.MEMORY,
    0x6700: Fault.LENGTH,
    0x6982: Fault.NOT_AUTHENTICATED,
    0x6985: Fault.PERMISSION_DENIED,
    0x6A80: Fault.PARAMETER,
    0x6A82: Fault.NO_SUCH_FILE,
    0x6A86: Fault.PARAMETER,
    0x6A87: Fault.LENGTH,
    0x6B00: Fault.BOUNDARY,
    0x6C00: Fault.LENGTH,
    0x6D00: Fault.NO_SUCH_COMMAND,
    0x6E00: Fault.NO_SUCH_COMMAND,
}
"""Every status word of the data sheet that is no success."""

OK = 0x9100
MORE = 0x91AF
ISO_OK = 0x9000


class CardError(OSError):
    """A card refused, or answered what must not be believed. ``code`` says which, ``sw`` is its status word or None.

    The text never holds anything that was sent or received but the status word.
    """

    def __init__(self, code: Fault, sw: int | None = None) -> None:
        super().__init__(code.value if sw is None else f"{code.value} ({sw:04X})")
        self.code = code
        self.sw = sw


def native(ins: int, data: bytes = b"") -> bytes:
    """A native command in its ISO wrapping; ``data`` at most 255 bytes."""
    body = bytes([len(data)]) + data if data else b""
    return bytes([0x90, ins, 0, 0]) + body + b"\0"


def iso(ins: int, p1: int, p2: int, data: bytes = b"", expected: int | None = None) -> bytes:
    """A short APDU of class 00; ``expected`` bytes of answer, 256 at most, None for no answer."""
    body = bytes([len(data)]) + data if data else b""
    tail = b"" if expected is None else bytes([expected & 0xFF])
    return bytes([0x00, ins, p1, p2]) + body + tail


def split(answer: bytes) -> tuple[bytes, int]:
    """An answer's data and status word; `CardError` for less than a status word."""
    if len(answer) < 2:
        raise CardError(Fault.MALFORMED)
    return answer[:-2], int.from_bytes(answer[-2:])


def ask(card: Card, apdu: bytes, *wanted: int) -> tuple[bytes, int]:
    """Send a command and return data and status word, which must be one of ``wanted``; `CardError` otherwise."""
    data, sw = split(card.transmit(apdu))
    if sw not in wanted:
        raise CardError(STATUS.get(sw, Fault.LENGTH if sw >> 8 == 0x6C else Fault.UNKNOWN_STATUS), sw)
    return data, sw
