"""Tells the venues of a season how it stands (LG-8): looked at when something changed, written where it differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec
from django.db import transaction
from msgspec.structs import replace

from appliance.game.roster import SeasonLine, SeasonStandings, encode_roster_event
from league.ingest.lasttold import last_of
from league.ingest.outbox import Draft, Pen
from league.live import changes
from league.rounds.models import Round, Season, Venue
from league.standings.table import has_results, season_names, standings

LINES = 50
"""So many of the best are told: a screen shows fewer, and every venue is told anew whenever a round is over."""

SOON_S = 2.0
"""No sooner it is asked whether anything public changed: rounds that end together are told together."""

IDLE_S = 60.0
"""How often the standings are looked at where nothing did: a season ends by the day, and its names with it."""

_TYPE = "standings/1"
NAME_LENGTH = 100
"""So much of a name is told, so that the longest standings fit into a record."""


def season_standings(season: Season, at_ms: int) -> SeasonStandings:
    """The season as it stands over the rounds that are over, with the names that may be published (LG-7, LG-12).

    What a round under way would give is left out: before its end only those who lost have points in it.
    """
    table = standings(season, 0, LINES, over=True)
    names = season_names(season, {line.number for line in table.lines})
    return SeasonStandings(
        season=str(season.year),
        as_of=at_ms,
        participants=table.total,
        key_confirmed=not table.key_unconfirmed,
        rows=tuple(
            SeasonLine(
                place=line.place,
                participant=line.number,
                points_half=line.half_points,
                rounds=line.rounds,
                name=names[line.number][:NAME_LENGTH] if line.number in names else None,
            )
            for line in table.lines
        ),
    )


class Teller:
    """Keeps every venue's standings up with the results. Two tellers in two processes are safe, as two pens are."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._told: dict[str, SeasonStandings] = {}
        self._looked_at: float | None = None
        self._asked_at = 0.0
        self._change = -1

    def turn(self, now: float, at_ms: int) -> list[str]:
        """Tell the venues what is different, if it is time to look (monotonic seconds); which venues were told."""
        if self._looked_at is not None and now - self._asked_at < SOON_S:
            return []
        # asked before the look: what changes meanwhile is looked at the next time
        self._asked_at, change = now, changes.current()
        if self._looked_at is not None and change == self._change and now - self._looked_at < IDLE_S:
            return []
        told = self.tell(at_ms)
        self._looked_at, self._change = now, change
        return told

    def tell(self, at_ms: int) -> list[str]:
        """Tell the venues what is different; which were told."""
        made: dict[int, SeasonStandings] = {}
        told: list[str] = []
        for venue, season in _seasons_shown():
            if season.pk not in made:
                made[season.pk] = season_standings(season, at_ms)
            if not _same(self._told.get(venue), made[season.pk]):
                told += [venue] if publish_standings(venue, made[season.pk], self._pen) else []
                self._told[venue] = made[season.pk]
        return told


def publish_standings(venue: str, event: SeasonStandings, pen: Pen) -> bool:
    """Write the standings to a venue's stream, unless it has them already. Raises `Venue.DoesNotExist`."""
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        before = last_told(venue)
        if _same(before, event) or (before is None and not event.rows):
            return False
        kind, data = encode_roster_event(event)
        pen.append(venue, [Draft(kind, msgspec.Raw(data))])
    return True


def last_told(venue: str) -> SeasonStandings | None:
    """The standings that a venue's stream has last, None where it has none that this version can read."""
    return last_of(venue, _TYPE, SeasonStandings)


def _same(before: SeasonStandings | None, now: SeasonStandings) -> bool:
    """Whether nothing but the time of looking differs."""
    return before is not None and replace(before, as_of=now.as_of) == now


def _seasons_shown() -> Iterator[tuple[str, Season]]:
    """Every venue that takes part in a season, with the latest that has results, else its latest."""
    seasons = {season.pk: season for season in Season.objects.all()}
    played = set(has_results(over=True).values_list("pk", flat=True))
    of_venue: dict[str, list[Season]] = defaultdict(list)
    for venue, season in Round.objects.order_by("venue").values_list("venue", "season").distinct():
        of_venue[venue].append(seasons[season])
    for venue, theirs in sorted(of_venue.items()):
        yield venue, max(theirs, key=lambda season: (season.pk in played, season.year))
