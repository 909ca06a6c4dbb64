"""A table's screen against a page in Chromium that shows the same clock, and its frames against a bare fill.

Both stand on the same X server (Xvfb, 1280×720), in turns; the screen is the product's kiosk with a running evening of
eighteen players. Memory is proportional (PSS) and that of all processes of each, as is processor time. The first frame
is seen from outside, in the same way for both: from the start of the program until something can be read in the middle
of the screen. ``TABLESIDE_BENCH_SCREEN_S`` shortens the time that is watched.
"""

from __future__ import annotations

import compileall
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import appliance
from appliance.orphan import die_with_parent
from bench.chromium import open_page
from bench.kiosk import PLAYERS, WAKE_UPS, evening, family, watch_all
from bench.measure import Figure, percentile
from bench.venue_programs import ROUND, Venue
from bench.xwatch import Eye, x_server

SIZE = (1280, 720)
LARGE = (1920, 1080)
ROUNDS = 3
STARTS = 7
FRAME_ROUNDS = 5
UNDISTURBED = 0.1
"""The share of frames that a busy machine leaves alone: what else it does only ever adds."""
WATCHED_S = float(os.environ.get("TABLESIDE_BENCH_SCREEN_S", "20"))
SETTLE_S = 5.0

_CONFIG = f'[reader]\ndriver = "none"\n[screen]\nwidth = {SIZE[0]}\nheight = {SIZE[1]}\nfullscreen = false\n'


_KIOSK = (
    "-c",
    "import sys; sys.modules['typing_extensions'] = None; from appliance.cli import main; sys.exit(main())",
    "kiosk",
)
"""The kiosk as a device has it: the package that is hidden came with tools for developers, and msgspec loads it."""


class Use(NamedTuple):
    """What programs use at rest: proportional memory (kB), share of a core, voluntary context switches a second."""

    pss_kb: int
    cpu: float
    wake_ups: float
    processes: int


def figures() -> Iterator[Figure]:
    """Against Chromium; then frames."""
    yield from _against_chromium()
    yield from _frames()


# -- Chromium ------------------------------------------------------------------------------------------------


