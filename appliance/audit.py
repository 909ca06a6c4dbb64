"""Looking into a journal file: verify it, list it, export it.

What one file cannot show is that its newest records are gone: if the end of a stream's newest epoch, a whole newest
epoch, or a stream that was the last to begin is missing and all that is left fits together, the file is that of an
earlier moment. So is one whose log (``journal-wal``) is damaged: SQLite takes it up to the last commit that is whole.
The copies on the kiosks and at the league show it: theirs go further (`link.store.PeerAhead`).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from appliance import journal_file
from appliance import record as rec
from appliance.journal import Journal
from appliance.journal_file import JournalError, LineRow
from appliance.record import Epoch, Head, Record, RecordError

Keys: TypeAlias = Mapping[str, Sequence[Ed25519PublicKey]]
_NAMES_DEVICES = {"venue": "device-adopted/1", "league": "device/1"}
"""By the first part of a stream's name, the type of its records that name a device and its key."""


class Finding(NamedTuple):
    """The verdict on one epoch of a stream: records sound, how many of them a signature covers, the first fault.

    A fault of the file that is no single line's has an empty ``stream``.
    """

    stream: str
    epoch: str
    records: int
    signed_upto: int
    fault: str | None
    head: str = ""
    """The hash of the last record, if all is sound: the same in every copy of the same evening."""


def verify(journal: Journal) -> Iterator[Finding]:
    """Check what a journal that is open has on the disk; see `verify_file`."""
    return verify_file(journal.path)


def verify_file(path: Path) -> Iterator[Finding]:
    """Check file and lines: structure, gaps, hash chain, epoch links, head signatures by the writers' keys kept here.

    Kept beside the lines, or told in them: whoever was let in during the evening stands in the venue's streams alone.
    Of a damaged file, every line that can be found is looked at. Raises `JournalError` if it is no journal at all.
    """
    with contextlib.closing(journal_file.open_to_read(path, whole=False)) as db, journal_file.snapshot(db, path):
        try:
            if fault := journal_file.structure_fault(db, path):
                yield _of_file(fault)
            lines = journal_file.lines(db, path)
            if fault := journal_file.lines_fault(db, path, lines):
                yield _of_file(fault)
            keys = _keys(db, path, lines)
        except JournalError as error:
            yield _of_file(error.detail.removeprefix(f"{path}: "))
            return
        heads: dict[tuple[str, str, int], str] = {}
        for line in sorted(lines, key=_in_order):
            yield _verify_line(journal_file.records(db, path, line.number), line, keys, heads)


def every_record(journal: Journal) -> Iterator[tuple[Record, bytes]]:
    """All records, stream by stream, epoch by epoch, in order, with their bytes.

    Raises `RecordError` or `JournalError` at the first one that does not continue what is here.
    """
    heads: dict[tuple[str, str, int], str] = {}
    for stream in journal.streams():
        for epoch in journal.epochs(stream):
            head: Head | None = None
            for raw, _ in journal.read(stream, epoch):
                record, head = rec.follow(head, raw)
                if record.seq == 1:
                    _check_link(record, heads)
                heads[stream, epoch, head.seq] = head.hash
                yield record, raw


def _of_file(fault: str) -> Finding:
    return Finding("", "", 0, 0, fault)


def _in_order(line: LineRow) -> tuple[str, Epoch, str]:
    """By stream, an epoch after those it may continue."""
    try:
        return line.stream, Epoch.parse(line.epoch), line.epoch
    except RecordError:
        return line.stream, Epoch(0, ""), line.epoch


class _Device(msgspec.Struct):
    device: str
    key: str


def _keys(db: sqlite3.Connection, path: Path, lines: Sequence[LineRow]) -> Keys:
    """The writers' keys, all that each has had; one that is damaged is none."""
    keys: dict[str, list[Ed25519PublicKey]] = {}
    kept = journal_file.rows(db, path, "SELECT device, public FROM writer", (), (str, str))
    for device, public in (*kept, *_told(db, path, lines)):
        with contextlib.suppress(ValueError):
            keys.setdefault(device, []).append(Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)))
    return keys


def _told(db: sqlite3.Connection, path: Path, lines: Sequence[LineRow]) -> Iterator[tuple[str, str]]:
    """The devices that a venue's and the league's streams name, with their keys. A damaged line ends early here."""
    for line in lines:
        kind = _NAMES_DEVICES.get(line.stream.partition("/")[0])
        if kind is not None:
            with contextlib.suppress(JournalError, RecordError, msgspec.MsgspecError, UnicodeDecodeError):
                for raw, _ in journal_file.records(db, path, line.number):
                    if kind.encode() in raw and (record := rec.decode(raw)).type == kind:
                        named = msgspec.json.decode(record.data, type=_Device)
                        yield named.device, named.key


def _verify_line(
    stored: Iterator[tuple[bytes, bytes | None]],
    line: LineRow,
    keys: Keys,
    heads: dict[tuple[str, str, int], str],
) -> Finding:
    _, stream, epoch = line
    head: Head | None = None
    signed = 0
    writer = ""
    try:
        for raw, sig in stored:
            record, follows = rec.follow(head, raw)
            if (record.stream, record.epoch) != (stream, epoch):
                raise RecordError("broken-chain", f"it is of {record.stream} {record.epoch}")
            if record.seq == 1:
                writer = _check_link(record, heads)
            if sig is not None:
                _check_signature(follows, sig, writer, keys)
                signed = record.seq
            head = follows
            heads[stream, epoch, head.seq] = head.hash
    except (RecordError, JournalError) as error:
        sound = head.seq if head else 0
        return Finding(stream, epoch, sound, signed, f"record {sound + 1}: {error}")
    return Finding(
        stream, epoch, head.seq if head else 0, signed, None if head else "no records", head.hash if head else ""
    )


def _check_signature(head: Head, sig: bytes, writer: str, keys: Keys) -> None:
    if writer not in keys:
        raise RecordError("bad-signature", f"no key of its writer {writer!r} is kept here")
    if not any(rec.verify(key, head, sig) for key in keys[writer]):
        raise RecordError("bad-signature", f"not signed by {writer!r}")


def _check_link(first: Record, heads: dict[tuple[str, str, int], str]) -> str:
    """The writer of an epoch, after checking that the record it continues is held here, sound and the same."""
    opened = rec.epoch_opened(first)
    if opened.after is not None:
        held = heads.get((first.stream, opened.after.epoch, opened.after.seq))
        place = f"{opened.after.epoch} {opened.after.seq}"
        if held is None:
            raise RecordError("broken-chain", f"continues {place}, which is not here, or not sound")
        if held != opened.after.hash:
            raise RecordError("broken-chain", f"continues another {place} than held here")
    return opened.by
