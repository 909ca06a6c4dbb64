"""What listeners are told: drawn in one thread, once for each thing that is watched and language."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import NamedTuple

from django.db import close_old_connections

from league.live import changes
from league.site import boards
from league.standings.models import RoundReport


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


def draw(all_of: Iterable[Watched]) -> dict[Watched, Told]:
    """What there is now of all these; what does not exist is left out."""
    close_old_connections()
    number, found = changes.current(), {}
    for watched in all_of:
        html = boards.drawn(*watched)
        if html is not None:
            found[watched] = _told(number, watched, html)
    return found


def look(all_of: Iterable[Watched], seen: int, anew: bool) -> tuple[int, dict[Watched, Told]]:
    """The number of the latest change, and what may be different since the change ``seen``; ``anew``: all of it."""
    close_old_connections()
    now = changes.counted()
    if now.number == seen and not anew:
        return seen, {}
    watched = list(all_of)
    if not anew and now.everywhere <= seen:
        changed = set(RoundReport.objects.filter(change__gt=seen).values_list("pk", flat=True))
        watched = [each for each in watched if not each.round or each.round in changed]
    return now.number, draw(watched)


def _told(number: int, watched: Watched, html: str) -> Told:
    content = hashlib.blake2b(html.encode(), digest_size=8).hexdigest()
    data = json.dumps({"html": html}, ensure_ascii=False)
    event = "round" if watched.kind == "rounds" else watched.kind
    return Told(number, content, f"id: {number}-{content}\nevent: {event}\ndata: {data}\n\n".encode())
