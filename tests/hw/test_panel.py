"""The panel as a whole, over gpiozero's mock and over the recorded fake of libgpiod: there, absent, and lost."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from appliance.hw.panel import Absent, Button, ButtonPressed, PanelChanged, PanelState, Signal, Turned
from appliance.hw.pins import Panel, open_panel
from appliance.hw.ports import DriverMissing
from appliance.pins import Pins
from tests.hw.panelhands import STANDS, GpiodStand, HandAlarms, PinStand, Told, until

PINS = Pins(
    next_hand=5,
    time=6,
    floor=13,
    red=17,
    green=27,
    buzzer=22,
    encoder_a=23,
    encoder_b=24,
    encoder_push=25,
    debounce_ms=5,
    hold_ms=150,
)


class Desk:
    """A panel on a stand, and what it has told."""

    def __init__(self, stand: PinStand, pins: Pins = PINS, **alarms: Any) -> None:
        self.stand, self.told = stand, Told()
        self.panel: Panel = open_panel(pins, self.told.sink, make_factory=stand.make, **alarms)

    def press(self, gpio: int, seconds: float) -> None:
        self.stand.drive(gpio, False)
        time.sleep(seconds)
        self.stand.drive(gpio, True)


@pytest.fixture(params=STANDS)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    desk = Desk(STANDS[request.param]())
    assert desk.told.next(PanelChanged) == PanelChanged(PanelState.ONLINE, None, frozenset())
    yield desk
    desk.panel.close()


@pytest.mark.parametrize(
    ("gpio", "name"), [(5, Button.NEXT_HAND), (6, Button.TIME), (13, Button.FLOOR), (25, Button.SELECT)]
)
def test_every_button_is_told_by_its_name(desk: Desk, gpio: int, name: Button) -> None:
    before = time.monotonic_ns()
    desk.press(gpio, 0.03)
    press = desk.told.next(ButtonPressed)
    assert (press.name, press.held) == (name, False)
    assert before <= press.at_ns <= time.monotonic_ns()
    desk.told.nothing(0.2)


def test_button_that_is_held_is_told_once(desk: Desk) -> None:
    desk.stand.drive(6, False)
    press = desk.told.next(ButtonPressed)
    assert press.held
    desk.stand.drive(6, True)
    desk.told.nothing(0.2)


def test_two_buttons_at_once_are_two_presses(desk: Desk) -> None:
    desk.stand.drive(5, False)
    desk.stand.drive(13, False)
    time.sleep(0.03)
    desk.stand.drive(5, True)
    desk.stand.drive(13, True)
    names = {desk.told.next(ButtonPressed).name for _ in range(2)}
    assert names == {Button.NEXT_HAND, Button.FLOOR}


def test_knob_is_told_in_clicks(desk: Desk) -> None:
    for gpio, high in ((23, False), (24, False), (23, True), (24, True)):
        desk.stand.drive(gpio, high)
        time.sleep(0.005)
    turned = desk.told.next(Turned)
    assert (turned.name, turned.steps) == ("amount", 1)


def test_signal_goes_to_light_and_buzzer(desk: Desk) -> None:
    desk.panel.show(Signal.ACCEPTED)
    until(lambda: desk.stand.level(27) and not desk.stand.level(17))
    desk.panel.show(Signal.WEAK)
    until(lambda: desk.stand.level(27) and desk.stand.level(17))
    desk.panel.show(Signal.REFUSED)
    until(lambda: desk.stand.level(22))
    until(lambda: not desk.stand.level(22))


def test_closed_panel_is_dark_and_tells_nothing_more(desk: Desk) -> None:
    desk.panel.show(Signal.OFFLINE)
    until(lambda: desk.stand.level(17))
    desk.panel.close()
    assert not desk.stand.level(17)
    desk.panel.show(Signal.REFUSED)
    desk.stand.drive(5, False)
    desk.told.nothing(0.1)
    desk.panel.close()


def test_idle_panel_wakes_nobody(desk: Desk) -> None:
    until(lambda: not desk.panel._alarms._set)  # type: ignore[attr-defined]
    time.sleep(0.05)
    woken = desk.panel._alarms.woken  # type: ignore[attr-defined]
    desk.told.nothing(0.3)
    assert desk.panel._alarms.woken == woken  # type: ignore[attr-defined]


def test_stuck_button_is_a_state_that_is_told_and_ends() -> None:
    alarms = HandAlarms()
    alarms.now = time.monotonic_ns()
    desk = Desk(GpiodStand(), Pins(floor=13, stuck_s=15), alarms=alarms)
    desk.told.next(PanelChanged)
    desk.stand.drive(13, False)
    until(lambda: bool(alarms.set))
    alarms.run(16_000)
    assert desk.told.next(ButtonPressed).held
    assert desk.told.next(PanelChanged) == PanelChanged(PanelState.ONLINE, None, frozenset({Button.FLOOR}))
    assert desk.panel.stuck == {Button.FLOOR}
    assert not alarms.set
    desk.stand.gpiod.drive(13, True, at_ns=alarms.now)  # type: ignore[attr-defined]
    until(lambda: bool(alarms.set))
    alarms.run(100)
    assert desk.told.next(PanelChanged).stuck == frozenset()
    desk.panel.close()


@pytest.mark.parametrize("pins", [Pins(floor=13, pull="down"), Pins(floor=13, pull="none", active_low=False)])
def test_button_to_the_other_side(pins: Pins) -> None:
    desk = Desk(GpiodStand(), pins)
    desk.told.next(PanelChanged)
    desk.stand.drive(13, False)
    desk.stand.drive(13, True)
    time.sleep(0.05)
    desk.stand.drive(13, False)
    assert desk.told.next(ButtonPressed).name is Button.FLOOR
    desk.panel.close()


def test_lamps_that_light_when_low() -> None:
    desk = Desk(GpiodStand(), Pins(green=27, light_active_low=True))
    until(lambda: desk.stand.level(27))
    desk.panel.show(Signal.ACCEPTED)
    until(lambda: not desk.stand.level(27))
    desk.panel.close()


# absent


def test_without_pins_there_is_no_panel_no_thread_and_no_gpiozero() -> None:
    code = (
        "import sys, threading\n"
        "from appliance.hw.panel import Signal\n"
        "from appliance.hw.pins import open_panel\n"
        "from appliance.pins import Pins\n"
        "told = []\n"
        "panel = open_panel(Pins(), told.append)\n"
        "for signal in Signal: panel.show(signal)\n"
        "panel.close()\n"
        "print(panel.state.value, panel.why.value, len(told), threading.active_count(),"
        " [m for m in sys.modules if m in ('gpiozero', 'gpiod')])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split(maxsplit=4) == ["absent", "no-pins", "1", "1", "[]\n"]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (DriverMissing("the extra 'pins'"), Absent.NO_LIBRARY),
        (FileNotFoundError(2, "no GPIO chip"), Absent.NO_CHIP),
        (PermissionError(13, "denied"), Absent.NO_ACCESS),
        (OSError(16, "busy"), Absent.BUSY),
        (OSError(19, "no device"), Absent.FAILED),
    ],
)
def test_panel_that_cannot_be_opened_is_absent_and_says_why(error: Exception, why: Absent) -> None:
    def fail(pins: Pins, lost: Callable[[OSError], None]) -> Any:
        raise error

    told, alarms = Told(), HandAlarms()
    panel = open_panel(PINS, told.sink, make_factory=fail, alarms=alarms)
    assert told.next(PanelChanged) == PanelChanged(PanelState.ABSENT, why, frozenset())
    assert (panel.state, panel.why) == (PanelState.ABSENT, why)
    assert set(alarms.set) == ({"reopen"} if why in (Absent.BUSY, Absent.FAILED) else set())
    for signal in Signal:
        panel.show(signal)
    alarms.run(60_000)
    told.nothing(0)
    panel.close()


def test_laptop_without_gpio_is_absent_by_the_real_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr("appliance.hw.gpiod_factory.DEVICES", tmp_path)
    panel = open_panel(PINS)
    assert panel.why is Absent.NO_CHIP
    panel.close()


def test_pin_that_another_driver_holds_is_tried_again_and_no_other_is_kept() -> None:
    stand, alarms = GpiodStand(), HandAlarms()
    stand.gpiod.lines[13].busy = True
    desk = Desk(stand, alarms=alarms)
    assert desk.told.next(PanelChanged).why is Absent.BUSY
    assert not any(line.request for line in stand.gpiod.lines.values())
    stand.gpiod.lines[13].busy = False
    alarms.run(5000)
    assert desk.told.next(PanelChanged).state is PanelState.ONLINE
    desk.panel.close()


# lost


def test_chip_that_goes_away_makes_the_panel_absent_until_it_is_back() -> None:
    stand, alarms = GpiodStand(), HandAlarms()
    desk = Desk(stand, alarms=alarms)
    desk.told.next(PanelChanged)
    desk.panel.show(Signal.OFFLINE)
    alarms.run(100)
    stand.gpiod.unplug()
    assert desk.told.next(PanelChanged) == PanelChanged(PanelState.ABSENT, Absent.FAILED, frozenset())
    failed = stand.factory
    alarms.run(4000)
    assert set(alarms.set) == {"reopen"}
    stand.gpiod.plug()
    alarms.run(1100)
    assert desk.told.next(PanelChanged).state is PanelState.ONLINE
    assert stand.level(17), "the light shows again what stood"
    desk.panel.lost(failed, OSError("told late"))
    desk.told.nothing(0)
    desk.panel.close()


def test_chip_that_fails_while_the_panel_is_opened_makes_it_absent() -> None:
    def make(pins: Pins, lost: Callable[[OSError], None]) -> Any:
        lost(OSError(19, "gone"))
        return stand.make(pins, lost)

    stand, alarms, told = GpiodStand(), HandAlarms(), Told()
    panel = open_panel(PINS, told.sink, make_factory=make, alarms=alarms)
    assert panel.why is Absent.FAILED
    panel.close()


def test_lamps_are_switched_off_before_their_pins_are_let_go() -> None:
    """A line that nobody holds may stay as it was."""
    stand = GpiodStand()
    desk = Desk(stand)
    desk.panel.show(Signal.OFFLINE)
    until(lambda: stand.level(17))
    desk.panel.close()
    asked = [line for line in stand.gpiod.asked if line.split()[1:2] == ["17"]]
    assert asked[-2:] == ["set 17 0", "release 17"]


def test_chip_that_fails_while_lamps_are_set_makes_the_panel_absent_only_once() -> None:
    stand = GpiodStand()
    desk = Desk(stand, Pins(red=17, green=27, buzzer=22))
    desk.told.next(PanelChanged)
    stand.gpiod.unplug()
    for _ in range(20):
        desk.panel.show(Signal.ACCEPTED)
    assert desk.told.next(PanelChanged).why is Absent.FAILED
    desk.told.nothing(0.1)
    desk.panel.close()


def test_panel_that_is_closed_while_its_chip_goes_leaves_no_thread() -> None:
    before = threading.active_count()
    for _ in range(20):
        stand = GpiodStand()
        desk = Desk(stand)
        desk.panel.show(Signal.TIME_CALL)
        thread = threading.Thread(target=stand.gpiod.unplug)
        thread.start()
        desk.panel.close()
        thread.join()
    until(lambda: threading.active_count() <= before)
