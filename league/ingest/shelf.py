"""What a group of messages adds to the raw table, written at its end: one statement costs about as much as many rows.

Heads are kept from one group to the next. Whether they still are what the table holds is asked when the group is
written; if another process moved one meanwhile, nothing of the group has happened (`StoreConflict`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django.db import IntegrityError, connection
from django.utils import timezone
from msgspec import Struct

from appliance import record as rec
from appliance.record import Epoch, Head, Record
from league.ingest import store
from league.ingest.models import StreamHead
from league.ingest.store import Row, StoreConflict, VenueStore
from league.ingest.text import kept

_MOST_HEADS = 20_000

KIND = 80
"""So many characters of a record's type are kept beside it."""

Place = tuple[str, str]


class _Known(Struct):
    """A head as it will be once the group is written; ``seq`` is the table's, ``pk`` None where it has none yet."""

    venue: str
    pk: int | None
    seq: int
    head: Head
    link: rec.Link | None = None


class Shelf:
    """Heads and rows of all venues, between a group's first message and its end."""

    def __init__(self) -> None:
        self._heads: dict[Place, _Known] = {}
        self._touched: set[Place] = set()
        self._rows: dict[Place, list[Row]] = {}

    def forget(self) -> None:
        """Nothing of the group was written, or nobody knows."""
        self._heads.clear()
        self._touched.clear()
        self._rows.clear()

    def begin(self) -> None:
        """A group begins."""
        if len(self._heads) > _MOST_HEADS:
            self._heads.clear()

    def head(self, venue: str, place: Place) -> Head | None:
        """How far an epoch is stored or will be."""
        known = self._heads.get(place)
        if known is None:
            row = StreamHead.objects.filter(stream=place[0], epoch=place[1]).first()
            if row is None:
                return None
            known = _Known(row.venue, row.pk, row.seq, Head(row.stream, row.epoch, row.seq, row.hash))
            self._heads[place] = known
        self._touched.add(place)
        return known.head if known.venue == venue else None

    def add(self, venue: str, rows: Sequence[Row], head: Head, link: rec.Link | None) -> None:
        """Rows that continue what is here, and the head after them. Raises `StoreConflict`."""
        place = (head.stream, head.epoch)
        known = self._heads.get(place)
        if known is None:
            self._heads[place] = _Known(venue, None, 0, head, link)
        elif known.venue != venue:
            raise StoreConflict(f"{head.stream} {head.epoch} belongs to {known.venue}")
        else:
            known.head = head
        self._touched.add(place)
        self._rows.setdefault(place, []).extend(rows)

    def flush(self) -> None:
        """Write what was added, if what it continues is as it was found. Raises `StoreConflict`, `django.db.Error`."""
        if not self._touched:
            return
        touched = [(place, self._heads[place]) for place in sorted(self._touched)]
        self._touched.clear()
        rows = [row for place in sorted(self._rows) for row in self._rows[place]]
        self._rows.clear()
        try:
            if rows:
                store.insert(rows)
            self._check([known for _, known in touched if known.pk is not None and known.head.seq == known.seq])
            self._move([known for _, known in touched if known.pk is not None and known.head.seq != known.seq])
            for _, known in touched:
                if known.pk is None:
                    known.pk = _created(known)
        except IntegrityError as error:
            raise StoreConflict(f"another process stored it: {error}") from None
        for _, known in touched:
            known.seq = known.head.seq

    def _check(self, same: list[_Known]) -> None:
        wanted = {known.pk: known.seq for known in same if known.pk is not None}
        if wanted and dict(StreamHead.objects.filter(pk__in=wanted).values_list("pk", "seq")) != wanted:
            raise StoreConflict("another process moved a head")

    def _move(self, moved: list[_Known]) -> None:
        if not moved:
            return
        table = connection.ops.quote_name(StreamHead._meta.db_table)
        with connection.cursor() as cursor:
            cursor.executemany(
                f"UPDATE {table} SET seq = %s, hash = %s WHERE id = %s AND seq = %s",  # nosec B608
                [(known.head.seq, known.head.hash, known.pk, known.seq) for known in moved],
            )
            if cursor.rowcount != len(moved):
                raise StoreConflict("another process moved a head")


def _is_ours(stream: str) -> bool:
    """The league's own streams grow by its pens, which tell nobody: they are never kept here."""
    return stream.startswith("league/")


@lru_cache(maxsize=1024)
def _kind(type: str) -> str:
    return kept(type, KIND)


def _created(known: _Known) -> int:
    head, link = known.head, known.link
    row = StreamHead.objects.create(
        stream=head.stream, epoch=head.epoch, epoch_number=Epoch.parse(head.epoch).n, venue=known.venue, seq=head.seq,
        hash=head.hash, after_epoch=link.epoch if link else "", after_seq=link.seq if link else None,
    )  # fmt: skip
    return row.pk


class ShelvedStore(VenueStore):
    """One venue's part of the raw table, with what the group in hand adds to it."""

    def __init__(self, venue: str, shelf: Shelf) -> None:
        super().__init__(venue)
        self._shelf = shelf

    def heads(self) -> list[Head]:
        self._shelf.flush()
        return super().heads()

    def latest(self, most: int) -> list[Head]:
        self._shelf.flush()
        return super().latest(most)

    def head(self, stream: str, epoch: str) -> Head | None:
        if _is_ours(stream):
            return super().head(stream, epoch)
        return self._shelf.head(self.venue, (stream, epoch))

    def epochs(self, stream: str) -> list[str]:
        self._shelf.flush()
        return super().epochs(stream)

    def read(self, stream: str, epoch: str, after: int, max_bytes: int) -> list[tuple[bytes, bytes | None]]:
        self._shelf.flush()
        return super().read(stream, epoch, after, max_bytes)

    def absorb_followed(
        self, items: Sequence[tuple[bytes, bytes | None]], records: Sequence[Record], head: Head
    ) -> Head:
        """Store records that were followed from what is here up to ``head``, once the group ends."""
        if _is_ours(head.stream):
            return self.absorb(head.stream, head.epoch, items)
        at = connection.ops.adapt_datetimefield_value(timezone.now())
        stream, epoch = head.stream, head.epoch
        rows: list[Row] = [
            (stream, epoch, record.seq, _kind(record.type[:KIND]), raw, signature, at)
            for record, (raw, signature) in zip(records, items, strict=True)
        ]
        link = rec.epoch_opened(records[0]).after if records[0].seq == 1 else None
        self._shelf.add(self.venue, rows, head, link)
        return head
