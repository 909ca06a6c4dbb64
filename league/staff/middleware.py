"""Whose request it is, behind proxies."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse


class ClientAddress:
    """Puts the client's address into ``REMOTE_ADDR`` where proxies of ours stand in front, as many as the settings say.

    Each adds at the end whom it was asked by; what stands before that anybody may have written.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        count = settings.PROXIES
        told = [part.strip() for part in request.headers.get("x-forwarded-for", "").split(",")]
        if count and len(told) >= count and _is_address(told[-count]):
            request.META["REMOTE_ADDR"] = told[-count]
        return self.get_response(request)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
