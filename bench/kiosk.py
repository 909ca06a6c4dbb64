"""A table's kiosk at rest: memory, processor, wake-ups; and what it imports before its first frame.

The share of a core is told as it is; whether it keeps its limit is judged against a bare loop that sleeps and wakes in
the same minute, since what a program pays for waking up is the machine's doing.

Eighteen players are in play, the director is connected, the clock runs on a screen of 1280×720 (SDL's dummy driver).
``TABLESIDE_BENCH_IDLE_S`` shortens the minute that is watched.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from bench.ifd.rig import Rig
from bench.measure import Figure
from bench.venue import ROUND, Venue, number_of

PLAYERS = 18
MEMORY_KB = 70_000
CPU_SHARE = 0.005
WAKE_UPS = 5.0
WATCHED_S = float(os.environ.get("TABLESIDE_BENCH_IDLE_S", "60"))
SETTLE_S = 3.0
LATE = ("paho", "cryptography", "smartcard")
"""What must not be imported before the first frame is on the glass."""

_SCREEN = "[screen]\nwidth = 1280\nheight = 720\nfullscreen = false\nheadless = true\n"


class Rest(NamedTuple):
    """A program at rest: proportional memory (kB), share of a core, voluntary context switches a second.

    ``waking``: how many times dearer work is here after a sleep, by the control of the same minute.
    """

    pss_kb: int
    rss_kb: int
    cpu: float
    wake_ups: float
    threads: int
    waking: float


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
        return watch(pid, seconds)


def watch(pid: int, seconds: float) -> Rest:
    """What a process uses over some seconds (proc(5): schedstat, status, smaps_rollup)."""
    control = subprocess.Popen([sys.executable, "-c", _CONTROL, str(seconds)], stdout=subprocess.PIPE, text=True)
    cpu, switches, started = _cpu_ns(pid), _switches(pid), time.monotonic()
    time.sleep(seconds)
    elapsed = time.monotonic() - started
    return Rest(
        _memory_kb(pid, "Pss"),
        _memory_kb(pid, "Rss"),
        (_cpu_ns(pid) - cpu) / 1e9 / elapsed,
        (_switches(pid) - switches) / elapsed,
        len(list(Path(f"/proc/{pid}/task").iterdir())),
        max(1.0, float(control.communicate()[0])),
    )


_CONTROL = """
import sys, time
data = [bytes(4096) for _ in range(1500)]
def turn():
    start = time.thread_time()
    sum(page[0] for page in data)
    return time.thread_time() - start
hot = min(turn() for _ in range(50))
asleep = []
until = time.monotonic() + float(sys.argv[1]) - 2
while time.monotonic() < until:
    time.sleep(1)
    asleep.append(turn())
print(sorted(asleep)[len(asleep) // 2] / hot if asleep else 1)
"""
"""How many times dearer the same few megabytes are after a second's sleep than in a loop. On bare metal it is a few;
a virtual machine whose host or kernel samples its memory makes each waking program pay for every page it touches."""


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
        dear = f"{rest.cpu:.3%} of a core; waking is {rest.waking:.0f} x as dear as running on, by a bare loop"
        yield Figure(f"{of} CPU / 0.5 % x waking", rest.cpu / (CPU_SHARE * rest.waking), 1.0, False, dear)
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
