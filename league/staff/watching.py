"""What follows when somebody signs in or changes how: the audit log, a letter to them, other sessions ended."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from league.mail import outbox
from league.staff import audit, lockout

SIGNED_IN = gettext_noop("signed in")
SIGNED_OUT = gettext_noop("signed out")
FACTOR_ADDED = gettext_noop("second factor added")
FACTOR_REMOVED = gettext_noop("second factor removed")
CODES_MADE = gettext_noop("recovery codes made anew")
PASSWORD_CHANGED = gettext_noop("password changed")
CLOSED = gettext_noop("sign-in closed")


def connect() -> None:
    """Connect all of it; called once, when the application is ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="staff-signed-in")
    user_logged_out.connect(_signed_out, dispatch_uid="staff-signed-out")
    authenticator_added.connect(_added, dispatch_uid="staff-factor-added")
    authenticator_removed.connect(_removed, dispatch_uid="staff-factor-removed")
    authenticator_reset.connect(_codes, dispatch_uid="staff-codes")
    password_changed.connect(_password, dispatch_uid="staff-password-changed")
    password_reset.connect(_password, dispatch_uid="staff-password-reset")


def end_sessions(user: User, but: str | None = None) -> int:
    """End the sessions of somebody, except one; how many."""
    others = [session for session in UserSession.objects.filter(user=user) if session.session_key != but]
    for session in others:
        session.end()
    return len(others)


def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    lockout.open_again(user.get_username())
    _note(request, user, SIGNED_IN)


def _signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        _note(request, user, SIGNED_OUT)


def _added(request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    from allauth.account.internal.flows.login import record_authentication

    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        return
    # A session that was open before, with the password alone, must not become one with a second factor.
    end_sessions(user, but=request.session.session_key)
    # its code was shown just now: the recovery codes that come next ask for no other
    record_authentication(request, user, "mfa", id=authenticator.pk, type=authenticator.type, reauthenticated=True)
    _note(request, user, FACTOR_ADDED)
    _tell(user, FACTOR_ADDED)


def _removed(request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        _note(request, user, FACTOR_REMOVED)
        _tell(user, FACTOR_REMOVED)


def _codes(request: HttpRequest, user: User, **_: Any) -> None:
    _note(request, user, CODES_MADE)
    _tell(user, CODES_MADE)


def _password(request: HttpRequest, user: User, **_: Any) -> None:
    end_sessions(user, but=request.session.session_key)
    _note(request, user, PASSWORD_CHANGED)
    _tell(user, PASSWORD_CHANGED)


def _note(request: HttpRequest, user: User, about: str) -> None:
    address = request.META.get("REMOTE_ADDR") or None
    audit.note_by(user.get_username(), audit.What.ACT, about=about, address=address)


def _tell(user: User, what: str) -> None:
    """A letter about a change to their account, in the league's own language."""
    if not user.email:
        return
    with translation.override("cs"):
        subject = _("Your account at the league's office: %(what)s") % {"what": _(what)}
        body = _(
            "Account: %(name)s\nChange: %(what)s\n\n"
            "If this was not you, tell the operator of the league's office at once."
        ) % {"name": user.get_username(), "what": _(what)}
    outbox.post(user.email, subject, body)
