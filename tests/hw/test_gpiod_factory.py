"""Pins over libgpiod: what is asked of it, what gpiozero's own mock does too, and a chip that goes away."""

from __future__ import annotations

import errno
import inspect
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import gpiod
import pytest
from gpiozero import (
    LED,
    PWMLED,
    Button,
    Buzzer,
    GPIOPinInUse,
    InputDevice,
    OutputDevice,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinInvalidState,
    PinPWMFixedValue,
    PinSetInput,
    PinSPIUnsupported,
)

from appliance.hw.emulation import gpiod_fake
from appliance.hw.emulation.gpiod_fake import FakeGpiod
from appliance.hw.gpiod_factory import GpiodFactory, open_chip
from appliance.pins import Pins
from tests.hw.panelhands import STANDS, GpiodStand, PinStand, until


@pytest.fixture(params=STANDS)
def stand(request: pytest.FixtureRequest) -> Iterator[PinStand]:
    stand = STANDS[request.param]()
    stand.make(Pins(), lambda _: None)
    yield stand
    stand.factory.close()


@pytest.fixture
def ours() -> Iterator[GpiodStand]:
    stand = GpiodStand()
    stand.make(Pins(), lambda _: None)
    yield stand
    stand.factory.close()


# what both factories do


def test_output_is_what_it_is_set_to(stand: PinStand) -> None:
    lamp = OutputDevice(17, pin_factory=stand.factory)
    assert not stand.level(17)
    lamp.on()
    assert stand.level(17)
    assert lamp.value == 1
    lamp.off()
    assert not stand.level(17)


def test_active_low_output_is_dark_from_the_first_moment(stand: PinStand) -> None:
    lamp = LED(17, active_high=False, pin_factory=stand.factory)
    assert stand.level(17)
    lamp.on()
    assert not stand.level(17)


@pytest.mark.parametrize(("pull_up", "level"), [(True, 1), (False, 0)])
def test_open_input_is_where_it_is_pulled(stand: PinStand, pull_up: bool, level: int) -> None:
    contact = InputDevice(27, pull_up=pull_up, pin_factory=stand.factory)
    assert contact.pin.state == level
    assert contact.value == 0
    stand.drive(27, not pull_up)
    assert contact.value == 1


def test_edges_are_told_with_level_and_a_time_on_the_monotonic_clock(stand: PinStand) -> None:
    told: list[tuple[float, int]] = []
    heard = threading.Semaphore(0)

    def changed(ticks: float, state: int) -> None:
        told.append((ticks, state))
        heard.release()

    contact = InputDevice(27, pull_up=True, pin_factory=stand.factory)
    contact.pin.edges = "both"
    contact.pin.when_changed = changed
    before = time.monotonic()
    for high in (False, True):
        stand.drive(27, high)
        assert heard.acquire(timeout=10)
    assert [state for _, state in told] == [0, 1]
    assert all(before <= ticks <= time.monotonic() for ticks, _ in told)
    assert stand.factory.ticks_diff(told[1][0], told[0][0]) >= 0


def test_only_the_edges_that_were_asked_for_are_told(stand: PinStand) -> None:
    told: list[int] = []

    def changed(ticks: float, state: int) -> None:
        told.append(state)

    contact = InputDevice(27, pull_up=True, pin_factory=stand.factory)
    contact.pin.edges = "falling"
    contact.pin.when_changed = changed
    for high in (False, True, False):
        stand.drive(27, high)
        time.sleep(0.02)
    until(lambda: told == [0, 0])
    contact.pin.when_changed = None
    stand.drive(27, True)
    stand.drive(27, False)
    time.sleep(0.02)
    assert told == [0, 0]


def test_gpiozero_button_and_buzzer_work(stand: PinStand) -> None:
    pressed = threading.Event()
    button = Button(27, pin_factory=stand.factory)
    button.when_pressed = pressed.set
    stand.drive(27, False)
    assert pressed.wait(10)
    buzzer = Buzzer(18, pin_factory=stand.factory)
    buzzer.on()
    assert stand.level(18)
    button.close()
    buzzer.close()


def test_pin_is_for_one_device_and_free_again_once_that_is_closed(stand: PinStand) -> None:
    lamp = OutputDevice(17, pin_factory=stand.factory)
    with pytest.raises(GPIOPinInUse):
        OutputDevice(17, pin_factory=stand.factory)
    lamp.close()
    InputDevice(17, pull_up=True, pin_factory=stand.factory).close()


