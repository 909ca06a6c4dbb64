"""A receipt printer without hardware: on a pseudo-terminal under a path of one's own, or as a USB device.

It prints to `Paper`, and everything that happens to printers can happen to it: paper that ends in the middle of a
slip, a cover left open, a cable pulled, firmware that hangs or never answers.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

from appliance.hw.emulation.escpos_paper import Paper
from appliance.hw.emulation.wire import Wire

_STATUS_QUESTION = re.compile(rb"\x10\x04([\x01-\x04])")

_IDLE = 0x12
_OFF_LINE = 0x08
_COVER_OPEN = 0x04
_STOPPED_BY_PAPER = 0x20
_PAPER_END = 0x60
_PAPER_NEAR_END = 0x0C


class Mechanism:
    """The printer behind its plug. ``answers``: what it tells: "all", "status" (no GS r), or "nothing"."""

    def __init__(self, send: Callable[[bytes], None], paper: Paper | None = None, answers: str = "all") -> None:
        self.paper = paper or Paper()
        self.received = 0
        self._send = send
        self._answers = answers
        self._lock = threading.Lock()
        self._tail = b""

    def load(self, lines: int = 1_000_000) -> None:
        """A new roll: what was received meanwhile is printed now."""
        self._go_on(lines, held=self.paper.held)

    def open_cover(self) -> None:
        self.paper.held = True

    def shut_cover(self) -> None:
        """Go on where it stopped."""
        self._go_on(self.paper.lines_left, held=False)

    def hear(self, data: bytes) -> None:
        """Bytes from the host."""
        with self._lock:
            self.received += len(data)
            self.paper.feed(data)
        self._answer_at_once(data)
        self._speak()

    def _go_on(self, lines: int, held: bool) -> None:
        with self._lock:
            self.paper.lines_left, self.paper.held = lines, held
            self.paper.feed(b"")
        self._speak()

    def _answer_at_once(self, data: bytes) -> None:
        """DLE EOT is obeyed on arrival, wherever it stands among the bytes."""
        seen = self._tail + data
        end = 0
        for question in _STATUS_QUESTION.finditer(seen):
            end = question.end()
            if self._answers != "nothing":
                self._send(bytes([self._status(question[1][0])]))
        self._tail = seen[max(end, len(seen) - 2) :]

    def _status(self, about: int) -> int:
        out = self.paper.lines_left <= 0
        if about == 1:
            return _IDLE | (_OFF_LINE if out or self.paper.held else 0)
        if about == 2:
            return _IDLE | (_COVER_OPEN if self.paper.held else 0) | (_STOPPED_BY_PAPER if out else 0)
        if about == 4:
            return _IDLE | (_PAPER_END | _PAPER_NEAR_END if out else 0)
        return _IDLE

    def _speak(self) -> None:
        """What was asked among the printed bytes is answered now that they are printed."""
        with self._lock:
            said, self.paper.answers = self.paper.answers, []
        if self._answers == "all":
            for answer in said:
                self._send(answer)


class EscposPrinter(Mechanism):
    """The printer on a pseudo-terminal at ``path``, which is there while it is plugged in."""

    def __init__(self, path: Path, paper: Paper | None = None, answers: str = "all") -> None:
        self.wire = Wire(path, self._hear_unless_hung)
        super().__init__(self.wire.send, paper, answers)
        self._free = threading.Event()
        self._free.set()

    def plug(self) -> None:
        self.wire.plug()

    def unplug(self) -> None:
        self._free.set()
        self.wire.unplug()

    def close(self) -> None:
        self._free.set()
        self.wire.close()

    def hang(self) -> None:
        """Take nothing and say nothing, until `recover`."""
        self._free.clear()

    def recover(self) -> None:
        self._free.set()

    def _hear_unless_hung(self, data: bytes) -> None:
        self._free.wait()
        self.hear(data)
