"""gpiozero's pins over libgpiod 2: Debian 13 has no lgpio, which gpiozero would use, and has libgpiod.

The chip is chosen by its path or label; no board is asked what it is. Pins have the names of the Pi's 40-pin header,
where a line of the chip has the BCM number of its pin. The lines are biased, debounced and timed by the kernel; edges
arrive by one thread that sleeps in it. Pulse width modulation is done in software, SPI not at all.

gpiozero is an extra: importing this module without it raises `DriverMissing`. So does `library` without gpiod.
"""

from __future__ import annotations

import errno
import importlib
import threading
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from appliance.hw.gpiod_edges import Edges
from appliance.hw.ports import DriverMissing
from appliance.hw.soft_pwm import SoftPwm

_MISSING = "buttons and lights need gpiozero and gpiod, the extra 'pins': pip install 'tableside[pins]'"

try:
    from gpiozero import exc
    from gpiozero.pins import Factory
    from gpiozero.pins.pi import PiFactory, PiPin
except ImportError as missing:
    raise DriverMissing(_MISSING) from missing

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What Linux calls the chip of the 40-pin header: Pi 5, Pi 4, and those before it."""

HEADER_REVISION = 0xC03111
"""A Pi 4's revision code: gpiozero has the names of the header's pins by revision, and they are the same on all."""

CONSUMER = "tableside"
DEVICES = Path("/dev")


def library() -> Any:
    """libgpiod's Python module; raises `DriverMissing`."""
    try:
        return importlib.import_module("gpiod")
    except ImportError as missing:
        raise DriverMissing(_MISSING) from missing


def chip_paths() -> list[str]:
    """The GPIO chips of this machine."""
    return sorted(str(path) for path in DEVICES.glob("gpiochip*"))


def open_chip(gpiod: Any, wanted: str, paths: Iterable[str]) -> Any:
    """The chip at the path ``wanted``, of that label, or of one of `LABELS`.

    Raises OSError: ENOENT when there is none, EACCES when one may not be opened and none fits.
    """
    if wanted.startswith("/"):
        return gpiod.Chip(wanted)
    labels = (wanted,) if wanted else LABELS
    denied: PermissionError | None = None
    for path in paths:
        try:
            chip = gpiod.Chip(path)
        except PermissionError as error:
            denied = error
            continue
        if chip.get_info().label in labels:
            return chip
        chip.close()
    if denied:
        raise denied
    raise FileNotFoundError(errno.ENOENT, f"no GPIO chip {' or '.join(labels)}")


class GpiodFactory(PiFactory):
    """Pins of one chip, which is closed with the factory. ``lost`` is told, from any thread, that the chip failed."""

    def __init__(self, chip: Any, gpiod: Any, lost: Callable[[OSError], None] = lambda _: None) -> None:
        super().__init__()
        self.gpiod, self.chip = gpiod, chip
        self.lock = threading.RLock()
        self.lost = lost
        self.edges = Edges(
            "gpio edges", rising=gpiod.EdgeEvent.Type.RISING_EDGE, lock=self.lock, lost=lambda error: self.lost(error)
        )
        self.closed = False
        self.pin_class = GpiodPin

    def close(self) -> None:
        """Release every line, end the thread, close the chip. A chip that is gone makes no difference."""
        super().close()
        self.edges.close()
        with self.lock:
            if not self.closed:
                self.closed = True
                self.chip.close()

    def spi(self, **spi_args: object) -> Any:
        return Factory.spi(self, **spi_args)

    def ticks(self) -> float:
        """Seconds on the monotonic clock, which the kernel's edges have too."""
        return time.monotonic()

    def ticks_diff(self, later: float, earlier: float) -> float:
        return later - earlier

    def _get_revision(self) -> int:
        return HEADER_REVISION


