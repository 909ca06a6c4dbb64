"""PN532 readers through nfcpy: over UART the chip itself looks for cards, and this thread sleeps until one comes.

At least once a second the reader is asked for its firmware, so that one that fell silent is noticed; while a
card lies there, the field is polled a few times a second. Whatever fails, everything is closed and opened again.
"""

from __future__ import annotations

import time

from appliance.hw.dialogue import ask
from appliance.hw.nfc_channel import channel
from appliance.hw.nfc_device import Device, Target
from appliance.hw.ports import CardLost, Dialog, Sink, Unreadable
from appliance.hw.serial import port_of
from appliance.hw.threaded import Run, ThreadedReader

POLL_S = 0.12
"""How often a card that lies there is looked for."""

AGAIN_S = 0.02
MISSES = 2
"""A card that is missed is looked for again after that pause, and has left when it is missed so many times."""

RETRY_S = 0.5
RETRIES = 3
"""How often, and how many times, a card that could not be read is tried again while it is held there."""


class NfcReader(ThreadedReader):
    """A `Reader` on the serial ``port`` of a PN532, or by a USB id (``usb``, "vvvv:pppp").

    The id may be that of a serial adapter with a PN532 behind it, or of a reader that nfcpy knows.

    Two cards at once: one is told; the other when that one has left. A phone is told by the UID it made up.
    """

    def __init__(self, port: str = "", *, usb: str = "", name: str = "nfc") -> None:
        super().__init__(name)
        self._port = port
        self._usb = usb

    def new_run(self, sink: Sink, dialog: Dialog | None) -> Run:
        return _NfcRun(self._name, sink, dialog, self._port, self._usb)

    @property
    def firmware(self) -> str:
        """Chip and firmware, such as PN532v1.6; empty before the reader was online."""
        run = self._current
        return run.firmware if isinstance(run, _NfcRun) else ""


class _NfcRun(Run):
    def __init__(self, name: str, sink: Sink, dialog: Dialog | None, port: str, usb: str) -> None:
        super().__init__(name, sink, dialog)
        self._port = port
        self._usb = usb
        self._device: Device | None = None
        self.firmware = ""

    def wake(self) -> None:
        if device := self._device:
            device.cancel()

    def watch(self) -> None:
        port = self._port or port_of(self._usb)
        with Device(port, self._usb, self.ended, self.beat) as self._device:
            self.firmware = self._device.firmware
            self.online()
            while not self.ended.is_set():
                target = self._device.wait()
                if target:
                    self._attend(self._device, target, self.beat())
                    continue
                self._device.prove()
                self.beat()
                if not self._device.sleeps:
                    self.ended.wait(POLL_S)

    def _attend(self, device: Device, target: Target, at_ns: int) -> None:
        """Read a card and stay with it until it has left."""
        tries = 0 if self._read(device, target, at_ns) else RETRIES
        again_at = time.monotonic() + RETRY_S
        misses = 0
        while misses < MISSES:
            if self.ended.wait(AGAIN_S if misses else POLL_S):
                return
            there = device.still_there(target)
            now_ns = self.beat()
            misses = 0 if there else misses + 1
            if there and tries and time.monotonic() >= again_at:
                tries = 0 if self._read(device, target, now_ns, again=True) else tries - 1
                again_at = time.monotonic() + RETRY_S
        self.removed(time.monotonic_ns())

    def _read(self, device: Device, target: Target, at_ns: int, *, again: bool = False) -> bool:
        """Tell of a card; whether it was read, or there is nothing to be gained by trying again.

        What fails with the reader itself is told by it: a `Gone` comes before any word on the card.
        """
        uid = target.uid.hex().upper()
        why = Unreadable.NO_UID
        if uid:
            try:
                reading = ask(self.dialog, channel(device, target), uid, reader=self.name)
            except CardLost as lost:
                device.prove()
                why = lost.why
            else:
                self.presented(uid, at_ns, reading)
                return True
        if not again:
            self.unreadable(why, at_ns)
        return False
