"""Tap to glass: from a card on the reader to its answer on the screen, by way of the director.

The commissioner's card confirms a waiting participant: real pcscd, the kiosk's program, mosquitto, the director's
program, and back into the kiosk's copy and onto its (headless) glass. Between the taps the bare path is measured,
`bench.floor`, in the same venue on the same broker.
"""

from __future__ import annotations

import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from appliance.display import parts, prompt
from appliance.display.from_round import Link, Scene, door_view, short_name
from appliance.display.from_round import Venue as Place
from appliance.display.layout import draw_list
from appliance.display.ops import Box, DrawList
from appliance.display.raster import Painter
from appliance.display.window import Window
from appliance.game.roster import Roster
from appliance.game.state import Round
from appliance.i18n import Translator
from bench.floor import BarePath, Floor
from bench.ifd.rig import Rig
from bench.measure import Figure, percentile
from bench.venue_programs import COMMISSIONER_UID, DEPOSIT, ROUND, VENUE_NAME, Venue, name_of, number_of, uid_of
from bench.watched_kiosk import Frame

SIZE = (1280, 720)
LANGUAGE = "cs"
TAPS = 80
EVENINGS = 4
PAUSE_S = 0.05

_KIOSK = (
    f'[reader]\ndriver = "pcsc"\n[screen]\nwidth = {SIZE[0]}\nheight = {SIZE[1]}\nfullscreen = false\nheadless = true\n'
)


class Sample(NamedTuple):
    """One tap of each kind, and a bare path; milliseconds."""

    glass: float
    local: float
    hops: float
    commits: float
    draw: float

    @property
    def floor(self) -> float:
        """The whole bare path."""
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


class Easel:
    """A window of this process, and the frame with the answer."""

    def __init__(self, round: Round, roster: Roster) -> None:
        self._round = round
        self._roster = roster
        self._window = Window(SIZE, driver="dummy")
        self._painter = Painter(self._window.fonts, cache_bytes=2 * SIZE[0] * SIZE[1])
        self._words = Translator(LANGUAGE)

    def answer(self, player: int) -> Callable[[], None]:
        """What draws the frame: all of it, from a ready draw list; nothing is compared with what stood there."""
        chips = self._round.rules.chips_per_crown * DEPOSIT
        return partial(self._draw, self._list(prompt.Registered(number_of(player), DEPOSIT, chips)))

    def _draw(self, ops: DrawList) -> None:
        self._painter.paint(parts.display.get_surface(), ops, Box(0, 0, *SIZE))
        parts.display.update()

    def _list(self, shown: prompt.Prompt) -> DrawList:
        scene = Scene(
            round=self._round,
            roster=self._roster,
            link=Link(),
            venue=Place(VENUE_NAME),
            at_ms=time.time_ns() // 1_000_000,
            prompt=shown,
        )
        return draw_list(door_view(scene), SIZE, self._words, self._window.fonts)


def evening(folder: Path, taps: int, pause_s: float = PAUSE_S) -> Iterator[Sample]:
    """Register ``taps`` participants at a door, each followed by a bare path and a pause."""
    registered = Translator(LANGUAGE).gettext("Registered")
    glass = Glass(folder / "glass")
    with Rig() as rig, Venue(folder / "venue", "door", taps) as venue:
        easel = Easel(*venue.prepare([{"do": "open", "round": ROUND}]))
        venue.start_director()
        venue.start_kiosk("door", _KIOSK, by=("-m", "bench.watched_kiosk", str(folder / "glass")))
        port = venue.broker.endpoint.port
        other_end = [sys.executable, "-m", "bench.floor", str(port), str(folder / "director.db")]
        venue.children.start("other-end", other_end)
        bare = BarePath(port, folder)
        venue.wait_for("the kiosk's copy", lambda: venue.is_copied(f"round/{ROUND}"))
        time.sleep(1)
        for player in range(taps):
            who = short_name(name_of(player))
            local = tap(rig, uid_of(player), partial(glass.wait, who))
            answered = tap(rig, COMMISSIONER_UID, partial(glass.wait, who, registered))
            paint = easel.answer(player)
            time.sleep(pause_s)
            yield Sample(answered, local, *_milliseconds(bare.measure(paint)))
        bare.close()


def tap(rig: Rig, uid: str, answer: Callable[[], Frame]) -> float:
    """Hold a card to the reader until its answer is seen; milliseconds from card to glass."""
    time.sleep(PAUSE_S)
    start = time.monotonic_ns()
    rig.insert_quick(uid)
    seen = answer().at_ns
    rig.remove()
    return (seen - start) / 1e6


def _milliseconds(floor: Floor) -> Iterator[float]:
    return (part / 1e6 for part in floor)


def samples(evenings: int = EVENINGS, taps: int = TAPS) -> list[Sample]:
    """All taps of some evenings."""
    taken: list[Sample] = []
    for _ in range(evenings):
        with tempfile.TemporaryDirectory() as name:
            taken += evening(Path(name), taps)
    return taken


def figures() -> Iterator[Figure]:
    """The median tap against the median bare path."""
    taken = samples()
    glass, floor = [s.glass for s in taken], [s.floor for s in taken]
    mine, least = statistics.median(glass), statistics.median(floor)
    hops, commits, draw = (statistics.median(values) for values in zip(*(s[2:] for s in taken), strict=True))
    note = (
        f"{mine:.2f} ms, p99 {percentile(glass, 0.99):.1f}; bare {least:.2f} ms (hops {hops:.2f}, "
        f"commits {commits:.2f}, draw {draw:.2f}), p99 {percentile(floor, 0.99):.1f}; {len(taken)} taps"
    )
    yield Figure("tap to glass / 2 hops + 2 commits + draw", mine / least, 1.5, False, note)
