"""Who of the association's staff may do what: four roles, each a group of Django's, and the gate before every page.

A page names the roles that it is for; a superuser has all of them. Nobody gets in without a second factor, and
nobody whose account is inactive.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias

from django.contrib.auth.models import Group, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache

P = ParamSpec("P")


class Role(StrEnum):
    """What somebody of the staff does; the group's name."""

    CLERK = "clerk"
    """Participants, cards, consents, sign-ups: the desk with a queue in front of it."""

    COMMISSIONER = "commissioner"
    """Rounds, seasons, results, voids."""

    OPERATOR = "operator"
    """Venues, devices, accounts, imports, backups; sees no personal data."""

    AUDITOR = "auditor"
    """Reads everything, the audit log included; changes nothing."""


def make_groups(**_: Any) -> None:
    """Make the groups that there are not yet; called after migrations."""
    for role in Role:
        Group.objects.get_or_create(name=role.value)


def roles_of(user: Any, *, active: bool = True) -> frozenset[Role]:
    """The roles of somebody signed in; none of who is not. ``active=False``: also those of a closed account."""
    if not isinstance(user, User) or (active and not user.is_active):
        return frozenset()
    if user.is_superuser:
        return frozenset(Role)
    names = {group.name for group in user.groups.all()}
    return frozenset(role for role in Role if role.value in names)


def has_second_factor(user: User) -> bool:
    """Whether this account has a second factor that works."""
    from allauth.mfa.utils import is_mfa_enabled

    return bool(is_mfa_enabled(user))


def passed_second_factor(request: HttpRequest) -> bool:
    """Whether this very session was signed in, or confirmed, with the second factor."""
    from allauth.account.internal.flows.login import get_authentication_records

    return any(record.get("method") == "mfa" for record in get_authentication_records(request, request.user))


def gate(request: HttpRequest) -> HttpResponse | None:
    """Where to send who is not signed in with a second factor; None for who is. Roles are not asked here.

    Somebody without one is sent to set one up; a session that has not shown it, to show it.
    """
    user = request.user
    if not isinstance(user, User) or not user.is_active:
        return redirect_to_login(request.get_full_path())
    if not has_second_factor(user):
        return redirect("mfa_activate_totp")
    if not passed_second_factor(request):
        return redirect_to_login(request.get_full_path(), reverse("mfa_reauthenticate"))
    return None


View: TypeAlias = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


_SAFE = ("GET", "HEAD", "OPTIONS")


def require(*roles: Role, own: bool = False, asks: bool = False) -> Callable[[View[P]], View[P]]:
    """A page for these roles: others get 403; who is not signed in with a second factor is sent to be.

    Who is here as an auditor only may look and not send anything, unless it is their ``own`` (their sessions),
    or what they send only ``asks`` for something: a search (see `searching`).
    """

    def wrap(view: View[P]) -> View[P]:
        @wraps(view)
        @never_cache
        def page(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            may = roles_of(request.user) & set(roles)
            looks_only = may == {Role.AUDITOR} and request.method not in _SAFE and not (own or asks)
            if isinstance(request.user, User) and (not may or looks_only):
                raise PermissionDenied
            return gate(request) or view(request, *args, **kwargs)

        page.roles = frozenset(roles)  # type: ignore[attr-defined]
        page.asks = asks  # type: ignore[attr-defined]
        return page

    return wrap
