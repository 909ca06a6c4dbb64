"""What somebody sees and does at their own page. Every page is about whoever is in; no address names a person."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.own import asking, gate
from league.own.forms import OWN, CorrectForm, EndForm
from league.own.pages import address_of, too_many
from league.own.rounds import REFUSALS
from league.people import acts
from league.people.acts import ActRefused
from league.people.checking import BIRTH
from league.people.correcting import ChangedMeanwhile, correct, what_opens
from league.people.labels import label_of
from league.people.models import ConsentKind, Participant
from league.privacy.exporting import as_json
from league.rounds.models import Round
from league.rounds.signing_up import SignUpRefused, cancel_sign_up, sign_up
from league.staff import audit
from league.standings.models import Result

_SHOWN = ("first_name", "surname", "title", *BIRTH, "citizenship")
"""What the office corrects."""


@require_GET
@gate.mine
def data(request: HttpRequest, person: Participant) -> HttpResponse:
    """All that is kept of somebody, in the clear: it is theirs."""
    kept, _opens = what_opens(person)
    gate.by(request).note(audit.What.SHOW, person, about="own page", fields=[name for name in kept if kept[name]])
    kept |= {
        "home_venue": str(person.home_venue or ""),
        "language": person.get_language_display() if person.language else _("the venue's"),
    }
    if kept["birth_number"]:
        kept["birth_number"] = f"{kept['birth_number'][:6]}/{kept['birth_number'][6:]}"
    if kept["birth_date"]:
        kept["birth_date"] = date_format(date.fromisoformat(kept["birth_date"]), "SHORT_DATE_FORMAT")
    context = {
        "person": person,
        "office": [(label_of(name), kept[name]) for name in _SHOWN if kept.get(name)],
        "own": [(label_of(name), kept.get(name, "")) for name in ("email", *OWN)],
        "cards": person.cards.order_by("issued_at"),
        "results": Result.objects.filter(number=person.number).select_related("round").order_by("-round__starts_at"),
        "acts": person.acts.all(),
    }
    return render(request, "own/data.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@gate.mine
def correct_own(request: HttpRequest, person: Participant) -> HttpResponse:
    """Correct what one corrects oneself. A new e-mail address has to be confirmed first."""
    kept, _opens = what_opens(person)
    form = CorrectForm(request.POST or None, before=kept)
    if request.method == "POST" and form.is_valid():
        try:
            # all of it or nothing: also where too many links were asked for
            with transaction.atomic():
                changed = correct(person, form.changes(), gate.by(request), form.shown())
                asked = _new_address(request, person, form)
        except ChangedMeanwhile as error:
            form.take_errors(error)
            form.take_meanwhile(error)
        except ValidationError as error:
            form.take_errors(error)
        except ActRefused as error:
            form.add_error(None, str(error.reason))
        except asking.TooMany as error:
            form.add_error("email", too_many(error.until))
        else:
            if changed or not asked:
                messages.success(request, _("It is corrected.") if changed else _("Nothing has changed."))
            return redirect("own:data")
    elif request.method != "POST":
        gate.by(request).note(audit.What.SHOW, person, about="own page", fields=["email", *OWN])
    return render(request, "own/correct.html", {"person": person, "form": form})


@require_GET
@gate.mine
def consents(request: HttpRequest, person: Participant) -> HttpResponse:
    """Each consent with its text: of what was consented to, or would be."""
    standing = {each.kind: each for each in person.consents.filter(withdrawn_at=None).select_related("text")}
    gate.by(request).note(audit.What.VIEW, person, about="own page", fields=["consents"])
    lines: list[dict[str, Any]] = []
    for kind in ConsentKind:
        consent = standing.get(kind)
        text = consent.text if consent else acts.text_in_force(kind, timezone.now())
        lines.append({"kind": kind, "consent": consent, "text": text, "words": text and text.text(get_language())})
    past = person.consents.exclude(withdrawn_at=None).order_by("-withdrawn_at")
    return render(request, "own/consents.html", {"person": person, "lines": lines, "past": past})


@require_POST
@gate.mine
def consent(request: HttpRequest, person: Participant) -> HttpResponse:
    """Give or take back one (LG-7). Given is what was read: a text that has changed meanwhile is shown first."""
    kind, give = request.POST.get("kind", ""), request.POST.get("what") == "give"
    if kind not in ConsentKind.values:
        messages.error(request, _("Nothing was done: the form was not complete."))
        return redirect("own:consents")
    if kind == ConsentKind.PROCESSING and not give:
        return redirect("own:end-processing")
    text = acts.text_in_force(ConsentKind(kind), timezone.now())
    try:
        if give and request.POST.get("text") != str(text.version if text else 0):
            messages.error(request, _("The text has changed meanwhile. Please read it once more."))
        elif give:
            acts.give_consent(person, ConsentKind(kind), gate.by(request))
            messages.success(request, _("Thank you, the consent is recorded."))
        else:
            acts.withdraw_consent(person, ConsentKind(kind), gate.by(request))
            messages.success(request, _("The consent is withdrawn; pages and screens follow within a minute."))
    except ActRefused as error:
        messages.error(request, str(error.reason))
    return redirect("own:consents")


@require_POST
@gate.mine
def round(request: HttpRequest, person: Participant, round_id: str) -> HttpResponse:
    """Sign up for a round, or cancel it."""
    found, by = get_object_or_404(Round, pk=round_id), gate.by(request)
    names = {"round": str(found)}
    try:
        if request.POST.get("what") == "cancel":
            cancel_sign_up(person, found, by.who, address=by.address)
            messages.success(request, _("Your sign-up for “%(round)s” is cancelled.") % names)
        elif sign_up(person, found, by.who, address=by.address).state == "waiting":
            messages.success(request, _("“%(round)s” is full: you are on the waiting list.") % names)
        else:
            messages.success(request, _("You are signed up for “%(round)s”.") % names)
    except SignUpRefused as error:
        messages.error(request, str(REFUSALS[error.code]))
    return redirect("own:home")


@require_http_methods(["GET", "HEAD", "POST"])
@gate.mine
def end(request: HttpRequest, person: Participant, what: str) -> HttpResponse:
    """End the part in the league (LG-5), or take back the consent to processing, which ends it, too (LG-7)."""
    form = EndForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if what == "processing":
                acts.withdraw_consent(person, ConsentKind.PROCESSING, gate.by(request))
                messages.success(request, _("The consent to processing is withdrawn."))
            else:
                acts.cancel(person, gate.by(request))
                messages.success(request, _("Your part in the league has ended."))
        except ActRefused as error:
            messages.error(request, str(error.reason))
        return redirect("own:home")
    return render(request, "own/end.html", {"person": person, "form": form, "what": what})


@require_POST
@gate.mine
def export(request: HttpRequest, person: Participant) -> HttpResponse:
    """Everything about oneself as JSON."""
    gate.by(request).note(audit.What.EXPORT, person, about="everything as JSON")
    answer = HttpResponse(as_json(person), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="participant-{person.number}.json"'
    return answer


def _new_address(request: HttpRequest, person: Participant, form: CorrectForm) -> bool:
    """Have a new address confirmed; whether there is one. Raises `asking.TooMany`."""
    email = form.cleaned_data["email"]
    if not email or email in (person.email, form.shown().get("email")):
        return False
    with transaction.atomic():
        gate.by(request).note(audit.What.ACT, person, about="new address to be confirmed", fields=["email"])
        asking.ask_to_confirm(person, email, gate.come_from(request), address_of(request), timezone.now())
    text = _("We have sent a link to %(email)s. The address counts once you have opened it.")
    messages.info(request, text % {"email": email})
    return True
