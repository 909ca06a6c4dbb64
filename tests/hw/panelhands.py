"""What tests of the panel have in common: alarms that a test sets off by hand, and stands of pins to press."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from gpiozero.pins.mock import MockFactory, MockPWMPin

from appliance.hw.alarms import Action
from appliance.hw.emulation.gpiod_fake import FakeGpiod
from appliance.hw.gpiod_factory import GpiodFactory, open_chip
from appliance.pins import Pins

MS = 1_000_000
Kind = TypeVar("Kind")


class HandAlarms:
    """`Alarms` on a clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 0
        self.set: dict[str, tuple[int, Action]] = {}
        self.done = 0

    def now_ns(self) -> int:
        return self.now

    def at(self, key: str, due_ns: int, action: Action) -> None:
        self.set[key] = (due_ns, action)

    def cancel(self, key: str) -> None:
        self.set.pop(key, None)

    def close(self) -> None:
        self.set.clear()

    def run(self, ms: float) -> None:
        """Let so many milliseconds pass, and do what is due in them, at its time."""
        until = self.now + int(ms * MS)
        while self.set:
            key = min(self.set, key=lambda k: self.set[k][0])
            due, action = self.set[key]
            if due > until:
                break
            self.now = max(self.now, due)
            del self.set[key]
            self.done += 1
            action()
        self.now = until


class PinStand(Protocol):
    """A pin factory with hands on its pins."""

    factory: Any

    def make(self, pins: Pins, lost: Callable[[OSError], None]) -> Any: ...

    def drive(self, gpio: int, high: bool) -> None: ...

    def level(self, gpio: int) -> bool: ...


class MockStand:
    """gpiozero's own mock."""

    def make(self, pins: Pins, lost: Callable[[OSError], None]) -> Any:
        self.factory = MockFactory(pin_class=MockPWMPin)
        return self.factory

    def drive(self, gpio: int, high: bool) -> None:
        pin = self.factory.pin(gpio)
        pin.drive_high() if high else pin.drive_low()

    def level(self, gpio: int) -> bool:
        return bool(self.factory.pin(gpio).state)


class GpiodStand:
    """Our factory over a recorded fake of libgpiod."""

    def __init__(self) -> None:
        self.gpiod = FakeGpiod()

    def make(self, pins: Pins, lost: Callable[[OSError], None]) -> Any:
        self.factory = GpiodFactory(open_chip(self.gpiod, pins.chip, self.gpiod.paths()), self.gpiod, lost)
        return self.factory

    def drive(self, gpio: int, high: bool) -> None:
        self.gpiod.drive(gpio, high)

    def level(self, gpio: int) -> bool:
        return self.gpiod.level(gpio)


STANDS = {"mock": MockStand, "gpiod": GpiodStand}


class Told:
    """What a panel has told, in order."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.sink = self.queue.put

    def next(self, kind: type[Kind], timeout: float = 10.0) -> Kind:
        try:
            event = self.queue.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no {kind.__name__} within {timeout:g} s") from None
        assert isinstance(event, kind), f"{event} instead of {kind.__name__}"
        return event

    def nothing(self, seconds: float) -> None:
        try:
            event = self.queue.get(timeout=seconds)
        except queue.Empty:
            return
        raise AssertionError(f"{event} out of nothing")


def until(holds: Callable[[], bool], timeout: float = 10.0) -> None:
    """Wait for what another thread brings about."""
    deadline = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < deadline, "did not come about"
        time.sleep(0.002)
