"""Looking into a journal file: verify it, list it, export it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from appliance import record as rec
from appliance.journal import Journal
from appliance.record import Epoch, Head, Record, RecordError


class Finding(NamedTuple):
    """The verdict on one epoch of a stream: records sound, how many of them a signature covers, the first fault."""

    stream: str
    epoch: str
    records: int
    signed_upto: int
    fault: str | None


def verify(journal: Journal) -> Iterator[Finding]:
    """Check every line: gaps, hash chain, epoch links, head signatures by the writers' keys kept in the file."""
    keys = {name: Ed25519PublicKey.from_public_bytes(bytes.fromhex(k)) for name, k in journal.writers().items()}
    heads: dict[tuple[str, str, int], str] = {}
    for stream in journal.streams():
        for epoch in journal.epochs(stream):
            yield _verify_line(journal, stream, epoch, keys, heads)


def every_record(journal: Journal) -> Iterator[tuple[Record, bytes]]:
    """All records, stream by stream, epoch by epoch, in order, with their bytes."""
    for stream in journal.streams():
        for epoch in journal.epochs(stream):
            for raw, _ in journal.read(stream, epoch):
                yield rec.decode(raw), raw


def _verify_line(
    journal: Journal,
    stream: str,
    epoch: str,
    keys: dict[str, Ed25519PublicKey],
    heads: dict[tuple[str, str, int], str],
) -> Finding:
    head: Head | None = None
    signed = 0
    writer = ""
    for raw, sig in journal.read(stream, epoch):
        at = f"record {head.seq + 1 if head else 1}"
        try:
            record, head = rec.follow(head, raw)
            if record.seq == 1:
                writer = _check_link(record, heads)
        except RecordError as error:
            return Finding(stream, epoch, head.seq if head else 0, signed, f"{at}: {error}")
        heads[stream, epoch, head.seq] = head.hash
        if sig is None:
            continue
        if writer not in keys:
            return Finding(stream, epoch, head.seq, signed, f"{at}: no key of its writer {writer!r} is kept here")
        if not rec.verify(keys[writer], head, sig):
            return Finding(stream, epoch, head.seq - 1, signed, f"{at}: bad-signature: not signed by {writer!r}")
        signed = head.seq
    return Finding(stream, epoch, head.seq if head else 0, signed, None)


def _check_link(first: Record, heads: dict[tuple[str, str, int], str]) -> str:
    """The writer of an epoch, after checking that what it continues, if held here, is what it says."""
    opened = rec.epoch_opened(first)
    if opened.after is not None:
        Epoch.parse(opened.after.epoch)
        held = heads.get((first.stream, opened.after.epoch, opened.after.seq))
        if held is not None and held != opened.after.hash:
            raise RecordError(
                "broken-chain", f"continues another {opened.after.epoch} {opened.after.seq} than held here"
            )
    return opened.by
