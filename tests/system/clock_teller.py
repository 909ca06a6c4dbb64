"""A kiosk's engine without a screen, which says at given instants how much of the level it would show.

``python -m tests.system.clock_teller SITE DEVICE``: a line in, ``at NS`` (CLOCK_MONOTONIC, common to all programs of a
machine), ``direct NUMBER`` (have this device direct) or ``close``; a line of JSON out for each.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from appliance.config import load
from appliance.display.from_round import Link, Scene, Venue, clock_view
from appliance.game import clock
from appliance.station import Station
from appliance.takeover import Directorate
from appliance.workplace import Workplace

_NARROW_NS = 200_000  # between the readings of both clocks no longer wait may lie
_TRIES = 200
_POOR_MS = 20.0  # what the kiosk itself holds possible: twice that apart two may be


def stamp(station: Station) -> tuple[int, int]:
    """The monotonic clock (ns) and the time that a view built in this moment is of (UTC ms)."""
    best: tuple[int, int, int] | None = None
    for _ in range(_TRIES):
        before = time.monotonic_ns()
        at = station.now_ms()
        after = time.monotonic_ns()
        if best is None or after - before < best[0]:
            best = after - before, (before + after) // 2, at
        if best[0] < _NARROW_NS:
            break
    assert best is not None
    return best[1], best[2]


def told(station: Station, target_ns: int) -> dict[str, Any]:
    """What this kiosk shows at the instant: milliseconds of the level by its stamp, and the seconds of its view."""
    time.sleep(max(0, target_ns - time.monotonic_ns()) / 1e9)
    snapshot = station.snapshot
    mono, at = stamp(station)
    shown = next((round for round in snapshot.rounds if round.id == "R1"), None)
    if shown is None or shown.clock is None:
        return {"ready": False, "director": snapshot.director, "wall": time.time()}
    error = None
    with contextlib.suppress(RuntimeError):  # the engine thread has just added to it: the next look will tell
        error = station._link.offset.error_ms
    scene = Scene(
        round=shown, roster=snapshot.roster, link=Link(), venue=Venue(""), at_ms=at, times=snapshot.times
    )  # fmt: skip
    view = clock_view(scene)
    assert view.board.face is not None
    return {
        "ready": snapshot.offset_ms != 0 and (error or _POOR_MS) < _POOR_MS,
        "director": snapshot.director, "directs": station.direction.name,
        "left_ms": clock.face(shown, at).remaining_ms + (mono - target_ns) / 1e6, "running": view.board.face.running,
        "at": at - (mono - target_ns) / 1e6, "shown_s": view.board.face.remaining_s,
        "stamped_s": -(-clock.face(shown, at).remaining_ms // 1000), "wall": time.time(),
    }  # fmt: skip


def main(files: list[Path]) -> int:
    place = Workplace(load(*files), files)
    station = Station(place)
    station.start()
    directorate = Directorate(place, station.now_ms)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "direct":
            directorate.take_over(rest)
            answer: dict[str, Any] = {"begun": True}
        elif word == "at":
            answer = told(station, int(rest))
        else:
            break
        print(json.dumps(answer), flush=True)
    station.stop()
    station.join(10)
    return 0 if station.failure is None else 1


if __name__ == "__main__":
    sys.exit(main([Path(file) for file in sys.argv[1:]]))
