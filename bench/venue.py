"""The venue in network namespaces: ten busy tables, a kiosk that was away, and the way to the league.

The figures are taken by a process of its own, in namespaces of its own (unshare(1), as `chaos.nets`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import msgspec

from bench.measure import Figure
from chaos.nets import enter_own


def figures() -> Iterator[Figure]:
    """All of them, as the other process tells them."""
    with subprocess.Popen([sys.executable, "-m", "bench.venue"], stdout=subprocess.PIPE) as taking:
        assert taking.stdout is not None
        for line in taking.stdout:
            yield msgspec.json.decode(line, type=Figure)
    if taking.returncode:
        raise RuntimeError(f"the venue's figures could not be taken: exit code {taking.returncode}")


def main() -> int:
    """Take them, one JSON list a line."""
    enter_own("bench.venue", [])
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    told = os.dup(1)
    os.dup2(2, 1)  # what programs print is no figure
    from bench import venue_backlog, venue_evening

    for module in (venue_backlog, venue_evening):
        for figure in module.figures():
            os.write(told, msgspec.json.encode(figure) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
