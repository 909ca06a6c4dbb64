"""A pcscd of one's own with event-driven virtual readers: how a tap is made and timed without hardware.

    with Rig() as rig:
        rig.insert("04A2B3C4D5E6F7")
        rig.remove()

Programs started inside the block find that pcscd by themselves (PCSCLITE_CSOCK_NAME is in the environment).
In the process itself, enter a rig before the first use of PC/SC: libpcsclite looks only once.

``python -m bench.ifd.rig`` prints the time from tap to event through the product's own reader.
"""

from __future__ import annotations

import hashlib
import os
import queue
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.contract.virtualcard import (
    ATR,
    OK,
    Address,
    Answer,
    Pcscd,
    ReaderConfig,
    VirtualCard,
    process_socket,
    require,
)

SOURCE = Path(__file__).with_name("ifd_virtual.c")
BUILD = Path(__file__).parents[2] / "build" / "ifd"


def driver() -> Path:
    """The driver's library, compiled once for each version of its source."""
    mark = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    library = BUILD / f"libifdvirtual-{mark}.so"
    if not library.exists():
        require("gcc", Path("/usr/include/PCSC/ifdhandler.h"))
        BUILD.mkdir(parents=True, exist_ok=True)
        unfinished = library.with_suffix(f".{os.getpid()}")
        flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I/usr/include/PCSC"]
        subprocess.run(["gcc", *flags, "-o", str(unfinished), str(SOURCE)], check=True)
        unfinished.rename(library)
    return library


def event_driven(name: str = "Tableside Virtual") -> ReaderConfig:
    """A reader of this driver, plugged in; PC/SC names it ``<name> <index> 00``."""
    socket = process_socket().with_name(name.replace(" ", "-") + ".card")
    reader = ReaderConfig(name, f"/dev/null:{socket}", driver(), str(socket))
    plug(reader)
    Path(f"{reader.address}.usb").unlink(missing_ok=True)
    return reader


def unplug(reader: ReaderConfig) -> None:
    """Pull an event-driven reader's cable."""
    Path(f"{reader.address}.unplugged").touch()


def plug(reader: ReaderConfig) -> None:
    """Put an event-driven reader's cable back."""
    Path(f"{reader.address}.unplugged").unlink(missing_ok=True)


def plugged_in_at(reader: ReaderConfig, bus: int, address: int) -> None:
    """Have an event-driven reader say where on USB it is plugged in, until the next `event_driven`."""
    Path(f"{reader.address}.usb").write_text(f"{bus} {address}")


class QuickCard:
    """A card that has said who it is before it is asked: as fast as a chip, where a thread of ours takes a while.

    It cannot be asked twice; good for one look while it lies on the reader.
    """

    def __init__(self, address: Address, uid: str) -> None:
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(address)
        self._connection.sendall(b"".join(_message(body) for body in (ATR, bytes.fromhex(uid) + OK)))

    def remove(self) -> None:
        """Take the card out of the field."""
        self._connection.close()


def _message(body: bytes) -> bytes:
    return len(body).to_bytes(2, "big") + body


class Rig:
    """A running pcscd with one event-driven reader a name, each with room for one card."""

    def __init__(self, *names: str) -> None:
        self.readers = [event_driven(name) for name in names or ("Tableside Virtual",)]
        self.pcscd = Pcscd(*self.readers)
        self._cards: dict[int, VirtualCard | QuickCard] = {}

    def __enter__(self) -> Rig:
        self.pcscd.start()
        return self

    def __exit__(self, *_: object) -> None:
        for reader in list(self._cards):
            self.remove(reader)
        self.pcscd.__exit__()

    def insert(self, card: str | Answer, reader: int = 0, *, atr: bytes = ATR) -> VirtualCard:
        """Put a card (its UID, or its answers) into a reader's field; one that is there leaves first."""
        self.remove(reader)
        self._cards[reader] = made = VirtualCard(self.readers[reader].address, card, atr=atr)
        return made

    def insert_quick(self, uid: str, reader: int = 0) -> None:
        """The same with a `QuickCard`, where time is measured."""
        self.remove(reader)
        self._cards[reader] = QuickCard(self.readers[reader].address, uid)

    def remove(self, reader: int = 0) -> None:
        """Take the card away; nothing happens without one."""
        if card := self._cards.pop(reader, None):
            card.remove()


def latencies(taps: int) -> tuple[list[float], list[float]]:
    """Milliseconds from tap to event received, and from tap to card noticed, for each of ``taps`` taps."""
    process_socket()
    from appliance.hw.pcsc import PcscReader
    from appliance.hw.ports import CardPresented, CardRemoved, ReaderEvent, ReaderOnline

    events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()

    def expect(kind: type[ReaderEvent]) -> ReaderEvent:
        while not isinstance(event := events.get(timeout=10), kind):
            pass
        return event

    received, noticed = [], []
    reader = PcscReader("Tableside Virtual")
    with Rig() as rig:
        reader.start(events.put)
        expect(ReaderOnline)
        for number in range(taps):
            before = time.monotonic_ns()
            rig.insert(f"04{number:012X}")
            event = expect(CardPresented)
            received.append((time.monotonic_ns() - before) / 1e6)
            assert isinstance(event, CardPresented)
            noticed.append((event.at_ns - before) / 1e6)
            rig.remove()
            expect(CardRemoved)
        reader.stop()
    return received, noticed


def main() -> None:
    received, noticed = latencies(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
    for what, values in (("tap to event", received), ("tap to card noticed", noticed)):
        cuts = statistics.quantiles(values, n=100)
        print(f"{what:20} median {cuts[49]:.2f} ms  p95 {cuts[94]:.2f}  p99 {cuts[98]:.2f}  max {max(values):.2f}")


if __name__ == "__main__":
    main()
