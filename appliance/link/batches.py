"""Cutting a batch out of a store: as much as fits, and it ends at a signed record."""

from __future__ import annotations

from msgspec import Raw

from appliance.link.envelope import MAX_BATCH_RECORDS, MAX_PAYLOAD_BYTES, Batch
from appliance.link.store import Store

BATCH_BYTES = MAX_PAYLOAD_BYTES - MAX_BATCH_RECORDS - 1024
"""Records in a batch, together: what is left of a payload beside commas, names and the signature. The same for
every sender, so that what came in one batch can be relayed in one: its signature is at its end only."""


def cut(
    store: Store, stream: str, epoch: str, after: int, upto: int, *, most: int = BATCH_BYTES, smallest: bool = False
) -> Batch | None:
    """The batch after record ``after``, not beyond ``upto``; None where no record of it is signed.

    ``most``: bytes of records. ``smallest``: one that ends at the first signature.
    """
    # A reader of another process's file may read on past the heads it knows; an ack of that would surprise it.
    known = min(max(0, upto - after), MAX_BATCH_RECORDS)
    rows = store.read(stream, epoch, after, most)[:known]
    signed = [n for n, (_, signature) in enumerate(rows) if signature is not None]
    if not signed:
        return None
    end = signed[0] if smallest else signed[-1]
    raws = tuple(Raw(raw) for raw, _ in rows[: end + 1])
    return Batch(stream, epoch, after + 1, raws, rows[end][1] or b"")