def test_pins_have_the_same_faults(stand: PinStand) -> None:
    pin = stand.factory.pin(2)
    with pytest.raises(PinSetInput):
        pin.state = 1
    with pytest.raises(PinFixedPull):
        pin.pull = "down"
    with pytest.raises(PinInvalidFunction):
        pin.function = "dance"
    with pytest.raises(PinInvalidPull):
        stand.factory.pin(17).pull = "sideways"
    pin.function = "output"
    with pytest.raises(PinFixedPull):
        pin.pull = "up"


def test_pwm_has_frequency_and_duty(stand: PinStand) -> None:
    lamp = PWMLED(17, frequency=200, pin_factory=stand.factory)
    lamp.value = 0.25
    assert lamp.pin.frequency == 200
    assert lamp.value == 0.25
    lamp.close()


# what ours asks of libgpiod


def test_what_is_asked_of_libgpiod(ours: GpiodStand) -> None:
    OutputDevice(17, initial_value=True, pin_factory=ours.factory).close()
    contact = InputDevice(27, pull_up=True, pin_factory=ours.factory)
    contact.pin.bounce = 0.005
    contact.pin.when_changed = lambda ticks, state: None
    ours.factory.close()
    assert list(ours.gpiod.asked) == [
        "open /dev/gpiochip0",
        "request 17 output active as tableside",
        "release 17",
        "request 27 input disabled none as tableside",
        "reconfigure 27 input pull_up none",
        "reconfigure 27 input pull_up none debounce 5 ms",
        "reconfigure 27 input pull_up both debounce 5 ms",
        "release 27",
        "close",
    ]


def test_edges_that_came_together_are_told_in_the_order_of_their_times(ours: GpiodStand) -> None:
    told: list[str] = []
    busy, free = threading.Event(), threading.Event()

    def slow(ticks: float, state: int) -> None:
        busy.set()
        free.wait(10)

    def five(ticks: float, state: int) -> None:
        told.append(f"5 {ticks:g}")

    def six(ticks: float, state: int) -> None:
        told.append(f"6 {ticks:g}")

    contacts = [InputDevice(gpio, pull_up=True, pin_factory=ours.factory) for gpio in (5, 6, 13)]
    for contact, changed in zip(contacts, (five, six, slow), strict=True):
        contact.pin.when_changed = changed
    ours.gpiod.drive(13, False)
    assert busy.wait(10)
    ours.gpiod.drive(5, False, at_ns=3_000_000_000)
    ours.gpiod.drive(6, False, at_ns=2_000_000_000)
    ours.gpiod.drive(6, True, at_ns=4_000_000_000)
    free.set()
    until(lambda: len(told) == 3)
    assert told == ["6 2", "5 3", "6 4"]


def test_waiting_for_edges_is_one_thread_and_no_polling(ours: GpiodStand) -> None:
    before = threading.active_count()
    for gpio in (5, 6, 13):
        ours.factory.pin(gpio).input_with_pull("up")
        ours.factory.pin(gpio).when_changed = test_waiting_for_edges_is_one_thread_and_no_polling
    assert threading.active_count() == before + 1
    selected: list[object] = []
    real = ours.factory.edges._selector.select
    ours.factory.edges._selector.select = lambda: selected.append(1) or real()
    time.sleep(0.2)
    assert selected == []


def test_soft_pwm_switches_the_line_and_stops_at_full_and_at_nothing(ours: GpiodStand) -> None:
    lamp = PWMLED(17, frequency=500, pin_factory=ours.factory)
    lamp.value = 0.5
    until(lambda: [line for line in ours.gpiod.asked if line.startswith("set 17")][-4:] == ["set 17 1", "set 17 0"] * 2)
    lamp.value = 1
    assert ours.level(17)
    asked = len(ours.gpiod.asked)
    time.sleep(0.05)
    assert len(ours.gpiod.asked) == asked
    lamp.value = 0
    assert not ours.level(17)
    lamp.value = 0.5
    lamp.close()
    assert "soft pwm" not in {thread.name for thread in threading.enumerate()}


