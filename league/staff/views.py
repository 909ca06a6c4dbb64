"""The office's first page, and the end of a session of one's own."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from league.staff import audit
from league.staff.labels import role_names
from league.staff.roles import Role, require, roles_of
from league.staff.todo import tasks

SESSION_ENDED = gettext_noop("session ended")


@require(*Role)
def home(request: HttpRequest) -> HttpResponse:
    """What there is to do."""
    roles = roles_of(request.user)
    return render(request, "office/home.html", {"roles": role_names(roles), "tasks": tasks(roles)})


@require_POST
@require(*Role, own=True)
def session_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of one's own sessions."""
    get_object_or_404(UserSession, pk=pk, user_id=request.user.pk).end()
    audit.note(request, audit.What.ACT, about=SESSION_ENDED)
    messages.success(request, _("The session is ended."))
    return redirect("usersessions_list")
