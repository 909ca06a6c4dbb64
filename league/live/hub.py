"""All who listen in this process, and the latest of what each of them listens to.

Everything runs in the server's loop but the database's work, which has one thread of its own. A listener is owed the
latest only: one who is slow gets fewer messages, never old ones, and one who takes none in time is let go.

What has changed is drawn first, and most for whom most wait; it is told as it is drawn, a little at a time, and between
there is room for those who come. What cannot be drawn, and a process that can see no changes, lets its listeners go:
a page that says that it has no connection is better than one that only seems to go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import DatabaseError, connections

from league.live import looking
from league.live.looking import Drawn, Seen, Told, Watched

LOOK_S = 0.5
"""So often the number of public changes is asked for, for all listeners together."""

ANEW_S = 30.0
"""So often what is watched is drawn anyway: a level that ends changes it, too, and the calendar's day."""

REST = 20
"""A round's board that nothing goes on at is drawn only each so many times of these."""

SLICE_S = 0.2
"""So long boards are drawn at a stretch."""

BLIND_S = 30.0
"""A process that could not look for so long lets its listeners go."""

MOST_LISTENERS = 4000
"""More than that a process takes no more of: they are asked to come again later."""

MOST_OF_ONE = 500
MOST_BOARDS_OF_ONE = 40
"""So many of them, and of boards that they watch, from one address: a house full of people has no more."""

_log = logging.getLogger("league.live")


T = TypeVar("T")


class NotNowError(Exception):
    """What somebody wants to listen to cannot be drawn."""


class Channel:
    """Something that is watched in one language, and who waits for news of it.

    ``told`` None: nobody may wait. It is what there was after the change ``number``.
    """

    def __init__(self) -> None:
        self.told: Told | None = None
        self.number = -1
        self.listeners = 0
        self.news = asyncio.Event()
        self.again_at = 0.0
        self.rested = 0

    def tell(self, told: Told | None) -> None:
        """Wake all who wait, unless they know it already."""
        self.again_at = time.monotonic() + ANEW_S
        self.rested = 0
        self.number = told.number if told else -1
        if self.told is None or told is None or self.told.content != told.content:
            self.told = told
            self.news.set()
            self.news = asyncio.Event()


