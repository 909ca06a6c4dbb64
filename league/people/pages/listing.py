"""The list of participants, and the search in it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.people.finding import find
from league.people.forms import SearchForm
from league.staff import audit
from league.staff.roles import Role, require, roles_of

A_PAGE = 50


@require(Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
@never_cache
@require_safe
def participants(request: HttpRequest) -> HttpResponse:
    """Whom the search finds; the one whose number was typed at once."""
    form = SearchForm(request.GET or None)
    wanted = form.cleaned_data if form.is_bound and form.is_valid() else {}
    text = wanted.get("q", "")
    venue = wanted["venue"].pk if wanted.get("venue") else ""
    people = find(text, wanted.get("state", ""), venue, lacking=wanted.get("lacking", False)).distinct()
    exact = people.filter(number=text.strip()).first() if text else None
    if exact is not None and "page" not in request.GET and not request.headers.get("HX-Request"):
        return redirect("office:people-person", exact.number)
    page = Paginator(people, A_PAGE).get_page(request.GET.get("page"))
    audit.note(request, audit.What.VIEW, about="list of participants", fields=["name", "state"])
    context = {"form": form, "page": page, "may_register": Role.CLERK in roles_of(request.user)}
    return render(request, "office/people/list.html", context)
