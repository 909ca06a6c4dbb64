"""No tap is lost and none told twice, however many there are and however slow those who listen (DESIGN §4)."""

from __future__ import annotations

import os
import queue
import threading

from appliance.hw.pcsc import PcscReader
from appliance.hw.ports import CardPresented, CardRemoved, ReaderEvent, ReaderOnline
from bench.ifd.rig import Rig

TAPS = int(os.environ.get("TABLESIDE_TAPS", "2000"))
SLOW_CALLS = 40
SLOW_S = 0.3


def test_every_tap_is_told_once_and_in_order_to_a_slow_observer() -> None:
    """Each card lies there until it has been read and not a moment longer; the next follows at once."""
    events: queue.SimpleQueue[ReaderEvent] = queue.SimpleQueue()
    told: list[ReaderEvent] = []
    online, never = threading.Event(), threading.Event()

    def observe() -> None:
        while len(told) < 1 + 2 * TAPS:
            told.append(events.get(timeout=60))
            online.set()
            if len(told) % (2 * TAPS // SLOW_CALLS) == 0:
                never.wait(SLOW_S)

    observer = threading.Thread(target=observe)
    reader = PcscReader("Tableside Virtual", name="door")
    cards = [f"04{number:012X}" for number in range(TAPS)]
    with Rig() as rig:
        reader.start(events.put)
        observer.start()
        assert online.wait(30)
        for uid in cards:
            rig.insert(uid).wait_until_read(30)
        rig.remove()
        observer.join()
        reader.stop()
    assert told[0] == ReaderOnline("door")
    assert [event.uid for event in told if isinstance(event, CardPresented)] == cards
    assert [type(event) for event in told[1:]] == [CardPresented, CardRemoved] * TAPS
    assert events.empty()