class Hub:
    """Who listens to what. Begun and ended within one loop."""

    def __init__(self, most: int = MOST_LISTENERS) -> None:
        self._most = most
        self._channels: dict[Watched, Channel] = {}
        self._drawing: dict[Watched, asyncio.Task[None]] = {}
        self._due: dict[Watched, bool] = {}
        """What is to be drawn, and whether only because of the time."""
        self._of: dict[str, Counter[Watched]] = {}
        self._one_by_one = asyncio.Lock()  # many boards that are new keep nobody from the thread
        self._asking: asyncio.Future[int] | None = None
        self._seen = -1
        self._looked_at = time.monotonic()
        self._database = ThreadPoolExecutor(1, "live")
        self._looking: asyncio.Task[None] | None = None
        self.count = 0
        self.ended = asyncio.Event()

    @property
    def is_blind(self) -> bool:
        """Whether nothing was seen of any changes for too long."""
        return self._looking is not None and time.monotonic() - self._looked_at > BLIND_S

    def has_room(self, watched: Watched, who: str = "") -> bool:
        """Whether one more may listen; ``who``: the address that they come from, unless it tells nobody apart."""
        theirs = self._of.get(who, Counter())
        new = watched not in theirs
        return self.count < self._most and theirs.total() < MOST_OF_ONE and len(theirs) + new <= MOST_BOARDS_OF_ONE

    def begin(self) -> None:
        """Look for changes from now on."""
        self._looked_at = time.monotonic()
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

    async def join(self, watched: Watched, who: str = "") -> Channel | None:
        """Take a listener in; None if there is nothing of that kind. Whoever joined leaves again.

        They are told nothing that was otherwise already when they came. Raises NotNowError.
        """
        channel = self._channels.setdefault(watched, Channel())
        self.count += 1
        channel.listeners += 1
        if who:
            self._of.setdefault(who, Counter())[watched] += 1
        try:
            await self._make_current(watched, channel)
        except BaseException:
            self.leave(watched, channel, who)
            raise
        if channel.told is None:
            self.leave(watched, channel, who)
            return None
        return channel

    def leave(self, watched: Watched, channel: Channel, who: str = "") -> None:
        """A listener is gone; what nobody listens to is forgotten."""
        self.count -= 1
        channel.listeners -= 1
        if not channel.listeners and self._channels.get(watched) is channel:
            del self._channels[watched]
            self._due.pop(watched, None)
        if theirs := self._of.get(who):
            theirs[watched] -= 1
            if not theirs[watched]:
                del theirs[watched]
            if not theirs:
                del self._of[who]

    async def _make_current(self, watched: Watched, channel: Channel) -> None:
        """Have drawn what has changed until now, if it may have. Raises NotNowError."""
        try:
            number = await self._current()
            for _ in range(2):  # the first drawing may have begun before
                if channel.told is not None and number <= max(channel.number, self._known(watched)):
                    return
                task = self._drawing.get(watched)
                if task is None:
                    task = self._drawing[watched] = asyncio.create_task(self._draw_first(watched, channel))
                await asyncio.shield(task)
        except DatabaseError as error:
            raise NotNowError from error

    def _known(self, watched: Watched) -> int:
        """The change up to which what was told of something holds."""
        return -1 if watched in self._due else self._seen

    async def _current(self) -> int:
        """The number of the latest change, asked for after this call, once for all who wait for it."""
        if (asking := self._asking) is None:
            asking = self._asking = asyncio.ensure_future(self._in_database(self._ask))
        return await asyncio.shield(asking)

    def _ask(self) -> int:
        self._asking = None  # who comes from now on asks again
        return looking.current()

    async def _draw_first(self, watched: Watched, channel: Channel) -> None:
        try:
            async with self._one_by_one:
                drawn = await self._in_database(looking.draw, [watched])
        finally:
            self._drawing.pop(watched, None)
        channel.tell(drawn.told.get(watched))
        if watched in drawn.failed:
            raise NotNowError

    async def _look_on(self) -> None:
        failed = False
        while True:
            await asyncio.sleep(0 if self._due and not failed else LOOK_S)
            try:
                if failed:
                    await self._in_database(connections.close_all)
                await self._look()
                failed = False
            except Exception as error:  # noqa: BLE001 (whatever it was, the next look may go well)
                _log.error("public changes: %s", error, exc_info=not isinstance(error, DatabaseError))
                failed = True

    async def _look(self) -> None:
        began = time.monotonic()
        old = [each for each, channel in self._channels.items() if channel.again_at <= began]
        seen = await self._in_database(looking.look, self._seen, {each.round for each in old if each.round})
        self._mark(seen, old)
        self._seen, self._looked_at = seen.number, began
        while self._due and time.monotonic() - began < LOOK_S:
            # what most wait for goes first
            order = sorted(self._due, key=lambda each: (self._due[each], -self._channels[each].listeners))
            self._tell(await self._in_database(looking.draw, order, SLICE_S))

    def _mark(self, seen: Seen, old: list[Watched]) -> None:
        """Note what is to be drawn now that this was seen."""
        for each in self._channels:
            if seen.everything or each.round in seen.rounds or (not each.round and seen.number != self._seen):
                self._due[each] = False
        for each in old:
            if (channel := self._channels.get(each)) is None:
                continue
            channel.again_at = time.monotonic() + ANEW_S
            channel.rested += 1
            if not each.round or each.round in seen.moving or channel.rested >= REST:
                self._due.setdefault(each, True)

    def _tell(self, drawn: Drawn) -> None:
        for each in (*drawn.told, *drawn.gone, *drawn.failed):
            self._due.pop(each, None)
            if channel := self._channels.get(each):
                channel.tell(drawn.told.get(each))

    async def _in_database(self, work: Callable[..., T], *given: Any) -> T:
        """Do this in the thread of the database, one after another."""
        return await asyncio.get_running_loop().run_in_executor(self._database, work, *given)
