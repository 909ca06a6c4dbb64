"""What the league's stream has told the venues, kept from one look to the next: only what was added is folded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from appliance import record as rec
from appliance.game.codec import EventError
from appliance.game.commands import Announce
from appliance.game.roster import Roster, RoundOffered, RoundWithdrawn, decode_roster_event
from appliance.game.rosterrun import fold_run
from appliance.rosterrecords import readable
from league.ingest.models import RawRecord
from league.ingest.store import VenueStore

_OFFERS = ("round-offered/1", "round-withdrawn/1")


class _Fold(NamedTuple):
    """A stream folded up to a record: its history till there, and that record's hash."""

    history: list[tuple[str, int]]
    hash: str
    roster: Roster


class Told:
    """What venues were told so far, by venue. Belongs to one process, and looks at the database each time."""

    def __init__(self) -> None:
        self._folds: dict[str, _Fold] = {}

    def of(self, venue: str) -> Roster:
        """What the league's stream has told a venue so far."""
        stream, history = f"league/{venue}", VenueStore(venue).history(f"league/{venue}")
        fold = self._folds.get(venue)
        if fold is None or not _goes_on(stream, fold, history):
            fold = _Fold([], "", Roster())
        last = fold.hash

        def fresh() -> Iterator[rec.Record]:
            nonlocal last
            for raw in _raws(stream, history, fold.history):
                last = rec.digest(raw)
                yield rec.decode(raw)

        roster = fold_run(fold.roster, readable(fresh()))
        self._folds[venue] = _Fold(history, last, roster)
        return roster

    def holds(self, venue: str, roster: Roster) -> None:
        """Keep an equal roster in place of the one found last: one whose entries are shared with other venues'."""
        self._folds[venue] = self._folds[venue]._replace(roster=roster)


def offer_of(venue: str, round: str) -> Announce | None:
    """What stands as offered of a round in the venue's stream, found without reading what it says of people."""
    stream, word = f"league/{venue}", round.encode()
    for epoch, upto in reversed(VenueStore(venue).history(stream)):
        rows = RawRecord.objects.filter(stream=stream, epoch=epoch, seq__lte=upto, type__in=_OFFERS).order_by("-seq")
        for raw in rows.values_list("raw", flat=True).iterator(chunk_size=100):
            if word not in bytes(raw):
                continue
            record = rec.decode(bytes(raw))
            try:
                event = decode_roster_event(record.type, record.data)
            except EventError:
                continue
            if isinstance(event, RoundWithdrawn) and event.round == round:
                return None
            if isinstance(event, RoundOffered) and event.announcement.round == round:
                return event.announcement
    return None


def _goes_on(stream: str, fold: _Fold, history: list[tuple[str, int]]) -> bool:
    """Whether what was folded is how the stream begins: another process's fork, or a backup, may have replaced it."""
    if not fold.history:
        return True
    if len(history) < len(fold.history):
        return False
    place = len(fold.history) - 1
    epoch, seq = fold.history[place]
    if history[:place] != fold.history[:place] or history[place][0] != epoch or history[place][1] < seq:
        return False
    raw = RawRecord.objects.filter(stream=stream, epoch=epoch, seq=seq).values_list("raw", flat=True).first()
    return raw is not None and rec.digest(bytes(raw)) == fold.hash


def _raws(stream: str, history: list[tuple[str, int]], done: list[tuple[str, int]]) -> Iterator[bytes]:
    """The records of a stream after those that are done."""
    after = dict(done)
    for epoch, upto in history:
        rows = RawRecord.objects.filter(stream=stream, epoch=epoch, seq__gt=after.get(epoch, 0), seq__lte=upto)
        for raw in rows.order_by("seq").values_list("raw", flat=True).iterator(chunk_size=2000):
            yield bytes(raw)
