"""One round at the office: who has signed up, what is to be done before it, its money."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.rounds import changing, signing_up
from league.rounds.forms import NotifiedForm, SignUpForm
from league.rounds.models import Round
from league.rounds.money import money_of
from league.rounds.plan import can_be_discarded
from league.rounds.planning import SignUp, in_order
from league.rounds.reminding import NOTICE_DAYS, enough, notice_due, too_few
from league.site.pages import line_of, public_rounds, structure
from league.staff import audit
from league.staff.roles import Role, require, roles_of

LOOKED_AT = gettext_noop("sign-ups")
READERS = (Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
State = SignUp.State


@require(*READERS)
@require_safe
@never_cache
def round_page(request: HttpRequest, round_id: str) -> HttpResponse:
    """Everything about one round."""
    found = get_object_or_404(Round.objects.select_related("venue", "season", "folded", "substitute_for"), pk=round_id)
    return show(request, found, SignUpForm())


def show(request: HttpRequest, round: Round, form: SignUpForm, people: Any = (), notified: Any = None) -> HttpResponse:
    """The page, with the forms as they stand; ``people``: whom a name that was typed may mean."""
    audit.note(request, audit.What.VIEW, about=f"{LOOKED_AT}: {round.pk}", fields=["name", "email"])
    roles, now, today = roles_of(request.user), timezone.now(), timezone.localdate()
    signed, waiting = list(in_order(State.IN, round=round)), list(in_order(State.WAITING, round=round))
    due = notice_due(round)
    at_desk, why = bool(roles & {Role.CLERK, Role.COMMISSIONER}), signing_up.refusal(round, now)
    context = {
        "round": round, "line": line_of(round), "form": form, "people": people, "signed": signed, "waiting": waiting,
        "gone": in_order(State.CANCELLED, round=round), "room": signing_up.room(round), "enough": enough(round),
        "without": sum(not each.participant.email for each in (*signed, *waiting)),
        "few": too_few(round, len(signed), today), "due": due, "late": due <= today, "notice_days": NOTICE_DAYS,
        "notified": notified or NotifiedForm(initial={"day": today}), "money": money_of(round),
        "structure": structure(round), "terms": round.terms, "substitutes": round.substitutes.select_related("venue"),
        "may_sign_up": at_desk and why is None,
        "may_sign_off": at_desk and why in (None, "not-announced"),
        "may_change": Role.COMMISSIONER in roles and changing.refusal(round) is None,
        "may_discard": Role.COMMISSIONER in roles and can_be_discarded(round),
        "coming": now < line_of(round).starts_at, "ends_at": ends_at(round),
        "is_public": public_rounds().filter(pk=round.pk).exists(),
    }  # fmt: skip
    return render(request, "office/rounds/round.html", context)


def ends_at(round: Round) -> Any:
    """When a round should be over by its structure, at the longest."""
    minutes = sum(int(entry.get("minutes") or 0) for entry in structure(round))
    return round.begins_at + timedelta(minutes=minutes)
