"""One run of a receipt printer, from start to stop: its thread, and what it tells."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from appliance.hw.ports import DriverMissing
from appliance.hw.printer_lines import Line, LineGone
from appliance.hw.printer_ports import (
    PrinterChanged,
    PrinterEvent,
    PrinterSink,
    PrinterState,
    PrinterTrouble,
    SlipPrinted,
)
from appliance.hw.printer_talk import Encoder, Gone, Job, Talk, Waits

log = logging.getLogger(__name__)


class PrinterRun:
    """``head`` gives the oldest job, ``done`` takes it off the queue."""

    def __init__(
        self,
        name: str,
        open_line: Callable[[], Line],
        make_encoder: Callable[[], Encoder],
        head: Callable[[], Job | None],
        done: Callable[[Job], None],
        sink: PrinterSink,
        waits: Waits,
    ) -> None:
        self._state = PrinterState.STOPPED
        self.wake = threading.Event()
        self._name = name
        self._open_line = open_line
        self._make_encoder = make_encoder
        self._head = head
        self._done = done
        self._sink = sink
        self.waits = waits
        self.answered = False
        self._ended = threading.Event()
        self._telling = threading.Lock()
        self._why: PrinterTrouble | None = None
        self._thread = threading.Thread(target=self._run, name=f"printer {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread. One that its device keeps hanging is left behind, and tells nothing more."""
        with self._telling:
            self._ended.set()
        self.wake.set()
        self._thread.join(self.waits.stop)
        if self._thread.is_alive():
            log.warning("%s: hangs in its device, left behind", self._name)

    def _run(self) -> None:
        try:
            encoder = self._make_encoder()
        except (DriverMissing, ValueError, OSError) as error:
            self._tell_state(PrinterState.OFFLINE, PrinterTrouble.UNUSABLE, str(error))
            self._ended.wait()
            return
        while not self._ended.is_set():
            try:
                self._with_line(encoder)
            except Gone as gone:
                self._tell_state(PrinterState.OFFLINE, gone.why, str(gone))
            except DriverMissing as missing:
                self._tell_state(PrinterState.OFFLINE, PrinterTrouble.UNUSABLE, str(missing))
            self._ended.wait(self.waits.reopen)

    def _with_line(self, encoder: Encoder) -> None:
        try:
            line = self._open_line()
        except LineGone as gone:
            raise Gone(PrinterTrouble.NO_DEVICE, str(gone)) from None
        try:
            Talk(self, line, encoder).serve()
        except LineGone as gone:
            raise Gone(PrinterTrouble.FAILED, str(gone)) from None
        finally:
            line.close()

    @property
    def state(self) -> PrinterState:
        return self._state

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def head(self) -> Job | None:
        return self._head()

    def rest(self, seconds: float) -> None:
        """Until a slip is given, the end, or that time."""
        self.wake.wait(seconds)
        self.wake.clear()

    def printed(self, job: Job, copy: bool) -> None:
        """Take a job off the queue, unless this run has ended: then the next one prints it."""
        with self._telling:
            if not self._ended.is_set():
                self._done(job)
                self._sink(SlipPrinted(self._name, job.slip.kind, copy))

    def online(self) -> None:
        self._tell_state(PrinterState.ONLINE)

    def paper_out(self) -> None:
        self._tell_state(PrinterState.PAPER_OUT)

    def not_ready(self) -> None:
        self._tell_state(PrinterState.OFFLINE, PrinterTrouble.NOT_READY, "cover open, or an error of its own")

    def _tell_state(self, state: PrinterState, why: PrinterTrouble | None = None, detail: str = "") -> None:
        if (state, why) == (self._state, self._why):
            return
        say = log.info if state is PrinterState.ONLINE else log.warning
        say("%s: %s%s", self._name, state.value, f", {why}: {detail}" if why else "")
        self._why = why
        self._tell(PrinterChanged(self._name, state, why), state)

    def _tell(self, event: PrinterEvent, state: PrinterState | None = None) -> None:
        with self._telling:
            if not self._ended.is_set():
                self._state = state or self._state
                self._sink(event)
