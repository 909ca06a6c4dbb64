"""Names, for people, of what is kept as words of code."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.staff.roles import Role

ROLES: dict[Role, str | Promise] = {
    Role.CLERK: _("clerk"),
    Role.COMMISSIONER: _("commissioner of the league"),
    Role.OPERATOR: _("operator"),
    Role.AUDITOR: _("auditor"),
}

_FIELDS: dict[str, str | Promise] = {
    "address": _("address"),
    "birth_date": _("birth date"),
    "birth_number": _("birth number"),
    "citizenship": _("citizenship"),
    "document": _("document"),
    "email": _("e-mail"),
    "first_name": _("first name"),
    "home": _("home venue"),
    "language": _("language"),
    "number": _("registration number"),
    "roles": _("roles"),
    "surname": _("surname"),
    "title": _("title"),
}


def role_names(roles: Iterable[Role]) -> list[str]:
    """The roles' names, in the order of `Role`."""
    have = set(roles)
    return [str(ROLES[role]) for role in Role if role in have]


def about_text(about: str) -> str:
    """What an audit entry is about, in the reader's language: ``text`` or ``text: name``, the text being translated."""
    text, colon, name = about.partition(": ")
    return gettext(text) + colon + name if text else about


def field_names(fields: Iterable[str]) -> str:
    """The names of fields, those that we know in the reader's language."""
    return ", ".join(str(_FIELDS.get(name, name)) for name in fields)
