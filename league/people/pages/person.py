"""One participant: what is known, what is shown only for a reason, what is handed over."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from msgspec.structs import asdict

from league.people.acts import By
from league.people.birth_number import read
from league.people.checking import ADDRESS, BIRTH
from league.people.correcting import what_stood
from league.people.forms import ShowForm
from league.people.labels import label_of
from league.people.models import ConsentKind, Participant
from league.privacy import vault
from league.privacy.exporting import as_json
from league.privacy.models import Act, PaperCard
from league.staff import audit
from league.staff.roles import Role, require, roles_of
from league.standings.models import Result

SHOWN = {"birth": BIRTH, "address": (*ADDRESS, "citizenship")}
BEFORE = "before"


@require(Role.CLERK, Role.COMMISSIONER, Role.AUDITOR)
@never_cache
@require_safe
def person(request: HttpRequest, number: str) -> HttpResponse:
    """All about one but what is sealed."""
    found = get_object_or_404(Participant, number=number)
    audit.note(request, audit.What.VIEW, number=found.number, about="participant", fields=["name", "email", "state"])
    return page_of(request, found)


@require(Role.CLERK)
@never_cache
@require_POST
def show(request: HttpRequest, number: str) -> HttpResponse:
    """The same page with birth number or address, once a reason was given (DESIGN §6)."""
    found = get_object_or_404(Participant, number=number)
    form = ShowForm(request.POST)
    if not form.is_valid():
        return page_of(request, found, show=form)
    what = form.cleaned_data["what"]
    names = SHOWN.get(what) or sorted({name for row in found.rectifications.all() for name in row.fields})
    with transaction.atomic():
        audit.note(
            request, audit.What.SHOW, number=found.number, about="corrections" if what == BEFORE else "participant",
            fields=names, reason=form.cleaned_data["reason"],
        )  # fmt: skip
        shown = _before(found) if what == BEFORE else _now(found, names)
    return page_of(request, found, shown=shown)


@require(Role.CLERK)
@never_cache
@require_POST
def export(request: HttpRequest, number: str) -> HttpResponse:
    """Everything about one as JSON, to be handed over to them."""
    found = get_object_or_404(Participant, number=number)
    By.staff(request).note(audit.What.EXPORT, found, about="everything as JSON")
    answer = HttpResponse(as_json(found), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="participant-{found.number}.json"'
    return answer


def page_of(request: HttpRequest, person: Participant, **more: Any) -> HttpResponse:
    """A participant's page, with forms as they were sent or with what is shown."""
    roles = roles_of(request.user)
    consents = list(person.consents.select_related("text").order_by("-given_at"))
    in_force = {consent.kind: consent for consent in consents if consent.withdrawn_at is None}
    context = {
        "person": person,
        "paper_card": PaperCard.objects.filter(participant=person).first(),
        "has_private": hasattr(person, "private"),
        "consents": [(kind, in_force.get(kind.value)) for kind in ConsentKind],
        "not_given": [kind for kind in ConsentKind if kind.value not in in_force],
        "past_consents": [consent for consent in consents if consent.withdrawn_at is not None],
        "acts": person.acts.all(),
        "corrections": [
            (row, [label_of(name) for name in row.fields]) for row in person.rectifications.all()
        ],
        "cards": person.cards.order_by("-issued_at"),
        "results": Result.objects.filter(number=person.number).select_related("round").order_by("-round__starts_at"),
        "sides": Act.Side.choices,
        "may_change": Role.CLERK in roles and person.erased_at is None,
        "may_show": Role.CLERK in roles and hasattr(person, "private"),
        "may_export": Role.CLERK in roles,
        "may_register": Role.CLERK in roles,
        "may_appoint": Role.COMMISSIONER in roles and person.erased_at is None
        and (person.state == Participant.State.ACTIVE or person.role == Participant.Role.COMMISSIONER),
        "today": localdate(),
        "show": ShowForm(),
    } | more  # fmt: skip
    return render(request, "office/people/person.html", context)


def _now(person: Participant, names: Iterable[str]) -> list[tuple[str, str]]:
    try:
        private = asdict(vault.unseal(person))
    except vault.Erased:
        return []
    except vault.Damaged:
        return [(str(label_of(name)), _("the record is damaged")) for name in names]
    return [(str(label_of(name)), _written(name, private[name])) for name in names]


def _before(person: Participant) -> list[tuple[str, str]]:
    """What each correction took the place of, with its day."""
    lines = []
    for row in person.rectifications.all():
        day = _("before %(day)s") % {"day": date_format(localtime(row.at), "SHORT_DATE_FORMAT")}
        try:
            before = what_stood(row)
        except vault.Erased:
            continue
        except vault.Damaged:
            before = dict.fromkeys(row.fields, _("the record is damaged"))
        for name, value in sorted(before.items()):
            lines.append((f"{label_of(name)} ({day})", _written(name, value)))
    return lines


def _written(name: str, value: str) -> str:
    try:
        if name == "birth_number" and value:
            return str(read(value))
        if name == "birth_date" and value:
            return date_format(date.fromisoformat(value), "SHORT_DATE_FORMAT")
    except ValueError:
        return value
    return value
