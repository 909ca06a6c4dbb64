"""Sign-ups for a round, from the office or the participant's own page: a waiting list when it is full, and who is first
on it comes in when somebody cancels. The round's row is locked meanwhile, so no two get the last place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from appliance.game.reading import CommandError
from league.ingest import rosters
from league.people.models import Participant
from league.rounds import letters
from league.rounds.announcing import room_of
from league.rounds.models import Round
from league.rounds.planning import SignUp, in_order
from league.rounds.standing import NOT_BEGUN, starts_at, state_of
from league.staff.audit import What, note_by
from league.standings.excluded import excluded
from league.standings.models import RoundReport

State = SignUp.State

SIGNED_UP, SIGNED_OFF = gettext_noop("signed up for a round"), gettext_noop("sign-up cancelled")
CAME_IN, PUT_BACK = gettext_noop("came in from the waiting list"), gettext_noop("put back on the waiting list")
"""What the audit log says of it."""


class SignUpRefused(ValueError):
    """Why somebody cannot sign up or cancel; ``code`` is stable, ``text`` for people."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        self.text: str | Promise = _REFUSALS[code]


_REFUSALS: dict[str, str | Promise] = {
    "not-active": _("Only who takes part in the league now can sign up."),
    "not-announced": _("The round has not been announced yet."),
    "round-cancelled": _("The round was cancelled."),
    "round-begun": _("The round has begun: come to the venue."),
    "signed-up-already": _("They are signed up already."),
    "not-signed-up": _("They are not signed up."),
}


def refusal(round: Round, now: datetime) -> str | None:
    """Why nobody can sign up for a round now, or None."""
    return refusal_of(round, RoundReport.objects.filter(pk=round.pk).first(), now)


def refusal_of(round: Round, report: RoundReport | None, now: datetime) -> str | None:
    """`refusal` where it is known what the round's stream says."""
    state = state_of(round, report)
    if state == "cancelled":
        return "round-cancelled"
    if round.promised is None:
        return "not-announced"
    return "round-begun" if state not in NOT_BEGUN or now >= starts_at(round, report) else None


def sign_up(
    person: Participant, round: Round, by: str, *, now: datetime | None = None, address: str | None = None
) -> SignUp:
    """Sign somebody up, or put them on the waiting list where the round is full: see the ``state`` of what comes back.

    ``by``: who does it, as in the audit log. Raises `SignUpRefused`.
    """
    now = now or timezone.now()
    with transaction.atomic():
        # locked, and before the round, as where somebody's part ends: that comes wholly before this or after it
        who = Participant.objects.select_for_update(no_key=True).filter(pk=person.pk, state=Participant.State.ACTIVE)
        taking_part = who.first()
        fresh = Round.objects.select_for_update(no_key=True).get(pk=round.pk)
        if (code := refusal(fresh, now)) is not None:
            raise SignUpRefused(code)
        if taking_part is None or person.number in excluded(timezone.localdate(fresh.begins_at)):
            raise SignUpRefused("not-active")
        known = SignUp.objects.filter(round=fresh, participant=person).first()
        if known is not None and known.state != State.CANCELLED:
            raise SignUpRefused("signed-up-already")
        state = State.IN if places_left(fresh) > 0 else State.WAITING
        made, _new = SignUp.objects.update_or_create(
            round=fresh, participant=person, defaults={"state": state, "at": now, "changed_at": now, "by": by[:150]}
        )
        note_by(by, What.CHANGE, number=person.number, about=f"{SIGNED_UP}: {fresh.pk}", address=address)
        rosters.changed()
    return made