def _against_chromium() -> Iterator[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        eye = stack.enter_context(_screen(SIZE))
        compileall.compile_dir(str(Path(appliance.__file__).parent), quiet=2)  # as an installation does
        starts = [_starts(eye, folder) for _ in range(STARTS + 1)][1:]  # the first pair is for the disk's cache
        at_rest = [(_screen_at_rest(eye), _page_at_rest(eye, folder), _bare_at_rest(eye)) for _ in range(ROUNDS)]
    ours, theirs, bare = (_undisturbed(uses) for uses in zip(*at_rest, strict=True))
    note = (
        f"{ours.pss_kb / 1000:.1f} MB; Chromium {theirs.pss_kb / 1000:.0f} MB, {theirs.processes} processes, no sandbox"
    )
    yield Figure("screen: memory (PSS) / Chromium's page", ours.pss_kb / theirs.pss_kb, 1 / 8, False, note)
    note = f"{ours.cpu:.3%} of a core; Chromium {theirs.cpu:.2%}; a bare loop with one digit {bare.cpu:.3%}"
    yield Figure("screen: CPU at rest / Chromium's page", ours.cpu / theirs.cpu, 1 / 20, False, note)
    mine, other = (min(times) for times in zip(*starts, strict=True))
    middle = statistics.median(one / two for one, two in starts)
    note = f"{mine:.2f} s; Chromium {other:.2f} s; best of {STARTS} pairs, whose median is {middle:.2f}"
    yield Figure("screen: first frame / Chromium's page", mine / other, 1 / 4, False, note)
    note = f"{ours.wake_ups:.2f}; Chromium {theirs.wake_ups:.0f}; {ROUNDS} times {WATCHED_S:.0f} s"
    yield Figure("screen: wake-ups / 5 a second, with an X server", ours.wake_ups / WAKE_UPS, 1.0, False, note)


def _starts(eye: Eye, folder: Path) -> tuple[float, float]:
    """Seconds from start to first frame: the kiosk's, then the page's."""
    file = folder / "device.toml"
    file.write_text(f'[device]\nname = "table-1"\ndata = "{folder / "kiosk"}"\n[broker]\nport = 1\n{_CONFIG}')
    with _first_frame(eye, lambda: _start([sys.executable, *_KIOSK, str(file)])) as (_, ours):
        pass
    with _first_frame(eye, lambda: open_page(folder, SIZE)) as (_, theirs):
        pass
    return ours, theirs


def _page_at_rest(eye: Eye, folder: Path) -> Use:
    with _first_frame(eye, lambda: open_page(folder, SIZE)) as (pid, _):
        time.sleep(SETTLE_S)
        return _use(pid)


def _screen_at_rest(eye: Eye) -> Use:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        venue = stack.enter_context(Venue(folder / "venue", "table-1", PLAYERS))
        venue.prepare(evening())
        venue.start_director()
        pid = venue.start_kiosk("table", _CONFIG, by=_KIOSK)
        venue.wait_for("a full copy", lambda: venue.is_copied(f"round/{ROUND}"))
        eye.wait(eye.sees_something)
        time.sleep(SETTLE_S)
        return _use(pid)


def _bare_at_rest(eye: Eye) -> Use:
    """The floor of this machine: a loop that does nothing else."""
    command = [sys.executable, "-m", "bench.bare_clock"]
    with _first_frame(eye, lambda: _start(command), eye.sees_light) as (pid, _):
        time.sleep(SETTLE_S)
        return _use(pid)


def _undisturbed(uses: Sequence[Use]) -> Use:
    """The least of each: what else a machine does only ever adds."""
    return Use(*(min(values) for values in zip(*uses, strict=True)))


@contextmanager
def _screen(size: tuple[int, int]) -> Iterator[Eye]:
    """An X server that programs started meanwhile show themselves on, and an eye on it."""
    with x_server(size) as display:
        kept = dict(os.environ)
        os.environ["DISPLAY"] = display
        for name in ("SDL_VIDEODRIVER", "WAYLAND_DISPLAY"):
            os.environ.pop(name, None)
        eye = Eye(display, size)
        try:
            yield eye
        finally:
            eye.close()
            os.environ.clear()
            os.environ.update(kept)


@contextmanager
def _first_frame(
    eye: Eye, start: Callable[[], subprocess.Popen[bytes]], seen: Callable[[], bool] | None = None
) -> Iterator[tuple[int, float]]:
    """A program's id and how long its first frame took (seconds); it ends, and its window is gone, on leaving."""
    eye.wait(lambda: not eye.sees_something())
    began = time.monotonic_ns()
    program = start()
    try:
        yield program.pid, (eye.wait(seen or eye.sees_something) - began) / 1e9
    finally:
        program.send_signal(signal.SIGTERM)
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
        eye.wait(lambda: not eye.sees_something())


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    silent = subprocess.DEVNULL
    return subprocess.Popen(
        command, stdin=silent, stdout=silent, stderr=silent, preexec_fn=die_with_parent(), start_new_session=True
    )


def _use(pid: int) -> Use:
    """What a program and all it started use."""
    rests = watch_all(family(pid), WATCHED_S)
    return Use(sum(r.pss_kb for r in rests), sum(r.cpu for r in rests), sum(r.wake_ups for r in rests), len(rests))


# -- frames --------------------------------------------------------------------------------------------------


def _frames() -> Iterator[Figure]:
    rounds: list[dict[str, float]] = []
    with _screen(LARGE):
        for _ in range(FRAME_ROUNDS):
            done = subprocess.run([sys.executable, "-m", "bench.frames"], capture_output=True, text=True, check=True)
            taken: dict[str, list[float]] = json.loads(done.stdout)
            rounds.append({name: percentile(values, UNDISTURBED) for name, values in taken.items()})
    bare, whole, second = (statistics.median(r[name] for r in rounds) for name in ("bare", "whole", "second"))
    note = f"{whole:.2f} ms, bare {bare:.2f} ms; {FRAME_ROUNDS} rounds of {len(taken['whole'])}"
    yield Figure(
        "screen: whole frame at 1920×1080 / bare fill and flip", _ratio(rounds, "whole", "bare"), 3.0, False, note
    )
    note = f"{second:.2f} ms, {second / bare:.2f} of a bare fill"
    yield Figure("screen: a second's update / whole frame", _ratio(rounds, "second", "whole"), 0.2, False, note)


def _ratio(rounds: Sequence[dict[str, float]], one: str, other: str) -> float:
    return statistics.median(taken[one] / taken[other] for taken in rounds)
