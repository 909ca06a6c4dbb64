"""What a venue says of its round that those who signed up must know: it is cancelled or moved there (LG-2)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from league.rounds import letters
from league.rounds.following import concerned, is_another_day, tell_moved
from league.rounds.models import Round
from league.rounds.signing_up import end_sign_ups, fill_places, who_may_play
from league.rounds.standing import NOT_BEGUN
from league.standings.models import RoundReport

_LATE = timedelta(days=1)


def venue_said(round: Round, state: str, starts_at: datetime, reason: str) -> int:
    """Tell those who signed up what the venue has changed since it was heard last; how many letters were written.

    Within the transaction in which the round's report is written. Of what is long over nobody is told: reports are
    made anew from old records, too.
    """
    is_cancelled = state == "cancelled"
    if round.heard_cancelled == is_cancelled and (is_cancelled or round.heard_starts_at == starts_at):
        return 0
    fresh = Round.objects.select_for_update(no_key=True).get(pk=round.pk)
    heard, was_cancelled, before = fresh.heard_starts_at, fresh.heard_cancelled, fresh.begins_at
    fresh.heard_starts_at, fresh.heard_cancelled = heard if is_cancelled else starts_at, is_cancelled
    at = RoundReport.objects.values_list("at", flat=True).get(pk=fresh.pk)
    is_moved = starts_at not in (heard, before) and _is_its_own(fresh, heard, starts_at, at)
    if (is_moved or state not in NOT_BEGUN) and not is_cancelled:
        fresh.told_starts_at = starts_at
        if is_moved and is_another_day(before, starts_at):
            fresh.notified_on, fresh.notified_as = None, ""
    fresh.save(
        update_fields=["heard_starts_at", "heard_cancelled", "told_starts_at", "notified_on", "notified_as"]
    )  # fmt: skip
    if max(before, starts_at) < timezone.now() - _LATE or fresh.cancelled_at is not None:
        return 0
    if is_cancelled:
        return letters.cancelled(fresh, concerned(fresh), at, reason=reason)
    if state not in NOT_BEGUN:
        return 0
    by = f"venue {fresh.venue_id}"
    if was_cancelled:
        return _take_place(fresh, by, at)
    return tell_moved(fresh, before, reason, by, timezone.now(), at=at).letters if is_moved else 0


def _is_its_own(round: Round, heard: datetime | None, starts_at: datetime, at: datetime) -> bool:
    """Whether a start that the venue has not said before, said ``at``, is its own doing: not what the league said
    before it moved the round, nor what the league's last word has made void.
    """
    if round.moved_at is None:
        return True
    is_old = heard is None and starts_at in (round.starts_at, round.first_starts_at)
    return at >= round.moved_at and not is_old


def _take_place(round: Round, by: str, at: datetime) -> int:
    """Tell that the cancellation was taken back; who may not play on that day any more leaves, as after a move."""
    people, now = concerned(round), timezone.now()
    stay = who_may_play(people, round.begins_at)
    end_sign_ups([each for each in people if each not in stay], by, now)
    fill_places(round, by, now)
    return letters.not_cancelled(round, stay, at)
