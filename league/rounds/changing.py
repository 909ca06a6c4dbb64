"""What becomes of a round before it begins: announced, moved, cancelled, with another in its place (LG-2, LG-3).

Each act is one transaction: the round, the sign-ups, the word to the venue, the letters and the audit entry.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from league.ingest import rosters
from league.ingest.changes import cancel_at_venue, move_at_venue
from league.ingest.outbox import Pen
from league.ingest.publishing import offer_round
from league.people.locking import lock_people
from league.rounds import letters, standing
from league.rounds.following import Told, concerned, is_another_day, tell_moved
from league.rounds.models import Round, Season, Venue
from league.rounds.planning import SignUp
from league.rounds.signing_up import State, places_left, who_may_play
from league.staff.audit import What, note_by
from league.standings.models import RoundReport

ANNOUNCED, MOVED = gettext_noop("round announced"), gettext_noop("round moved")
CANCELLED, CARRIED = gettext_noop("round cancelled"), gettext_noop("sign-up carried over to another round")
"""What the audit log says of it."""


class ChangeRefused(ValueError):
    """Why a round cannot be announced, moved or cancelled; ``text`` for people."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        self.text: str | Promise = _REFUSALS[code]


_REFUSALS: dict[str, str | Promise] = {
    "cancelled": gettext_lazy("The round was cancelled."),
    "begun": gettext_lazy("The round has begun: what happens to it now is decided at the venue."),
    "finished": gettext_lazy("The round is over."),
    "not-announced": gettext_lazy("The round has not been announced yet: change its date in the plan."),
    "same-date": gettext_lazy("The round starts at that time already."),
    "in-the-past": gettext_lazy("That time has passed."),
    "no-season": gettext_lazy("There is no season of that year."),
    "season-rests": gettext_lazy("The season is not played on that day."),
    "code-taken": gettext_lazy("There is a round with that code already."),
    "unsound": gettext_lazy("The announcement is not complete: the venue would refuse it."),
}


class Substitute(NamedTuple):
    """A round in place of a cancelled one. ``carry``: whether sign-ups are carried over."""

    id: str
    starts_at: datetime
    venue: Venue
    carry: bool


def refusal(round: Round) -> str | None:
    """Why a round can be neither moved nor cancelled any more, or None."""
    state = RoundReport.objects.filter(pk=round.pk).values_list("state", flat=True).first()
    if round.cancelled_at is not None or state == "cancelled":
        return "cancelled"
    if state in ("running", "paused"):
        return "begun"
    return "finished" if state == "finished" else None


def announce(round: Round, by: str, pen: Pen, now: datetime) -> None:
    """Announce a planned round: it goes to its venue, and what is promised stands. Raises `ChangeRefused`."""
    if now >= round.starts_at:
        raise ChangeRefused("in-the-past")
    if round.cancelled_at is not None:
        raise ChangeRefused("cancelled")
    _season_on(round.starts_at, round.season)
    try:
        with transaction.atomic():
            offer_round(round, pen, now)
            note_by(by, What.ACT, about=f"{ANNOUNCED}: {round.pk}")
    except ValueError:
        raise ChangeRefused("unsound") from None


def move(round: Round, starts_at: datetime, reason: str, by: str, pen: Pen, now: datetime) -> Told:
    """Move an announced round to another time: sign-ups stay, all of them are told. Raises `ChangeRefused`.

    The municipality has to be told anew where the day is another.
    """
    with transaction.atomic():
        fresh = _locked(round, starts_at, now)
        if fresh.promised is None:
            raise ChangeRefused("not-announced")
        before = standing.starts_at(fresh, RoundReport.objects.filter(pk=fresh.pk).first())
        if starts_at == before:
            raise ChangeRefused("same-date")
        season = _season_on(starts_at, fresh.season)
        said = localtime(starts_at).isoformat()
        fresh.announcement = fresh.announcement | {"starts_at": said}
        fresh.promised = fresh.promised | {"starts_at": said}
        fresh.first_starts_at = fresh.first_starts_at or fresh.starts_at
        fresh.starts_at = fresh.told_starts_at = starts_at
        fresh.moved_at, fresh.reason, fresh.season = now, reason, season
        if is_another_day(before, starts_at):
            fresh.notified_on, fresh.notified_as = None, ""
        fresh.save()
        move_at_venue(fresh, before, lambda: _moved_notice(fresh, before), pen, now)
        told = tell_moved(fresh, before, reason, by, now)
        note_by(by, What.ACT, about=f"{MOVED}: {fresh.pk}", reason=reason)
    return told


