"""The panel: buttons, light, buzzer and knob on the pins that the configuration names.

gpiozero takes a tenth of a second to import, so it is not touched unless pins are configured. Everything that may
fail ends in a panel that is absent and says why; where waiting may help, it is tried again.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from appliance.hw.alarms import Alarms, AlarmThread
from appliance.hw.buttons import PanelButton, Press
from appliance.hw.buzzer import buzzer
from appliance.hw.encoder import PanelEncoder
from appliance.hw.light import Colour, Lamps, light
from appliance.hw.panel import Absent, Button, Indicator, PanelChanged, PanelSink, PanelState, Signal
from appliance.hw.pattern import Player
from appliance.hw.ports import DriverMissing
from appliance.pins import BUTTONS, Pins

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""Pause before a panel that failed is tried again."""

_NAMES = {
    "next_hand": Button.NEXT_HAND,
    "time": Button.TIME,
    "floor": Button.FLOOR,
    "encoder_push": Button.SELECT,
}
_RETRIED = frozenset({Absent.BUSY, Absent.FAILED})

Lost = Callable[[OSError], None]
FactoryMaker = Callable[[Pins, Lost], Any]
"""Makes a gpiozero pin factory, which calls the second argument when its chip fails. Raises OSError, DriverMissing."""


def gpiod_factory(pins: Pins, lost: Lost) -> Any:
    """The pin factory over libgpiod on the configured chip."""
    from appliance.hw import gpiod_factory as driver

    gpiod = driver.library()
    return driver.GpiodFactory(driver.open_chip(gpiod, pins.chip, driver.chip_paths()), gpiod, lost)


def open_panel(
    pins: Pins,
    sink: PanelSink = lambda _: None,
    *,
    make_factory: FactoryMaker = gpiod_factory,
    alarms: Alarms | None = None,
) -> Panel:
    """The panel these pins make; never fails, but may be absent. Its first event says which."""
    return Panel(pins, sink, make_factory, alarms or AlarmThread("panel"))


class Panel:
    """What hangs on the pins, as one. Also an `Indicator`: light and buzzer together. Events go to ``sink``."""

    def __init__(self, pins: Pins, sink: PanelSink, make_factory: FactoryMaker, alarms: Alarms) -> None:
        self._pins, self._sink, self._make_factory, self._alarms = pins, sink, make_factory, alarms
        self._lock = threading.Lock()
        self._wired: _Wired | None = None
        self._left: list[_Wired] = []
        self._closed = False
        self._said: PanelChanged | None = None
        light_player = light(alarms, self._show_colour)
        buzzer_player = buzzer(alarms, self._sound, quiet_from=pins.quiet_from, quiet_to=pins.quiet_to)
        self._players: tuple[Player[Any], ...] = ()
        if pins.red or pins.amber or pins.green:
            self._players += (light_player,)
        if pins.buzzer:
            self._players += (buzzer_player,)
        self.light: Indicator = light_player
        self.buzzer: Indicator = buzzer_player
        self.state = PanelState.ABSENT
        self.why: Absent | None = Absent.NO_PINS
        if pins.used():
            self._open()
        else:
            self._say()

    @property
    def stuck(self) -> frozenset[Button]:
        """The buttons that have been down for longer than anybody presses one."""
        wired = self._wired
        return frozenset(button.name for button in wired.buttons if button.stuck) if wired else frozenset()

    def show(self, signal: Signal) -> None:
        """Tell the room, by light and buzzer; returns at once."""
        self.light.show(signal)
        self.buzzer.show(signal)

    def close(self) -> None:
        """Switch everything off and let go of the pins; nothing is told afterwards."""
        with self._lock:
            self._closed = True
        self._alarms.close()
        with self._lock:
            if self._wired:
                self._left.append(self._wired)
            self._wired = None
        self._let_go()

    def _open(self) -> None:
        try:
            wired = _Wired(self._pins, self._make_factory, self._alarms, self)
        except DriverMissing as error:
            self._absent(Absent.NO_LIBRARY, error)
        except OSError as error:
            self._absent(_reason(error), error)
        else:
            self._online(wired)

    def _online(self, wired: _Wired) -> None:
        with self._lock:
            if self._closed:
                self._left.append(wired)
            else:
                self._wired = wired
            self.state, self.why = PanelState.ONLINE, None
        log.info("panel: online, %d pins", len(self._pins.used()))
        self._say()
        for player in self._players:
            player.begin()
        if wired.failed:
            self.lost(wired.factory, wired.failed)

    def lost(self, factory: Any, error: OSError) -> None:
        """The chip failed under this factory, in whatever thread: the panel is absent until it comes back."""
        with self._lock:
            wired = self._wired
            if wired is None or wired.factory is not factory:
                return
            self._wired = None
            self._left.append(wired)
        for player in self._players:
            player.pause()
        self._alarms.at("let go", self._alarms.now_ns(), self._let_go)
        self._absent(Absent.FAILED, error)

    def _let_go(self) -> None:
        """Close what failed, in the alarms' thread, which alone touches lamps."""
        with self._lock:
            left, self._left = self._left, []
        for wired in left:
            wired.close()

    def _absent(self, why: Absent, error: Exception) -> None:
        with self._lock:
            news = self.why is not why
            self.state, self.why = PanelState.ABSENT, why
        if news:
            log.warning("panel: absent, %s: %s", why, error)
        self._say()
        if why in _RETRIED:
            self._alarms.at("reopen", self._alarms.now_ns() + int(RETRY_S * 1e9), self._open)

    def _say(self) -> None:
        """Tell how the panel stands, if that is news."""
        with self._lock:
            said = PanelChanged(self.state, self.why, self.stuck)
            if self._closed or said == self._said:
                return
            self._said = said
        self._sink(said)

    def tell(self, event: Any) -> None:
        if not self._closed:
            self._sink(event)

    def noticed(self) -> None:
        """A button got stuck or free."""
        log.warning("panel: stuck buttons: %s", ", ".join(sorted(self.stuck)) or "none any more")
        self._say()

    def guard(self, factory: Any, action: Callable[[], None]) -> None:
        """Run what touches the pins of a factory; a chip that is gone makes the panel absent."""
        try:
            action()
        except OSError as error:
            self.lost(factory, error)

    def _show_colour(self, colour: Colour) -> None:
        wired = self._wired
        if wired:
            self.guard(wired.factory, partial(wired.lamps.show, colour))

    def _sound(self, on: bool) -> None:
        wired = self._wired
        if wired and wired.buzzer is not None:
            self.guard(wired.factory, partial(setattr, wired.buzzer, "value", on))


