"""What becomes of those who signed up when a round is moved: they are told, and who may not play then leaves (T-15)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.utils.timezone import localtime

from league.ingest import rosters
from league.rounds import letters
from league.rounds.models import Round, Venue
from league.rounds.planning import SignUp, in_order
from league.rounds.signing_up import end_sign_ups, fill_places, who_may_play


class Told(NamedTuple):
    """How many sign-ups a change concerns, and how many of them have a letter on its way."""

    concerned: int
    letters: int


def concerned(round: Round) -> list[SignUp]:
    """Who signed up, those who wait among them."""
    return [*in_order(SignUp.State.IN, round=round), *in_order(SignUp.State.WAITING, round=round)]


def tell_moved(
    round: Round, before: datetime, reason: str, by: str, now: datetime, *, at: datetime | None = None,
    elsewhere: Venue | None = None,
) -> Told:  # fmt: skip
    """Tell of a move from ``before``, and from ``elsewhere``, that is written down already; free the places of those
    whom the league excludes on the new day. Within the transaction, the round locked. ``at``: when it was moved.
    """
    people = concerned(round)
    stay = who_may_play(people, round.begins_at)
    out = [each for each in people if each not in stay]
    written = letters.moved(round, before, stay, reason, at or now, elsewhere=elsewhere)
    written += letters.moved(round, before, out, reason, at or now, elsewhere=elsewhere, out=True)
    end_sign_ups(out, by, now)
    fill_places(round, by, now)
    if people:
        rosters.changed()
    return Told(len(people), written)


def is_another_day(one: datetime, other: datetime) -> bool:
    """Whether two times are on different days: the municipality is to be told anew."""
    return localtime(one).date() != localtime(other).date()
