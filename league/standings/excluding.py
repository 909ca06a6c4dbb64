"""Excluding somebody from the league, and lifting that (T-15): no venue takes them meanwhile."""

from __future__ import annotations

from datetime import date, datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from league.ingest.rosters import changed
from league.people.models import Participant
from league.rounds import signing_up
from league.rounds.models import Round
from league.standings.excluded import excluded, open_proposals
from league.standings.models import DeclinedProposal, Exclusion, ExclusionProposal


class ExcludedAlready(ValueError):
    """The same exclusion stands already: a button was pressed twice, or two decided the same."""


class NotExcluded(ValueError):
    """The exclusion was lifted already, or had ended."""


def exclude(exclusion: Exclusion, by: str, *, now: datetime | None = None) -> Exclusion:
    """Record an exclusion; the venues hear of it at once, and places on its days go to who waits for them.

    Raises `ExcludedAlready` where one that stands covers all its days, unless this one is for another round.
    """
    now = now or timezone.now()
    with transaction.atomic():
        # locked, as where they sign up: that comes wholly before this or after it
        person = Participant.objects.select_for_update(no_key=True).filter(number=exclusion.participant).first()
        if any(_covers(other, exclusion) for other in _standing(exclusion.participant)):
            raise ExcludedAlready
        exclusion.by, exclusion.at = by, now
        exclusion.save()
        changed()
        if person is not None:
            signing_up.cancel_all(person, by, now=now, on=exclusion.acts)
    return exclusion


def lift(exclusion: Exclusion, why: str, by: str) -> Exclusion:
    """Let somebody take part again before the time. Raises `NotExcluded`."""
    with transaction.atomic():
        fresh = Exclusion.objects.select_for_update(no_key=True).get(pk=exclusion.pk)
        if fresh.lifted_at is not None or (fresh.until is not None and fresh.until < timezone.localdate()):
            raise NotExcluded
        fresh.lifted_at, fresh.lifted_by, fresh.lifted_why = timezone.now(), by, why
        fresh.save()
        changed()
    return fresh


def others_of(exclusion: Exclusion) -> list[Exclusion]:
    """The other exclusions of the same person that are not over: lifting one leaves them as they are."""
    return [each for each in _standing(exclusion.participant) if each.pk != exclusion.pk]


def _standing(number: str) -> list[Exclusion]:
    found = Exclusion.objects.filter(participant=number, lifted_at=None)
    return list(found.filter(Q(until=None) | Q(until__gte=timezone.localdate())))


def _covers(other: Exclusion, exclusion: Exclusion) -> bool:
    ends = other.until is None or (exclusion.until is not None and exclusion.until <= other.until)
    same = exclusion.round_id in (None, other.round_id)
    return same and other.since <= exclusion.since and ends


class NotProposed(ValueError):
    """The proposal was followed or declined already, or the venue has taken it back."""


def decline(proposal: ExclusionProposal, why: str, by: str, *, now: datetime | None = None) -> DeclinedProposal:
    """Do not follow a commissioner's proposal (T-15). Raises `NotProposed`."""
    with transaction.atomic():
        # the round, not the proposal: that is written anew with each of the round's records
        Round.objects.select_for_update(no_key=True).get(pk=proposal.round_id)
        same = (proposal.round_id, proposal.number, proposal.at)
        if same not in {(row.round_id, row.number, row.at) for row in open_proposals()}:
            raise NotProposed
        return DeclinedProposal.objects.create(
            round_id=proposal.round_id, number=proposal.number, proposed_at=proposal.at, reason=why, by=by[:150],
            at=now or timezone.now(),
        )  # fmt: skip


class DayWatch:
    """Has the rosters told anew when exclusions begin or end by the calendar alone."""

    def __init__(self) -> None:
        self._day: date | None = None

    def turn(self, day: date | None = None) -> bool:
        """Whether somebody comes in or goes out with this day; at the first look it is taken to be so."""
        day = day or timezone.localdate()
        if day == self._day:
            return False
        different = Exclusion.objects.exists() if self._day is None else excluded(self._day) != excluded(day)
        if different:
            changed()
        self._day = day
        return different
