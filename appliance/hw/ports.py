"""What the appliance expects of its hardware, whatever driver stands behind it.

A reader tells everything it sees as frozen events handed to a *sink*. The sink is called in the driver's own
thread and must only queue: ``queue.SimpleQueue().put`` is the sink of the kiosk. So a slow consumer can delay
its own work, never the reader's, and no tap is lost between card and queue.

A reader that is gone is a state, not a crash: drivers reopen by themselves for as long as they run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Protocol, TypeAlias


class Offline(StrEnum):
    """Why a reader is not there; stable codes, the display has words for them."""

    NO_SERVICE = "no-service"
    """The service that owns the readers (pcscd) is not running."""
    NO_READER = "no-reader"
    """No reader of the wanted name is plugged in."""
    FAILED = "failed"
    """The reader is plugged in and does not work."""


class Unreadable(StrEnum):
    """Why a card in the field gave no UID; stable codes, the display has words for them."""

    GONE = "gone"
    """Taken away before it was read: tap again."""
    MUTE = "mute"
    """Something is in the field and does not answer: a dead chip, or no card at all."""
    NO_UID = "no-uid"
    """The card talks, but gives no UID."""
    BUSY = "busy"
    """Another program holds the card."""


class ReaderState(Enum):
    """Where a reader stands: STOPPED outside start and stop, otherwise what its last event said."""

    STOPPED = "stopped"
    OFFLINE = "offline"
    ONLINE = "online"


@dataclass(frozen=True, slots=True)
class CardPresented:
    """A card came into the field and was read.

    ``reader`` is the port's name, ``uid`` upper-case hex as the card gave it (whatever its length),
    ``at_ns`` the monotonic clock (``time.monotonic_ns``) when the card was noticed, before it was read.
    """

    reader: str
    uid: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardRemoved:
    """The card last told of has left the field."""

    reader: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card came into the field and could not be read, so far; a `CardRemoved` follows when it leaves."""

    reader: str
    why: Unreadable
    at_ns: int


@dataclass(frozen=True, slots=True)
class ReaderOnline:
    """The reader works from now on."""

    reader: str


@dataclass(frozen=True, slots=True)
class ReaderOffline:
    """The reader is gone, and the card in its field with it; no tap is seen until the next `ReaderOnline`."""

    reader: str
    why: Offline


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key of a keyboard, as pygame names it: simulated hardware has one beside the reader."""

    reader: str
    key: str


ReaderEvent: TypeAlias = CardPresented | CardRemoved | CardUnreadable | ReaderOnline | ReaderOffline | KeyPressed
Sink: TypeAlias = Callable[[ReaderEvent], None]


class DriverMissing(ImportError):
    """A driver's library is not installed; the text names the extra that brings it."""


class Reader(Protocol):
    """One place to tap a card.

    What every driver promises (the contract suite runs over all of them):

    - the first event after `start` says whether the reader is online or offline; then only changes are told;
    - each card in the field is told once, as `CardPresented` or `CardUnreadable`, and once as `CardRemoved`
      when it leaves; when the reader goes offline instead, `ReaderOffline` stands for both. An unreadable card
      that is held there and read after all is told as `CardPresented` too;
    - a card that lies on the reader when it comes online is told like a new one;
    - `stop` returns within a second, tells nothing more afterwards, and may be called at any time, also
      twice; a stopped reader can be started again.
    """

    @property
    def name(self) -> str:
        """The name in every event of this reader, chosen by the configuration."""

    @property
    def state(self) -> ReaderState:
        """The state the last event left; safe to read from any thread."""

    def start(self, sink: Sink) -> None:
        """Begin to watch; every event goes to ``sink``, in order. RuntimeError when already started."""

    def stop(self) -> None:
        """End watching and let go of the device."""