def cancel_sign_up(
    person: Participant, round: Round, by: str, *, now: datetime | None = None, address: str | None = None
) -> SignUp | None:
    """Cancel a sign-up; who comes in from the waiting list in their place, and is told so, or None.

    Possible as long as the round has not begun. Raises `SignUpRefused`.
    """
    now = now or timezone.now()
    with transaction.atomic():
        fresh = Round.objects.select_for_update(no_key=True).get(pk=round.pk)
        if refusal(fresh, now) == "round-begun":
            raise SignUpRefused("round-begun")
        known = SignUp.objects.filter(round=fresh, participant=person).exclude(state=State.CANCELLED).first()
        if known is None:
            raise SignUpRefused("not-signed-up")
        _set(known, State.CANCELLED, by, now)
        note_by(by, What.CHANGE, number=person.number, about=f"{SIGNED_OFF}: {fresh.pk}", address=address)
        rosters.changed()
        came_in = fill_places(fresh, by, now)
    return came_in[0] if came_in else None


def cancel_all(
    person: Participant, by: str, *, now: datetime | None = None, on: Callable[[date], bool] | None = None
) -> int:
    """Cancel all sign-ups of somebody who takes part no longer, for rounds that have not begun; how many.

    ``on``: whether they are kept out on a day, every day without it.
    """
    theirs = SignUp.objects.filter(participant=person).exclude(state=State.CANCELLED)
    cancelled = 0
    for pk in list(theirs.order_by("round_id").values_list("round_id", flat=True)):
        with transaction.atomic():
            # locked before its day is read: it may just be moved
            round = Round.objects.select_for_update(no_key=True).get(pk=pk)
            if on is not None and not on(timezone.localdate(round.begins_at)):
                continue
            try:
                cancel_sign_up(person, round, by, now=now)
            except SignUpRefused:
                continue
        cancelled += 1
    return cancelled


def end_sign_ups(sign_ups: Iterable[SignUp], by: str, now: datetime) -> None:
    """Cancel sign-ups of those who may not play. Within a transaction, the round locked; places are not filled."""
    for each in sign_ups:
        _set(each, State.CANCELLED, by, now)
        note_by(by, What.CHANGE, number=each.participant.number, about=f"{SIGNED_OFF}: {each.round_id}")


def fill_places(round: Round, by: str, now: datetime) -> list[SignUp]:
    """Let in from the waiting list whom there is room for, and tell them. Within a transaction, the round locked.

    ``by``: whoever freed the places.
    """
    if refusal(round, now) not in (None, "not-announced"):
        return []
    waiting = who_may_play(in_order(State.WAITING, round=round), round.begins_at)
    came_in = waiting[: max(0, places_left(round))]
    for each in came_in:
        _set(each, State.IN, each.by, now)
        note_by(by, What.CHANGE, number=each.participant.number, about=f"{CAME_IN}: {round.pk}")
        letters.off_the_waiting_list(each)
    return came_in


def fit_places(round: Round, by: str, now: datetime) -> None:
    """Have as many signed up as there is room for, where the room has changed: who signed up last waits again, or who
    has waited longest comes in; they are told. Within a transaction, the round locked.
    """
    there_is = room(round)
    if there_is is None:
        return
    signed = list(in_order(State.IN, round=round))
    for each in signed[there_is:]:
        _set(each, State.WAITING, each.by, now)
        note_by(by, What.CHANGE, number=each.participant.number, about=f"{PUT_BACK}: {round.pk}")
        letters.on_the_waiting_list(each)
    if fill_places(round, by, now) or signed[there_is:]:
        rosters.changed()


def who_may_play(sign_ups: Iterable[SignUp], starts_at: datetime) -> list[SignUp]:
    """Those of them who take part in the league and are not excluded on that day (T-15)."""
    out = excluded(timezone.localdate(starts_at))
    active = Participant.State.ACTIVE
    return [each for each in sign_ups if each.participant.state == active and each.participant.number not in out]


def room(round: Round) -> int | None:
    """How many may play in a round; None where its plan is not complete (T-1)."""
    try:
        return room_of(round.terms)
    except (CommandError, ValueError):
        return None


def places_left(round: Round) -> int:
    """How many can still sign up without waiting (T-1)."""
    return (room(round) or 0) - SignUp.objects.filter(round=round, state=State.IN).count()


def _set(sign_up: SignUp, state: SignUp.State, by: str, now: datetime) -> None:
    sign_up.state, sign_up.by, sign_up.changed_at = state, by[:150], now
    sign_up.save(update_fields=["state", "by", "changed_at"])
