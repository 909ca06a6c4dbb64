"""What pcscd says of readers and cards: result codes, states, and what a card did between two of them.

The codes and states are those of PC/SC part 5 as pcsc-lite gives them. pyscard is an extra: importing this
module without it raises `DriverMissing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from appliance.hw.ports import DriverMissing, Offline, Unreadable

try:
    from smartcard import scard as scard  # noqa: PLC0414 (the other files have it from here)
except ImportError as missing:
    raise DriverMissing(
        "PC/SC readers need pyscard, the extra 'readers': pip install 'tableside[readers]' "
        "(Debian packages: pcscd; to build it libpcsclite-dev swig gcc)"
    ) from missing

UNAWARE: int = scard.SCARD_STATE_UNAWARE
PRESENT: int = scard.SCARD_STATE_PRESENT
MUTE: int = scard.SCARD_STATE_MUTE
ABSENT_READER: int = scard.SCARD_STATE_UNKNOWN | scard.SCARD_STATE_UNAVAILABLE

_SERVICE_GONE = (
    scard.SCARD_E_NO_SERVICE,
    scard.SCARD_E_SERVICE_STOPPED,
    scard.SCARD_E_INVALID_HANDLE,
    scard.SCARD_F_COMM_ERROR,
    scard.SCARD_W_SECURITY_VIOLATION,  # what pcsc-lite makes of a connection that pcscd has closed
)
_NOT_READ: Mapping[int, Unreadable] = {
    scard.SCARD_W_REMOVED_CARD: Unreadable.GONE,
    scard.SCARD_E_NO_SMARTCARD: Unreadable.GONE,
    scard.SCARD_E_NOT_TRANSACTED: Unreadable.GONE,
    scard.SCARD_E_READER_UNAVAILABLE: Unreadable.GONE,
    scard.SCARD_E_UNKNOWN_READER: Unreadable.GONE,
    scard.SCARD_W_UNRESPONSIVE_CARD: Unreadable.MUTE,
    scard.SCARD_W_UNPOWERED_CARD: Unreadable.MUTE,
    scard.SCARD_W_UNSUPPORTED_CARD: Unreadable.MUTE,
    scard.SCARD_E_PROTO_MISMATCH: Unreadable.MUTE,
    scard.SCARD_W_RESET_CARD: Unreadable.BUSY,
    scard.SCARD_E_SHARING_VIOLATION: Unreadable.BUSY,
}


class Lost(Exception):
    """pcscd or a reader failed: close everything and open it again."""

    def __init__(self, doing: str, code: int) -> None:
        super().__init__(f"{doing}: {scard.SCardGetErrorMessage(code)}")
        self.why = Offline.NO_SERVICE if code in _SERVICE_GONE else Offline.FAILED


class NotRead(Exception):
    """A card in the field did not answer as it should."""

    def __init__(self, why: Unreadable) -> None:
        super().__init__(why.value)
        self.why = why


def check(doing: str, code: int) -> None:
    if code != scard.SCARD_S_SUCCESS:
        raise Lost(doing, code)


def check_read(slot: str, code: int) -> None:
    if why := _NOT_READ.get(code):
        raise NotRead(why)
    check(f"read {slot}", code)


class Move(Enum):
    """What a card does."""

    CAME = "came"
    LEFT = "left"


def moves(before: int, after: int) -> list[Move]:
    """What a slot's card did between two of its states, oldest first.

    pcscd counts insertions and removals, which alternate, in the high word of the state (modulo 65536): so a card
    that was changed for another while nobody looked is not taken for the same one.
    """
    lies_there = bool(before & PRESENT)
    happened = []
    for _ in range(counted(before, after)):
        lies_there = not lies_there
        happened.append(Move.CAME if lies_there else Move.LEFT)
    if lies_there != bool(after & PRESENT):
        happened.append(Move.LEFT if lies_there else Move.CAME)
    return happened


def counted(before: int, after: int) -> int:
    """How many moves pcscd has counted between two states; none where there is nothing to compare."""
    if before == UNAWARE or (before | after) & ABSENT_READER:
        return 0
    return ((after >> 16) - (before >> 16)) % 0x10000


def agree(before: int, after: int) -> bool:
    """Whether the moves counted between two states lead from one's presence to the other's."""
    if before == UNAWARE or (before | after) & ABSENT_READER:
        return True
    return counted(before, after) % 2 == bool((before ^ after) & PRESENT)