class GpiodPin(PiPin):
    """A line of the chip, requested when it is first used and released when the pin is closed."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._request: Any = None
        self._output = False
        self._pull = info.pull or "floating"
        self._bounce: float | None = None
        self._edges = "both"
        self._detecting = False
        self._pwm: SoftPwm | None = None

    def close(self) -> None:
        self.when_changed = None
        self._end_pwm()
        with self.factory.lock:
            request, self._request = self._request, None
            self._output, self._bounce = False, None
            if request is not None:
                request.release()

    def output_with_state(self, state: object) -> None:
        self._end_pwm()
        self._configure(output=True, high=bool(state))

    def input_with_pull(self, pull: str) -> None:
        self._check_pull(pull)
        self._end_pwm()
        self._pull = pull
        self._configure(output=False)

    def _get_function(self) -> str:
        return "output" if self._output else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise exc.PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._end_pwm()
        self._configure(output=value == "output")

    def _get_state(self) -> float | bool:
        if self._pwm:
            return self._pwm.duty
        with self.factory.lock:
            return bool(self._requested().get_value(self._number) is self.factory.gpiod.line.Value.ACTIVE)

    def _set_state(self, value: float) -> None:
        if not self._output:
            raise exc.PinSetInput(f"cannot set state of pin {self!r}")
        if not 0 <= value <= 1:
            raise exc.PinInvalidState(f'invalid state "{value}" for pin {self!r}')
        if self._pwm:
            self._pwm.duty = float(value)
        else:
            self._write(bool(value))

    def _get_pull(self) -> str:
        return str(self._pull)

    def _set_pull(self, value: str) -> None:
        if self._output:
            raise exc.PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self._check_pull(value)
        self._pull = value
        self._configure(output=False)

    def _get_frequency(self) -> float | None:
        return self._pwm.frequency if self._pwm else None

    def _set_frequency(self, value: float | None) -> None:
        if value and not self._output:
            raise exc.PinPWMFixedValue(f"cannot start PWM on pin {self!r}")
        duty = self._pwm.duty if self._pwm else 0.0
        self._end_pwm()
        if value:
            self._pwm = SoftPwm(float(value), self._write, lambda error: self.factory.lost(error))
            self._pwm.duty = duty
        elif self._output and self._request is not None:
            self._write(False)

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        """The kernel's debounce: in it, edges come only when a level has stood for so many seconds."""
        if value is not None and value < 0:
            raise exc.PinInvalidBounce("bounce must be 0 or greater")
        self._bounce = value
        self._configure(output=self._output)

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in ("none", "rising", "falling", "both"):
            raise exc.PinInvalidEdges(f'invalid edges "{value}" for pin {self!r}')
        self._edges = value
        if self._detecting:
            self._configure(output=self._output)

    def _enable_event_detect(self) -> None:
        with self.factory.lock:
            self._detecting = True
            self._configure(output=self._output)
            self.factory.edges.watch(self._request, self._heard)

    def _disable_event_detect(self) -> None:
        with self.factory.lock:
            self._detecting = False
            if self._request is not None:
                self.factory.edges.unwatch(self._request)

    def _heard(self, at_ns: int, high: bool) -> None:
        changed = self._get_when_changed()
        if changed is not None:
            changed(at_ns / 1e9, int(high))

    def _write(self, high: bool) -> None:
        with self.factory.lock:
            self._requested().set_value(self._number, self._value(high))

    def _value(self, high: bool) -> Any:
        return self.factory.gpiod.line.Value.ACTIVE if high else self.factory.gpiod.line.Value.INACTIVE

    def _requested(self) -> Any:
        if self._request is None:
            self._configure(output=self._output)
        return self._request

    def _configure(self, *, output: bool, high: bool = False) -> None:
        """Ask the chip for the line as it should be, or have it changed without letting go of it."""
        with self.factory.lock:
            if self.factory.closed:
                raise OSError(errno.ENODEV, f"{self!r}: the chip is closed")
            self._output = output
            config = {self._number: self._settings(high)}
            if self._request is None:
                self._request = self.factory.chip.request_lines(config, consumer=CONSUMER)
            else:
                self._request.reconfigure_lines(config)

    def _settings(self, high: bool) -> Any:
        gpiod, line = self.factory.gpiod, self.factory.gpiod.line
        if self._output:
            return gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=self._value(high))
        biases = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "floating": line.Bias.DISABLED}
        edges = {"rising": line.Edge.RISING, "falling": line.Edge.FALLING, "both": line.Edge.BOTH}
        return gpiod.LineSettings(
            direction=line.Direction.INPUT,
            bias=biases[self._pull],
            edge_detection=edges.get(self._edges, line.Edge.NONE) if self._detecting else line.Edge.NONE,
            debounce_period=timedelta(seconds=self._bounce or 0),
        )

    def _check_pull(self, pull: str) -> None:
        if pull not in ("up", "down", "floating"):
            raise exc.PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if self.info.pull not in (pull, ""):
            raise exc.PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")

    def _end_pwm(self) -> None:
        pwm, self._pwm = self._pwm, None
        if pwm:
            pwm.close()
