"""The raw table as a `Store` that replication reads and writes: one venue's part of it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from appliance import record as rec
from appliance.record import Epoch, Head
from league.ingest.models import RawRecord, StreamHead
from league.ingest.text import kept


class StoreConflict(DatabaseError):
    """Somebody else wrote the same stream meanwhile: the caller must look again at what is stored."""


class VenueStore:
    """Every stream that a venue writes, and the league's own for it."""

    def __init__(self, venue: str) -> None:
        self.venue = venue

    def heads(self) -> list[Head]:
        """The newest epoch's head of every stream held."""
        newest: dict[str, StreamHead] = {}
        for row in StreamHead.objects.filter(venue=self.venue):
            known = newest.get(row.stream)
            if known is None or Epoch.parse(known.epoch) < Epoch.parse(row.epoch):
                newest[row.stream] = row
        return [_head(row) for _, row in sorted(newest.items())]

    def latest(self, most: int) -> list[Head]:
        """The newest epochs' heads of the venue's own stream and of those begun last."""
        begun = StreamHead.objects.filter(venue=self.venue).order_by("-pk").values_list("stream", flat=True)
        wanted = {f"venue/{self.venue}", *list(dict.fromkeys(begun))[:most]}
        return [head for head in self.heads() if head.stream in wanted]

    def head(self, stream: str, epoch: str) -> Head | None:
        """The newest record of one epoch, None if nothing of it is here."""
        row = StreamHead.objects.filter(venue=self.venue, stream=stream, epoch=epoch).first()
        return _head(row) if row else None

    def epochs(self, stream: str) -> list[str]:
        """The epochs held of a stream, oldest first."""
        found = StreamHead.objects.filter(venue=self.venue, stream=stream).values_list("epoch", flat=True)
        return sorted(found, key=Epoch.parse)

    def read(self, stream: str, epoch: str, after: int, max_bytes: int) -> list[tuple[bytes, bytes | None]]:
        """Records with ``seq > after`` and their head signatures, at least one if there is one."""
        if self.head(stream, epoch) is None:
            return []
        rows: list[tuple[bytes, bytes | None]] = []
        size = 0
        found = RawRecord.objects.filter(stream=stream, epoch=epoch, seq__gt=after).order_by("seq")
        for raw, signature in found.values_list("raw", "signature").iterator(chunk_size=500):
            size += len(raw)
            if rows and size > max_bytes:
                break
            rows.append((bytes(raw), bytes(signature) if signature is not None else None))
        return rows

    def absorb(self, stream: str, epoch: str, items: Sequence[tuple[bytes, bytes | None]]) -> Head:
        """Store records that continue what is here; they are committed when the outermost transaction is.

        Raises `RecordError` when they do not continue it, `StoreConflict` when another process was faster.
        """
        with transaction.atomic():
            row = StreamHead.objects.select_for_update(no_key=True).filter(stream=stream, epoch=epoch).first()
            if row is not None and row.venue != self.venue:
                raise StoreConflict(f"{stream} {epoch} belongs to {row.venue}")
            head = _head(row) if row else None
            link: rec.Link | None = None
            at = connection.ops.adapt_datetimefield_value(timezone.now())
            rows: list[Row] = []
            if head is not None and items and rec.decode(items[0][0]).seq <= head.seq:
                raise StoreConflict(f"{stream} {epoch}: another process stored it")
            for raw, signature in items:
                record, head = rec.follow(head, raw)
                if (record.stream, record.epoch) != (stream, epoch):
                    raise rec.RecordError("broken-chain", f"{stream} {epoch}: a record of another stream")
                if record.seq == 1:
                    link = rec.epoch_opened(record).after
                rows.append((stream, epoch, record.seq, kept(record.type, 80), raw, signature, at))
            if head is None:
                raise rec.RecordError("broken-chain", f"{stream} {epoch}: nothing to store")
            try:
                with transaction.atomic():
                    insert(rows)
                    self._move_head(row, head, link)
            except IntegrityError:
                raise StoreConflict(f"{stream} {epoch}: another process stored it") from None
        return head

    def history(self, stream: str) -> list[tuple[str, int]]:
        """The stream's epochs as its links join them, oldest first, each with the last record that counts.

        What an older epoch holds past the fork is stranded: kept, and not in here (DESIGN §3).
        """
        rows = {row.epoch: row for row in StreamHead.objects.filter(venue=self.venue, stream=stream)}
        if not rows:
            return []
        row = rows[max(rows, key=Epoch.parse)]
        chain = [(row.epoch, row.seq)]
        while row.after_epoch and row.after_epoch in rows:
            chain.append((row.after_epoch, row.after_seq or 0))
            row = rows[row.after_epoch]
        return chain[::-1]

    def _move_head(self, row: StreamHead | None, head: Head, link: rec.Link | None) -> None:
        if row is None:
            StreamHead.objects.create(
                stream=head.stream, epoch=head.epoch, epoch_number=Epoch.parse(head.epoch).n,
                venue=self.venue, seq=head.seq, hash=head.hash,
                after_epoch=link.epoch if link else "", after_seq=link.seq if link else None,
            )  # fmt: skip
            return
        moved = StreamHead.objects.filter(pk=row.pk, seq=row.seq).update(seq=head.seq, hash=head.hash)
        if not moved:
            raise StoreConflict(f"{head.stream} {head.epoch}: another process stored it")


Row = tuple[str, str, int, str, bytes, bytes | None, Any]
_COLUMNS = ("stream", "epoch", "seq", "type", "raw", "signature", "received_at")
_TYPES = ("varchar", "varchar", "int8", "varchar", "bytea", "bytea", "timestamptz")
_AT_ONCE = 200
"""Rows in one statement of SQLite's: at each step of one it lets other threads run, who do not give way soon."""


def insert(rows: Sequence[Row]) -> None:
    """Rows of the raw table, without a model's object for each: that took as long as all else of storing a record."""
    quote = connection.ops.quote_name
    table, columns = quote(RawRecord._meta.db_table), ", ".join(map(quote, _COLUMNS))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            into = f"COPY {table} ({columns}) FROM STDIN (FORMAT BINARY)"
            with connection.wrap_database_errors, cursor.copy(into) as copy:
                copy.set_types(_TYPES)
                for row in rows:
                    copy.write_row(row)
            return
        places = f"({', '.join(['%s'] * len(_COLUMNS))})"
        for first in range(0, len(rows), _AT_ONCE):
            part = rows[first : first + _AT_ONCE]
            values = ", ".join([places] * len(part))
            cursor.execute(
                f"INSERT INTO {table} ({columns}) VALUES {values}",  # nosec B608
                list(itertools.chain.from_iterable(part)),
            )


def _head(row: StreamHead) -> Head:
    return Head(row.stream, row.epoch, row.seq, row.hash)
