"""The conversation with a receipt printer over one open line: how it is, and a slip until it is on paper.

ESC/POS has two kinds of questions: DLE EOT n is answered at once, whatever the printer does, and GS r only when all
that was sent before it is printed.
"""

from __future__ import annotations

import time
from typing import Protocol

from msgspec import Struct

from appliance.hw.printer_lines import SLICE_S, Line
from appliance.hw.printer_ports import PrinterState, PrinterTrouble
from appliance.slips.slip import Slip

ASK_OFFLINE_CAUSE = b"\x10\x04\x02"
ASK_PAPER = b"\x10\x04\x04"
ASK_WHEN_PRINTED = b"\x1dr\x01"

_OPEN_OR_BROKEN = 0x44
_NO_PAPER = 0x60


def _is_status(byte: int) -> bool:
    """An answer to DLE EOT has bits 1 and 4 set, and 0 and 7 clear; one to GS r has bit 4 clear."""
    return byte & 0x93 == 0x12


def _is_printed(byte: int) -> bool:
    return byte & 0x90 == 0


class Waits(Struct, frozen=True):
    """How patient the driver is, in seconds."""

    stop: float = 0.8
    reopen: float = 0.5
    """Pause before a printer that is gone is tried again."""
    look: float = 1.0
    """How often a printer is asked while nothing is to be printed."""
    answer: float = 0.5
    """For an answer to a question about the state."""
    silence: float = 3.0
    """A printer that has answered before and does not for so long is gone."""
    stuck: float = 8.0
    """A printer that takes no byte for so long is gone; cheap ones have small buffers and slow paper."""
    printed: float = 15.0
    """For the word that a slip is out; a printer that never says it is believed."""
    settle: float = 2.0
    """The same for a printer known never to say it: long enough for missing paper to show."""


class Encoder(Protocol):
    """What makes bytes of a slip (`appliance.hw.press.Press`)."""

    def encode(self, slip: Slip) -> tuple[bytes, ...]: ...


class Job(Struct, eq=False):
    """A slip in the queue. ``torn``: part of it may be on paper; ``owed``: bytes the printer may wait for still."""

    slip: Slip
    torn: bool = False
    owed: int = 0


class Gone(Exception):
    """The printer is of no more use: close it and open it again."""

    def __init__(self, why: PrinterTrouble, detail: str) -> None:
        super().__init__(detail)
        self.why = why


class Host(Protocol):
    """What a conversation asks of the thread it runs in."""

    waits: Waits
    answered: bool
    """Whether this printer has ever answered, over this line or one before: then its silence means something."""

    @property
    def state(self) -> PrinterState: ...

    @property
    def ended(self) -> bool: ...

    def head(self) -> Job | None:
        """The oldest slip that waits."""

    def rest(self, seconds: float) -> None:
        """Until a slip is given, the end, or that time."""

    def printed(self, job: Job, copy: bool) -> None: ...
    def online(self) -> None: ...
    def paper_out(self) -> None: ...
    def not_ready(self) -> None: ...


class Talk:
    """One conversation; every method may raise `Gone`, and LineGone for the line."""

    def __init__(self, run: Host, line: Line, encoder: Encoder) -> None:
        self._run = run
        self._line = line
        self._encoder = encoder
        self._confirms = True
        self._heard = time.monotonic()
        self._printed = False

    def serve(self) -> None:
        """Print what is queued, for as long as the printer can; raises `Gone` or `LineGone`."""
        while not self._run.ended:
            ready = self._look()
            job = self._run.head()
            if ready and job:
                self._print(job)
            elif job:
                self._run.rest(self._run.waits.look / 4)
            else:
                self._run.rest(self._run.waits.look)

    def _look(self) -> bool:
        """Ask how the printer is and tell it; whether it can print."""
        paper = self._ask(ASK_PAPER)
        cause = None if paper is None else self._ask(ASK_OFFLINE_CAUSE)
        if paper is not None and paper & _NO_PAPER:
            self._run.paper_out()
        elif cause is not None and cause & _OPEN_OR_BROKEN:
            self._run.not_ready()
        elif paper is None and self._run.answered:
            if time.monotonic() - self._heard > self._run.waits.silence:
                raise Gone(PrinterTrouble.FAILED, "it no longer answers")
            return False
        else:
            self._run.online()
            return True
        return False

    def _ask(self, question: bytes) -> int | None:
        """The answer to a question about the state; None where there is none."""
        if not self._line.answers:
            return None
        self._hear(0.0)  # an answer that came too late belongs to an earlier question
        self._send(question)
        until = time.monotonic() + self._run.waits.answer
        while time.monotonic() < until and not self._run.ended:
            answer = self._hear()
            if answer is not None:
                self._run.answered = True
                self._heard = time.monotonic()
                return answer
        return None

    def _hear(self, wait: float = SLICE_S) -> int | None:
        """Take in what has come; the last word about the state among it."""
        status = None
        for byte in self._line.read(wait):
            if _is_status(byte):
                status = byte
            else:
                self._printed |= _is_printed(byte)
        return status

    def _send(self, data: bytes) -> int:
        """All of it, or what was taken before the end; raises `Gone` when the printer takes no more."""
        sent = 0
        until = time.monotonic() + self._run.waits.stuck
        while sent < len(data) and not self._run.ended:
            taken = self._line.write(data[sent:])
            if taken:
                sent += taken
                until = time.monotonic() + self._run.waits.stuck
            elif time.monotonic() > until:
                raise Gone(PrinterTrouble.FAILED, "it takes no more data")
        return sent

    def _print(self, job: Job) -> None:
        copy = job.torn
        pieces = self._encoder.encode(job.slip.as_copy() if copy else job.slip)
        # a picture cut short is filled up first: else the printer takes the beginning of the slip for its end
        self._send(bytes(job.owed))
        self._printed = False
        job.torn, job.owed = True, max(map(len, pieces))
        for piece in pieces:
            self._send(piece)
        if self._is_out():
            self._run.printed(job, copy)
        else:
            job.owed = 0

    def _is_out(self) -> bool:
        """Wait until the slip is on paper; False when it was torn. A printer that cannot say is believed."""
        if not self._run.answered:
            return not self._run.ended
        waits = self._run.waits
        patience = waits.printed if self._confirms else waits.settle
        whole = True
        self._send(ASK_WHEN_PRINTED)
        until = time.monotonic() + patience
        while not self._run.ended:
            ready = self._look()
            if self._printed:
                return whole
            if not ready:
                whole = whole and self._run.state is PrinterState.ONLINE
                until = time.monotonic() + patience
            elif time.monotonic() > until:
                self._confirms = self._confirms and not whole
                return whole
            self._run.rest(waits.look / 10)
        return False
