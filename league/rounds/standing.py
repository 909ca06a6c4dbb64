"""Where a round stands before it begins: what the league has decided counts until its venue has heard of it (LG-2)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Case, F, Q, When

from league.rounds.models import Round

if TYPE_CHECKING:
    from league.standings.models import RoundReport

NOT_BEGUN = ("planned", "announced", "open", "moved")
"""States in which a round can still be moved or cancelled."""

WAITING = ("planned", "moved")


def state_of(round: Round, report: RoundReport | None) -> str:
    """A round's state (LG-2) in one word; ``planned``: the venue has not taken it up yet."""
    state = report.state if report else "planned"
    if state not in NOT_BEGUN:
        return state
    if round.cancelled_at is not None:
        return "cancelled"
    return "moved" if round.moved_at is not None and not _heard(round.moved_at, report) else state


def starts_at(round: Round, report: RoundReport | None) -> datetime:
    """When a round starts: as its venue has it, which may reschedule, unless the league has moved it since."""
    if round.told_starts_at is not None and (report is None or report.state in NOT_BEGUN):
        return round.told_starts_at
    if report is None:
        return round.starts_at
    moved = round.moved_at
    waits = moved is not None and report.state in NOT_BEGUN and not _heard(moved, report)
    return round.starts_at if waits else report.starts_at


def _heard(moved_at: datetime, report: RoundReport | None) -> bool:
    return report is not None and report.at >= moved_at


# -- the same for queries ----------------------------------------------------------------------------------------

_UNTOLD = Q(folded__isnull=True)
_NOT_BEGUN = _UNTOLD | Q(folded__state__in=NOT_BEGUN)
_UNHEARD = Q(moved_at__isnull=False) & (_UNTOLD | Q(folded__at__lt=F("moved_at")))


def shown_at() -> Case:
    """`starts_at` of rounds in a query."""
    return Case(
        When(_NOT_BEGUN & Q(told_starts_at__isnull=False), then=F("told_starts_at")),
        When(_UNTOLD | (_NOT_BEGUN & _UNHEARD), then=F("starts_at")),
        default=F("folded__starts_at"),
    )


def gone_by(now: datetime) -> Case:
    """Whether rounds in a query with ``shown_at`` are past: over, or not taken up, or cancelled, when they should
    have begun. One that is cancelled stands among those to come until its day.
    """
    cancelled = Q(folded__state="cancelled") | (_NOT_BEGUN & Q(cancelled_at__isnull=False))
    waits = _UNTOLD | Q(folded__state__in=WAITING) | (_NOT_BEGUN & _UNHEARD)
    return Case(
        When(Q(folded__state="finished") | ((cancelled | waits) & Q(shown_at__lt=now)), then=True), default=False
    )
