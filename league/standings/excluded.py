"""Who is excluded from the league on a day (T-15)."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.standings.models import DeclinedProposal, Exclusion, ExclusionProposal


def exclusions_on(day: date | None = None) -> QuerySet[Exclusion]:
    """The exclusions that act on a day, today without one."""
    day = day or timezone.localdate()
    return Exclusion.objects.filter(Q(until__isnull=True) | Q(until__gte=day), since__lte=day, lifted_at__isnull=True)


def excluded(day: date | None = None) -> frozenset[str]:
    """The registration numbers of those who are excluded on a day."""
    return frozenset(exclusions_on(day).values_list("participant", flat=True))


ANSWERED_WITHIN = timedelta(days=90)
"""A proposal that the league has not followed for so long is not going to be."""


def open_proposals() -> list[ExclusionProposal]:
    """What venues' commissioners propose and the league has neither followed nor declined, the latest first."""
    found = ExclusionProposal.objects.filter(at__gte=timezone.now() - ANSWERED_WITHIN).select_related("round")
    answered = set(Exclusion.objects.filter(round__isnull=False).values_list("round", "participant"))
    declined = set(DeclinedProposal.objects.values_list("round", "number", "proposed_at"))
    return [
        row
        for row in found
        if (row.round_id, row.number) not in answered and (row.round_id, row.number, row.at) not in declined
    ]
