"""How the way to the league stands: what the uplink writes down for whoever looks after it (`tableside doctor`).

A small file, replaced whole. It is told again every minute while nothing changes, so that a file that has grown old
says that no uplink runs.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from appliance.filebytes import open_plain
from appliance.link.envelope import Ack

FILE = "uplink.json"
MOST_ALERTS = 20
MOST_BYTES = 64 * 1024
LOOK_MS = 5_000
"""How often it is looked at whether there is something new to tell."""
AGAIN_MS = 60_000
STALE_MS = 3 * AGAIN_MS
"""A file that is older was written by a program that has ended."""
STAYS_MS = 15_000
"""What mostly heals by itself is told once it has lasted so long."""
_LONGEST = 200
_HARMLESS = ("gap",)
_REFUSED = ("connection-refused", "turned-away", "subscription-refused", "tls-failed")


class Noted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a person should look at: a stream that stopped, how often it was said, when last (UTC ms)."""

    code: str
    stream: str
    detail: str = ""
    count: int = 1
    at: int = 0


class UplinkState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``at``, ``since``, ``stored_at`` in UTC ms: when it was written, since when the connection is up or down, when
    the league last said that it had stored something. ``backlog``: records that wait, some ever since ``waiting`` (UTC
    ms; 0: none do). ``refused``: how the league's broker turns us away, while it does. ``fetching``: streams of which
    the league has more than the director.
    """

    at: int
    connected: bool
    since: int
    stored_at: int = 0
    backlog: int = 0
    waiting: int = 0
    refused: str = ""
    fetching: tuple[str, ...] = ()
    alerts: tuple[Noted, ...] = ()


class Trouble(Protocol):
    """An alert of the replication (`appliance.link.replication.Alert`)."""

    @property
    def stream(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def heals(self) -> bool: ...


def read(file: Path) -> UplinkState | None:
    """What stands there; None where there is nothing. Raises OSError, ValueError when it cannot be read."""
    try:
        with open_plain(file) as opened:
            raw = opened.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    return msgspec.json.decode(raw, type=UplinkState)


class UplinkWatch:
    """Keeps the file. ``now_ms`` is UTC ms; ``backlog`` counts what waits, and is asked when something is written."""

    def __init__(self, file: Path, now_ms: Callable[[], int], backlog: Callable[[], int]) -> None:
        self._file = file
        self._now_ms = now_ms
        self._backlog = backlog
        self._alerts: dict[tuple[str, str], Noted] = {}
        self._tell_at: dict[tuple[str, str], int] = {}
        self._connected = False
        self._since = now_ms()
        self._stored_at = 0
        self._waiting = 0
        self._refusals = 0
        self._refused = ""
        self._look_at = 0
        self._written: UplinkState | None = None

    def alert(self, alert: Trouble) -> None:
        """Something went wrong with a stream; what replication heals by itself is of no interest, unless it stays."""
        code = re.sub(r"(?<!^)(?=[A-Z])", "-", type(alert).__name__).lower()
        if code in _HARMLESS:
            return
        before = self._alerts.pop((code, alert.stream), None)
        if before is None:
            self._tell_at[code, alert.stream] = self._now_ms() + STAYS_MS if alert.heals else 0
        self._alerts[code, alert.stream] = Noted(
            code=code, stream=alert.stream, detail=alert.detail[:_LONGEST], at=self._now_ms(),
            count=before.count + 1 if before else 1,
        )  # fmt: skip
        while len(self._alerts) > MOST_ALERTS:
            self._drop(next(iter(self._alerts)))

    def stored(self, ack: Ack) -> None:
        """The league has stored a stream up to there: whatever was wrong with it is over, if it was the sending."""
        self._stored_at = self._now_ms()
        for place in [place for place in self._alerts if place[1] == ack.stream]:
            self._drop(place)

    def _drop(self, place: tuple[str, str]) -> None:
        del self._alerts[place], self._tell_at[place]

    def turn(self, connected: bool, drops: Mapping[str, int], fetching: tuple[str, ...] = ()) -> None:
        """Write down what is different, or that all is as before. A disk that refuses costs nothing else."""
        now = self._now_ms()
        refusals = sum(drops.get(code, 0) for code in _REFUSED)
        if refusals > self._refusals:
            self._refused = max(_REFUSED, key=lambda code: drops.get(code, 0))
        self._refusals = refusals
        if connected:
            self._refused = ""
        if connected != self._connected:
            self._connected, self._since = connected, now
        elif now < self._look_at <= now + LOOK_MS:
            return
        self._look_at = now + LOOK_MS
        backlog = self._backlog()
        self._waiting = (self._waiting or now) if backlog else 0
        state = UplinkState(
            at=now, connected=connected, since=self._since, stored_at=self._stored_at, backlog=backlog,
            waiting=self._waiting, refused=self._refused, fetching=fetching[:MOST_ALERTS],
            alerts=tuple(noted for place, noted in self._alerts.items() if now >= self._tell_at[place]),
        )  # fmt: skip
        last = self._written
        if last is None or now - last.at >= AGAIN_MS or now < last.at or msgspec.structs.replace(last, at=now) != state:
            self._write(state)

    def _write(self, state: UplinkState) -> None:
        unfinished = self._file.with_name(f"{FILE}.{os.getpid()}")
        try:
            unfinished.write_bytes(msgspec.json.encode(state))
            unfinished.replace(self._file)
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
            return
        self._written = state
