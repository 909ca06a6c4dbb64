"""A kiosk that missed the whole evening, without its glass: ``python -m bench.late_kiosk UPTO SITE DEVICE``.

Prints the seconds from the start of its engine, with nothing of the evening on its disk, until its own copy ends where
the director's does and all of it is folded for the screen.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from appliance.config import load
from appliance.journal import Journal
from appliance.station import Station
from appliance.workplace import Workplace
from bench.venue_programs import ROUND

_PATIENCE_S = 60.0


def main(upto: str, *files: str) -> int:
    """Catch up once."""
    paths = [Path(file) for file in files]
    place = Workplace(load(*paths), paths)
    station = Station(place)
    began = time.monotonic()
    station.start()
    while not station.snapshot.rounds or not _has(place.data / "journal", int(upto)):
        if time.monotonic() - began > _PATIENCE_S or not station.working:
            return 1
        time.sleep(0.002)
    print(time.monotonic() - began, flush=True)
    station.stop()
    station.join(10)
    return 0


def _has(file: Path, upto: int) -> bool:
    with Journal(file, read_only=True) as journal:
        newest = journal.newest(f"round/{ROUND}")
        return newest is not None and newest.seq >= upto


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
