"""A store in memory and a writer for it: small, obviously right, and able to lose its newest records."""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record
from appliance.record import Epoch, EpochOpened, Head, Link, Record

Item = tuple[bytes, bytes | None]


class MemoryStore:
    """Keeps lines of (raw, signature); refuses to skip or double, whatever it is told."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str, str], list[Item]] = {}
        self.broken: str | None = None

    def heads(self) -> list[Head]:
        return [self._head(stream, self.epochs(stream)[-1]) for stream in sorted({s for s, _ in self.lines})]

    def head(self, stream: str, epoch: str) -> Head | None:
        return self._head(stream, epoch) if (stream, epoch) in self.lines else None

    def epochs(self, stream: str) -> list[str]:
        return sorted((e for s, e in self.lines if s == stream), key=Epoch.parse)

    def read(self, stream: str, epoch: str, after: int, max_bytes: int) -> list[Item]:
        items: list[Item] = []
        size = 0
        for item in self.lines.get((stream, epoch), [])[after:]:
            size += len(item[0])
            if items and size > max_bytes:
                break
            items.append(item)
        return items

    def absorb(self, stream: str, epoch: str, items: Sequence[Item]) -> Head:
        if self.broken:
            raise OSError(self.broken)
        head = self.head(stream, epoch)
        for raw, _ in items:
            made, head = record.follow(head, raw)
            assert (made.stream, made.epoch) == (stream, epoch)
        self.lines.setdefault((stream, epoch), []).extend(items)
        return self._head(stream, epoch)

    def sign_heads(self) -> None:
        """The writer here signs at once."""

    def cut(self, stream: str, epoch: str, upto: int) -> None:
        """Lose everything after ``upto``, as a rolled-back disk does."""
        del self.lines[stream, epoch][upto:]
        if not self.lines[stream, epoch]:
            del self.lines[stream, epoch]

    def copy(self) -> MemoryStore:
        other = MemoryStore()
        other.lines = {line: list(items) for line, items in self.lines.items()}
        return other

    def raws(self) -> dict[tuple[str, str], list[bytes]]:
        """The bytes held, without signatures: what two equal copies have in common."""
        return {line: [raw for raw, _ in items] for line, items in self.lines.items()}

    def _head(self, stream: str, epoch: str) -> Head:
        items = self.lines[stream, epoch]
        return Head(stream, epoch, len(items), record.digest(items[-1][0]))


class Writer:
    """Writes streams into a store as an engine does: several records a commit, the last one signed."""

    def __init__(self, store: MemoryStore, device: str = "d1", seed: int = 1) -> None:
        self.store = store
        self.device = device
        self.key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.public = self.key.public_key().public_bytes_raw()
        self.journal_id = f"{seed:016x}"

    def open(self, stream: str, *, after: Head | None = None, n: int | None = None) -> str:
        """Open an epoch, linked to ``after`` or to the newest head held."""
        held = self.store.epochs(stream)
        if after is None and held:
            after = self.store.head(stream, held[-1])
        number = n or (Epoch.parse(after.epoch).n + 1 if after else 1)
        epoch = str(Epoch(number, self.journal_id))
        link = Link(after.epoch, after.seq, after.hash) if after else None
        opened = record.to_raw(EpochOpened(link, self.device, "test"))
        raw = record.encode(self._record(stream, epoch, 1, record.EPOCH_OPENED, opened, after.hash if after else None))
        self._commit(stream, epoch, [raw])
        return epoch

    def epoch(self, stream: str) -> str:
        """The newest epoch here."""
        return self.store.epochs(stream)[-1]

    def write(self, stream: str, count: int = 1, *, size: int = 10) -> None:
        """Append ``count`` records to the newest epoch in one commit."""
        epoch = self.store.epochs(stream)[-1]
        head = self.store.head(stream, epoch)
        raws = []
        for _ in range(count):
            assert head is not None
            data = record.to_raw({"n": head.seq, "pad": "x" * size})
            raws.append(
                record.encode(self._record(stream, epoch, head.seq + 1, "thing-nobody-knows/9", data, head.hash))
            )
            head = Head(stream, epoch, head.seq + 1, record.digest(raws[-1]))
        self._commit(stream, epoch, raws)

    def _record(self, stream: str, epoch: str, seq: int, type_: str, data: object, prev: str | None) -> Record:
        identity = record.uuid7(1_800_000_000_000 + seq, bytes(10))
        return Record(stream=stream, epoch=epoch, seq=seq, id=identity, at=1_800_000_000_000 + seq, type=type_,
                      data=data, prev=prev)  # type: ignore[arg-type]  # fmt: skip

    def _commit(self, stream: str, epoch: str, raws: list[bytes]) -> None:
        line = self.store.lines.setdefault((stream, epoch), [])
        line.extend((raw, None) for raw in raws)
        head = Head(stream, epoch, len(line), record.digest(raws[-1]))
        line[-1] = (raws[-1], record.sign(self.key, head))
