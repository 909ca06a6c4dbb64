"""A table's kiosk at rest: memory, processor, wake-ups; and what it imports before its first frame.

Eighteen players are in play, the director is connected, the clock runs on a screen of 1280×720 (SDL's dummy driver).
``TABLESIDE_BENCH_IDLE_S`` shortens the minute that is watched.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from bench.ifd.rig import Rig
from bench.measure import Figure
from bench.venue_programs import ROUND, Venue, number_of

PLAYERS = 18
MEMORY_KB = 70_000
CPU_SHARE = 0.005
WAKE_UPS = 5.0
WATCHED_S = float(os.environ.get("TABLESIDE_BENCH_IDLE_S", "60"))
WINDOWS = 3
SETTLE_S = 3.0
LATE = ("paho", "cryptography", "smartcard")
"""What must not be imported before the first frame is on the glass."""

_SCREEN = "[screen]\nwidth = 1280\nheight = 720\nfullscreen = false\nheadless = true\n"


class Rest(NamedTuple):
    """A program at rest: proportional memory (kB), share of a core, voluntary context switches a second."""

    pss_kb: int
    rss_kb: int
    cpu: float
    wake_ups: float
    threads: int


def evening() -> Iterator[dict[str, Any]]:
    """From the open door to the first hand at both tables."""
    yield {"do": "open", "round": ROUND}
    for player in range(PLAYERS):
        yield {"do": "register", "round": ROUND, "participant": number_of(player), "identity_checked": True}
    yield {"do": "start", "round": ROUND}
    yield from ({"do": "next_hand", "round": ROUND, "table": table} for table in (1, 2))


def at_rest(driver: str, seconds: float = WATCHED_S) -> Rest:
    """A kiosk with this reader's driver, everything loaded and nobody touching it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if driver == "pcsc":
            stack.enter_context(Rig())
        venue = stack.enter_context(Venue(folder / "venue", "table-1", PLAYERS))
        venue.prepare(evening())
        venue.start_director()
        pid = venue.start_kiosk("table", f'[reader]\ndriver = "{driver}"\nsocket = "{folder / "reader"}"\n{_SCREEN}')
        venue.wait_for("a full copy", lambda: venue.is_copied(f"round/{ROUND}"))
        time.sleep(SETTLE_S)
        return least_disturbed(pid, seconds)


def least_disturbed(pid: int, seconds: float) -> Rest:
    """The best of up to three windows, if the first does not hold: what else a machine does only ever adds."""
    best = watch(pid, seconds)
    for _ in range(WINDOWS - 1):
        if best.cpu > CPU_SHARE:
            best = min(best, watch(pid, seconds), key=lambda rest: rest.cpu)
    return best


def watch(pid: int, seconds: float) -> Rest:
    """What a process uses over some seconds (proc(5): schedstat, status, smaps_rollup)."""
    [rest] = watch_all([pid], seconds)
    return rest


def watch_all(pids: Sequence[int], seconds: float) -> list[Rest]:
    """The same for several at once."""
    before, started = [(_cpu_ns(pid), _switches(pid)) for pid in pids], time.monotonic()
    time.sleep(seconds)
    elapsed = time.monotonic() - started
    return [
        Rest(
            _memory_kb(pid, "Pss"),
            _memory_kb(pid, "Rss"),
            (_cpu_ns(pid) - cpu) / 1e9 / elapsed,
            (_switches(pid) - switches) / elapsed,
            len(list(Path(f"/proc/{pid}/task").iterdir())),
        )
        for pid, (cpu, switches) in zip(pids, before, strict=True)
    ]


def family(pid: int) -> list[int]:
    """A process and all that it has started, directly or by others (proc(5): task/*/children)."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [pid, *(member for child in children for member in family(child))]


def early_imports(file: Path) -> list[str]:
    """Of `LATE`, what a kiosk has imported when its first frame is on the glass; it is ended there."""
    done = subprocess.run([sys.executable, "-c", _FIRST_FRAME, file], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    return [name for name in LATE if name in loaded]


_FIRST_FRAME = """
import sys
from appliance.display.window import Window

show = Window.show
def first(self, ops):
    show(self, ops)
    print(*sys.modules)
    sys.exit()
Window.show = first

from appliance.cli import main
main(["kiosk", *sys.argv[1:]])
"""


def figures() -> Iterator[Figure]:
    """What is imported before the first frame; memory, processor and wake-ups with each reader."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "device.toml"
        file.write_text(f'[device]\ndata = "{name}"\n[reader]\ndriver = "pcsc"\n{_SCREEN}')
        early = early_imports(file)
    yield Figure("kiosk: imports before the first frame", len(early), 0, False, f"of {', '.join(LATE)}")
    for driver in ("simulated", "pcsc"):
        rest, of = at_rest(driver), f"kiosk at rest, {driver} reader:"
        memory = f"{rest.pss_kb / 1000:.1f} MB (RSS {rest.rss_kb / 1000:.1f})"
        yield Figure(f"{of} PSS / 70 MB", rest.pss_kb / MEMORY_KB, 1.0, False, memory)
        yield Figure(f"{of} CPU / 0.5 % of a core", rest.cpu / CPU_SHARE, 1.0, False, f"{rest.cpu:.3%}")
        note = f"{rest.wake_ups:.2f} in {rest.threads} threads, {WATCHED_S:.0f} s"
        yield Figure(f"{of} wake-ups / 5 a second", rest.wake_ups / WAKE_UPS, 1.0, False, note)


# -- inside ----------------------------------------------------------------------------------------------


def _tasks(pid: int, name: str) -> list[str]:
    return [(task / name).read_text() for task in Path(f"/proc/{pid}/task").iterdir()]


def _cpu_ns(pid: int) -> int:
    return sum(int(text.split()[0]) for text in _tasks(pid, "schedstat"))


def _switches(pid: int) -> int:
    return sum(_field(text, "voluntary_ctxt_switches") for text in _tasks(pid, "status"))


def _memory_kb(pid: int, field: str) -> int:
    return _field(Path(f"/proc/{pid}/smaps_rollup").read_text(), field)


def _field(text: str, name: str) -> int:
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith(f"{name}:")))
