"""pcscd as few typed calls as the reader needs, with every result code looked at."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from types import TracebackType

from appliance.hw.pcsc_card import Card
from appliance.hw.pcsc_codes import ABSENT_READER, UNAWARE, agree, check, scard

SETTLE_LOOKS = 10
SETTLE_S = 0.001
"""How often a state that contradicts itself is looked at again, and after what pause."""

_NEW_READERS = "\\\\?PnP?\\Notification"
_CHANGED: int = scard.SCARD_STATE_CHANGED
_NO_NEWS = (scard.SCARD_E_CANCELLED, scard.SCARD_E_UNKNOWN_READER)


class Service:
    """A connection to pcscd, open from entering to leaving. Raises `Lost` whenever it is of no more use."""

    def __enter__(self) -> Service:
        code, self.context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
        check("open", code)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        scard.SCardReleaseContext(self.context)

    def readers(self) -> list[str]:
        """Names of the slots plugged in now."""
        code, names = scard.SCardListReaders(self.context, [])
        if code == scard.SCARD_E_NO_READERS_AVAILABLE:
            return []
        check("list readers", code)
        return list(names)

    def wait(self, slots: Mapping[str, int], timeout_ms: int) -> dict[str, int] | None:
        """Sleep until a slot's state differs from the one given, readers come or go, or `cancel`.

        Returns the new states of the slots that changed; None when the time was up first.
        """
        known = [(_NEW_READERS, UNAWARE), *slots.items()]
        code, states = scard.SCardGetStatusChange(self.context, timeout_ms, known)
        if code == scard.SCARD_E_TIMEOUT:
            return None
        if code in _NO_NEWS:
            return {}
        check("wait", code)
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
        code, states = scard.SCardGetStatusChange(self.context, 0, [(slot, UNAWARE)])
        if code == scard.SCARD_E_UNKNOWN_READER:
            return ABSENT_READER
        check(f"look at {slot}", code)
        state: int = states[0][1]
        return state & ~_CHANGED

    def cancel(self) -> None:
        """Wake the thread that waits; from another thread. Does nothing while nobody waits."""
        scard.SCardCancel(self.context)

    def card(self, slot: str, state: int) -> Card:
        """The card that lies on a slot, whose state was last the one given; to be entered."""
        return Card(self, slot, state)

    def channel(self, slot: str) -> int | None:
        """Where a slot's reader is plugged in (`appliance.hw.pcsc_choice.usb_id`); None when its driver is silent."""
        code, handle, _ = scard.SCardConnect(self.context, slot, scard.SCARD_SHARE_DIRECT, 0)
        if code != scard.SCARD_S_SUCCESS:
            return None
        code, value = scard.SCardGetAttrib(handle, scard.SCARD_ATTR_CHANNEL_ID)
        scard.SCardDisconnect(handle, scard.SCARD_LEAVE_CARD)
        return int.from_bytes(bytes(value), sys.byteorder) if code == scard.SCARD_S_SUCCESS else None
