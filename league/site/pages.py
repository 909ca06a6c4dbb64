"""What the public pages and the JSON show, gathered from the database once for both."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.rounds.models import Round, Season
from league.rounds.standing import gone_by, shown_at, starts_at, state_of
from league.standings import seasons
from league.standings.models import Result, RoundReport
from league.standings.table import Standings, has_results, season_names, standings, still_played

STATES: dict[str, str | Promise] = {
    "planned": _("planned"),
    "announced": _("announced"),
    "open": _("registration open"),
    "running": _("running"),
    "paused": _("paused"),
    "finished": _("finished"),
    "cancelled": _("cancelled"),
    "moved": _("moved"),
}
"""A round's states (LG-2) as a reader of the page knows them; planned: the venue has not taken it up yet."""

UNDER_WAY = ("open", "running", "paused")

EVERY = Q()


class RoundLine(NamedTuple):
    """A round in the calendar."""

    round: Round
    report: RoundReport | None
    state: str

    @property
    def label(self) -> str | Promise:
        """The state in the page's language; a state from a later version is shown as it is."""
        if self.state == "planned" and self.round.promised is not None:
            return STATES["announced"]  # to whoever reads it; its venue has not taken it up yet
        return STATES.get(self.state, self.state)

    @property
    def css(self) -> str:
        """The state as a class name: of the states we know, nothing else."""
        return self.state if self.state in STATES else "unknown"

    @property
    def playing(self) -> bool:
        """Whether its clock has been started and it is not over."""
        return self.state in ("running", "paused")

    @property
    def to_come(self) -> bool:
        """Whether it is still to begin."""
        return not self.playing and self.state not in ("finished", "cancelled")

    @property
    def goes_on(self) -> bool:
        """Whether anything is still to be expected of it, so that its page goes on by itself."""
        recent = self.report is not None and timezone.now() - self.report.at < timedelta(days=1)
        return self.state not in ("finished", "cancelled") or recent

    @property
    def left(self) -> int:
        """Who is still in: before the start everybody who is registered."""
        if self.report is None:
            return 0
        return self.report.registered if self.state == "open" else self.report.left

    @property
    def provisional(self) -> bool:
        """Whether there are places that may still change."""
        return self.playing

    @property
    def moved_from(self) -> Any:
        """The date it was announced for first, if league or venue has moved it (LG-2)."""
        first = self.round.first_starts_at or self.round.starts_at
        return first if self.starts_at != first else None

    @property
    def starts_at(self) -> Any:
        """When it starts, by what league and venue have said of it last."""
        return starts_at(self.round, self.report)

    @property
    def is_imported(self) -> bool:
        """Whether its results alone are known, from before the league kept records: no deposit, no structure."""
        return "levels" not in (self.round.terms or {})

    @property
    def has_time(self) -> bool:
        """Whether it is known at what time it began, or only on which day."""
        return not self.is_imported or timezone.localtime(self.starts_at).time() != time.min

    @property
    def reason(self) -> str:
        """Why it was cancelled or moved, if anybody said so."""
        told = self.report.reason if self.report else ""
        return self.round.reason if self.round.cancelled_at is not None or not told else told


class ResultLine(NamedTuple):
    """A line of a round's results. Points are those that count.

    ``name`` None: no consent to publish it (LG-7), or the season is over (LG-12).
    """

    place: int
    number: str
    name: str | None
    prize: int
    half_points: int


class Calendar(NamedTuple):
    """The rounds that are not over, sorted into what a visitor looks for."""

    under_way: list[RoundLine]
    coming: list[RoundLine]

    @property
    def playing(self) -> list[RoundLine]:
        """Of those under way the ones that have begun."""
        return [line for line in self.under_way if line.playing]

    @property
    def gathering(self) -> list[RoundLine]:
        """Of those under way the ones that people come to and register for."""
        return [line for line in self.under_way if not line.playing]


def calendar(now: datetime | None = None, only: Q = EVERY, count: int | None = None) -> Calendar:
    """The rounds under way and those to come, soonest first; ``only``: of those (they have ``shown_at``)."""
    lines = [line_of(round) for round in _rounds(now, False, "shown_at", "id").filter(only)[:count]]
    calendar = Calendar([], [])
    for line in lines:
        (calendar.under_way if line.state in UNDER_WAY else calendar.coming).append(line)
    return calendar


