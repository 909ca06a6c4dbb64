"""What the frame of the office's pages needs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from league.staff.nav import entries


def office(request: HttpRequest) -> dict[str, Any]:
    """The navigation, where somebody of the staff is at one of the office's pages."""
    if "/office/" not in request.path or not request.user.is_authenticated:
        return {}
    return {"office_nav": entries(request)}
