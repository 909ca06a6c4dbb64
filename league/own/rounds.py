"""The rounds that somebody can play in, and how they stand with each."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.people.models import Participant
from league.rounds import signing_up
from league.rounds.planning import SignUp, in_order
from league.site.pages import RoundLine, calendar


class OwnLine(NamedTuple):
    """A round with somebody's sign-up, if they have one that stands."""

    line: RoundLine
    sign_up: SignUp | None
    open: bool
    """Whether one can still sign up or off."""
    left: int
    """Places that are free."""
    before: int
    """How many wait before them on the waiting list, or would."""


REFUSALS: dict[str, str | Promise] = {
    "not-active": _("Only who takes part in the league now can sign up. Ask the office."),
    "not-announced": _("The round has not been announced yet."),
    "round-cancelled": _("The round was cancelled."),
    "round-begun": _("The round has begun: come to the venue."),
    "signed-up-already": _("You are signed up already."),
    "not-signed-up": _("You are not signed up."),
}
"""Why it was not done, as the participant is told; by the codes of `SignUpRefused`."""


def own_rounds(person: Participant, now: datetime) -> tuple[list[OwnLine], list[OwnLine]]:
    """Those that they signed up for, and the others to which they can."""
    shown = calendar(now)
    mine = {each.round_id: each for each in person.sign_ups.exclude(state=SignUp.State.CANCELLED)}
    lines = [_own(line, mine.get(line.round.pk), now) for line in (*shown.under_way, *shown.coming)]
    signed = [own for own in lines if own.sign_up is not None]
    return signed, [own for own in lines if own.sign_up is None and own.open]


def _own(line: RoundLine, sign_up: SignUp | None, now: datetime) -> OwnLine:
    waiting = list(in_order(SignUp.State.WAITING, round=line.round).values_list("pk", flat=True))
    before = waiting.index(sign_up.pk) if sign_up is not None and sign_up.pk in waiting else len(waiting)
    is_open = signing_up.refusal(line.round, now) is None
    return OwnLine(line, sign_up, is_open, max(0, signing_up.places_left(line.round)), before)
