"""Who is at their own page: nobody without a link that was sent to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.own import links
from league.own.models import Link
from league.people.acts import By
from league.people.models import Participant

KEY = "own-link"
P = ParamSpec("P")


def mine(
    view: Callable[Concatenate[HttpRequest, Participant, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """A page about whoever is in; the view gets the participant. Others are asked for their address."""

    @wraps(view)
    @never_cache
    def page(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        link = link_of(request)
        if link is None:
            if KEY in request.session:
                del request.session[KEY]
                messages.info(request, _("Your page was closed: ask for a new link."))
            return redirect("own:home")
        return view(request, link.participant, *args, **kwargs)

    page.mine = True  # type: ignore[attr-defined]
    return page


def link_of(request: HttpRequest) -> Link | None:
    """The link by which somebody is in here."""
    return links.who_is_in(request.session.get(KEY), timezone.now()) if KEY in request.session else None


def let_in(request: HttpRequest, link: Link) -> None:
    """Remember in a new session who is in. Whoever of the staff is signed in in this browser stays so."""
    if request.user.is_authenticated:
        request.session.cycle_key()
    else:
        request.session.flush()
        request.session.set_expiry(0)
    request.session[KEY] = link.pk
    rotate_token(request)


def let_out(request: HttpRequest) -> None:
    """Close the page, for this browser and for whoever copied its cookie."""
    link = link_of(request)
    if link is not None:
        links.end(link, timezone.now())
    request.session.pop(KEY, None)


def by(request: HttpRequest) -> By:
    """The participant, for the record."""
    return By.participant(come_from(request) or None)


def come_from(request: HttpRequest) -> str:
    """The network address of the client."""
    return request.META.get("REMOTE_ADDR") or ""
