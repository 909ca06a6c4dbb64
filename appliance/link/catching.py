"""What a director catches up on: records that devices have and it lacks. See `appliance.link.fetching`.

While it gathers, it takes whatever the venue has. Once it serves, it writes on itself: what a device has of a later
epoch is no longer a longer copy but another director's, and the proof of that is worth more than the records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from appliance.link import topics
from appliance.link.envelope import Batch, DirectorNotice, Hello
from appliance.link.fetching import Fetcher
from appliance.link.receiver import Receiver
from appliance.link.store import Alert, Forked, Store, hash_at
from appliance.record import Head, parse_epoch


class Catching:
    """The director's `Fetcher`. ``notice`` gives the director's own, as it is now."""

    def __init__(
        self,
        notice: Callable[[], DirectorNotice],
        store: Store,
        receiver: Receiver,
        alert: Callable[[Alert], None],
        forked: Callable[[Head, Sequence[bytes]], None],
        caught_up: Callable[[str], None],
    ) -> None:
        self._notice = notice
        self._store = store
        self._receiver = receiver
        self.fetcher = Fetcher(
            store, receiver, alert, admits=self._admits, writes=self._writes, forked=forked, caught_up=caught_up
        )

    def heard(self, hello: Hello, own: frozenset[str], now: float) -> None:
        """A device has said what it has; the newest of what it writes itself (``own``) it sends unasked."""
        newest: dict[str, Head] = {}
        for head in hello.heads:
            if head.stream in own and _order(head) > _order(newest.get(head.stream, _BEFORE)):
                newest[head.stream] = head
        self.fetcher.heard(hello.device, [h for h in hello.heads if h != newest.get(h.stream)], now)
        for head in () if hello.copies else hello.heads:  # nothing is sent to it that would show where we differ
            here = self._store.head(head.stream, head.epoch) if self._writes(head.stream, head.epoch) else None
            if here and head.hash and 0 < head.seq <= here.seq and hash_at(self._store, here, head.seq) != head.hash:
                self.fetcher.mends(hello.device, Forked(*head[:3], "another record there"), now)

    def is_anothers(self, batch: Batch) -> bool:
        """Whether a batch is of an epoch of the venue's stream that is later than the one we direct in."""
        return batch.stream == self._venue_stream and not self._notice().gathering and self._later(batch.epoch)

    def is_proof(self, batch: Batch) -> bool:
        """Whether it shows that a device of the venue has opened that epoch."""
        leaps = parse_epoch(batch.epoch).leaps(self._notice().epoch)
        return batch.first == 1 and not leaps and self._receiver.is_genuine(batch)

    @property
    def _venue_stream(self) -> str:
        return f"venue/{self._notice().venue}"

    def _later(self, epoch: str) -> bool:
        return parse_epoch(epoch) > parse_epoch(self._notice().epoch)

    def _admits(self, head: Head) -> bool:
        if not topics.owned_by(self._notice().venue, head.stream):
            return False
        if self._notice().gathering or not head.stream.startswith("round/"):
            return True
        epochs = self._store.epochs(head.stream)
        return not epochs or parse_epoch(head.epoch) <= parse_epoch(epochs[-1])

    def _writes(self, stream: str, epoch: str) -> bool:
        """Whether we write in that epoch: round and venue, in those that our journal opened."""
        return stream.startswith(("round/", "venue/")) and (
            parse_epoch(epoch).journal == parse_epoch(self._notice().epoch).journal
        )


_BEFORE = Head("", "1-0000000000000000", -1, "")


def _order(head: Head) -> tuple[object, int]:
    return parse_epoch(head.epoch), head.seq
