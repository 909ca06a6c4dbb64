"""One card on a PC/SC slot, connected from entering to leaving, for itself alone while it is held."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from appliance.hw.pcsc_codes import MUTE, PRESENT, Lost, Move, NotRead, check_read, moves, scard
from appliance.hw.ports import CardLost, Unreadable

if TYPE_CHECKING:
    from appliance.hw.pcsc_service import Service

GET_UID = bytes.fromhex("FFCA000000")
"""GET DATA: the UID of the card in the field (PC/SC part 3, 3.2.2.1.3)."""

_PROTOCOLS = scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1


class Card:
    """The card that lies on a slot in the state given. Entering raises `NotRead`, and `Lost` when pcscd fails."""

    def __init__(self, service: Service, slot: str, state: int) -> None:
        self.slot = slot
        self.failed: Lost | None = None
        """What happened to pcscd or reader in the middle of a dialog, to which the card seemed gone."""
        self._service = service
        self._state = state
        self._held = False
        self._ended: Callable[[], bool] = lambda: False
        self._deadline = float("inf")

    def __enter__(self) -> Card:
        code, self._handle, protocol = scard.SCardConnect(
            self._service.context, self.slot, scard.SCARD_SHARE_SHARED, _PROTOCOLS
        )
        check_read(self.slot, code)
        self._header: Any = scard.SCARD_PCI_T0 if protocol == scard.SCARD_PROTOCOL_T0 else scard.SCARD_PCI_T1
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._held:
            scard.SCardEndTransaction(self._handle, scard.SCARD_LEAVE_CARD)
        scard.SCardDisconnect(self._handle, scard.SCARD_LEAVE_CARD)

    @property
    def atr(self) -> bytes:
        """The answer to reset; empty when the card is gone."""
        code, _, _, _, atr = scard.SCardStatus(self._handle)
        return bytes(atr) if code == scard.SCARD_S_SUCCESS else b""

    def uid(self) -> str:
        """The UID, upper-case hex. Raises `NotRead`, also without any or with a status other than 9000."""
        self._check_same()
        answer = self._transmit(GET_UID)
        if len(answer) <= 2 or answer[-2:] != b"\x90\x00":
            raise NotRead(Unreadable.NO_UID)
        return answer[:-2].hex().upper()

    def _check_same(self) -> None:
        """Raise `NotRead` (GONE) when another card came before it could be connected: that one will be told next.

        A card that comes later cannot be taken for this one: pcscd's connection ends with the card.
        """
        happened = moves(self._state, self._service.look(self.slot))
        # pcsc-lite is 0.4 s late with a mute card: whatever is read in its place is another's
        if Move.CAME in happened or (happened and self._state & MUTE):
            raise NotRead(Unreadable.GONE)

    def hold(self, deadline: float, ended: Callable[[], bool]) -> None:
        """Let no other program interleave, for a dialog that ends at ``deadline`` (monotonic) or once ``ended``."""
        check_read(self.slot, scard.SCardBeginTransaction(self._handle))
        self._held = True
        self._deadline, self._ended = deadline, ended

    def exchange(self, apdu: bytes) -> bytes:
        """One command of a dialog and its answer, at least two bytes. Raises `CardLost` and nothing else."""
        if self.failed or self._ended():
            raise CardLost(Unreadable.GONE)
        if time.monotonic() > self._deadline:
            raise CardLost(Unreadable.MUTE)
        try:
            answer = self._transmit(apdu)
        except NotRead as failure:
            raise CardLost(failure.why) from None
        except Lost as lost:
            self.failed = lost
            raise CardLost(Unreadable.GONE) from None
        if len(answer) < 2:
            raise CardLost(Unreadable.MUTE if self.lies_there() else Unreadable.GONE)
        return answer

    def lies_there(self) -> bool:
        """Whether this card has not left since it came."""
        try:
            now = self._service.look(self.slot)
        except Lost as lost:
            self.failed = lost
            return False
        return bool(now & PRESENT) and not moves(self._state, now)

    def _transmit(self, command: bytes) -> bytes:
        code, answer = scard.SCardTransmit(self._handle, self._header, list(command))
        check_read(self.slot, code)
        return bytes(answer)
