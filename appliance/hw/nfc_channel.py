"""Talk with one card in the field of a reader that nfcpy drives: APDUs over ISO-DEP, or pages.

A card that fell silent is lost for the rest of the dialog: to look whether it is still there takes the field away
from it, and with that all it knew of the dialog.
"""

from __future__ import annotations

import time
from typing import Any

from appliance.hw.dialogue import UidOnly
from appliance.hw.nfc_device import CARD_FAILURES, Device, Target, was_silence
from appliance.hw.ports import CardLost, Channel, NotSupported, Technology, Unreadable

EXCHANGE_S = 5.0
"""The longest a card may take over one command, whatever more time it asks for."""

PAGE_S = 0.05
"""How long a Type 2 card may take over one command; a write takes it 4 to 10 ms."""

RETRIES = 2
"""How often a Type 2 command is sent again that got no answer, or a spoilt one."""

_ACK = 0x0A
_WRITE = 0xA2
_NOT_TWICE = (b"\xa2", b"\x1b", b"\xc2")
"""Commands that are not sent again: writing, a password (the card counts wrong ones), choosing a sector."""


def channel(device: Device, target: Target) -> Channel:
    """Talk with a card that was found just now."""
    match target.technology:
        case Technology.ISO_DEP:
            return _ApduChannel(device, target)
        case Technology.TYPE_2:
            return _PageChannel(device, target)
    return UidOnly()


class _Link:
    """What nfcpy's tags take for their frontend: frames go by way of the device, and not for ever."""

    max_recv_data_size = 256
    max_send_data_size = 256

    def __init__(self, device: Device) -> None:
        self._device = device
        self.until = 0.0

    def exchange(self, frame: bytearray, timeout: float) -> bytearray:
        if self._device.ended.is_set():
            raise CardLost(Unreadable.GONE)
        if time.monotonic() > self.until:
            raise CardLost(Unreadable.MUTE)
        return self._device.exchange(frame, timeout)


class _CardChannel(UidOnly):
    """What both kinds of channel do when the card does not answer: from then on it is lost."""

    def __init__(self, device: Device, target: Target) -> None:
        self._device = device
        self._target = target
        self._link = _Link(device)
        self._lost: CardLost | None = None

    def _begin(self) -> None:
        if self._lost:
            raise self._lost
        self._link.until = time.monotonic() + EXCHANGE_S

    def _fail(self, lost: CardLost | None = None) -> CardLost:
        self._lost = lost or self._device.lost(self._target)
        return self._lost


class _ApduChannel(_CardChannel):
    technology = Technology.ISO_DEP

    def __init__(self, device: Device, target: Target) -> None:
        super().__init__(device, target)
        self._tag: Any = None

    def transmit(self, apdu: bytes) -> bytes:
        self._begin()
        try:
            if self._tag is None:
                self._tag = self._device.type_4(self._link, self._target)
            answer = bytes(self._tag.transceive(bytearray(apdu)))
        except CardLost as lost:
            raise self._fail(lost) from None
        except CARD_FAILURES:
            raise self._fail() from None
        if len(answer) < 2:
            raise self._fail()
        return answer


class _PageChannel(_CardChannel):
    technology = Technology.TYPE_2

    def __init__(self, device: Device, target: Target) -> None:
        super().__init__(device, target)
        self._tag: Any = device.type_2(self._link, target)

    def read_pages(self, page: int) -> bytes:
        answer = self._send(bytes((0x30, page)))
        if not answer:
            raise self._fail()
        if len(answer) != 16:
            raise NotSupported(f"the card has no page {page} to read")
        return answer

    def write_page(self, page: int, data: bytes) -> None:
        if len(data) != 4:
            raise ValueError(f"a page has 4 bytes, not {len(data)}")
        answer = self._send(bytes((_WRITE, page)) + data)
        if not answer:
            raise self._fail()
        if answer != bytes((_ACK,)):
            raise NotSupported(f"the card lets nobody write page {page}")

    def command(self, raw: bytes) -> bytes:
        answer = self._send(raw)
        if not answer:
            self._check_there()
        return answer

    def _send(self, raw: bytes) -> bytes:
        """The answer; empty when the card is silent. After a refusal the card is chosen again, for it fell asleep.

        An answer that came spoilt is no silence: a card must not be thought ill of for a bad ear (LG-6).
        """
        self._begin()
        retries = 0 if raw[:1] in _NOT_TWICE else RETRIES
        try:
            answer = bytes(self._tag.transceive(bytearray(raw), timeout=PAGE_S, retries=retries))
        except CardLost as lost:
            raise self._fail(lost) from None
        except CARD_FAILURES as failure:
            if was_silence(failure):
                return b""
            raise self._fail() from None
        if len(answer) == 1 and answer[0] != _ACK:
            self._check_there()
        return answer

    def _check_there(self) -> None:
        """Choose the card again; raises `CardLost` when it is not in the field."""
        if (lost := self._device.lost(self._target)).why is Unreadable.GONE:
            raise self._fail(lost)
