"""Entering a paper card (LG-5)."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from league.people.acts import By
from league.people.forms import RegisterForm
from league.people.models import Participant
from league.people.registering import FOUND, Duplicate, register
from league.staff import audit
from league.staff.roles import Role, require

_FOUND = {
    ("birth_number", True): gettext_lazy("Somebody with this birth number is registered already."),
    ("document", True): gettext_lazy("Somebody with this document, born on that day, is registered already."),
    ("document", False): gettext_lazy("Somebody with a document of this number is registered already. Is it them?"),
    ("name", False): gettext_lazy("Somebody of this name and birth date is registered already. Is it them?"),
}


@require(Role.CLERK)
@never_cache
@sensitive_post_parameters()
def register_person(request: HttpRequest) -> HttpResponse:
    """The form; registered: the person's page, with the number to write on the card."""
    form = RegisterForm(request.POST or None, initial={"proven_to": request.user.get_username()})
    known: list[Participant] = []
    sure = False
    if request.method == "POST" and form.is_valid():
        try:
            person = register(
                form.data_given(), form.consents(), form.signed(), By.staff(request),
                another=form.cleaned_data["another"],
            )  # fmt: skip
        except ValidationError as error:
            form.take_errors(error)
        except Duplicate as error:
            known = error.people
            sure = error.sure
            form.add_error(error.by if sure else None, _FOUND[error.by, sure])
            for person in known:
                audit.note(request, audit.What.VIEW, number=person.number, about=FOUND, fields=["name", "state"])
        else:
            messages.success(request, _("Registered under the number %(number)s.") % {"number": person.number})
            return redirect("office:people-person", person.number)
    context = {"form": form, "known": known, "ask_another": (known and not sure) or form.data.get("another")}
    return render(request, "office/people/register.html", context)
