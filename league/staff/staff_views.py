"""The staff's own accounts: an operator makes them, gives roles, sends new starts and closes them.

Nobody changes their own account here, and nobody that of a superuser: that is for the command on the machine. Links go
by e-mail to whom they are for and are shown to nobody else.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.site.address import site_of
from league.staff import accounts, audit, lockout
from league.staff.labels import role_names
from league.staff.roles import Role, has_second_factor, require, roles_of
from league.staff.staff_forms import AccountForm, NewAccountForm
from league.staff.watching import end_sessions


@require(Role.OPERATOR, Role.AUDITOR)
def staff_list(request: HttpRequest) -> HttpResponse:
    """Who of the staff there is."""
    users = User.objects.prefetch_related("groups").order_by("-is_active", "username")
    lines = [
        {
            "user": user,
            "roles": [_("everything")] if user.is_superuser else role_names(roles_of(user, active=False)),
            "factor": has_second_factor(user),
            "closed": lockout.closed_until(lockout.key_of("name", user.username)),
            "editable": _editable(request, user),
        }
        for user in users
    ]
    return render(request, "office/staff/list.html", {"lines": lines})


@require(Role.OPERATOR)
def staff_add(request: HttpRequest) -> HttpResponse:
    """Make an account; a link to set its password goes out at once."""
    form = NewAccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                user = accounts.make(form.cleaned_data["name"], form.cleaned_data["email"], form.cleaned_data["roles"])
                accounts.send_link(user, site_of(request))
                _note(request, accounts.MADE, user, ["roles", "email"])
        except ValidationError as error:
            form.add_error(None if not hasattr(error, "error_dict") else "name", error.messages)
        else:
            messages.success(request, _("The account is made; the link to set a password is on its way."))
            return redirect("office:staff-list")
    return render(request, "office/staff/add.html", {"form": form})


@require(Role.OPERATOR)
def staff_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """An account's address and roles, and what else an operator does with it."""
    user = _account(request, pk)
    have = roles_of(user, active=False)
    form = AccountForm(request.POST or None, initial={"email": user.email, "roles": [role.value for role in have]})
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            if "email" in form.changed_data:
                accounts.readdress(user, form.cleaned_data["email"])
            accounts.give(user, form.cleaned_data["roles"])
            if form.changed_data:
                _note(request, accounts.ROLES, user, form.changed_data)
        messages.success(request, _("Saved."))
        return redirect("office:staff-list")
    context = {
        "form": form, "account": user, "factor": has_second_factor(user),
        "closed": lockout.closed_until(lockout.key_of("name", user.username)),
    }  # fmt: skip
    return render(request, "office/staff/edit.html", context)


@require_POST
@require(Role.OPERATOR)
def staff_act(request: HttpRequest, pk: str, act: str) -> HttpResponse:
    """One of `ACTS` on an account."""
    user = _account(request, int(pk))
    about, do = ACTS[act]
    try:
        with transaction.atomic():
            do(request, user)
            _note(request, about, user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, f"{user.username}: {_(about)}.")
    return redirect("office:staff-edit", pk)


def _new_link(request: HttpRequest, user: User) -> None:
    accounts.take_password(user)
    accounts.send_link(user, site_of(request))


ACTS: dict[str, tuple[str, Callable[[HttpRequest, User], object]]] = {
    "link": (accounts.LINK_SENT, _new_link),
    "factor": (accounts.FACTOR_TAKEN, lambda _request, user: accounts.take_factor(user)),
    "sessions": (accounts.SESSIONS_ENDED, lambda _request, user: end_sessions(user)),
    "open": (accounts.OPENED, lambda _request, user: lockout.open_again(user.username)),
    "shut": (accounts.SHUT, lambda _request, user: accounts.shut(user)),
    "reopen": (accounts.REOPENED, lambda _request, user: accounts.reopen(user)),
}
"""What an operator does with an account: as the audit log says it, and what is done."""


def _account(request: HttpRequest, pk: int) -> User:
    user = get_object_or_404(User, pk=pk)
    if not _editable(request, user):
        raise PermissionDenied
    return user


def _editable(request: HttpRequest, user: User) -> bool:
    return user.pk != request.user.pk and not user.is_superuser


def _note(request: HttpRequest, about: str, user: User, fields: list[str] | None = None) -> None:
    audit.note(request, audit.What.ACT, about=f"{about}: {user.username}", fields=fields or [])
