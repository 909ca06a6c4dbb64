"""What holds for every request: headers that tell a browser how little a page of ours needs, how much may be sent, and
a way back from addresses that only act.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import resolve

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""No inline script or style anywhere: text from a venue that slipped through escaping could still not run."""


class PageSecurity:
    """Sets the content security policy and turns off device features, on every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response


class Measured:
    """Refuses what is longer than anything that belongs here, before it is read: others would keep it on the disk. And
    addresses with a NUL in them.
    """

    LONGEST = 3 * 1024 * 1024

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit()):
            return HttpResponse(status=400)
        if int(length[:20]) > self.LONGEST:
            return HttpResponse(status=413)
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return HttpResponse(status=404)  # no text of ours has it in it, and PostgreSQL does not even look
        return self.get_response(request)


class BackToPages:
    """Leads the browser that opens an address that only acts to the page above it: from an answer to a form, in another
    language or by the address bar.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        a_person_looks = request.method == "GET" and "text/html" in request.headers.get("accept", "")
        if response.status_code == 405 and a_person_looks and request.path.endswith("/"):
            above = _page_above(request.path)
            return response if above is None else HttpResponseRedirect(above)
        return response


def _page_above(path: str) -> str | None:
    while (path := path.rstrip("/").rpartition("/")[0] + "/") != "/":
        try:
            resolve(path)
        except Http404:
            continue
        return path
    return None
