"""The number a contactless card gives when asked: one spelling, checked, never trusted.

Lengths and reserved first bytes are those of ISO/IEC 14443-3, 6.5.4: a UID has 4, 7 or 10 bytes; 08 as the
first of four says that the number was made up for this one selection; 88 is the cascade tag, which announces
more bytes.
"""

from __future__ import annotations

from collections.abc import Container

LENGTHS = (4, 7, 10)
"""Bytes of a single, double and triple size UID."""

SAID = range(4, 11)
"""Bytes of a number that a reader says without a word of the card: those of 125 kHz have five, others anything."""

_RANDOM = "08"
_CASCADE_TAG = "88"
_SEPARATORS = str.maketrans("", "", " :-")


class BadUid(ValueError):
    """Text that is no card's UID; ``code`` is ``not-hex``, ``bad-length`` or ``cut-short``."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def normal_uid(text: str, lengths: Container[int] = LENGTHS) -> str:
    """The one spelling of a UID: upper-case hex without separators (``04:a2-b3 c4`` is ``04A2B3C4``).

    Raises `BadUid` for what no card of ISO/IEC 14443 can have said; ``lengths``: `SAID` for other cards' too.
    """
    digits = text.translate(_SEPARATORS).upper()
    if not digits or not set(digits) <= set("0123456789ABCDEF"):
        raise BadUid("not-hex", repr(text[:40]))
    if len(digits) % 2 or len(digits) // 2 not in lengths:
        raise BadUid("bad-length", f"{len(digits) / 2:g} bytes")
    if len(digits) == 8 and digits.startswith(_CASCADE_TAG):
        raise BadUid("cut-short", f"{digits} announces more bytes than it has")
    return digits


def is_random(uid: str) -> bool:
    """Whether a normal UID is made up anew at each tap, as phones do (and cards set to hide their number)."""
    return len(uid) == 8 and uid.startswith(_RANDOM)
