"""[pins] in the configuration: what cannot be is refused with both names in the message."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance.pins import Pins, bus_of, check, claimed


def read(**values: Any) -> Pins:
    return msgspec.convert(values, Pins)


def test_nothing_is_used_by_default() -> None:
    assert Pins().used() == {}


def test_pins_are_listed_by_the_names_of_their_settings() -> None:
    assert read(next_hand=5, buzzer=18).used() == {"next_hand": 5, "buzzer": 18}


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"next_hand": 5, "floor": 5}, "GPIO 5 is both pins.next_hand and pins.floor"),
        ({"red": 17, "encoder_push": 17}, "GPIO 17 is both pins.encoder_push and pins.red"),
        ({"time": 1}, "pins.time: GPIO 1 belongs to the EEPROM"),
        ({"time": 2, "pull": "down"}, "pins.time: GPIO 2 is pulled up on the board, pins.pull says down"),
        ({"encoder_a": 5}, "encoder needs both"),
        ({"quiet_from": "22:00"}, "quiet hours need both"),
        ({"hold_ms": 15, "debounce_ms": 20}, "must be longer"),
        ({"time": 28}, "<= 27"),
        ({"time": -1}, ">= 0"),
        ({"tiem": 5}, "tiem"),
        ({"quiet_from": "24:00", "quiet_to": "06:00"}, "quiet_from"),
        ({"pull": "sideways"}, "pull"),
        ({"encoder_quarters": 3}, "encoder_quarters"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(values: dict[str, Any], text: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=text):
        read(**values)


@pytest.mark.parametrize(
    ("values", "low"),
    [({}, True), ({"pull": "down"}, False), ({"pull": "none"}, True), ({"active_low": False}, False)],
)
def test_pressed_is_low_unless_the_pin_is_pulled_down_or_said_otherwise(values: dict[str, Any], low: bool) -> None:
    assert read(**values).low_is_pressed is low


@pytest.mark.parametrize(
    ("port", "bus"),
    [
        ("/dev/ttyAMA0", "uart"),
        ("/dev/ttyS0", "uart"),
        ("/dev/serial0", "uart"),
        ("tty:AMA0:pn532", "uart"),
        ("tty:ttyAMA0:pn532", "uart"),
        ("/dev/spidev0.0", "spi"),
        ("/dev/i2c-1", "i2c"),
        ("/dev/ttyUSB0", None),
        ("/dev/ttyACM0", None),
        ("tty:USB0:pn532", None),
        ("usb:072f:2200", None),
        ("", None),
    ],
)
def test_bus_is_known_by_the_port(port: str, bus: str | None) -> None:
    assert bus_of(port) == bus


def test_pin_of_a_reader_is_refused_and_both_are_named() -> None:
    claims = claimed([("reader.door", "/dev/ttyAMA0"), ("printer", "/dev/ttyUSB0")])
    assert set(claims) == {14, 15}
    check(read(floor=16), claims)
    with pytest.raises(ValueError, match=r"GPIO 15 is both pins\.floor and reader\.door \(UART RXD\)"):
        check(read(floor=15), claims)


def test_reading_the_scheme_touches_no_gpio_library() -> None:
    code = "import sys, appliance.pins; print([m for m in sys.modules if m in ('gpiozero', 'gpiod', 'appliance.hw')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_wiring_in_the_handbook_can_be_used_beside_every_bus() -> None:
    handbook = (Path(__file__).parents[1] / "docs" / "operators.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(\[pins\].*?)```", handbook, re.S)
    pins = read(**tomllib.loads(block)["pins"])
    assert len(pins.used()) == 10
    check(pins, claimed([("reader", "/dev/ttyAMA0"), ("reader", "/dev/spidev0.0"), ("reader", "/dev/i2c-1")]))
