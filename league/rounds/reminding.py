"""What must not be forgotten before a round: to tell the municipality in time, and that few have signed up (LG-3)."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import QuerySet
from django.utils.timezone import localtime

from appliance.game.ruleset import PROFILES
from league.rounds.models import Round
from league.rounds.planning import SignUp, begins

NOTICE_DAYS = 30
"""So many days before a round the municipality must have the notice of it."""

REMINDED_DAYS = 45
"""From so many days before a round on the office is reminded of the notice."""

FEW_DAYS = 7
"""So many days before a round it is said that few have signed up."""


def notice_due(round: Round) -> date:
    """The last day on which the notice of a round can be handed in."""
    return localtime(round.begins_at).date() - timedelta(days=NOTICE_DAYS)


def to_notify(today: date) -> QuerySet[Round]:
    """Rounds to come of which the municipality is to be told now, or should have been."""
    return _coming(today, REMINDED_DAYS).filter(notified_on=None)


def enough(round: Round) -> int:
    """With fewer players than so many the league may cancel or move a round (LG-3)."""
    rules = PROFILES.get(str(round.terms.get("profile")) if isinstance(round.terms, dict) else "")
    return rules.worthwhile_minimum if rules is not None else 10


def too_few(round: Round, signed_up: int, today: date) -> bool:
    """Whether it is time to think of cancelling or moving a round: a warning, never more (LG-3)."""
    day = localtime(round.begins_at).date()
    near = today <= day <= today + timedelta(days=FEW_DAYS)
    return near and round.cancelled_at is None and round.promised is not None and signed_up < enough(round)


def with_too_few(today: date) -> list[Round]:
    """Rounds of the next days for which few have signed up."""
    return [
        round
        for round in _coming(today, FEW_DAYS)
        if too_few(round, SignUp.objects.filter(round=round, state=SignUp.State.IN).count(), today)
    ]


def _coming(today: date, days: int) -> QuerySet[Round]:
    rounds = Round.objects.filter(cancelled_at=None).annotate(begins=begins()).select_related("venue")
    return rounds.filter(begins__date__gte=today, begins__date__lte=today + timedelta(days=days))
