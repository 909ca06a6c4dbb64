"""What the sign-in library asks of us: nobody signs up, failures close the sign-in, secrets are not stored bare."""

from __future__ import annotations

import base64
import secrets
import time
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from league.staff import lockout
from league.staff.roles import has_second_factor

_NONCE = 12


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts are made by an operator; whoever has a second factor confirms with it, never with the password alone."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("The name or the password is not right."),
        "incorrect_password": _("The password is not right."),
        "too_many_login_attempts": _("Too many tries. Try again later."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        super().pre_authenticate(request, **credentials)
        self._attempt = lockout.attempt(str(credentials.get("username") or ""), self.get_client_ip(request))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user is None:
            self._attempt.failed()
        else:
            self._attempt.succeeded()
        return user

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if user.is_authenticated and has_second_factor(user):
            return [method for method in methods if method["id"].startswith("mfa")]
        return methods

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Whoever has just signed in by password to set up their first factor is not asked for it twice running."""
        user = self.request.user
        if user.is_authenticated and not has_second_factor(user) and _password_since(self.request):
            return False
        return bool(super().is_reauthentication_required(app=app, **options))

    def send_notification_mail(self, *_args: Any, **_options: Any) -> None:
        """Our own letters tell of changes: `league.staff.watching`."""


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Keeps authenticators' secrets under a key that is not in the database; the app shows the account's name."""

    error_messages = DefaultMFAAdapter.error_messages | {"incorrect_code": _("The code is not right.")}

    def get_totp_label(self, user: Any) -> str:
        return str(user.get_username())

    def encrypt(self, text: str) -> str:
        nonce = secrets.token_bytes(_NONCE)
        return base64.b64encode(nonce + AESGCM(_key()).encrypt(nonce, text.encode(), None)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret. One sealed under another key (the league's secret key was lost) opens no door: an empty one."""
        raw = base64.b64decode(encrypted_text)
        try:
            return AESGCM(_key()).decrypt(raw[:_NONCE], raw[_NONCE:], None).decode()
        except InvalidTag:
            return base64.b32encode(secrets.token_bytes(20)).decode()


def _password_since(request: HttpRequest) -> bool:
    """Whether this session showed the password so short a time ago that it counts as shown now."""
    from allauth.account import app_settings
    from allauth.account.internal.flows.login import get_authentication_records

    records = get_authentication_records(request, request.user)
    latest = max((record["at"] for record in records if record.get("method") == "password"), default=0)
    return bool(time.time() - latest < app_settings.REAUTHENTICATION_TIMEOUT)


def _key() -> bytes:
    return salted_hmac("league.staff.second-factor", "secrets", algorithm="sha256").digest()


class _Counted:
    """A form whose wrong codes count as failed sign-ins of its account."""

    user: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {"inputmode": "numeric", "autofocus": True}  # type: ignore[attr-defined]

    def clean_code(self) -> str:
        from allauth.core import context

        adapter = AccountAdapter(context.request)
        attempt = lockout.attempt(self.user.get_username(), adapter.get_client_ip(context.request))
        try:
            code: str = super().clean_code()  # type: ignore[misc]
        except ValidationError:
            attempt.failed()
            raise
        attempt.succeeded()
        return code


class SecondFactor(_Counted, AuthenticateForm):  # type: ignore[misc]
    """The code at the sign-in."""


class SecondFactorAgain(_Counted, ReauthenticateForm):  # type: ignore[misc]
    """The code once more, before something that matters."""


class FirstCode(_Counted, ActivateTOTPForm):  # type: ignore[misc]
    """The code that proves that the authenticator was set up."""
