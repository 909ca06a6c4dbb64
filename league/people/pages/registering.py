"""Entering a paper card (LG-5)."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from league.people.acts import By
from league.people.forms import RegisterForm
from league.people.models import Participant
from league.people.registering import Duplicate, register
from league.staff.roles import Role, require


@require(Role.CLERK)
@never_cache
@sensitive_post_parameters()
def register_person(request: HttpRequest) -> HttpResponse:
    """The form; registered: the person's page, with the number to write on the card."""
    form = RegisterForm(request.POST or None, initial={"proven_to": request.user.get_username()})
    known: list[Participant] = []
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
            if error.sure:
                form.add_error("birth_number", _("Somebody with this birth number is registered already."))
            else:
                form.add_error(None, _("Somebody of this name and birth date is registered already. Is it them?"))
        else:
            messages.success(request, _("Registered under the number %(number)s.") % {"number": person.number})
            return redirect("office:people-person", person.number)
    sure = "birth_number" in form.errors
    context = {"form": form, "known": known, "ask_another": (known and not sure) or form.data.get("another")}
    return render(request, "office/people/register.html", context)
