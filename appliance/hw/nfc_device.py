"""nfcpy as few typed calls as the reader needs; nothing else imports it.

nfcpy indexes into answers without a look at their length, and its port raises `termios.error`, which is no OSError,
when the cable is pulled: all of that is a failure of the device here. nfcpy also logs every frame, and so would
write passwords and keys down: its log is kept shut.

nfcpy is an extra: importing this module without it raises `DriverMissing`.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import struct
import termios
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Protocol

from appliance.hw.ports import CardLost, DriverMissing, Technology, Unreadable
from appliance.hw.threaded import Gone, why_gone

try:
    import nfc
    import nfc.clf
    import nfc.clf.pn532
    import nfc.clf.transport
    import nfc.tag.tt2
    import nfc.tag.tt4
    import serial
except (ImportError, OSError) as missing:  # OSError: no libusb for nfcpy's usb1
    raise DriverMissing(
        "PN532 readers need nfcpy, the extra 'readers': pip install 'tableside[readers]' (Debian package: libusb-1.0-0)"
    ) from missing

_shut = logging.getLogger("nfc")
_shut.setLevel(logging.CRITICAL + 1)

FAILURES: Final = (
    OSError,
    termios.error,
    struct.error,
    nfc.clf.pn53x.Chipset.Error,
    LookupError,
    TypeError,
    ValueError,
    AssertionError,
)
"""What nfcpy raises when a device is gone, silent or talks nonsense."""

CARD_FAILURES: Final = (nfc.clf.CommunicationError, nfc.tag.TagCommandError, LookupError, TypeError)
"""What nfcpy's tags raise when a card does not answer, or answers nonsense."""

UID_SIZES = (4, 7, 10)
USB_DEVICES = "/dev/bus/usb"

_ENDLESS = 0xFF
_ONCE = 1
_WAKE = bytes(10)
_OPEN_TRIES = 3
"""The first answer over a USB adapter of some boards is late; the chip itself may just be waking up."""

SPOILT = 3
"""How many searches in a row may come back spoilt before the reader is given up."""

_ACTIVATED_BY_RATS = 0xE0
_ATS_DEFAULT_TB = 0x40


def was_silence(failure: BaseException) -> bool:
    """Whether nfcpy's tag heard nothing at all, rather than something it did not understand."""
    return bool(getattr(failure, "errno", None) == nfc.tag.TIMEOUT_ERROR)


class Target:
    """A card of Type A that was found; its UID is empty when it gave none that such cards have."""

    def __init__(self, found: Any) -> None:
        uid = bytes(found.sdd_res or b"")
        self.uid = uid if len(uid) in UID_SIZES else b""
        sel_res = found.sel_res[0] if found.sel_res else 0xFF
        self.technology = (
            Technology.ISO_DEP if sel_res & 0x20 else Technology.TYPE_2 if sel_res == 0 else Technology.NONE
        )
        self.found = found

    @property
    def random(self) -> bool:
        """Whether it takes another UID each time the field comes on, as phones do (ISO/IEC 14443-3, 6.5.4)."""
        return len(self.uid) == 4 and self.uid[0] == 0x08


class Link(Protocol):
    """What nfcpy's tags take for their frontend."""

    max_recv_data_size: int
    max_send_data_size: int

    def exchange(self, frame: bytearray, timeout: float) -> bytearray: ...


