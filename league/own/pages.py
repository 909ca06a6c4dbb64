"""The way in: an address is asked for, a link comes by e-mail, and a button on its page opens the own page."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.own import asking, gate, letters, links, rounds
from league.own.forms import EmailForm
from league.own.models import Link
from league.people.acts import ActRefused
from league.people.correcting import correct
from league.people.models import Participant
from league.privacy import vault
from league.site.address import site_of
from league.staff import audit


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Whoever is in: their rounds. Others: the form that asks for a link."""
    link = gate.link_of(request)
    if link is not None:
        return _overview(request, link)
    form = EmailForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "own/ask.html", {"form": form})
    try:
        asking.ask(form.cleaned_data["email"], gate.come_from(request), address_of(request), timezone.now())
    except asking.TooMany as error:
        form.add_error(None, too_many(error.until))
        return render(request, "own/ask.html", {"form": form}, status=429)
    return redirect("own:sent")


@require_GET
@never_cache
def sent(request: HttpRequest) -> HttpResponse:
    """The same for everybody, whether the league knows the address or not."""
    return render(request, "own/sent.html", {"minutes": int(links.VALID.total_seconds() // 60)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def link(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a link. Looking at it uses nothing up: programs that look through e-mail open links, too."""
    now = timezone.now()
    found = links.find(token, now)
    if found is None:
        return render(request, "own/over.html", {"form": EmailForm()}, status=410)
    if request.method == "POST":
        return _open(request, found, now) if found.purpose == Link.Purpose.OPEN else _confirm(request, found, now)
    return render(request, "own/link.html", {"confirms": found.purpose == Link.Purpose.ADDRESS})


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Close the page."""
    gate.let_out(request)
    messages.success(request, _("Your page is closed."))
    return redirect("own:home")


def address_of(request: HttpRequest) -> asking.AddressOf:
    """How links are written that lead back to the site that the request came to."""

    def address(token: str, language: str) -> str:
        with translation.override(language):
            return site_of(request) + reverse("own:link", args=[token])

    return address


def too_many(until: datetime) -> str:
    """Too many links were asked for, in words."""
    at = date_format(timezone.localtime(until), "TIME_FORMAT")
    return _("Links were asked for too often. The next one is possible at %(at)s.") % {"at": at}


def _overview(request: HttpRequest, link: Link) -> HttpResponse:
    person, now = link.participant, timezone.now()
    gate.by(request).note(audit.What.VIEW, person, about="own page", fields=["name", "sign_ups"])
    signed, others = rounds.own_rounds(person, now)
    active = person.state == Participant.State.ACTIVE
    context = {"person": person, "signed": signed, "others": others, "active": active, "ends_at": link.ends_at}
    return render(request, "own/home.html", context)


def _open(request: HttpRequest, found: Link, now: datetime) -> HttpResponse:
    with transaction.atomic():
        first = links.use(found, now)
        if first:
            gate.by(request).note(audit.What.ACT, found.participant, about="own page opened by a link")
    if not first:
        return render(request, "own/over.html", {"form": EmailForm()}, status=410)
    gate.let_in(request, found)
    return redirect("own:home")


def _confirm(request: HttpRequest, found: Link, now: datetime) -> HttpResponse:
    person = found.participant
    before = person.email
    try:
        with transaction.atomic():
            done = links.use(found, now)
            if done:
                correct(person, {"email": links.address_in(found)}, gate.by(request))
                letters.address_changed(person, before, found)
    except (ActRefused, ValidationError, vault.Erased):
        done = False
    if not done:
        return render(request, "own/over.html", {"form": EmailForm()}, status=410)
    messages.success(request, _("The address is confirmed. From now on links are sent there."))
    return redirect("own:home")
