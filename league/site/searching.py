"""Finds somebody in a season's standings, by their number or by a name that may be published (LG-7, LG-12)."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.people.models import Consent, Participant
from league.privacy.marks import fold
from league.rounds.models import Season
from league.standings.models import SeasonTotal
from league.standings.table import season_names, still_played

MOST = 20
"""So many are found; whoever looks for more types more."""

LONGEST = 60


class Found(NamedTuple):
    """Lines of the standings, each with how many stand ``before`` it, and whether there are more of them."""

    asked: str
    lines: list[dict[str, Any]]
    more: bool


def find(season: Season, asked: str) -> Found:
    """The best of those whose number is asked for, or whose name has every word in it; accents and cases aside."""
    asked = " ".join(asked.split())[:LONGEST]
    wanted = _wanted(season, asked)
    if wanted is None:
        return Found(asked, [], False)
    order = ("-over_counted", "number")
    hits = SeasonTotal.objects.filter(wanted, season=season, over_rounds__gt=0).order_by(*order)
    best = list(hits.values_list("pk", flat=True)[: MOST + 1])
    # who stands before them is counted for these alone: of two letters there may be a hundred thousand
    rows = list(
        SeasonTotal.objects.filter(pk__in=best)
        .annotate(better=_better(Q(over_counted__gt=OuterRef("over_counted"))))
        .annotate(
            level=_better(Q(over_counted=OuterRef("over_counted"), over_rounds__gt=0, number__lt=OuterRef("number")))
        )
        .order_by(*order)
    )
    more = still_played(season, {row.number for row in rows[:MOST]})
    names = season_names(season, {row.number for row in rows[:MOST]})
    lines = [
        {
            "place": row.better + 1, "number": row.number, "name": names.get(row.number), "rounds": row.over_rounds,
            "half_points": row.over_counted, "open": more.get(row.number), "before": row.better + row.level,
        }
        for row in rows[:MOST]
    ]  # fmt: skip
    return Found(asked, lines, len(rows) > MOST)


def _wanted(season: Season, asked: str) -> Q | None:
    """Whose lines they are, None for nobody's."""
    if asked.isascii() and asked.isdigit():
        short = asked.lstrip("0")
        return Q(number__in={asked, *(short.zfill(width) for width in range(len(short) or 1, 13))})
    words = [word for word in map(fold, asked.split()) if word]
    if season.is_over() or sum(map(len, words)) < 2:
        return None
    consent = Consent.objects.filter(
        participant=OuterRef("pk"), kind=Consent.Kind.PUBLICATION, withdrawn_at__isnull=True
    )  # fmt: skip
    people: QuerySet[Participant] = Participant.objects.filter(Exists(consent), state=Participant.State.ACTIVE)
    for word in words:
        people = people.filter(folded__contains=word)
    return Q(number__in=people.values("number"))


def _better(which: Q) -> Coalesce:
    """How many of the same season a condition holds for."""
    rows = SeasonTotal.objects.filter(which, season=OuterRef("season")).order_by().values("season")
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), 0)
