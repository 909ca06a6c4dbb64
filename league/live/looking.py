"""What listeners are told: drawn in one thread, once for each thing that is watched and language."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import time
from collections.abc import Collection, Iterable
from typing import NamedTuple

from django.db import close_old_connections

from league.live import changes
from league.site import boards, pages
from league.standings.models import RoundReport

_log = logging.getLogger("league.live")


class Watched(NamedTuple):
    """What somebody listens to: a board of `league.site.boards`, in a language."""

    kind: str
    key: str
    language: str

    @property
    def round(self) -> str:
        """The round that it is all about, if it is about one."""
        return self.key


class Told(NamedTuple):
    """What is told of something that is watched: as an event of the stream, under the number of the change."""

    number: int
    content: str
    message: bytes

    @property
    def id(self) -> str:
        """What a listener who comes again says that it has."""
        return f"{self.number}-{self.content}"


class Drawn(NamedTuple):
    """What came of drawing: what there is, what there is not, and what could not be drawn."""

    told: dict[Watched, Told]
    gone: frozenset[Watched] = frozenset()
    failed: frozenset[Watched] = frozenset()


class Seen(NamedTuple):
    """The number of the latest change, and what may be different since the one before: these rounds, or anything.

    ``moving``: those of the rounds asked about whose board time alone may change soon.
    """

    number: int
    everything: bool
    rounds: frozenset[str]
    moving: frozenset[str]


def current() -> int:
    """The number of the latest change."""
    close_old_connections()
    return changes.current()


def draw(all_of: Iterable[Watched], seconds: float = math.inf) -> Drawn:
    """What there is now of these; after so many seconds what is left of them is left out. One at least is drawn.

    One that cannot be drawn, for whatever reason, keeps none of the others.
    """
    close_old_connections()
    number, until = changes.current(), time.monotonic() + seconds
    found, gone, failed = {}, set(), set()
    for watched in all_of:
        try:
            html = boards.drawn(*watched)
        except Exception:  # noqa: BLE001 (whatever it was, others are told)
            _log.exception("%s cannot be drawn", watched)
            failed.add(watched)
        else:
            if html is None:
                gone.add(watched)
            else:
                found[watched] = _told(number, watched, html)
        if time.monotonic() >= until:
            break
    return Drawn(found, frozenset(gone), frozenset(failed))


def look(seen: int, asked: Collection[str]) -> Seen:
    """What has changed since the change ``seen``, and which of the rounds asked about go on."""
    close_old_connections()
    moving: frozenset[str] = frozenset()
    if asked:
        under_way = RoundReport.objects.filter(pk__in=asked, state__in=pages.UNDER_WAY)
        moving = frozenset(under_way.values_list("pk", flat=True))
    now = changes.counted()
    if now.number == seen or now.everywhere > seen:
        return Seen(now.number, now.number != seen, frozenset(), moving)
    changed = RoundReport.objects.filter(change__gt=seen).values_list("pk", flat=True)
    return Seen(now.number, False, frozenset(changed), moving)


def _told(number: int, watched: Watched, html: str) -> Told:
    content = hashlib.blake2b(html.encode(), digest_size=8).hexdigest()
    data = json.dumps({"html": html}, ensure_ascii=False)
    event = "round" if watched.kind == "rounds" else watched.kind
    return Told(number, content, f"id: {number}-{content}\nevent: {event}\ndata: {data}\n\n".encode())
