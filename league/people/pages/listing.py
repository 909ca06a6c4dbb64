"""The list of participants, and the search in it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from league.people.finding import find
from league.people.forms import SearchForm
from league.people.models import Participant
from league.staff import audit, searching
from league.staff.roles import Role, require, roles_of

A_PAGE = 50
SHOWN = ("name", "email", "home_venue", "role", "state")


@require(Role.CLERK, Role.COMMISSIONER, Role.AUDITOR, asks=True)
@require_http_methods(["GET", "HEAD", "POST"])
def participants(request: HttpRequest) -> HttpResponse:
    """Whom the search finds; the one whose number was typed at once."""
    if request.method == "POST":
        return _exactly(request) or searching.found(request, SearchForm, "q")
    form = SearchForm(searching.asked(request, "q") or None)
    wanted = form.cleaned_data if form.is_bound and form.is_valid() else {}
    text = wanted.get("q", "")
    venue = wanted["venue"].pk if wanted.get("venue") else ""
    only = {name: bool(wanted.get(name)) for name in ("lacking", "cardless")}
    people = find(text, wanted.get("state", ""), venue, **only)
    page = Paginator(people, A_PAGE).get_page(request.GET.get("page"))
    audit.note(request, audit.What.VIEW, about="list of participants", fields=SHOWN)
    context = {"form": form, "page": page, "may_register": Role.CLERK in roles_of(request.user)}
    return render(request, "office/people/list.html", context)


def _exactly(request: HttpRequest) -> HttpResponse | None:
    """Off to the one whose number was typed; not while somebody types on."""
    number = request.POST.get("q", "").strip()
    typing = request.headers.get("HX-Request") or not (number.isascii() and number.isdigit())
    if typing or not Participant.objects.filter(number=number).exists():
        return None
    return redirect("office:people-person", number)
