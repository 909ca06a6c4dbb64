"""Accounts of the staff: made, given roles, sent a new start, closed. Used by the page and by the command."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from league.mail import outbox
from league.staff import lockout
from league.staff.roles import Role
from league.staff.watching import end_sessions

MADE = gettext_noop("account made")
ROLES = gettext_noop("account's roles or address changed")
LINK_SENT = gettext_noop("password taken away, link sent")
FACTOR_TAKEN = gettext_noop("second factor taken away")
SESSIONS_ENDED = gettext_noop("account's sessions ended")
OPENED = gettext_noop("sign-in opened again")
SHUT = gettext_noop("account closed")
REOPENED = gettext_noop("account opened again")


def make(name: str, email: str, roles: Iterable[Role]) -> User:
    """A new account without a password. Raises `ValidationError` for a name that is none, or is taken."""
    taken = ValidationError({"name": _("There is an account of this name already.")})
    if User.objects.filter(username__iexact=name).exists():
        raise taken
    user = User(username=name, email=email)
    user.set_unusable_password()
    user.clean_fields(exclude=["password"])
    try:
        with transaction.atomic():
            user.save()
            give(user, roles)
    except IntegrityError:
        raise taken from None  # by another click, just now
    return user


def give(user: User, roles: Iterable[Role]) -> None:
    """Give somebody exactly these roles."""
    wanted = {role.value for role in roles}
    ours = {role.value for role in Role}
    with transaction.atomic():
        user.groups.remove(*Group.objects.filter(name__in=ours - wanted))
        user.groups.add(*[Group.objects.get_or_create(name=name)[0] for name in sorted(wanted)])


def readdress(user: User, email: str) -> None:
    """Another e-mail address; the one before is told."""
    before = user.email
    with transaction.atomic():
        user.email = email
        user.save(update_fields=["email"])
        if before:
            with translation.override("cs"):
                subject = _("Your account at the league's office: another e-mail address")
                body = _(
                    "Account: %(name)s\nLetters about it go to another address from now on.\n\n"
                    "If you did not ask for this, tell the league at once."
                ) % {"name": user.username}
            outbox.post(before, subject, body)


def link(user: User, site: str) -> str:
    """The address, good once and for three days, at which somebody sets their password; ``site``: ``https://liga.cz``."""
    from allauth.account.forms import default_token_generator

    key = default_token_generator.make_token(user)
    with translation.override(settings.LANGUAGE_CODE):
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return site.rstrip("/") + path


def take_password(user: User) -> None:
    """From here on they get in only by a new link; their sessions end."""
    with transaction.atomic():
        user.set_unusable_password()
        user.save(update_fields=["password"])
        end_sessions(user)
        lockout.open_again(user.username)


def take_factor(user: User) -> None:
    """Their second factors and recovery codes are gone; their sessions end; the next sign-in asks for a new one."""
    with transaction.atomic():
        Authenticator.objects.filter(user=user).delete()
        end_sessions(user)


def send_link(user: User, site: str) -> None:
    """A letter with the link. Raises `ValidationError` where the account has no e-mail address."""
    if not user.email:
        raise ValidationError(_("This account has no e-mail address; the command gives you a link to hand over."))
    until = timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    with translation.override("cs"):
        subject = _("Your account at the league's office")
        body = _(
            "Account: %(name)s\n\nHave a phone with an authenticator app or a security key at hand. Then set your "
            "password at the address below; it is good once and for three days:\n"
        ) % {"name": user.username}
    # enclosed: whoever reads letters at the office would get into the account with it
    outbox.post(user.email, subject, body, enclosed=f"\n{link(user, site)}\n", until=until)


def shut(user: User) -> None:
    """Close an account: nobody signs in with it, its sessions end. What it did stays in the audit log."""
    with transaction.atomic():
        user.is_active = False
        user.save(update_fields=["is_active"])
        end_sessions(user)


def reopen(user: User) -> None:
    """Open a closed account."""
    user.is_active = True
    user.save(update_fields=["is_active"])
