"""The office's first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.staff.roles import Role, require, roles_of


@require(*Role)
def home(request: HttpRequest) -> HttpResponse:
    """What there is to do."""
    return render(request, "office/home.html", {"roles": sorted(roles_of(request.user))})
