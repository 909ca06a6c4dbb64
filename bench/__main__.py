"""``make bench``: every figure with its ratio; fails if one does not hold."""

from __future__ import annotations

import importlib
import sys

PARTS = ("journal",)


def main(wanted: list[str]) -> int:
    """Run the parts named, or all; 1 if a ratio breaks its limit."""
    failed = 0
    for part in wanted or PARTS:
        for figure in importlib.import_module(f"bench.{part}").figures():
            sign, verdict = (">=" if figure.at_least else "<="), ("ok" if figure.holds else "FAILED")
            print(
                f"{figure.name:45} {figure.ratio:8.2f} {sign} {figure.limit:<6g} {verdict:7} {figure.note}", flush=True
            )
            failed += not figure.holds
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
