"""Time for records: a trusted wall clock read once, then the monotonic clock alone.

A wall clock that is set back or jumps cannot move the evening: after the anchor only CLOCK_MONOTONIC counts. The
anchor outlives the process: started again in the same boot (same kernel boot id), a program goes on as if it had
never been away; after a reboot it takes the wall clock anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from appliance.filebytes import own_bytes, put

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Anchor(msgspec.Struct, frozen=True):
    """A moment known in both clocks: UTC milliseconds and monotonic nanoseconds of one boot."""

    boot: str
    mono_ns: int
    utc_ms: int
    rate: int = 1


class Timebase:
    """UTC milliseconds that never step. ``rate`` > 1 makes a rehearsal run faster than the wall."""

    def __init__(self, anchor: Anchor, mono: Callable[[], int] = time.monotonic_ns) -> None:
        self.anchor = anchor
        self.mono = mono

    def now_ms(self) -> int:
        """The time now."""
        return self.at(self.mono())

    def at(self, mono_ns: int) -> int:
        """The time at a reading of the monotonic clock."""
        return self.anchor.utc_ms + (mono_ns - self.anchor.mono_ns) * self.anchor.rate // 1_000_000


def boot_id(source: Path = _BOOT_ID) -> str:
    """The kernel's id of this boot (random(4)); empty where there is none, so that every start counts as a new boot."""
    try:
        return source.read_text().strip()
    except OSError:
        return ""


def wall_anchor(rate: int = 1, start_ms: int | None = None) -> Anchor:
    """An anchor at this moment; ``start_ms`` replaces the wall clock (rehearsals)."""
    now = time.time_ns() // 1_000_000 if start_ms is None else start_ms
    return Anchor(boot_id(), time.monotonic_ns(), now, rate)


def restore(path: Path, fresh: Anchor) -> Timebase:
    """The timebase kept in ``path`` if it is of this boot, else ``fresh``, which is then kept there.

    A file that cannot be read counts as none: the evening starts with the wall clock, as on the first day.
    """
    kept = _kept(path)
    if kept and kept.boot and (kept.boot, kept.rate) == (fresh.boot, fresh.rate):
        return Timebase(kept)
    return _keep(path, fresh)


def was_off(path: Path) -> bool:
    """Whether the machine was switched off since ``path`` was kept, if it was; to be asked before `restore`."""
    kept = _kept(path)
    return path.exists() if kept is None else not kept.boot or kept.boot != boot_id()


def moved_on(path: Path, time: Timebase, at: int) -> Timebase:
    """The timebase set forward to ``at`` (UTC ms) if it is behind, and kept in ``path``.

    A machine without a battery comes up in the past; what it has written itself was later (DESIGN §9).
    """
    if time.now_ms() >= at:
        return time
    return _keep(path, Anchor(time.anchor.boot, time.mono(), at, time.anchor.rate), time.mono)


def _keep(path: Path, anchor: Anchor, mono: Callable[[], int] = time.monotonic_ns) -> Timebase:
    put(path, msgspec.json.encode(anchor))
    return Timebase(anchor, mono)


def _kept(path: Path) -> Anchor | None:
    try:
        return msgspec.json.decode(own_bytes(path), type=Anchor)
    except (OSError, msgspec.MsgspecError):
        return None
