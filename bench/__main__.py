"""``make bench``: every figure as a ratio to its floor, peer or limit; fails if one does not hold.

``ARGS="journal glass"`` measures those parts only.
"""

from __future__ import annotations

import importlib
import os
import platform
import sqlite3
import sys
from pathlib import Path

from bench.awake import awake
from bench.measure import Figure

PARTS = (
    "journal", "evenings", "hands", "ranking", "cards", "readers", "glass", "kiosk", "venue", "phone", "screen", "site",
    "season", "ingest",
)  # fmt: skip


def main(wanted: list[str]) -> int:
    """Run the parts named, or all; 1 if a ratio breaks its limit, 2 if there is no such part."""
    if unknown := [part for part in wanted if part not in PARTS]:
        print(f"bench: {', '.join(unknown)}: there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    print(machine())
    print(f"\n{'figure':60}{'ratio':>8}    limit")
    failed = 0
    with awake():
        for part in wanted or PARTS:
            for figure in importlib.import_module(f"bench.{part}").figures():
                limit = f"{'>=' if figure.at_least else '<='} {figure.limit:<5g} {_verdict(figure):7}"
                print(f"{figure.name:60}{figure.ratio:8.2f} {limit} {figure.note}", flush=True)
                failed += not figure.holds and not figure.target
    print(f"\n{failed} FAILED" if failed else "\nall hold", f"(load {_load()})")
    return 1 if failed else 0


def machine() -> str:
    """What the figures were taken on."""
    cpus = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in cpus if line.startswith("model name")), platform.machine())
    return (
        f"{model}, {os.cpu_count()} cores; Linux {platform.release()}; Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}; load {_load()}"
    )


def _verdict(figure: Figure) -> str:
    if figure.target:
        return "target" if figure.holds else "missed"
    return "ok" if figure.holds else "FAILED"


def _load() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
