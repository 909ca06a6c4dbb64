"""PC/SC readers on a real pcscd: a tap to its bare APDUs, an idle reader's wake-ups, and how soon one is back.

A tap is timed from the moment the reader's thread notices the card to its event, with a dialog of as many APDUs as it
takes to verify an NTAG 424 DNA; bare is the same number over pyscard alone. `LIMIT_S` is the promise of DESIGN §9.
"""

from __future__ import annotations

import os
import queue
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from appliance.hw.ports import CardPresented, CardRemoved, Channel, ReaderEvent, ReaderOffline, ReaderOnline
from bench.ifd.rig import Rig, plug, unplug
from bench.measure import Figure, percentile
from tests.contract.virtualcard import GET_UID, OK, process_socket

TAPS = 300
WARM_UP = 20
APDUS = 4
COMMAND = bytes.fromhex("90AF000020") + bytes(32) + b"\0"
CARD_ATR = bytes.fromhex("3B8180018080")
TAP_LIMIT = 3.0
LIMIT_S = 2.0
ROUNDS = 5
IDLE_S = 30.0
NOTICED_S = 8.0
"""How soon a pcscd that hangs must be told."""

Kind = TypeVar("Kind")


class Events:
    """What a reader tells, with the time it was heard."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[ReaderEvent, float]] = queue.SimpleQueue()

    def sink(self, event: ReaderEvent) -> None:
        self._queue.put((event, time.monotonic()))

    def next(self, kind: type[Kind], timeout: float = 30.0) -> tuple[Kind, float]:
        """The next event of this kind and when it came."""
        while True:
            event, at = self._queue.get(timeout=timeout)
            if isinstance(event, kind):
                return event, at


def answer(command: bytes) -> bytes:
    """A card that has nothing to think about."""
    return bytes.fromhex("04958CAA5C5E80") + OK if command == GET_UID else bytes(32) + b"\x91\0"


def figures() -> Iterator[Figure]:
    """A tap, its way to the event, wake-ups, and each return."""
    process_socket()
    yield from _taps()
    yield _idle()
    for name, gone, back in (
        ("pcscd killed", lambda rig: rig.pcscd.kill(), lambda rig: rig.pcscd.start()),
        ("pcscd stopped", lambda rig: rig.pcscd.stop(), lambda rig: rig.pcscd.start()),
        ("unplugged", lambda rig: unplug(rig.readers[0]), lambda rig: plug(rig.readers[0])),
        ("pcscd hung", _hang, lambda rig: os.kill(rig.pcscd.pid, signal.SIGCONT)),
    ):
        yield from _returns(name, gone, back)


def _taps() -> Iterator[Figure]:
    from appliance.hw.pcsc import PcscReader

    def dialog(channel: Channel, _: str) -> None:
        for _ in range(APDUS):
            channel.transmit(COMMAND)

    ours, bare, noticed, events = [], [], [], Events()
    reader = PcscReader("Tableside Virtual")
    with Rig() as rig:
        reader.start(events.sink, dialog)
        events.next(ReaderOnline)
        for _ in range(TAPS + WARM_UP):
            before = time.monotonic()
            rig.insert(answer, atr=CARD_ATR)
            event, at = events.next(CardPresented)
            noticed.append(event.at_ns / 1e9 - before)
            ours.append(at - event.at_ns / 1e9)
            bare.append(_bare(f"{rig.readers[0].name} 00 00"))
            rig.remove()
            events.next(CardRemoved)
        reader.stop()
    pairs = list(zip(ours, bare, strict=True))[WARM_UP:]
    note = f"{_ms(ours)}, {APDUS + 1} bare APDUs {_ms(bare)}; card noticed after {_ms(noticed)}"
    yield Figure("readers: a PC/SC tap", statistics.median(a / b for a, b in pairs), TAP_LIMIT, False, note)


def _bare(slot: str) -> float:
    """Seconds for the same APDUs over pyscard alone."""
    from smartcard import scard

    _, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_SYSTEM)
    before = time.monotonic()
    _, card, _ = scard.SCardConnect(context, slot, scard.SCARD_SHARE_SHARED, scard.SCARD_PROTOCOL_T1)
    for command in (GET_UID, *[COMMAND] * APDUS):
        scard.SCardTransmit(card, scard.SCARD_PCI_T1, list(command))
    scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
    took = time.monotonic() - before
    scard.SCardReleaseContext(context)
    return took


def _ms(seconds: list[float]) -> str:
    values = [second * 1000 for second in seconds[WARM_UP:]]
    return f"{statistics.median(values):.2f} ms (p99 {percentile(values, 0.99):.2f})"


def _idle() -> Figure:
    """Times the reader's threads go to sleep, a second (proc(5), status)."""
    from appliance.hw.pcsc import PcscReader

    events, reader = Events(), PcscReader("Tableside Virtual", name="bench")
    with Rig():
        reader.start(events.sink)
        events.next(ReaderOnline)
        time.sleep(1)
        threads = {t.name: t for t in threading.enumerate() if t.name in ("reader bench", "guard bench")}
        before = {name: _sleeps(thread) for name, thread in threads.items()}
        time.sleep(IDLE_S)
        rates = {name: (_sleeps(thread) - before[name]) / IDLE_S for name, thread in threads.items()}
        reader.stop()
    note = ", ".join(f"{name.split()[0]} {rate:.2f}" for name, rate in rates.items())
    return Figure("readers: wake-ups of an idle PC/SC reader / 1 a second", rates["reader bench"], 1.0, False, note)


def _sleeps(thread: threading.Thread) -> int:
    status = Path(f"/proc/self/task/{thread.native_id}/status").read_text()
    return int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])


def _hang(rig: Rig) -> None:
    os.kill(rig.pcscd.pid, signal.SIGSTOP)


def _returns(name: str, gone: Callable[[Rig], None], back: Callable[[Rig], None]) -> Iterator[Figure]:
    """The longest of some rounds from the device's return to the reader's, and to its loss being told."""
    from appliance.hw.pcsc import PcscReader

    events, reader = Events(), PcscReader("Tableside Virtual")
    lost, returned = [], []
    with Rig() as rig:
        reader.start(events.sink)
        events.next(ReaderOnline)
        for _ in range(ROUNDS):
            before = time.monotonic()
            gone(rig)
            lost.append(events.next(ReaderOffline)[1] - before)
            before = time.monotonic()
            back(rig)
            returned.append(events.next(ReaderOnline)[1] - before)
        reader.stop()
    note = (
        f"median {statistics.median(returned):.3f} s, longest {max(returned):.3f} s; told gone after {max(lost):.3f} s"
    )
    yield Figure(f"readers: back after {name} / 2 s", max(returned) / LIMIT_S, 1.0, False, note)
    if gone is _hang:
        noticed = f"longest {max(lost):.2f} s"
        yield Figure("readers: a pcscd that hangs is told / 8 s", max(lost) / NOTICED_S, 1.1, False, noticed)