def test_more_faults_that_gpiozero_has_names_for(ours: GpiodStand) -> None:
    pin = ours.factory.pin(17)
    with pytest.raises(PinInvalidBounce):
        pin.bounce = -1
    with pytest.raises(PinInvalidEdges):
        pin.edges = "some"
    with pytest.raises(PinPWMFixedValue):
        pin.frequency = 100
    pin.output_with_state(False)
    with pytest.raises(PinInvalidState):
        pin.state = 2
    with pytest.raises(PinSPIUnsupported):
        ours.factory.spi(port=0, device=0)


# the chip


@pytest.mark.parametrize("label", ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"])
def test_header_is_found_by_the_label_of_its_chip(label: str) -> None:
    fake = FakeGpiod(label)
    assert open_chip(fake, "", fake.paths()).get_info().label == label


def test_chip_is_chosen_by_path_or_label() -> None:
    fake = FakeGpiod("other-chip")
    with pytest.raises(FileNotFoundError):
        open_chip(fake, "", fake.paths())
    assert open_chip(fake, "other-chip", fake.paths())
    assert open_chip(fake, "/dev/gpiochip0", [])
    with pytest.raises(FileNotFoundError):
        open_chip(fake, "/dev/gpiochip7", [])


def test_chip_that_may_not_be_opened_is_told_from_one_that_is_not_there() -> None:
    fake = FakeGpiod(denied=True)
    with pytest.raises(PermissionError):
        open_chip(fake, "", fake.paths())


def test_chip_that_goes_away_is_told_once_and_closing_still_works() -> None:
    lost: list[OSError] = []
    stand = GpiodStand()
    factory = stand.make(Pins(), lost.append)
    contact = InputDevice(27, pull_up=True, pin_factory=factory)
    contact.pin.when_changed = test_chip_that_goes_away_is_told_once_and_closing_still_works
    stand.gpiod.unplug()
    until(lambda: len(lost) == 1)
    assert lost[0].errno == errno.ENODEV
    with pytest.raises(OSError, match="No such device"):
        _ = contact.value
    factory.close()
    factory.close()
    with pytest.raises(OSError, match="closed"):
        factory.pin(17).function = "output"


def test_line_that_somebody_has_is_an_os_error() -> None:
    stand = GpiodStand()
    factory = stand.make(Pins(), lambda _: None)
    stand.gpiod.lines[17].busy = True
    with pytest.raises(OSError) as raised:
        OutputDevice(17, pin_factory=factory)
    assert raised.value.errno == errno.EBUSY
    factory.close()


# the fake is what the library is


def parameters(thing: Any) -> set[str]:
    return set(inspect.signature(thing).parameters) - {"self"}


def test_fake_has_no_name_that_the_library_lacks() -> None:
    for name in ("Value", "Direction", "Bias", "Edge"):
        fake, real = getattr(gpiod_fake, name), getattr(gpiod.line, name)
        assert {member.name for member in fake} <= {member.name for member in real}
    kinds = {member.name for member in gpiod_fake.EdgeEvent.Type}
    assert kinds == {member.name for member in gpiod.EdgeEvent.Type}
    assert {"event_type", "timestamp_ns", "line_offset"} <= set(gpiod.EdgeEvent.__dataclass_fields__)
    assert parameters(gpiod_fake.LineSettings) <= parameters(gpiod.LineSettings)
    for name in ("request_lines", "get_info", "close"):
        assert parameters(getattr(gpiod_fake.FakeChip, name)) <= parameters(getattr(gpiod.Chip, name))
    for name in ("reconfigure_lines", "get_value", "set_value", "read_edge_events", "release"):
        fake, real = getattr(gpiod_fake.LineRequest, name), getattr(gpiod.LineRequest, name)
        assert parameters(fake) <= parameters(real), name
    assert isinstance(gpiod.LineRequest.fd, property)


def test_what_the_factory_asks_for_the_library_takes() -> None:
    """Every setting a pin can have, made of the real library's names."""
    factory = GpiodFactory(FakeGpiod().Chip(FakeGpiod.PATH), gpiod)
    pin = factory.pin(17)
    pin._detecting, pin._bounce = True, 0.005
    for pull in ("up", "down", "floating"):
        for edges in ("none", "rising", "falling", "both"):
            pin._pull, pin._edges = pull, edges
            settings = pin._settings(False)
            assert settings.direction is gpiod.line.Direction.INPUT
            assert settings.debounce_period == timedelta(milliseconds=5)
    pin._output = True
    assert pin._settings(True).output_value is gpiod.line.Value.ACTIVE
