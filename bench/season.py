"""A season of 3.1 million results: one more round that is over, everything added up anew, and what pages ask.

On SQLite, in a process and a database of its own. ``TABLESIDE_SEASON_RESULTS`` makes it smaller.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from bench.measure import Figure

RESULTS = int(os.environ.get("TABLESIDE_SEASON_RESULTS", "3100000"))


def figures() -> Iterator[Figure]:
    """All of them; the season is made straight into the tables."""
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {
            "TABLESIDE_LEAGUE_DIR": folder, "TABLESIDE_LEAGUE_SECRET_KEY": "bench", "DJANGO_SETTINGS_MODULE":
            "league.settings",
        }  # fmt: skip
        subprocess.run([sys.executable, "-m", "league", "migrate", "-v0"], env=env, check=True)
        asked = [sys.executable, "-m", "bench.season_program", str(RESULTS)]
        told = json.loads(subprocess.run(asked, env=env, check=True, capture_output=True, text=True).stdout)
    size = f"{told['results']:,} results of {told['participants']:,}"
    one, bare = told["round"], told["bare"]
    note = f"{one:.1f} ms against {bare:.1f} ms, {told['rows']} rows; {size}"
    yield Figure("one more finished round / bare commit of as many rows", one / bare, 3.0, False, note)
    yield Figure("all that is written of it, ms", told["whole"], 50, False, size, target=True)
    note = f"{told['compute']:.1f} s against {told['group']:.1f} s; {size}"
    yield Figure("season added up anew / one GROUP BY", told["compute"] / told["group"], 1.5, False, note)
    for name, limit in (("first page", 50), ("middle page", 100), ("venues' look", 250), ("void preview", 1000)):
        yield Figure(f"{name}, ms", told[name], limit, False, size, target=True)