class _Wired:
    """The devices on the pins while the chip is there. Raises OSError, with all pins free again."""

    def __init__(self, pins: Pins, make_factory: FactoryMaker, alarms: Alarms, panel: Panel) -> None:
        self._panel, self._alarms, self._pins = panel, alarms, pins
        self.failed: OSError | None = None
        self.factory: Any = None
        self.factory = make_factory(pins, self._lost)
        self._devices: list[Any] = []
        self.buttons: list[PanelButton] = []
        self.encoder: PanelEncoder | None = None
        try:
            self._wire()
        except OSError:
            self.close()
            raise

    def _lost(self, error: OSError) -> None:
        self.failed = error
        self._panel.lost(self.factory, error)

    def _wire(self) -> None:
        pins = self._pins
        self.lamps = Lamps(
            **{name: self._output(getattr(pins, name), pins.light_active_low) for name in ("red", "amber", "green")}
        )
        self.buzzer = self._output(pins.buzzer, pins.buzzer_active_low)
        self.buttons = [self._button(_NAMES[name], getattr(pins, name)) for name in BUTTONS if getattr(pins, name)]
        if pins.encoder_a:
            self.encoder = PanelEncoder(
                "amount",
                (self._input(pins.encoder_a), self._input(pins.encoder_b)),
                quarters=pins.encoder_quarters,
                low_is_closed=pins.low_is_pressed,
                tell=self._panel.tell,
            )

    def _button(self, name: Button, gpio: int) -> PanelButton:
        pins = self._pins

        def press(pressed: bool, at_ns: int) -> Press:
            return Press(
                name,
                debounce_ns=pins.debounce_ms * 1_000_000,
                hold_ns=pins.hold_ms * 1_000_000,
                stuck_ns=pins.stuck_s * 1_000_000_000,
                pressed=pressed,
                at_ns=at_ns,
            )

        return PanelButton(
            press,
            self._input(gpio),
            low_is_pressed=pins.low_is_pressed,
            alarms=self._alarms,
            tell=self._panel.tell,
            noticed=self._panel.noticed,
            guard=partial(self._panel.guard, self.factory),
        )

    def _input(self, gpio: int) -> Any:
        from gpiozero import InputDevice

        pull_up = {"up": True, "down": False, "none": None}[self._pins.pull]
        state = {"active_state": not self._pins.low_is_pressed} if pull_up is None else {}
        device = InputDevice(gpio, pull_up=pull_up, pin_factory=self.factory, **state)
        self._devices.append(device)
        return device

    def _output(self, gpio: int, active_low: bool) -> Any:
        if not gpio:
            return None
        from gpiozero import OutputDevice

        device = OutputDevice(gpio, active_high=not active_low, pin_factory=self.factory)
        self._devices.append(device)
        return device

    def close(self) -> None:
        """Everything off, all pins free. A chip that is gone makes no difference."""
        for button in self.buttons:
            button.close()
        if self.encoder:
            self.encoder.close()
        for device in self._devices:
            with contextlib.suppress(OSError):
                if hasattr(device, "off"):
                    device.off()
            with contextlib.suppress(OSError):
                device.close()
        self.factory.close()


def _reason(error: OSError) -> Absent:
    if error.errno == errno.EBUSY:
        return Absent.BUSY
    if isinstance(error, PermissionError):
        return Absent.NO_ACCESS
    return Absent.NO_CHIP if isinstance(error, FileNotFoundError) else Absent.FAILED
