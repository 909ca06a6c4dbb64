"""Somebody of the staff at the office's pages: signed in, with a second factor that this session has passed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.contrib.auth.hashers import Argon2PasswordHasher

from league.staff.roles import Role

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client
    from playwright.sync_api import Page

Argon2PasswordHasher.memory_cost = 1024
"""The same hash as in earnest, of less memory: hundreds of sign-ins are tried."""

PASSWORD = "Žižkov-1424-kalich"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
"""The secret of the codes that `staff_user` has: what the authenticator on a phone would hold."""


def staff_user(*roles: Role, name: str = "", superuser: bool = False, factor: bool = True) -> User:
    """An account with these roles; the name is the first role's unless given. Known already: the same one."""
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import TOTP
    from django.contrib.auth.models import Group, User

    name = name or (roles[0].value if roles else "nobody")
    user, new = User.objects.get_or_create(
        username=name, defaults={"is_superuser": superuser, "is_staff": superuser, "email": f"{name}@liga.example"}
    )
    user.groups.set([Group.objects.get_or_create(name=role.value)[0] for role in roles])
    if new:
        user.set_password(PASSWORD)
        user.save()
    if factor and not Authenticator.objects.filter(user=user).exists():
        TOTP.activate(user, SECRET)
    return user


def staff_client(*roles: Role, name: str = "", superuser: bool = False) -> Client:
    """A client of Django's signed in with these roles. Needs the fixture `db`."""
    from django.test import Client

    client = Client()
    sign_in(client, staff_user(*roles, name=name, superuser=superuser))
    return client


def sign_in(client: Client, user: User) -> None:
    """Sign somebody in, with a second factor that they have from here on."""
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import TOTP

    if not Authenticator.objects.filter(user=user).exists():
        TOTP.activate(user, SECRET)
    client.force_login(user)
    session = client.session
    at = time.time()
    session["account_authentication_methods"] = [
        {"method": "password", "at": at, "username": user.username},
        {"method": "mfa", "at": at, "type": "totp"},
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()


def code(secret: str = SECRET, *, steps: int = 0) -> str:
    """What the authenticator shows now, or so many steps of 30 seconds later."""
    from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time

    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())) + steps)))


def enrol_at(page: Page, site: str, name: str, password: str = PASSWORD) -> str:
    """Sign somebody in for the first time in a browser, with an authenticator set up; its secret.

    ``site``: the address of the league without a slash at the end. The page is the overview then, in Czech.
    """
    page.goto(f"{site}/account/login/?next=/office/")
    page.fill("#id_login", name)
    page.fill("#id_password", password)
    page.get_by_role("button", name="Přihlásit se").click()
    secret = page.locator("#authenticator_secret").inner_text()
    page.fill("#id_code", code(secret))
    page.get_by_role("button", name="Nastavit").click()
    page.get_by_role("link", name="Do kanceláře").click()
    return secret
