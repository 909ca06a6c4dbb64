"""All who listen in this process, and the latest of what each of them listens to.

Everything runs in the server's loop but the database's work, which has one thread of its own. A listener is owed the
latest only: one who is slow gets fewer messages, never old ones, and one who takes none in time is let go.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import DatabaseError, connections

from league.live import looking
from league.live.looking import Told, Watched

LOOK_S = 0.5
"""So often the number of public changes is asked for, for all listeners together."""

ANEW_S = 30.0
"""So often all that is watched is drawn anyway: a level that ends changes it, too, and the calendar's day."""

MOST_LISTENERS = 4000
"""More than that a process takes no more of: they are asked to come again later."""

_log = logging.getLogger("league.live")


T = TypeVar("T")


class Channel:
    """Something that is watched in one language, and who waits for news of it."""

    def __init__(self) -> None:
        self.told: Told | None = None
        self.listeners = 0
        self.news = asyncio.Event()

    def tell(self, told: Told) -> None:
        """Wake all who wait, unless they know it already."""
        if self.told is None or self.told.content != told.content:
            self.told = told
            self.news.set()
            self.news = asyncio.Event()


class Hub:
    """Who listens to what. Begun and ended within one loop."""

    def __init__(self, most: int = MOST_LISTENERS) -> None:
        self._most = most
        self._channels: dict[Watched, Channel] = {}
        self._drawing: dict[Watched, asyncio.Task[None]] = {}
        self._listeners = 0
        self._seen = -1
        self._drawn_at = 0.0
        self._database = ThreadPoolExecutor(1, "live")
        self._looking: asyncio.Task[None] | None = None
        self.ended = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Whether there is room for nobody else."""
        return self._listeners >= self._most

    def begin(self) -> None:
        """Look for changes from now on."""
        self._looking = asyncio.get_running_loop().create_task(self._look_on())

    async def end(self) -> None:
        """Let all listeners go, and look no more."""
        self.ended.set()
        if self._looking is not None:
            self._looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._looking
        self._database.submit(connections.close_all)
        self._database.shutdown(wait=False)

    async def join(self, watched: Watched) -> Channel | None:
        """Take a listener in; None if there is nothing of that kind. Whoever joined leaves again."""
        channel = self._channels.setdefault(watched, Channel())
        self._listeners += 1
        channel.listeners += 1
        try:
            if channel.told is None:
                task = self._drawing.get(watched)
                if task is None:
                    task = self._drawing[watched] = asyncio.create_task(self._draw_first(watched, channel))
                await asyncio.shield(task)
        except BaseException:
            self.leave(watched, channel)
            raise
        if channel.told is None:
            self.leave(watched, channel)
            return None
        return channel

    def leave(self, watched: Watched, channel: Channel) -> None:
        """A listener is gone; what nobody listens to is forgotten."""
        self._listeners -= 1
        channel.listeners -= 1
        if not channel.listeners and self._channels.get(watched) is channel:
            del self._channels[watched]

    async def _draw_first(self, watched: Watched, channel: Channel) -> None:
        try:
            told = await self._in_database(looking.draw, [watched])
            if watched in told:
                channel.tell(told[watched])
        finally:
            self._drawing.pop(watched, None)

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self._look()
            except DatabaseError as error:
                _log.warning("public changes: %s", error)
                await self._in_database(connections.close_all)

    async def _look(self) -> None:
        anew = time.monotonic() - self._drawn_at >= ANEW_S
        number, told = await self._in_database(looking.look, list(self._channels), self._seen, anew)
        for watched, news in told.items():
            if channel := self._channels.get(watched):
                channel.tell(news)
        self._seen = number
        if anew:
            self._drawn_at = time.monotonic()

    async def _in_database(self, work: Callable[..., T], *given: Any) -> T:
        """Do this in the thread of the database, one after another."""
        return await asyncio.get_running_loop().run_in_executor(self._database, work, *given)
