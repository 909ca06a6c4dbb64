"""What the appliance expects of a panel of buttons, lights and a knob, whatever stands behind it.

Like readers, a panel tells what it sees as frozen events handed to a *sink*, which must only queue. Without GPIO a
panel is absent: nothing is ever pressed on it, and what it is told to show goes nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct


class Signal(Enum):
    """What a light and a buzzer tell the room."""

    ACCEPTED = "accepted"
    WEAK = "weak"
    """Accepted, but the card proves less than it could."""
    REFUSED = "refused"
    AGAIN = "again"
    """Nothing was decided: hold the card there once more."""
    IDLE = "idle"
    OFFLINE = "offline"
    TIME_CALL = "time-call"


STANDING = frozenset({Signal.IDLE, Signal.OFFLINE, Signal.TIME_CALL})
"""Signals that hold until another of them comes. The others pass, and what stood before them shows again."""


class Dark:
    """No light and no buzzer."""

    def show(self, signal: Signal) -> None:
        pass


class Indicator(Protocol):
    """A light or a buzzer."""

    def show(self, signal: Signal) -> None:
        """Show this from now on, instead of whatever is shown; returns at once, from any thread.

        A standing signal that stands already changes nothing, so it may be repeated.
        """


class Button(StrEnum):
    """The buttons a panel may have."""

    NEXT_HAND = "next-hand"
    TIME = "time"
    FLOOR = "floor"
    SELECT = "select"
    """The encoder's knob, pushed."""


class PanelState(Enum):
    """Whether there is a panel."""

    ABSENT = "absent"
    ONLINE = "online"


class Absent(StrEnum):
    """Why there is no panel; stable codes."""

    NO_PINS = "no-pins"
    """None are configured: nothing is wrong."""
    NO_LIBRARY = "no-library"
    """The extra 'pins' is not installed."""
    NO_CHIP = "no-chip"
    """The machine has no such GPIO chip: a laptop, or another label in `pins.chip`."""
    NO_ACCESS = "no-access"
    """The chip's device may not be opened by this user."""
    BUSY = "busy"
    """Another program, or a driver of the kernel, holds one of the pins. Tried again."""
    FAILED = "failed"
    """The chip answers with an error, or went away. Tried again."""


class ButtonPressed(Struct, frozen=True):
    """A button was pressed, once for each press.

    ``at_ns`` on the monotonic clock is when the finger came down or, ``held``, when the time of a hold was full.
    """

    name: Button
    at_ns: int
    held: bool = False


class Turned(Struct, frozen=True):
    """The knob was turned by so many clicks, clockwise positive."""

    name: str
    steps: int
    at_ns: int


class PanelChanged(Struct, frozen=True):
    """The panel came, went, or a button of it got stuck or free again."""

    state: PanelState
    why: Absent | None
    stuck: frozenset[Button]


PanelEvent: TypeAlias = ButtonPressed | Turned | PanelChanged
PanelSink: TypeAlias = Callable[[PanelEvent], None]
