"""The league's addresses, and one more that does nothing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from league.urls import handler404, handler500
from league.urls import urlpatterns as pages

__all__ = ["handler404", "handler500", "urlpatterns"]


def empty(request: HttpRequest) -> HttpResponse:
    """Nothing."""
    return HttpResponse()


urlpatterns = [path("empty/", empty), *pages]
