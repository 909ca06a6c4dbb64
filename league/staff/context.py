"""What the frame of the office's pages needs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from league.staff.nav import entries
from league.staff.roles import passed_second_factor

_OURS = ("/office/", "/account/", "/admin/")


def office(request: HttpRequest) -> dict[str, Any]:
    """The navigation, where somebody of the staff, in with a second factor, is at one of the office's pages."""
    if not any(part in request.path for part in _OURS) or not request.user.is_authenticated:
        return {}
    if not passed_second_factor(request):
        return {}
    return {"office_nav": entries(request), "at_account": "/account/" in request.path}
