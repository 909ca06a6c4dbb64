"""What a phone hears at once: which views are others than they were, and what the clock says (server-sent events).

A stream tells where things stand, not each step there: who was slow or away hears the newest once. Every event carries
the version it is of, by which a phone that comes back asks on.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import msgspec

from appliance.console.head import head
from appliance.console.sight import Sight

HEARTBEAT_S = 10.0

MOST_A_PHONE = 4
"""Streams that a phone has at a time, one a tab: with one more the oldest ends. A phone that lost the network and is
back has left streams behind of which nobody knows yet that nobody hears them.
"""

Round = Callable[[], "str | None"]
"""The round that a phone is about, by now."""

ROUND_VIEWS = (
    "clock", "players", "player", "tables", "table", "door", "money", "history", "more", "round", "rounds", "results",
    "chips", "rulings", "announcements", "dealer",
)  # fmt: skip
VIEWS_OF: dict[str, tuple[str, ...]] = {
    "ledgers": ROUND_VIEWS,
    "heads": (),
    "given": ("history",),
    "roster": (*ROUND_VIEWS, "phones"),
    "times": ROUND_VIEWS,
    "notes": ("clock", "more", "round", "announcements", "devices", "phones", "tables", "table", "dealer"),
    "tables": ("tables", "table", "dealer", "rulings"),
    "pads": ("table", "dealer"),
    "places": ("tables", "devices", "dealer"),
    "devices": ("devices", "more"),
    "spares": ("devices", "more"),
    "taken": ("devices",),
    "phones": ("phones", "more"),
    "copies": ("devices", "more"),
    "alone": ("devices", "more"),
    "uplink": ("devices", "more"),
}
"""The views, by the first word of their address, that are drawn from a field of the sight."""


def changed(before: Sight, after: Sight) -> set[str]:
    """The views that may look otherwise now."""
    views: set[str] = set()
    for field, drawn in VIEWS_OF.items():
        old, new = getattr(before, field), getattr(after, field)
        if old is not new and old != new:
            views.update(drawn)
    return views


class Hub:
    """The newest sight and who waits for the next. For the loop's thread."""

    def __init__(self, now_ms: Callable[[], int], speed: int = 1, mark: str = "") -> None:
        """``speed``: how many of its seconds pass in one, in a rehearsal; ``mark``: of what a browser has loaded."""
        self.sight = Sight()
        self.now_ms = now_ms
        self.listeners = 0
        self._ears: dict[str, list[object]] = {}
        self._facts = {"speed": speed, "mark": mark}
        self._start = secrets.token_hex(4)
        self._n = 1  # 0 is a phone's that knows nothing
        self._changed_at: dict[str, int] = {}
        self._wake = asyncio.Event()
        self._closed = False

    def show(self, sight: Sight) -> None:
        """Everybody hears what is other than before."""
        views, self.sight = changed(self.sight, sight), sight
        self._n += 1
        self._changed_at.update(dict.fromkeys(views, self._n))
        self._awake()

    def close(self) -> None:
        """Let all streams end."""
        self._closed = True
        self._awake()

    def _awake(self) -> None:
        self._wake.set()
        self._wake = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Until the next sight, or so long."""
        with_patience = asyncio.wait_for(self._wake.wait(), seconds)
        try:
            await with_patience
        except TimeoutError:
            return

    async def stream(
        self, session: str, since: str, round: Round, may_hear: Callable[[], bool]
    ) -> AsyncIterator[bytes]:
        """The events of one phone. ``since``: the version it knows; ``may_hear``: whether it is still signed in."""
        ears, ear = self._ears.setdefault(session, []), object()
        ears.append(ear)
        self.listeners += 1
        if len(ears) > MOST_A_PHONE:
            del ears[0]
            self._awake()
        try:
            known, seen = self._known(since), self._n
            yield self._change(known, round)
            while True:
                if seen == self._n and not self._closed and ear in ears:
                    await self.wait(HEARTBEAT_S)
                if self._closed or ear not in ears:
                    return
                if not may_hear():
                    yield _event("out", {})
                    return
                if seen == self._n:
                    yield _event("now", self._now(round))
                else:
                    known, seen = seen, self._n  # before it is sent: meanwhile there may be more
                    yield self._change(known, round)
        finally:
            self.listeners -= 1
            if ear in ears:
                ears.remove(ear)
            if not ears:
                self._ears.pop(session, None)

    def _known(self, since: str) -> int:
        """What of this director's run the phone knows; 0 for nothing."""
        start, _, number = since.partition("-")
        known = int(number) if start == self._start and re.fullmatch("[0-9]{1,15}", number) else 0
        return known if known <= self._n else 0

    def _change(self, known: int, round: Round) -> bytes:
        views: Iterable[str] = ["*"] if not known else (v for v, n in self._changed_at.items() if n > known)
        return _event("change", {"views": sorted(views), **self._now(round)}, f"{self._start}-{self._n}")

    def _now(self, round: Round) -> dict[str, Any]:
        now = self.now_ms()
        return {"now": now, "head": head(self.sight, round(), now), **self._facts}


def _event(name: str, data: dict[str, Any], id: str = "") -> bytes:
    numbered = f"id: {id}\n".encode() if id else b""
    return b"event: " + name.encode() + b"\n" + numbered + b"data: " + msgspec.json.encode(data) + b"\n\n"
