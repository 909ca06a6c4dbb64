"""Taking over: from whose copies the next director goes on, and where its epochs begin (DESIGN §5).

It begins with the copy of its own kiosk, asks all devices for theirs, and fetches what is longer; then it opens the
next epoch of the venue's stream and of every round in one commit.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from appliance.journal import Draft, Journal
from appliance.kinds import Takeover
from appliance.link.topics import owned_by
from appliance.record import Epoch, Head, RecordError, decode
from appliance.stranded import by_command

HEAR_S = 1.5
"""How long others may take to answer after the first one has."""

GATHER_S = 3.0
"""How long a takeover asks where nobody is known to be missing."""

EXPECT_S = 5.0
"""How long it waits for devices that were there a moment before: they may alone have what was acknowledged last."""

FETCH_S = 8.0
"""How long it takes at most, when something longer that somebody has named is still on its way."""

WHY = "takeover"
"""Why the epochs of a takeover are opened."""

FIRST = 1
"""The number of the first epoch that there is."""

Line = tuple[str, str]
"""A stream and an epoch of it."""

_log = logging.getLogger(__name__)


class Taking(NamedTuple):
    """How a director was started. A commissioner (``by``, the registration number) has this device take over, or nobody
    has. ``copy``: the journal of its kiosk, which gives it what it has, and hands over what it leaves behind.
    ``expected``: the devices that were there when that kiosk last heard the old director; ``wish``: which takeover of
    that kiosk's it is, for it may start the director again before it has heard that it serves.
    """

    by: str = ""
    copy: Path | None = None
    expected: tuple[str, ...] = ()
    wish: str = ""

    @property
    def takes_over(self) -> bool:
        """Whether it is to follow whoever directs now."""
        return bool(self.by)


SIMPLY = Taking()
"""It goes on, or begins."""


class Gathering:
    """Whose word has come, and whether to wait for more. Times are monotonic seconds."""

    def __init__(self, devices: Iterable[str], now: float, expected: Iterable[str] = ()) -> None:
        """``devices``: all that could answer; ``expected``: those that are likely to."""
        self._missing = set(devices)
        self._expected = self._missing.intersection(expected)
        self._first: float | None = None
        self._begun = now
        self.heard: list[str] = []
        self.named: set[Line] = set()

    def hello(self, device: str, now: float, heads: Iterable[Head] = ()) -> None:
        """This device has told what it holds: ``heads``."""
        self.named.update((head.stream, head.epoch) for head in heads)
        if device not in self.heard:
            self.heard.append(device)
            self._missing.discard(device)
            self._first = self._first or now

    @property
    def unheard(self) -> tuple[str, ...]:
        """The expected devices that have not answered."""
        return tuple(sorted(self._expected & self._missing))

    def until(self, *, fetching: bool = False) -> float:
        """When it is over if nobody else answers; ``fetching``: something longer is on its way."""
        if fetching:
            return self._begun + FETCH_S
        if self.unheard:
            return self._begun + EXPECT_S
        end = self._begun + GATHER_S
        return end if self._first is None else min(end, self._first + HEAR_S)

    def over(self, now: float, fetching: bool) -> bool:
        """Whether all that can be had is here."""
        return now >= self.until(fetching=fetching) or not (fetching or self._missing)


def take_copy(journal: Journal, copy: Path, venue: str) -> list[str]:
    """Store what another program of this device has of the venue's streams, as far as their writers signed it.

    What does not continue what is here stays there: somebody else's copy may. Returns the streams that have grown.
    Raises `JournalError`.
    """
    grown: list[str] = []
    with Journal(copy, read_only=True) as theirs, journal.begin() as transaction:
        for stream in theirs.streams():
            if not owned_by(venue, stream):
                continue
            for epoch in theirs.epochs(stream):
                here = journal.head(stream, epoch)
                rows = theirs.read(stream, epoch, here.seq if here else 0)
                signed = max((n for n, (_, signature) in enumerate(rows, 1) if signature is not None), default=0)
                try:
                    if signed:
                        transaction.absorb(stream, epoch, rows[:signed])
                        grown.append(stream)
                except RecordError as error:
                    _log.error("%s %s of %s: %s", stream, epoch, copy, error)
        transaction.commit()
    return sorted(set(grown))


def next_epoch(journal: Journal, venue: str, above: int) -> str:
    """The epoch in which this journal would write the venue's stream next; its number is over ``above``, and over that
    of a director who was there first: of whom nothing may be here."""
    newest = journal.newest(f"venue/{venue}")
    return str(Epoch(max(FIRST, above, Epoch.parse(newest.epoch).n if newest else 0) + 1, journal.id))


def held(copy: Path) -> set[Line]:
    """What another journal holds. Raises `JournalError`."""
    with Journal(copy, read_only=True) as theirs:
        return {(stream, epoch) for stream in theirs.streams() for epoch in theirs.epochs(stream)}


def instead(journal: Journal, named: Collection[Line]) -> dict[str, Head]:
    """By stream, what to go on from where the newest epochs are an earlier takeover's of this device that ended before
    its first word: nobody else has them (``named``: what others have), and no command was carried out in them. What
    others have played on with meanwhile counts. Raises `RecordError`.
    """
    found: dict[str, Head] = {}
    for newest in journal.heads():
        if not newest.stream.startswith(("round/", "venue/")):
            continue
        epochs = journal.epochs(newest.stream)
        while epochs and _never_heard(journal, (newest.stream, epochs[-1]), named):
            epochs.pop()
        if epochs and epochs[-1] != newest.epoch:
            head = journal.head(newest.stream, epochs[-1])
            found |= {newest.stream: head} if head else {}
        elif epochs and newest.epoch.endswith(f"-{journal.id}"):
            return {}
    return found


def _never_heard(journal: Journal, line: Line, named: Collection[Line]) -> bool:
    stream, epoch = line
    if line in named or not epoch.endswith(f"-{journal.id}"):
        return False
    return not any(item.actor for item in by_command(decode(raw) for raw, _ in journal.read(stream, epoch)))


def open_epochs(
    journal: Journal, venue: str, note: Takeover, at: int, above: int, after: Mapping[str, Head] | None = None
) -> list[str]:
    """Open the next epoch of the venue's stream, with the note of who took over, and of every round; all or none.

    ``above``: a number that another director's epoch has, though no record of it is here; ``after``: what streams go on
    from, if it is not the newest head (`instead`). Returns the streams. Raises `JournalError`.
    """
    after = after or {}
    main = f"venue/{venue}"
    rounds = [stream for stream in journal.streams() if stream.startswith("round/")]
    with journal.begin() as transaction:
        for stream in rounds:
            transaction.open_epoch(stream, WHY, max(at, journal.last_at(stream)), after=after.get(stream))
        at = max(at, journal.last_at(main))
        epoch = transaction.open_epoch(main, WHY, at, after=after.get(main), above=max(FIRST, above)).epoch
        data = msgspec.Raw(msgspec.json.encode(note))
        transaction.append(main, epoch, [Draft(str(note.__struct_config__.tag), data)], at)
        transaction.commit()
    return [main, *rounds]