def cancel(
    round: Round, reason: str, by: str, pen: Pen, now: datetime, substitute: Substitute | None = None
) -> tuple[Told, Round | None]:
    """Cancel a round, announced or planned, and plan another in its place where one is named.

    All who signed up are told; points there are none, and deposits go back at the venue. Raises `ChangeRefused`.
    """
    with transaction.atomic():
        # before the round, as everywhere: nobody's part ends unseen while their sign-up is carried over
        known = {each.participant_id for each in concerned(round)} if substitute is not None else set()
        lock_people(known)
        fresh = _locked(round)
        if substitute is not None and substitute.starts_at <= now:
            raise ChangeRefused("in-the-past")
        fresh.cancelled_at, fresh.reason = now, reason
        fresh.save(update_fields=["cancelled_at", "reason"])
        rosters.changed()
        people = concerned(fresh)
        theirs = [one for one in people if one.participant_id in known]
        instead = None if substitute is None else _substitute(fresh, substitute, theirs, by, now)
        if fresh.promised is not None:
            cancel_at_venue(fresh, lambda: _cancelled_notice(fresh, instead), pen, now)
        carried = set() if instead is None else set(instead.sign_ups.values_list("participant", flat=True))
        written = letters.cancelled(fresh, [one for one in people if one.participant_id in carried], now, instead, True)
        written += letters.cancelled(fresh, [one for one in people if one.participant_id not in carried], now, instead)
        note_by(by, What.ACT, about=f"{CANCELLED}: {fresh.pk}", reason=reason)
    return Told(len(people), written), instead


def _locked(round: Round, starts_at: datetime | None = None, now: datetime | None = None) -> Round:
    # in the order in which whoever tells venues of rounds locks them
    Venue.objects.select_for_update(no_key=True).get(pk=round.venue_id)
    Season.objects.select_for_update(no_key=True).get(pk=round.season_id)
    fresh = Round.objects.select_for_update(no_key=True).get(pk=round.pk)
    if (code := refusal(fresh)) is not None:
        raise ChangeRefused(code)
    if starts_at is not None and now is not None and starts_at <= now:
        raise ChangeRefused("in-the-past")
    return fresh


def _season_on(moment: datetime, own: Season) -> Season:
    """The season that is played on that day, the round's own while it lasts. Raises `ChangeRefused`."""
    day = localtime(moment).date()
    season = Season.on(day, own)
    if season is None:
        raise ChangeRefused("no-season")
    if season.why_not_on(day) is not None:
        raise ChangeRefused("season-rests")
    return season


def _substitute(round: Round, planned: Substitute, people: list[SignUp], by: str, now: datetime) -> Round:
    """A plan with the terms of the cancelled round; who signed up for that keeps their place in the queue."""
    season = _season_on(planned.starts_at, round.season)
    if Round.objects.filter(pk=planned.id).exists():
        raise ChangeRefused("code-taken")
    terms: dict[str, Any] = round.announcement | {
        "round": planned.id, "venue": planned.venue.pk, "starts_at": localtime(planned.starts_at).isoformat(),
    }  # fmt: skip
    made = Round.objects.create(
        id=planned.id, season=season, venue=planned.venue, name=round.name, starts_at=planned.starts_at,
        announcement=terms, substitute_for=round,
    )  # fmt: skip
    carried = who_may_play(people, planned.starts_at) if planned.carry else []
    left = places_left(made)
    SignUp.objects.bulk_create(
        SignUp(
            round=made, participant=each.participant, state=State.IN if n < left else State.WAITING, at=each.at,
            changed_at=now, by=by[:150],
        )
        for n, each in enumerate(carried)
    )  # fmt: skip
    for each in carried:
        note_by(by, What.CHANGE, number=each.participant.number, about=f"{CARRIED}: {made.pk}")
    return made


def _moved_notice(round: Round, before: datetime) -> str:
    facts = {"round": str(round), "before": letters.when(before), "date": letters.when(round.begins_at)}
    return _with_reason(_("%(round)s, announced for %(before)s, is moved to %(date)s.") % facts, round)


def _cancelled_notice(round: Round, instead: Round | None) -> str:
    facts = {"round": str(round), "date": letters.when(round.begins_at)}
    text = _with_reason(_("%(round)s on %(date)s is cancelled.") % facts, round)
    if instead is None:
        return text
    facts = {"venue": str(instead.venue), "date": letters.when(instead.starts_at)}
    whole = text if text.endswith((".", "!", "?")) else f"{text}."
    return whole + " " + _("In its place: %(date)s, %(venue)s.") % facts


def _with_reason(text: str, round: Round) -> str:
    return text + " " + _("Reason: %(reason)s") % {"reason": round.reason} if round.reason else text
