"""pcscd as few typed calls as the reader needs, with every result code looked at.

The codes and states are those of PC/SC part 5 as pcsc-lite gives them. pyscard is an extra: importing this
module without it raises `DriverMissing`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from enum import Enum
from types import TracebackType

from appliance.hw.ports import DriverMissing, Offline, Unreadable

try:
    from smartcard import scard
except ImportError as missing:
    raise DriverMissing(
        "PC/SC readers need pyscard, the extra 'readers': pip install 'tableside[readers]' "
        "(Debian packages: pcscd; to build it libpcsclite-dev swig gcc)"
    ) from missing

GET_UID = bytes.fromhex("FFCA000000")
"""GET DATA: the UID of the card in the field (PC/SC part 3, 3.2.2.1.3)."""

SETTLE_LOOKS = 10
SETTLE_S = 0.001
"""How often a state that contradicts itself is looked at again, and after what pause."""

UNAWARE: int = scard.SCARD_STATE_UNAWARE
PRESENT: int = scard.SCARD_STATE_PRESENT
MUTE: int = scard.SCARD_STATE_MUTE
ABSENT_READER: int = scard.SCARD_STATE_UNKNOWN | scard.SCARD_STATE_UNAVAILABLE

_NEW_READERS = "\\\\?PnP?\\Notification"
_CHANGED: int = scard.SCARD_STATE_CHANGED
_SAM_SLOT = re.compile(r"\bSAM\b", re.IGNORECASE)
_NO_NEWS = (scard.SCARD_E_TIMEOUT, scard.SCARD_E_CANCELLED, scard.SCARD_E_UNKNOWN_READER)
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


class Service:
    """A connection to pcscd, open from entering to leaving. Raises `Lost` whenever it is of no more use."""

    def __enter__(self) -> Service:
        code, self._context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
        _check("open", code)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        scard.SCardReleaseContext(self._context)

    def readers(self) -> list[str]:
        """Names of the slots plugged in now."""
        code, names = scard.SCardListReaders(self._context, [])
        if code == scard.SCARD_E_NO_READERS_AVAILABLE:
            return []
        _check("list readers", code)
        return list(names)

    def wait(self, slots: Mapping[str, int], timeout_ms: int) -> dict[str, int]:
        """Sleep until a slot's state differs from the one given, readers come or go, or `cancel`.

        Returns the new states of the slots that changed; none when there was no such news.
        """
        known = [(_NEW_READERS, UNAWARE), *slots.items()]
        code, states = scard.SCardGetStatusChange(self._context, timeout_ms, known)
        if code in _NO_NEWS:
            return {}
        _check("wait", code)
        return {
            name: self._settled(name, slots[name], state & ~_CHANGED)
            for name, state, _ in states
            if name != _NEW_READERS and state & _CHANGED
        }

    def _settled(self, slot: str, before: int, state: int) -> int:
        """The state once counter and presence agree: pcscd counts a move a moment before it shows its outcome."""
        for _ in range(SETTLE_LOOKS):
            if agree(before, state):
                break
            time.sleep(SETTLE_S)
            state = self.look(slot)
        return state

    def look(self, slot: str) -> int:
        """A slot's state now."""
        code, states = scard.SCardGetStatusChange(self._context, 0, [(slot, UNAWARE)])
        if code == scard.SCARD_E_UNKNOWN_READER:
            return ABSENT_READER
        _check(f"look at {slot}", code)
        state: int = states[0][1]
        return state & ~_CHANGED

    def cancel(self) -> None:
        """Wake the thread that waits; from another thread. Does nothing while nobody waits."""
        scard.SCardCancel(self._context)

    def uid(self, slot: str) -> str:
        """The UID of the card on a slot, upper-case hex. Raises `NotRead`.

        Whatever fails is tried once more: once in some thousand taps the first answer is empty.
        """
        try:
            return self._ask(slot, GET_UID).hex().upper()
        except NotRead:
            return self._ask(slot, GET_UID).hex().upper()

    def _ask(self, slot: str, command: bytes) -> bytes:
        """The data a card answers with; `NotRead` without any or with a status other than 9000 (ISO/IEC 7816-4)."""
        code, card, protocol = scard.SCardConnect(
            self._context, slot, scard.SCARD_SHARE_SHARED, scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1
        )
        _check_read(slot, code)
        header = scard.SCARD_PCI_T0 if protocol == scard.SCARD_PROTOCOL_T0 else scard.SCARD_PCI_T1
        code, answer = scard.SCardTransmit(card, header, list(command))
        data, status = bytes(answer[:-2]), bytes(answer[-2:])
        scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
        _check_read(slot, code)
        if not data or status != b"\x90\x00":
            raise NotRead(Unreadable.NO_UID)
        return data


def _check(doing: str, code: int) -> None:
    if code != scard.SCARD_S_SUCCESS:
        raise Lost(doing, code)


def _check_read(slot: str, code: int) -> None:
    if why := _NOT_READ.get(code):
        raise NotRead(why)
    _check(f"read {slot}", code)


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


def wanted_slots(names: list[str], wanted: str) -> list[str]:
    """The slots whose name contains ``wanted``, ignoring case; with nothing wanted all but SAM slots.

    A SAM slot is where some readers hold a key chip of their own; no participant's card ever goes there.
    """
    if not wanted:
        return [name for name in names if not _SAM_SLOT.search(name)]
    return [name for name in names if wanted.casefold() in name.casefold()]