class Device:
    """A reader that nfcpy drives, open from entering to leaving. Raises `Gone` whenever it is of no more use."""

    def __init__(self, port: str, usb: str, ended: threading.Event, beat: Callable[[], object]) -> None:
        self.ended = ended
        self._beat = beat
        self._usb = usb
        self._port = port
        self._transport: Any = None
        self._clf: Any = None
        self._retries = 0
        self._spoilt = 0
        self._gate = threading.Lock()
        self._waiting = False

    def __enter__(self) -> Device:
        try:
            self._clf = self._open_uart() if self._port else nfc.ContactlessFrontend(f"usb:{self._usb}")
        except FAILURES as failure:
            self._close()
            raise self._gone(failure) from None
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._close()

    def _open_uart(self) -> Any:
        """A frontend for the PN532 on a serial port, at the speed the chip has from the start.

        Not by nfcpy's path: that knows only some names under /dev, and tries speeds by way of a shell.
        """
        self._transport = nfc.clf.transport.TTY(self._port)
        self._transport.tty.exclusive = True
        chipset = nfc.clf.pn532.Chipset(self._transport, logger=_shut)
        for left in reversed(range(_OPEN_TRIES)):
            try:
                self._transport.write(bytearray(_WAKE) + chipset.ACK)
                chipset.sam_configuration("normal")
                break
            except FAILURES:
                if not left or self.ended.is_set():
                    raise
        clf = nfc.ContactlessFrontend()
        clf.device = nfc.clf.pn532.Device(chipset, logger=_shut)
        return clf

    def _close(self) -> None:
        """Let go of the port, whatever nfcpy makes of a cable that is pulled."""
        if self._clf:
            with contextlib.suppress(*FAILURES):
                self._clf.close()
        if self._transport and self._transport.tty:
            with contextlib.suppress(*FAILURES):
                serial.Serial.close(self._transport.tty)

    def cancel(self) -> None:
        """Wake the thread that waits for a card; from another thread. Does nothing while nobody waits."""
        with self._gate:
            if self._waiting and self._transport:
                self._transport.tty.cancel_read()

    def prove(self) -> None:
        """Have the reader say that it lives. Raises `Gone` when it does not, asked twice."""
        try:
            self._firmware()
        except FAILURES:
            try:
                self._firmware()
            except FAILURES as failure:
                raise self._gone(failure) from None

    def _gone(self, failure: BaseException) -> Gone:
        why = why_gone(self._port or USB_DEVICES, failure)
        return Gone(why, f"{self._port or self._usb}: {type(failure).__name__}: {failure}")

    def _firmware(self) -> None:
        self._clf.device.chipset.get_firmware_version()

    @property
    def firmware(self) -> str:
        """The chip and its version in nfcpy's words."""
        return str(self._clf.device.chipset_name)

    @property
    def sleeps(self) -> bool:
        """Whether `wait` sleeps until a card comes, for up to a second; otherwise it looks once."""
        return bool(self._port)

    def wait(self) -> Target | None:
        """A card that is in the field; None when there was none, or the reader did not understand itself."""
        with self._gate:
            self._waiting = True
        try:
            return self._sense(None, _ENDLESS if self.sleeps else _ONCE)
        except FAILURES as failure:
            self._not_understood(failure)
            return None
        finally:
            with self._gate:
                self._waiting = False

    def still_there(self, target: Target) -> bool:
        """Whether this card is still in the field; the field was off, so that its dialog is over."""
        wanted = None if target.random or not target.uid else target.uid
        try:
            found = self._sense(wanted, _ONCE)
        except FAILURES as failure:
            return self._not_understood(failure)
        return found is not None and (found.uid == target.uid or (target.random and found.random))

    def _not_understood(self, failure: BaseException) -> bool:
        """What a search that failed means: that no card came in its time (False), or nothing yet, for a while."""
        self.prove()
        if getattr(failure, "errno", None) == errno.ETIMEDOUT:
            self._retries = self._spoilt = 0
            return False
        self._spoilt += 1
        if self._spoilt > SPOILT:
            raise self._gone(failure)
        return True

    def _sense(self, uid: bytes | None, retries: int) -> Target | None:
        if retries != self._retries:
            self._clf.device.chipset.rf_configuration(0x05, bytes((0x01, 0x00, retries)))
            self._retries = retries
        wanted = {"sel_req": bytearray(uid)} if uid else {}
        found = self._clf.sense(nfc.clf.RemoteTarget("106A", **wanted))
        self._spoilt = 0
        return Target(found) if found else None

    def type_4(self, link: Link, target: Target) -> Any:
        """nfcpy's tag for a card of APDUs; asks the card for its answer to select."""
        return nfc.tag.tt4.Type4ATag(link, target.found)

    def type_2(self, link: Link, target: Target) -> Any:
        """nfcpy's tag for a card of pages."""
        return nfc.tag.tt2.Type2Tag(link, target.found)

    def exchange(self, frame: bytearray, timeout: float) -> bytearray:
        """One frame to the card in the field, for nfcpy's tags. A spoilt answer is one that nfcpy asks for again."""
        try:
            answer: bytearray = self._clf.exchange(bytearray(frame), timeout)
        except FAILURES:
            raise nfc.clf.TransmissionError("reader") from None
        if not answer:
            raise nfc.clf.TransmissionError("empty")
        self._beat()
        return _whole_ats(answer) if frame[0] == _ACTIVATED_BY_RATS and len(frame) == 2 else answer

    def lost(self, target: Target) -> CardLost:
        """Why a card that did not answer is lost."""
        try:
            there = self.still_there(target) or self.still_there(target)
        except Gone:
            there = False
        return CardLost(Unreadable.MUTE if there else Unreadable.GONE)


def _whole_ats(ats: bytearray) -> bytearray:
    """An answer to select with every interface byte, as nfcpy wants it; absent ones have their defaults."""
    present = ats[1] if len(ats) > 1 else 0x02
    rest = iter(ats[2:])
    size_a = next(rest, 0x80) if present & 0x10 else 0x80
    times_b = next(rest, _ATS_DEFAULT_TB) if present & 0x20 else _ATS_DEFAULT_TB
    return bytearray((5, 0x70 | present & 0x0F, size_a, times_b, 0x02))
