"""The rounds that somebody can play in, and how they stand with each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count
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
    lines = [*shown.under_way, *shown.coming]
    mine = {each.round_id: each for each in person.sign_ups.exclude(state=SignUp.State.CANCELLED)}
    counts = _Counts([line.round.pk for line in lines], mine)
    found = [_own(line, mine.get(line.round.pk), counts, now) for line in lines]
    signed = [own for own in found if own.sign_up is not None]
    return signed, [own for own in found if own.sign_up is None and own.open]


class _Counts:
    """How many are signed up for rounds and wait for them, and who waits before one person: asked for all together."""

    def __init__(self, rounds: list[str], mine: Mapping[str, SignUp]) -> None:
        counted = SignUp.objects.filter(round__in=rounds).order_by().values_list("round", "state")
        self._of: dict[tuple[str, str], int] = {
            (round, state): count for round, state, count in counted.annotate(Count("pk"))
        }
        own = {each.pk for each in mine.values() if each.state == SignUp.State.WAITING}
        self._before: dict[str, int] = {}
        rows: dict[str, int] = defaultdict(int)
        waiting = in_order(SignUp.State.WAITING, round__sign_ups__in=own) if own else SignUp.objects.none()
        for round, row in waiting.values_list("round", "pk"):
            if row in own:
                self._before[round] = rows[round]
            rows[round] += 1

    def signed_up(self, round: str) -> int:
        return self._of.get((round, SignUp.State.IN), 0)

    def before(self, round: str) -> int:
        """How many wait before them, or would."""
        return self._before.get(round, self._of.get((round, SignUp.State.WAITING), 0))


def _own(line: RoundLine, sign_up: SignUp | None, counts: _Counts, now: datetime) -> OwnLine:
    round = line.round
    is_open = signing_up.refusal_of(round, line.report, now) is None
    left = max(0, (signing_up.room(round) or 0) - counts.signed_up(round.pk))
    return OwnLine(line, sign_up, is_open, left, counts.before(round.pk))
