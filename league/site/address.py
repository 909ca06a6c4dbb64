"""Where the league's pages are, for letters: no request may decide that its reader is led elsewhere."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

_HERE_ALONE = {"localhost", "127.0.0.1", "[::1]"}


def site_of(request: HttpRequest) -> str:
    """The site's address as the settings have it; else by the host name that was asked for, at no port but this one."""
    if settings.SITE:
        return str(settings.SITE)
    host = request.get_host()
    name, port = split_domain_port(host)
    return f"{request.scheme}://{name if port != request.META.get('SERVER_PORT') else host}"


def known_site() -> str:
    """The site's address where nobody asks, as far as the settings tell it, else nothing."""
    if settings.SITE:
        return str(settings.SITE)
    names = [name for name in settings.ALLOWED_HOSTS if name not in _HERE_ALONE and name[:1] not in (".", "*")]
    return f"https://{names[0]}" if names and settings.SECURE_SSL_REDIRECT else ""
