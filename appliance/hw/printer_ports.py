"""What the appliance expects of a printer of slips, whatever driver stands behind it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from appliance.slips.slip import Slip


class PrinterState(Enum):
    """Where a printer stands: STOPPED outside start and stop, otherwise what its last event said."""

    STOPPED = "stopped"
    OFFLINE = "offline"
    ONLINE = "online"
    PAPER_OUT = "paper-out"


class PrinterTrouble(StrEnum):
    """Why a printer is offline; stable codes."""

    NO_DEVICE = "no-device"
    """It is not plugged in, or the port is another one."""
    FAILED = "failed"
    """It no longer takes data, or no longer answers."""
    NOT_READY = "not-ready"
    """It says so itself: cover open, cutter stuck, switched off line."""
    UNUSABLE = "unusable"
    """Its profile is unknown, or a library or font is missing: no use in trying again."""


class NotQueued(StrEnum):
    """Why a slip will not be printed; stable codes."""

    QUEUE_FULL = "printer-queue-full"
    """Too many slips wait for a printer that prints none of them."""
    STOPPED = "printer-stopped"


class PrinterChanged(Struct, frozen=True):
    """The printer is in another state from now on; ``why`` when that is OFFLINE."""

    printer: str
    state: PrinterState
    why: PrinterTrouble | None = None


class SlipPrinted(Struct, frozen=True):
    """A slip is on paper, as far as the printer can tell; ``copy`` when it was marked as one."""

    printer: str
    kind: str
    copy: bool


PrinterEvent: TypeAlias = PrinterChanged | SlipPrinted
PrinterSink: TypeAlias = Callable[[PrinterEvent], None]
"""Called in the driver's thread; it must only queue."""


class Printer(Protocol):
    """A printer of slips. What every driver promises (the contract suite runs over all of them):

    - `print` returns at once, whatever the printer does; slips come out in the order they were given;
    - a slip that was taken is printed once the printer can, also after a `stop` and another `start`; when too many
      wait, the newest is refused and none of the others lost;
    - one torn by missing paper or a lost connection is printed again whole, marked as a copy;
    - the first event after `start` says the state, then only changes are told;
    - `stop` returns within a second, tells nothing more afterwards, and may be called at any time, also twice.
    """

    @property
    def name(self) -> str: ...

    @property
    def state(self) -> PrinterState: ...

    @property
    def waiting(self) -> int:
        """How many slips are not printed yet."""

    def print(self, slip: Slip) -> NotQueued | None:
        """Take a slip to print it; None, or why it will not be printed."""

    def start(self, sink: PrinterSink) -> None:
        """Begin to print; RuntimeError when already started."""

    def stop(self) -> None:
        """End printing and let go of the device."""
