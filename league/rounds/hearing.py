"""What a venue says of its round that those who signed up must know: it is cancelled or moved there (LG-2)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from league.rounds import letters
from league.rounds.models import Round
from league.rounds.planning import SignUp, in_order
from league.rounds.standing import NOT_BEGUN

_LATE = timedelta(days=1)


def venue_said(round: Round, state: str, starts_at: datetime, reason: str) -> int:
    """Tell those who signed up what the venue has changed, unless they were told; how many letters were written.

    Within the transaction in which the round's report is written. Of what is long over nobody is told: reports are
    made anew from old records, too.
    """
    if max(round.starts_at, starts_at) < timezone.now() - _LATE:
        return 0
    if state == "cancelled":
        return letters.cancelled(round, _concerned(round), reason=reason)
    if state in NOT_BEGUN and starts_at != round.starts_at and round.moved_at is None:
        return letters.moved(round, round.starts_at, starts_at, _concerned(round), reason)
    return 0


def _concerned(round: Round) -> list[SignUp]:
    return [*in_order(SignUp.State.IN, round=round), *in_order(SignUp.State.WAITING, round=round)]
