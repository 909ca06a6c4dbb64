"""The list of rounds: what is coming, what is planned, what must be told to a municipality."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.rounds.models import Round
from league.rounds.planning import SignUp, begins
from league.rounds.reminding import NOTICE_DAYS, enough, notice_due, to_notify, too_few
from league.rounds.signing_up import room
from league.site.pages import line_of
from league.staff.roles import Role, require, roles_of

READERS = (Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
A_PAGE = 50
SHOWN = ("coming", "plans", "notice", "past")


@require(*READERS)
@require_safe
def rounds(request: HttpRequest) -> HttpResponse:
    """Rounds to come, the next one first; or one of the other lists."""
    wanted = request.GET.get("show", "coming")
    show = wanted if wanted in SHOWN else "coming"
    page = Paginator(_listed(show), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page, "lines": [_line(round) for round in page], "show": show, "notice_days": NOTICE_DAYS,
        "may_plan": Role.COMMISSIONER in roles_of(request.user),
    }  # fmt: skip
    return render(request, "office/rounds/list.html", context)


def _listed(show: str) -> QuerySet[Round]:
    now = timezone.now()
    if show == "notice":
        found = to_notify(timezone.localdate())
    elif show == "plans":
        found = Round.objects.filter(promised__isnull=True, cancelled_at=None, starts_at__gte=now)
    elif show == "past":
        found = Round.objects.annotate(begins=begins()).filter(begins__lt=now - timedelta(hours=12))
    else:
        found = Round.objects.annotate(begins=begins()).filter(begins__gte=now - timedelta(hours=12))
    signed = Count("sign_ups", filter=Q(sign_ups__state=SignUp.State.IN))
    waiting = Count("sign_ups", filter=Q(sign_ups__state=SignUp.State.WAITING))
    order = (begins().desc(), "-id") if show == "past" else (begins(), "id")
    return found.select_related("venue", "season", "folded").annotate(signed=signed, waiting=waiting).order_by(*order)


def _line(round: Any) -> dict[str, Any]:
    today = timezone.localdate()
    due = notice_due(round)
    return {
        "round": round, "line": line_of(round), "room": room(round), "due": due, "late": due <= today,
        "few": too_few(round, round.signed, today), "enough": enough(round),
    }  # fmt: skip
