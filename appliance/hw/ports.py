"""What the appliance expects of its hardware, whatever driver stands behind it.

A reader tells everything it sees as frozen events handed to a *sink*. The sink is called in the driver's own
thread and must only queue: ``queue.SimpleQueue().put`` is the sink of the kiosk. So a slow consumer can delay
its own work, never the reader's, and no tap is lost between card and queue.

A reader that is gone is a state, not a crash: drivers reopen by themselves for as long as they run.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct


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


class Technology(StrEnum):
    """What a card in the field speaks beyond its UID."""

    ISO_DEP = "iso-dep"
    """APDUs over ISO/IEC 14443-4: NTAG 424 DNA and its like."""
    TYPE_2 = "type-2"
    """Pages of four bytes (NFC Forum Type 2): NTAG21x."""
    NONE = "none"
    """Nothing but a UID: 125 kHz cards, and readers that pass on only that."""


class CardLost(ConnectionError):
    """The card no longer answers in the middle of a dialog; ``why`` is what the room is told."""

    def __init__(self, why: Unreadable = Unreadable.GONE) -> None:
        super().__init__(f"card lost: {why}")
        self.why = why


class NotSupported(OSError):
    """This reader cannot send that to this card."""


class Channel(Protocol):
    """Talk with the one card in the field, valid only while the dialog that got it runs.

    Every call raises `CardLost` when the card is gone, and `NotSupported` when reader or card cannot do it.
    """

    @property
    def technology(self) -> Technology: ...

    def transmit(self, apdu: bytes) -> bytes:
        """ISO-DEP: a command APDU; returns the response with its two status bytes."""

    def read_pages(self, page: int) -> bytes:
        """Type 2 READ: the 16 bytes of four pages from ``page`` on."""

    def write_page(self, page: int, data: bytes) -> None:
        """Type 2 WRITE of one page; ``data`` has four bytes."""

    def command(self, raw: bytes) -> bytes:
        """Type 2: a raw command without its CRC (GET_VERSION, READ_SIG, PWD_AUTH...); returns the answer.

        A refusal (NAK) is the one byte the card said, and silence of a card that is still there is empty: either
        way it was chosen again, and knows no password any more. `NotSupported` is for readers that cannot send it.
        """


Dialog: TypeAlias = Callable[[Channel, str], object]
"""Called in the reader's thread while the card lies there, with its UID; returns what is known of the card.
`CardLost` from it makes a `CardUnreadable` of that reason; any other exception is logged by its type and place
only, for its text may hold what is secret, and makes a `CardUnreadable` (MUTE)."""


class ReaderState(Enum):
    """Where a reader stands: STOPPED outside start and stop, otherwise what its last event said."""

    STOPPED = "stopped"
    OFFLINE = "offline"
    ONLINE = "online"


class CardPresented(Struct, frozen=True):
    """A card came into the field and was read.

    ``reader`` is the port's name, ``uid`` upper-case hex as the card gave it (whatever its length),
    ``at_ns`` the monotonic clock (``time.monotonic_ns``) when the card was noticed, before it was read;
    ``reading`` is what the dialog returned, None without a dialog.
    """

    reader: str
    uid: str
    at_ns: int
    reading: object = None


class CardRemoved(Struct, frozen=True):
    """The card last told of has left the field."""

    reader: str
    at_ns: int


class CardUnreadable(Struct, frozen=True):
    """A card came into the field and could not be read, so far; a `CardRemoved` follows when it leaves."""

    reader: str
    why: Unreadable
    at_ns: int


class ReaderOnline(Struct, frozen=True):
    """The reader works from now on."""

    reader: str


class ReaderOffline(Struct, frozen=True):
    """The reader is gone, and the card in its field with it; no tap is seen until the next `ReaderOnline`."""

    reader: str
    why: Offline


class KeyPressed(Struct, frozen=True):
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

    @property
    def alive_ns(self) -> int:
        """Monotonic time of the last proof that the reader's thread and its device live; 0 before any."""

    def start(self, sink: Sink, dialog: Dialog | None = None) -> None:
        """Begin to watch; every event goes to ``sink``, in order. RuntimeError when already started.

        With a ``dialog`` each card is asked by it before it is told.
        """

    def stop(self) -> None:
        """End watching and let go of the device."""


SILENT_NS = 9_000_000_000
"""A reader that proved nothing for so long is silent: its thread hangs or its device does."""


def silent(reader: Reader, now_ns: int) -> bool:
    """Whether a started reader has not proved for `SILENT_NS` that it lives (``now_ns`` on the monotonic clock).

    One that is offline says so itself and is not silent on top of it.
    """
    return reader.state is ReaderState.ONLINE and now_ns - reader.alive_ns > SILENT_NS
