"""What changes a participant: corrections, consents, refusing, cancelling, re-opening, erasing."""

from __future__ import annotations

from datetime import date, datetime

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from league.dayfield import FIRST
from league.ingest import rosters
from league.own.letters import address_changed_by_office
from league.people import acts
from league.people.acts import ActRefused, By
from league.people.correcting import ChangedMeanwhile, correct, plain_of, what_opens
from league.people.forms import ActForm, CorrectForm, EraseForm
from league.people.models import ConsentKind, Participant
from league.people.registering import FOUND
from league.privacy import marks
from league.privacy.erasing import erase
from league.privacy.models import Act
from league.staff import audit
from league.staff.roles import Role, require

_ACTS = {"cancel": acts.cancel, "refuse": acts.refuse, "reopen": acts.reopen}


@require(Role.CLERK)
@never_cache
@sensitive_post_parameters()
def correct_person(request: HttpRequest, number: str) -> HttpResponse:
    """Rectify: what is sealed stands empty in the form, so that nobody need see it to replace it."""
    person = get_object_or_404(Participant, number=number)
    form = CorrectForm(request.POST or None, initial=plain_of(person))
    if request.method == "POST" and form.is_valid():
        try:
            changed = _corrected(request, person, form)
        except ChangedMeanwhile as error:
            form.take_errors(error)
            form.take_meanwhile(error)
        except ValidationError as error:
            form.take_errors(error)
            if isinstance(error.__cause__, marks.AnothersNumber):
                audit.note(request, audit.What.VIEW, number=error.__cause__.person.number, about=FOUND)
        except ActRefused as error:
            form.add_error(None, str(error.reason))
        else:
            text = ngettext("%(count)d field corrected.", "%(count)d fields corrected.", len(changed))
            messages.success(request, text % {"count": len(changed)} if changed else _("Nothing has changed."))
            return redirect("office:people-person", person.number)
    elif request.method != "POST":
        audit.note(request, audit.What.VIEW, number=person.number, about="correction", fields=plain_of(person))
    _data, opens = what_opens(person)
    return render(request, "office/people/correct.html", {"person": person, "form": form, "opens": opens})


@transaction.atomic
def _corrected(request: HttpRequest, person: Participant, form: CorrectForm) -> list[str]:
    """Which fields differ now. Whose address changed is told so at the old one: it was the key to their page."""
    marks.one_at_a_time()  # before the row is locked, as everywhere
    before = Participant.objects.select_for_update(no_key=True).get(pk=person.pk).email
    changed = correct(person, form.changes(), By.staff(request), form.shown())
    if "email" in changed:
        address_changed_by_office(person, before)
    return changed


@require(Role.CLERK)
@require_POST
def act(request: HttpRequest, number: str) -> HttpResponse:
    """Refuse, cancel or re-open, from this moment."""
    person = get_object_or_404(Participant, number=number)
    form = ActForm(request.POST)
    if form.is_valid():
        side = Act.Side(form.cleaned_data["side"] or Act.Side.LEAGUE)
        try:
            _ACTS[form.cleaned_data["act"]](person, By.staff(request, side), form.cleaned_data["reason"])
            messages.success(request, _("Done; venues are told at once."))
        except ActRefused as error:
            messages.error(request, str(error.reason))
    else:
        messages.error(request, _("Nothing was done: the form was not complete."))
    return redirect("office:people-person", person.number)


@require(Role.CLERK)
@require_POST
def consent(request: HttpRequest, number: str) -> HttpResponse:
    """Give or take back one consent (LG-7), one on paper by the day on which it was signed."""
    person = get_object_or_404(Participant, number=number)
    kind = request.POST.get("kind", "")
    by = By.staff(request, Act.Side.PARTICIPANT)
    try:
        if kind not in ConsentKind.values:
            messages.error(request, _("Nothing was done: the form was not complete."))
        elif request.POST.get("what") == "give":
            acts.give_consent(person, ConsentKind(kind), by, _signed(request))
            messages.success(request, _("The consent is recorded."))
        elif kind == ConsentKind.PROCESSING:
            return redirect("office:people-end", person.number)
        else:
            acts.withdraw_consent(person, ConsentKind(kind), by)
            messages.success(request, _("The consent is withdrawn; pages and screens follow within a minute."))
    except ActRefused as error:
        messages.error(request, str(error.reason))
    return redirect("office:people-person", person.number)


def _signed(request: HttpRequest) -> datetime | None:
    """When a consent was signed on paper; None: it is given now. Raises `ActRefused`."""
    text = request.POST.get("on", "").strip()
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ActRefused(_("There is no such day.")) from None
    if day < FIRST:
        raise ActRefused(_("There is no such day."))
    if day > timezone.localdate():
        raise ActRefused(_("That day has not come yet."))
    return acts.on_paper(day)


@require(Role.CLERK)
def end_processing(request: HttpRequest, number: str) -> HttpResponse:
    """Take back the consent to processing, once asked: it ends the part in the league (LG-7)."""
    person = get_object_or_404(Participant, number=number)
    if request.method != "POST":
        audit.note(request, audit.What.VIEW, number=person.number, about="participant", fields=["name", "state"])
        return render(request, "office/people/end_processing.html", {"person": person})
    try:
        acts.withdraw_consent(person, ConsentKind.PROCESSING, By.staff(request, Act.Side.PARTICIPANT))
        messages.success(request, _("The consent to processing is withdrawn; the part in the league has ended."))
    except ActRefused as error:
        messages.error(request, str(error.reason))
    return redirect("office:people-person", person.number)


@require(Role.COMMISSIONER)
@require_POST
def appoint(request: HttpRequest, number: str) -> HttpResponse:
    """Make somebody a commissioner, whose card opens the house menu at venues, or a participant like others again."""
    with transaction.atomic():
        person = get_object_or_404(Participant.objects.select_for_update(no_key=True), number=number, erased_at=None)
        wanted = request.POST.get("role")
        if wanted == Participant.Role.COMMISSIONER and person.state != Participant.State.ACTIVE:
            messages.error(request, _("Only somebody who takes part can be a commissioner."))
        elif wanted in Participant.Role.values and wanted != person.role:
            person.role = Participant.Role(wanted)
            person.save(update_fields=["role"])
            By.staff(request).note(audit.What.CHANGE, person, about=f"role: {wanted}", fields=["role"])
            rosters.changed()
            messages.success(request, _("Done; venues are told at once."))
    return redirect("office:people-person", person.number)


@require(Role.CLERK)
@never_cache
def erase_person(request: HttpRequest, number: str) -> HttpResponse:
    """Erase for good, once the number was typed again."""
    person = get_object_or_404(Participant, number=number)
    form = EraseForm(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            erase(person, By.staff(request), form.cleaned_data["reason"])
            messages.success(request, _("Erased. Results stay under the number alone."))
        except ActRefused as error:
            messages.error(request, str(error.reason))
        return redirect("office:people-person", person.number)
    return render(request, "office/people/erase.html", {"person": person, "form": form})