def past_rounds(now: datetime | None = None, only: Q = EVERY) -> QuerySet[Round]:
    """The rounds that are over, the latest first: ever more of them, to be shown a page at a time."""
    return _rounds(now, True, "-shown_at", "-id").filter(only)


def _rounds(now: datetime | None, past: bool, *order: str) -> QuerySet[Round]:
    rounds = public_rounds().annotate(shown_at=shown_at()).annotate(is_past=gone_by(now or timezone.now()))
    return rounds.filter(is_past=past).order_by(*order)


def public_rounds() -> QuerySet[Round]:
    """The rounds that anybody may know of (LG-2): a plan is the office's own, unless it was told as a substitute."""
    known = Q(promised__isnull=False) | Q(folded__isnull=False) | Q(substitute_for__isnull=False)
    return Round.objects.filter(known).select_related("venue", "season", "folded")


def line_of(round: Round) -> RoundLine:
    """A round with what its stream says."""
    report: RoundReport | None = getattr(round, "folded", None)
    return RoundLine(round, report, state_of(round, report))


def results(round: Round) -> list[ResultLine]:
    """The places known so far, best first, with names where they may be published."""
    return results_of([round])[round.pk]


def results_of(rounds: list[Round]) -> dict[str, list[ResultLine]]:
    """The same of several rounds, asked for together."""
    found: dict[str, list[ResultLine]] = {round.pk: [] for round in rounds}
    rows = list(Result.objects.filter(round__in=found, void=False))
    lasting = {round.pk: round.season for round in rounds if not round.season.is_over()}
    numbers = {row.number for row in rows if row.round_id in lasting}
    names = season_names(next(iter(lasting.values())), numbers) if numbers else {}
    for row in rows:
        name = names.get(row.number) if row.round_id in lasting else None
        found[row.round_id].append(ResultLine(row.counted_place, row.number, name, row.prize, row.counted))
    return found


def current_season() -> Season | None:
    """The season whose standings are shown unasked: the latest of which a round is over, else the latest."""
    return has_results(over=True).first() or Season.objects.first()


def leaders(season: Season) -> tuple[Standings, list[dict[str, Any]]] | None:
    """The best five, named once a round of the season is over: before that only those who lost have points."""
    found = named_standings(season, 0, 5)
    return found if found[1] else None


def named_standings(season: Season, first: int = 0, count: int | None = None) -> tuple[Standings, list[dict[str, Any]]]:
    """The standings over the rounds that are over, and their lines with the names that may be published.

    Beside each line as ``open``: the half points that rounds which are not over have given so far, None without one.
    The table is ``provisional`` while there is such a round.
    """
    table = standings(season, first, count, over=True)
    if Result.objects.filter(round__season=season, void=False, provisional=True).exists():
        table = table._replace(provisional=True)
    numbers = {line.number for line in table.lines}
    names = season_names(season, None if count is None else numbers)
    more = still_played(season, numbers) if table.provisional and numbers else {}
    lines = [line._asdict() | {"name": names.get(line.number), "open": more.get(line.number)} for line in table.lines]
    return table, lines


def being_played(season: Season) -> list[RoundLine]:
    """The rounds of a season whose results are not all in, soonest first."""
    open_results = Result.objects.filter(round=OuterRef("pk"), void=False, provisional=True)
    rounds = public_rounds().filter(Exists(open_results), season=season).order_by("starts_at", "id")
    return [line_of(round) for round in rounds]


def winners(season: Season) -> list[tuple[str, str | None]]:
    """Those who were declared to have won an ended season (LG-8), with the names that may be published."""
    declared = seasons.declared(season)
    names = season_names(season, set(declared))
    return [(number, names.get(number)) for number in declared]


def structure(round: Round) -> list[dict[str, Any]]:
    """The levels and breaks of a round, numbered as in CK-1, to be seen before the start (T-16)."""
    entries: list[dict[str, Any]] = []
    level = 0
    for entry in _entries(round.terms):
        if "break" in entry:
            entries.append({"minutes": entry["break"], "pause": True})
        else:
            level += 1
            entries.append(entry | {"number": level})
    return entries


def _entries(announcement: Any) -> Iterable[dict[str, Any]]:
    levels = announcement.get("levels", []) if isinstance(announcement, dict) else []
    return [entry for entry in levels if isinstance(entry, dict)]
