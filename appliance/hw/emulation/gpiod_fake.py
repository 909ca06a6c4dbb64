"""libgpiod 2's Python module without GPIO: remembers what was asked of it, and lets its caller move the lines.

`FakeGpiod` stands where the module ``gpiod`` does: as much of it as the pin factory uses, by the same names, with the
same errors. Edges go through a real file descriptor, so what waits for them waits as it would for the kernel.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from types import SimpleNamespace

BUFFER = 16
"""Edges the kernel keeps for a line; the oldest are lost for the newest."""


class Value(Enum):
    INACTIVE = 0
    ACTIVE = 1


class Direction(Enum):
    AS_IS = 1
    INPUT = 2
    OUTPUT = 3


class Bias(Enum):
    AS_IS = 1
    DISABLED = 3
    PULL_UP = 4
    PULL_DOWN = 5


class Edge(Enum):
    NONE = 1
    RISING = 2
    FALLING = 3
    BOTH = 4


@dataclass(frozen=True, slots=True)
class LineSettings:
    """What is asked of a line."""

    direction: Direction = Direction.AS_IS
    edge_detection: Edge = Edge.NONE
    bias: Bias = Bias.AS_IS
    debounce_period: timedelta = timedelta()
    output_value: Value = Value.INACTIVE


@dataclass(frozen=True, slots=True)
class ChipInfo:
    name: str
    label: str
    num_lines: int


class EdgeEvent:
    """One edge of one line."""

    class Type(Enum):
        RISING_EDGE = 1
        FALLING_EDGE = 2

    def __init__(self, event_type: Type, timestamp_ns: int, line_offset: int) -> None:
        self.event_type = event_type
        self.timestamp_ns = timestamp_ns
        self.line_offset = line_offset


@dataclass(slots=True)
class _Line:
    """A line, its wire (None: nothing drives it), and who has it."""

    wire: bool | None = None
    settings: LineSettings = field(default_factory=LineSettings)
    request: LineRequest | None = None
    busy: bool = False

    def level(self) -> bool:
        if self.settings.direction is Direction.OUTPUT:
            return self.settings.output_value is Value.ACTIVE
        return self.settings.bias is Bias.PULL_UP if self.wire is None else self.wire


class FakeGpiod:
    """One chip with the lines of the header, at `PATH`.

    ``asked`` has what the caller wanted, oldest first. `drive` moves the wire of a line as a contact does, `level` is
    what a lamp sees. `unplug` takes the chip away: whatever is asked of it then raises OSError (ENODEV).
    """

    PATH = "/dev/gpiochip0"

    LineSettings = LineSettings
    EdgeEvent = EdgeEvent
    line = SimpleNamespace(Value=Value, Direction=Direction, Bias=Bias, Edge=Edge)

    def __init__(self, label: str = "pinctrl-bcm2711", *, denied: bool = False) -> None:
        self.label = label
        self.denied = denied
        self.plugged = True
        self.asked: deque[str] = deque(maxlen=4096)
        self.lock = threading.RLock()
        self.lines = {offset: _Line() for offset in range(54)}

    def Chip(self, path: str) -> FakeChip:
        """Open the chip; OSError when it is not there or may not be opened."""
        if not self.plugged or path != self.PATH:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if self.denied:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        self.asked.append(f"open {path}")
        return FakeChip(self)

    def paths(self) -> list[str]:
        """The chips of this machine, for who looks for one by its label."""
        return [self.PATH] if self.plugged else []

    def drive(self, offset: int, high: bool | None, at_ns: int | None = None) -> None:
        """Put the wire of a line high, low, or let go of it; ``at_ns`` is the time the kernel gives the edge."""
        with self.lock:
            line = self.lines[offset]
            before = line.level()
            line.wire = high
            if line.level() != before and line.request:
                line.request.edge(offset, line, time.monotonic_ns() if at_ns is None else at_ns)

    def level(self, offset: int) -> bool:
        """Whether the line is high now."""
        with self.lock:
            return self.lines[offset].level()

    def unplug(self) -> None:
        """Take the chip away; who waits for edges is woken and reads an error."""
        with self.lock:
            self.plugged = False
            for line in self.lines.values():
                if line.request:
                    line.request.wake()

    def plug(self) -> None:
        """Put the chip back; its lines are as after a start."""
        with self.lock:
            self.lines = {offset: _Line() for offset in self.lines}
            self.plugged = True

    def must_be_there(self) -> None:
        if not self.plugged:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))


class FakeChip:
    """An open chip."""

    def __init__(self, gpiod: FakeGpiod) -> None:
        self._gpiod = gpiod

    def get_info(self) -> ChipInfo:
        self._gpiod.must_be_there()
        return ChipInfo("gpiochip0", self._gpiod.label, len(self._gpiod.lines))

    def request_lines(self, config: Mapping[int, LineSettings], consumer: str | None = None) -> LineRequest:
        """Take lines; OSError (EBUSY) when somebody has one."""
        with self._gpiod.lock:
            self._gpiod.must_be_there()
            if any(self._gpiod.lines[offset].request or self._gpiod.lines[offset].busy for offset in config):
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            for offset, settings in config.items():
                self._gpiod.asked.append(f"request {offset} {described(settings)} as {consumer}")
            return LineRequest(self._gpiod, config)

    def close(self) -> None:
        self._gpiod.asked.append("close")


class LineRequest:
    """Lines that were taken, with their edges behind a file descriptor."""

    def __init__(self, gpiod: FakeGpiod, config: Mapping[int, LineSettings]) -> None:
        self._gpiod = gpiod
        self._offsets = tuple(config)
        self._fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._events: deque[EdgeEvent] = deque(maxlen=BUFFER * len(config))
        self._take(config)

    @property
    def fd(self) -> int:
        return self._fd

    def reconfigure_lines(self, config: Mapping[int, LineSettings]) -> None:
        with self._gpiod.lock:
            self._gpiod.must_be_there()
            for offset, settings in config.items():
                self._gpiod.asked.append(f"reconfigure {offset} {described(settings)}")
            self._take(config)

    def get_value(self, line: int) -> Value:
        with self._gpiod.lock:
            self._gpiod.must_be_there()
            return Value.ACTIVE if self._gpiod.lines[line].level() else Value.INACTIVE

    def set_value(self, line: int, value: Value) -> None:
        """Put an output high or low; OSError (EPERM) on an input."""
        with self._gpiod.lock:
            self._gpiod.must_be_there()
            settings = self._gpiod.lines[line].settings
            if settings.direction is not Direction.OUTPUT:
                raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
            self._gpiod.asked.append(f"set {line} {value.value}")
            self._gpiod.lines[line].settings = LineSettings(Direction.OUTPUT, output_value=value)

    def read_edge_events(self, max_events: int | None = None) -> list[EdgeEvent]:
        """The edges that wait, in the order the kernel saw them."""
        with self._gpiod.lock:
            self._gpiod.must_be_there()
            some = [self._events.popleft() for _ in range(min(len(self._events), max_events or BUFFER))]
            if not self._events:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._fd)
            return some

    def release(self) -> None:
        with self._gpiod.lock:
            for offset in self._offsets:
                line = self._gpiod.lines[offset]
                if line.request is self:
                    line.request, line.settings = None, LineSettings(Direction.INPUT)
                self._gpiod.asked.append(f"release {offset}")
            os.close(self._fd)

    def edge(self, offset: int, line: _Line, at_ns: int) -> None:
        """The level of a line has changed: an edge, if edges of this kind were asked for."""
        high = line.level()
        wanted = (Edge.BOTH, Edge.RISING if high else Edge.FALLING)
        if line.settings.direction is Direction.INPUT and line.settings.edge_detection in wanted:
            kind = EdgeEvent.Type.RISING_EDGE if high else EdgeEvent.Type.FALLING_EDGE
            self._events.append(EdgeEvent(kind, at_ns, offset))
            self.wake()

    def wake(self) -> None:
        os.eventfd_write(self._fd, 1)

    def _take(self, config: Mapping[int, LineSettings]) -> None:
        for offset, settings in config.items():
            self._gpiod.lines[offset].settings = settings
            self._gpiod.lines[offset].request = self


def described(settings: LineSettings) -> str:
    """Settings as a few words, as in "input pull_up both"."""
    words = [settings.direction.name]
    if settings.direction is Direction.OUTPUT:
        words.append(settings.output_value.name)
    else:
        words += [settings.bias.name, settings.edge_detection.name]
    if settings.debounce_period:
        words.append(f"debounce {settings.debounce_period / timedelta(milliseconds=1):g} ms")
    return " ".join(words).lower()
