"""The scheme of ``[pins]``: which button, lamp and buzzer hangs on which GPIO. Numbers are Broadcom's (BCM), 0 is none.

What cannot be is refused here, before anything is opened: one pin for two things, a pin that belongs to another bus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec

Gpio = Annotated[int, msgspec.Meta(ge=0, le=27)]
"""A GPIO of the 40-pin header by its BCM number; 0 is none (GPIO 0 itself belongs to the EEPROM of add-on boards)."""
Clock = Annotated[str, msgspec.Meta(pattern=r"^(([01]\d|2[0-3]):[0-5]\d)?$")]
"""A time of day as HH:MM, or nothing."""

EEPROM = 1
PULLED_UP = (2, 3)
"""The header's I²C pins have resistors to 3.3 V on the board, whatever `Pins.pull` says."""

BUSES: dict[str, dict[int, str]] = {
    "i2c": {2: "I²C SDA", 3: "I²C SCL"},
    "spi": {7: "SPI CE1", 8: "SPI CE0", 9: "SPI MISO", 10: "SPI MOSI", 11: "SPI SCLK"},
    "uart": {14: "UART TXD", 15: "UART RXD"},
}
"""What the header's buses use. A USB device uses none of them."""

_PORTS = {
    "i2c": r"i2c-\d+",
    "spi": r"spidev\d+\.\d+",
    "uart": r"(tty)?(AMA|S)\d+|serial\d+",
}


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Buttons, light, buzzer and encoder of a kiosk; with no pin set, GPIO is never touched.

    ``chip`` is a path (/dev/gpiochip0) or a label (pinctrl-rp1); without it the chip of the Pi's header is looked
    for. ``pull`` and ``active_low`` are those of buttons and encoder: a contact to ground needs neither to be set,
    and without ``active_low`` pressed is low except with ``pull = "down"``. A button that is held for ``hold_ms``
    is a hold; 0 knows no hold, and a press then counts the moment it is sure. ``stuck_s``: held so long is stuck.
    ``encoder_quarters``: steps of the quadrature code in one click of the knob.
    The buzzer is silent from ``quiet_from`` to ``quiet_to``, the device's time of day; lights are not.
    """

    chip: str = ""
    next_hand: Gpio = 0
    time: Gpio = 0
    floor: Gpio = 0
    red: Gpio = 0
    amber: Gpio = 0
    green: Gpio = 0
    buzzer: Gpio = 0
    encoder_a: Gpio = 0
    encoder_b: Gpio = 0
    encoder_push: Gpio = 0
    pull: Literal["up", "down", "none"] = "up"
    active_low: bool | None = None
    light_active_low: bool = False
    buzzer_active_low: bool = False
    debounce_ms: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    hold_ms: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 1000
    stuck_s: Annotated[int, msgspec.Meta(ge=15, le=3600)] = 60
    encoder_quarters: Literal[1, 2, 4] = 4
    quiet_from: Clock = ""
    quiet_to: Clock = ""

    def __post_init__(self) -> None:
        """Raises ValueError for a pin that two things want, half an encoder, or half of the quiet hours."""
        taken: dict[int, str] = {}
        for name, gpio in self.used().items():
            if gpio == EEPROM:
                raise ValueError(f"pins.{name}: GPIO 1 belongs to the EEPROM of add-on boards")
            if gpio in taken:
                raise ValueError(f"GPIO {gpio} is both pins.{taken[gpio]} and pins.{name}")
            if gpio in PULLED_UP and self.pull != "up" and name in INPUTS:
                raise ValueError(f"pins.{name}: GPIO {gpio} is pulled up on the board, pins.pull says {self.pull}")
            taken[gpio] = name
        if bool(self.encoder_a) != bool(self.encoder_b):
            raise ValueError("an encoder needs both pins.encoder_a and pins.encoder_b")
        if bool(self.quiet_from) != bool(self.quiet_to):
            raise ValueError("quiet hours need both pins.quiet_from and pins.quiet_to")
        if self.hold_ms and self.hold_ms <= self.debounce_ms:
            raise ValueError("pins.hold_ms must be longer than pins.debounce_ms")

    def used(self) -> dict[str, int]:
        """The pins that are set, by the name of their setting."""
        return {name: gpio for name in (*INPUTS, *OUTPUTS) if (gpio := getattr(self, name))}

    @property
    def low_is_pressed(self) -> bool:
        """Whether a button or encoder contact is active when its pin is low."""
        return self.pull != "down" if self.active_low is None else self.active_low


BUTTONS = ("next_hand", "time", "floor", "encoder_push")
INPUTS = (*BUTTONS, "encoder_a", "encoder_b")
OUTPUTS = ("red", "amber", "green", "buzzer")


def bus_of(port: str) -> str | None:
    """Which bus of the header a device's port uses ("/dev/ttyAMA0", "tty:AMA0:pn532", "/dev/spidev0.0"); None: none."""
    last = port.removeprefix("tty:").split(":")[0].rsplit("/", 1)[-1]
    return next((bus for bus, pattern in _PORTS.items() if re.fullmatch(pattern, last)), None)


def claimed(ports: Iterable[tuple[str, str]]) -> dict[int, str]:
    """The GPIOs that other devices use: (who, port) each, as in ("reader.port", "/dev/ttyAMA0"); USB claims none."""
    return {gpio: f"{who} ({what})" for who, port in ports for gpio, what in BUSES.get(bus_of(port) or "", {}).items()}


def check(pins: Pins, claims: Mapping[int, str]) -> None:
    """Raises ValueError, naming both, when a pin is also another device's (``claims`` as `claimed` makes them)."""
    for name, gpio in pins.used().items():
        if gpio in claims:
            raise ValueError(f"GPIO {gpio} is both pins.{name} and {claims[gpio]}")
