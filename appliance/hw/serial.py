"""Readers on a serial line that say a UID and no more, through pyserial: 125 kHz modules and their like.

They cannot be asked anything: that the port still answers the kernel, once a second, is all the proof of life
there is. That a card was taken away they tell by silence.

pyserial is an extra: importing this module without it raises `DriverMissing`.
"""

from __future__ import annotations

import contextlib
import termios
import threading
import time
from typing import Any

from appliance.hw.dialogue import UidOnly, ask
from appliance.hw.ports import CardLost, Dialog, DriverMissing, Offline, Sink
from appliance.hw.serial_lines import PROTOCOLS, TAKEN, Parser
from appliance.hw.threaded import Gone, Run, ThreadedReader, why_gone

try:
    import serial
    from serial.tools import list_ports
except ImportError as missing:
    raise DriverMissing(
        "readers on a serial line need pyserial, the extra 'readers': pip install 'tableside[readers]'"
    ) from missing

BEAT_S = 1.0
"""How long the thread sleeps at most."""

GONE_S = 0.5
"""A card that was not heard of for so long has left; these readers repeat it about every 0.1 s."""

BROKEN_S = 1.0
"""A message that stood still for so long is not completed any more."""

SETTLE_S = 0.05
"""After opening, bytes that come so soon may be the middle of a message."""

CHUNK = 256


class SerialReader(ThreadedReader):
    """A `Reader` on the serial ``port``, or on that of the USB adapter with the id ``usb`` ("vvvv:pppp").

    ``gone_s`` is the silence by which a card that was taken away is known. ValueError: no such protocol.
    """

    def __init__(
        self,
        port: str = "",
        *,
        usb: str = "",
        protocol: str = "rdm6300",
        baud: int = 9600,
        name: str = "serial",
        gone_s: float = GONE_S,
    ) -> None:
        super().__init__(name)
        if protocol not in PROTOCOLS:
            raise ValueError(f"no serial protocol {protocol!r} ({', '.join(PROTOCOLS)})")
        self._where = (port, usb)
        self._protocol = protocol
        self._baud = baud
        self._gone_s = gone_s

    def new_run(self, sink: Sink, dialog: Dialog | None) -> Run:
        return _SerialRun(self._name, sink, dialog, self._where, self._protocol, self._baud, self._gone_s)


class _SerialRun(Run):
    def __init__(
        self,
        name: str,
        sink: Sink,
        dialog: Dialog | None,
        where: tuple[str, str],
        protocol: str,
        baud: int,
        gone_s: float,
    ) -> None:
        super().__init__(name, sink, dialog)
        self._where = where
        self._protocol = protocol
        self._baud = baud
        self._gone_s = gone_s
        self._gate = threading.Lock()
        self._line: Any = None
        self._there = ""

    def wake(self) -> None:
        with self._gate:
            if self._line:
                self._line.cancel_read()

    def watch(self) -> None:
        port = find_port(*self._where)
        try:
            line = serial.Serial(port, self._baud, timeout=BEAT_S, exclusive=True)
        except (OSError, ValueError, termios.error) as failure:
            raise Gone(why_gone(port, failure), str(failure)) from None
        try:
            with self._gate:
                self._line = line
            self._listen(line)
        except (OSError, TypeError, termios.error) as failure:  # TypeError: pyserial, of a port that is closed
            raise Gone(why_gone(port, failure), f"{port}: {failure}") from None
        finally:
            with self._gate:
                self._line = None
            with contextlib.suppress(OSError, termios.error):
                line.close()

    def _listen(self, line: Any) -> None:
        """Tell of cards until the end. Raises what pyserial raises when the port is gone."""
        parser = PROTOCOLS[self._protocol]()
        _settle(line, parser)
        self._there = ""
        self.online()
        heard = time.monotonic()
        while not self.ended.is_set():
            line.timeout = max(0.0, heard + self._gone_s - time.monotonic()) if self._there else BEAT_S
            data = line.read(1)
            data += line.read(min(line.in_waiting, CHUNK))
            now_ns = self.beat()
            now = now_ns / 1e9
            if data:
                heard = now
                for said in parser.feed(data):
                    self._said(said, now_ns)
                continue
            if self._there and now >= heard + self._gone_s:
                self._left(now_ns)
            if now >= heard + BROKEN_S:
                parser.forget()

    def _said(self, said: str, at_ns: int) -> None:
        """One message: a card that lies there still, a new one, or that none does."""
        if said == self._there:
            return
        self._left(at_ns)
        if said == TAKEN:
            return
        self._there = said
        try:
            reading = ask(self.dialog, UidOnly(), said, reader=self.name)
        except CardLost as lost:
            self.unreadable(lost.why, at_ns)
        else:
            self.presented(said, at_ns, reading)

    def _left(self, at_ns: int) -> None:
        self._there = ""
        self.removed(at_ns)


def _settle(line: Any, parser: Parser) -> None:
    """Pass over what may be the end of a message whose beginning was not heard."""
    line.reset_input_buffer()
    line.timeout = SETTLE_S
    parser.feed(line.read(CHUNK))
    parser.skip()


def find_port(port: str, usb: str) -> str:
    """The port to open: the one given, or that of the USB adapter. Raises `Gone` when no such adapter is there."""
    found = port or port_of(usb)
    if not found:
        raise Gone(Offline.NO_READER, f"no serial port with the USB id {usb}")
    return found


def port_of(usb: str) -> str:
    """The serial port of the USB adapter with the id "vvvv:pppp"; empty when there is none."""
    for found in list_ports.comports():
        if found.vid is not None and f"{found.vid:04x}:{found.pid:04x}" == usb.lower():
            return str(found.device)
    return ""
