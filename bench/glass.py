"""Tap to glass: from a card on the reader to its answer on the screen, by way of the director.

The commissioner's card confirms a waiting participant: real pcscd, the kiosk's program, mosquitto, the director's
program, and back into the kiosk's copy and onto its (headless) glass. The floor is what the way cannot do without,
measured between the taps on the same machine: two bare MQTT hops, two bare commits, one bare draw.
"""

from __future__ import annotations

import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from appliance.display import prompt
from appliance.display.from_round import Link, Scene, door_view, short_name
from appliance.display.from_round import Venue as Place
from appliance.display.layout import draw_list
from appliance.display.ops import DrawList
from appliance.display.window import Window
from appliance.game.roster import Roster
from appliance.i18n import Translator
from bench.floor import Commits, Hops
from bench.ifd.rig import Rig
from bench.measure import Figure, percentile
from bench.venue import COMMISSIONER_UID, DEPOSIT, ROUND, Venue, name_of, number_of, uid_of
from bench.watched_kiosk import Frame

SIZE = (1280, 720)
TAPS = 80
EVENINGS = 4
COMMAND_BYTES = 330
BATCH_BYTES = 620
RECORD_BYTES = 420


class Sample(NamedTuple):
    """One tap and one floor, in milliseconds."""

    glass: float
    local: float
    hops: float
    commits: float
    draw: float

    @property
    def floor(self) -> float:
        """The sum of what cannot be done without."""
        return self.hops + self.commits + self.draw


class Glass:
    """The frames that the watched kiosk tells of."""

    def __init__(self, file: Path) -> None:
        self._heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._heard.bind(str(file))
        self._heard.settimeout(10)

    def wait(self, *texts: str) -> Frame:
        """The first frame on which all of these stand."""
        while True:
            frame = msgspec.json.decode(self._heard.recv(65536), type=Frame)
            if all(any(text in shown for shown in frame.texts) for text in texts):
                return frame


class Draw:
    """The answer's frame drawn over the waiting one's, in a window of this process: only what differs."""

    def __init__(self) -> None:
        self._window = Window(SIZE, driver="dummy")
        self._words = Translator("cs")
        self._count = 0

    def measure(self) -> int:
        """Nanoseconds from a ready draw list to the glass."""
        self._count += 1
        who = number_of(self._count % TAPS)
        self._window.show(self._list(prompt.Waiting(who)))
        after = self._list(prompt.Registered(who, DEPOSIT, 40 * DEPOSIT))
        start = time.monotonic_ns()
        self._window.show(after)
        return time.monotonic_ns() - start

    def _list(self, shown: prompt.Prompt) -> DrawList:
        now = time.time_ns() // 1_000_000
        scene = Scene(round=None, roster=Roster(), link=Link(), venue=Place("Herna"), at_ms=now, prompt=shown)
        return draw_list(door_view(scene), SIZE, self._words, self._window.fonts)


def evening(folder: Path, taps: int) -> Iterator[Sample]:
    """Register ``taps`` participants at a door, each tap followed by a floor."""
    words = Translator("cs")
    registered = words.gettext("Registered")
    listener = folder / "glass"
    glass = Glass(listener)
    with Rig() as rig, Venue(folder / "venue", "door", taps) as venue:
        venue.prepare([{"do": "open", "round": ROUND}])
        venue.start_director()
        venue.start_kiosk(
            "door",
            f'[reader]\ndriver = "pcsc"\n[screen]\nwidth = {SIZE[0]}\nheight = {SIZE[1]}\n'
            "fullscreen = false\nheadless = true\n",
            by=("-m", "bench.watched_kiosk", str(listener)),
        )
        port = venue.broker.endpoint.port
        venue.children.start("echo", [sys.executable, "-m", "bench.floor", str(port), str(BATCH_BYTES)])
        hops, commits, draw = Hops(port, os.urandom(COMMAND_BYTES)), Commits(folder, RECORD_BYTES), Draw()
        time.sleep(2)
        for player in range(taps):
            start = time.monotonic_ns()
            rig.insert(uid_of(player))
            local = glass.wait(short_name(name_of(player))).at_ns - start
            rig.remove()
            time.sleep(0.05)
            start = time.monotonic_ns()
            rig.insert(COMMISSIONER_UID)
            answer = glass.wait(short_name(name_of(player)), registered).at_ns - start
            rig.remove()
            time.sleep(0.05)
            yield Sample(*(ns / 1e6 for ns in (answer, local, hops.measure(), commits.measure(), draw.measure())))
        hops.close()
        commits.close()


def samples(evenings: int = EVENINGS, taps: int = TAPS) -> list[Sample]:
    """All taps of some evenings."""
    taken: list[Sample] = []
    for _ in range(evenings):
        with tempfile.TemporaryDirectory() as name:
            taken += evening(Path(name), taps)
    return taken


def figures() -> Iterator[Figure]:
    """The median tap against the median floor."""
    taken = samples()
    glass, floor = sorted(s.glass for s in taken), [s.floor for s in taken]
    median = statistics.median(glass)
    parts = ", ".join(f"{p} {statistics.median(getattr(s, p) for s in taken):.2f}" for p in ("hops", "commits", "draw", "local"))
    yield Figure(
        "tap to glass / 2 hops + 2 commits + 1 draw",
        median / statistics.median(floor),
        1.5,
        False,
        f"{median:.2f} ms, p99 {percentile(glass, 0.99):.1f}, against {statistics.median(floor):.2f} ({parts}); {len(taken)} taps",
    )


if __name__ == "__main__":
    for figure in figures():
        print(figure)
