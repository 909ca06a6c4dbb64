"""The driver for receipt printers (ESC/POS), by serial port, USB or device file.

`print` only queues: a thread of the driver's own talks to the printer, so paper, cable and power can fail without
anybody at a reader noticing. The library that knows the printers is imported in that thread, and only there.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import cast

from appliance.hw.ports import DriverMissing
from appliance.hw.printer_lines import FileLine, Line, SerialLine, UsbLine
from appliance.hw.printer_ports import NotQueued, PrinterSink, PrinterState
from appliance.hw.printer_run import PrinterRun
from appliance.hw.printer_talk import Encoder, Job, Waits
from appliance.printerconfig import PrinterConfig
from appliance.slips.slip import Slip

log = logging.getLogger(__name__)

WAITING = 50
"""How many slips may wait: a room that is moved at once, while the paper is changed."""


class ReceiptPrinter:
    """A `Printer` over whatever ``open_line`` opens, with what ``make_encoder`` makes of slips."""

    def __init__(
        self,
        open_line: Callable[[], Line],
        make_encoder: Callable[[], Encoder],
        *,
        name: str = "printer",
        bound: int = WAITING,
        waits: Waits | None = None,
    ) -> None:
        self._open_line = open_line
        self._make_encoder = make_encoder
        self._name = name
        self._bound = bound
        self._waits = waits or Waits()
        self._jobs: deque[Job] = deque()
        self._lock = threading.Lock()
        self._run: PrinterRun | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def state(self) -> PrinterState:
        run = self._run
        return run.state if run else PrinterState.STOPPED

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    def print(self, slip: Slip) -> NotQueued | None:
        run = self._run
        if run is None:
            return NotQueued.STOPPED
        with self._lock:
            if len(self._jobs) >= self._bound:
                log.warning("%s: a %s slip is refused, %s wait", self._name, slip.kind, len(self._jobs))
                return NotQueued.QUEUE_FULL
            self._jobs.append(Job(slip))
        run.wake.set()
        return None

    def start(self, sink: PrinterSink) -> None:
        if self._run:
            raise RuntimeError(f"{self._name}: already started")
        self._run = PrinterRun(
            self._name, self._open_line, self._make_encoder, self._head, self._done, sink, self._waits
        )
        self._run.start()

    def stop(self) -> None:
        run, self._run = self._run, None
        if run:
            run.stop()
            if self._jobs:
                log.warning("%s: stopped with %s slips not printed", self._name, len(self._jobs))

    def _head(self) -> Job | None:
        with self._lock:
            return self._jobs[0] if self._jobs else None

    def _done(self, job: Job) -> None:
        with self._lock:
            self._jobs.remove(job)


def from_config(config: PrinterConfig, *, name: str = "printer") -> ReceiptPrinter | None:
    """The configured printer, None for ``driver = "none"``. Raises `DriverMissing`, and ValueError for no port."""
    if config.driver == "none":
        return None
    if importlib.util.find_spec("escpos") is None:
        raise DriverMissing("python-escpos is missing: pip install 'tableside[printer]'")
    if not (config.usb if config.driver == "usb" else config.port):
        raise ValueError(f"printer: driver {config.driver} needs {'usb' if config.driver == 'usb' else 'port'}")
    return ReceiptPrinter(lambda: _line(config), lambda: encoder(config), name=name)


def encoder(config: PrinterConfig) -> Encoder:
    """What makes bytes for the configured profile. Raises `DriverMissing`, and ValueError for a bad profile."""
    press = importlib.import_module("appliance.hw.press")
    return cast("Encoder", press.Press(config.profile, config.columns))


def _line(config: PrinterConfig) -> Line:
    if config.driver == "serial":
        return SerialLine(config.port, config.baud, config.flow)
    return UsbLine(config.usb) if config.driver == "usb" else FileLine(config.port)
