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
        told = request.headers.get("x-forwarded-for", "")
        request.META["REMOTE_ADDR"] = asked_by(request.META["REMOTE_ADDR"], told)
        return self.get_response(request)


def asked_by(address: str, told: str) -> str:
    """Whose request it is that came from an address; ``told``: the proxies' ``X-Forwarded-For``."""
    count = settings.PROXIES
    parts = [part.strip() for part in told.split(",")]
    return parts[-count] if count and len(parts) >= count and _is_address(parts[-count]) else address


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
