"""The sign-in's pages, one by one: what is not here is not served. Nobody signs up, nobody resets by e-mail alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as account
from allauth.mfa.base import views as factor
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as keys
from allauth.usersessions import views as sessions
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, re_path, reverse
from django.views.decorators.cache import never_cache

from league.staff.roles import gate, has_second_factor, passed_second_factor

View = Callable[..., HttpResponse]


def _behind_gate(view: View) -> View:
    """A page of one's own account: only with the second factor shown."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return gate(request) or view(request, *args, **kwargs)

    return page


def _first_factor(view: View) -> View:
    """A page to add a factor: also for who has none yet. Who has one must have shown it."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and has_second_factor(request.user) and not passed_second_factor(request):
            return gate(request) or view(request, *args, **kwargs)
        return view(request, *args, **kwargs)

    return page


def _by_password(view: View) -> View:
    """To confirm with the password is for who has no second factor yet."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and has_second_factor(request.user):
            return redirect(reverse("mfa_reauthenticate", query=request.GET))
        return view(request, *args, **kwargs)

    return page


urlpatterns = [
    path("login/", account.login, name="account_login"),
    path("logout/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("confirm/", _by_password(account.reauthenticate), name="account_reauthenticate"),
    path("password/", _behind_gate(account.password_change), name="account_change_password"),
    path("password/done/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    re_path(
        r"^password/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("second/", _behind_gate(factor.index), name="mfa_index"),
    path("second/sign-in/", factor.authenticate, name="mfa_authenticate"),
    path("second/confirm/", factor.reauthenticate, name="mfa_reauthenticate"),
    path("second/app/", _first_factor(totp.activate_totp), name="mfa_activate_totp"),
    path("second/app/remove/", _behind_gate(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("second/codes/", _behind_gate(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("second/codes/new/", _behind_gate(codes.generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path("second/codes/file/", _behind_gate(codes.download_recovery_codes), name="mfa_download_recovery_codes"),
    path("second/keys/", _behind_gate(keys.list_webauthn), name="mfa_list_webauthn"),
    path("second/keys/add/", _first_factor(keys.add_webauthn), name="mfa_add_webauthn"),
    path("second/keys/confirm/", keys.reauthenticate_webauthn, name="mfa_reauthenticate_webauthn"),
    path("second/keys/<int:pk>/remove/", _behind_gate(keys.remove_webauthn), name="mfa_remove_webauthn"),
    path("second/keys/<int:pk>/", _behind_gate(keys.edit_webauthn), name="mfa_edit_webauthn"),
    path("sessions/", _behind_gate(sessions.list_usersessions), name="usersessions_list"),
]
for page in urlpatterns:
    page.callback = never_cache(page.callback)  # secrets and recovery codes are on some of them
