"""What both sides of a copy share: the store, places in a stream, and the alerts a person should see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, Protocol

from msgspec import Struct

from appliance import record
from appliance.record import Epoch, Head, parse_epoch


class Store(Protocol):
    """Where streams are kept: the journal, or the league's raw table. All calls are cheap but `absorb`."""

    def heads(self) -> list[Head]:
        """The head of the newest epoch of every stream held."""

    def head(self, stream: str, epoch: str) -> Head | None:
        """The newest record of that epoch, None if nothing of it is held."""

    def epochs(self, stream: str) -> list[str]:
        """The epochs held of a stream, oldest first."""

    def read(self, stream: str, epoch: str, after: int, max_bytes: int) -> list[tuple[bytes, bytes | None]]:
        """Records with seq > ``after``, in order, each with its head signature or None; at least one if there
        is one, and no more than ``max_bytes`` of them otherwise."""

    def absorb(self, stream: str, epoch: str, items: Sequence[tuple[bytes, bytes | None]]) -> Head:
        """Store verified records that continue ``head(stream, epoch)``; durable on return. Raises OSError."""


class SigningStore(Store, Protocol):
    """A store in which own streams are written, too."""

    def sign_heads(self) -> None:
        """Sign the own heads that are not signed yet: a batch ends at a signed record."""


Keyring = Callable[[str, str], bytes | None]
"""(stream, the device that opened the epoch) → that writer's raw Ed25519 public key, None if it may not write."""


class Signed(NamedTuple):
    """Up to record ``seq`` of an epoch, which has this hash, this raw key counts, though for nothing later."""

    key: bytes
    seq: int
    hash: str


Former = Callable[[str, str], Signed | None]
"""(stream, epoch) → what was signed there by a writer who has been revoked since."""


def nobody(_stream: str, _epoch: str) -> Signed | None:
    """No revoked writer is known."""
    return None


class Alert(Struct, frozen=True):
    """Something a person should know of, told once for a place; replication of other streams goes on.

    ``heals``: evenings that go well have it too, after a takeover or as a device comes back, and what is missing comes
    by itself; it is worth a look only where it stays.
    """

    heals: ClassVar[bool] = False

    stream: str
    epoch: str
    seq: int
    detail: str

    @property
    def line(self) -> str:
        """For a log: what it is, where, and why."""
        told = f"{type(self).__name__}: {self.stream} {self.epoch} {self.seq}: {self.detail}"
        return f"{told} (heals by itself; look into it only if it stays)" if self.heals else told


class Gap(Alert, frozen=True):
    """Batches from beyond ``seq`` + 1 keep coming and what is between does not."""

    heals = True


class BrokenChain(Alert, frozen=True):
    """Bytes that do not continue the record ``seq``; the stream stops there."""


class BadSignature(Alert, frozen=True):
    """The writer did not sign this head; the stream stops before it."""


class UnknownWriter(Alert, frozen=True):
    """The keyring has no key for who opened this epoch; the stream waits for one, which the venue's or the league's may
    bring: a device that was away hears late who belongs to the venue by now."""

    heals = True


class Forked(Alert, frozen=True):
    """Both sides have a record ``seq`` and they differ, or an epoch begins the stream anew."""


class PeerAhead(Alert, frozen=True):
    """The receiver has more than the sender, after a takeover or by a rolled-back disk, and it is fetched.

    ``seq`` is the receiver's.
    """

    heals = True


class Unsigned(Alert, frozen=True):
    """No signed record within a batch's size after ``seq``: nothing can be sent."""


class StoreTrouble(Alert, frozen=True):
    """The store refused verified records (disk full, read-only); not acknowledged, so they come again."""


def say_nothing(_: Alert) -> None:
    """For who does not want to hear alerts."""


class Teller:
    """Passes an alert on once for its kind and place."""

    def __init__(self, tell: Callable[[Alert], None]) -> None:
        self._tell = tell
        self._told: dict[tuple[str, type[Alert]], tuple[str, int]] = {}

    def __call__(self, alert: Alert) -> None:
        key, place = (alert.stream, type(alert)), (alert.epoch, alert.seq)
        if self._told.get(key) == place:
            return
        if len(self._told) >= 1000:  # names of streams may be anybody's invention
            self._told.clear()
        self._told[key] = place
        self._tell(alert)


class Position(NamedTuple):
    """A place in a stream across its epochs: after record ``seq`` of ``epoch``. Ordered."""

    epoch: Epoch
    seq: int


START = Position(Epoch(0, ""), 0)


def position_of(epoch: str, seq: int) -> Position:
    """The place after record ``seq`` of that epoch; seq 0 says that nothing of the stream is held: its start."""
    return Position(parse_epoch(epoch), seq) if seq else START


def hash_at(store: Store, head: Head, seq: int) -> str:
    """The hash of record ``seq`` of the epoch that ``head`` is the head of."""
    if seq == head.seq:
        return head.hash
    rows = store.read(head.stream, head.epoch, seq - 1, 1)
    return record.digest(rows[0][0]) if rows else ""
