"""Names, for people, of what is kept as words of code."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.functional import Promise
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
    "card": _("card"),
    "citizenship": _("citizenship"),
    "consent": _("consent"),
    "consents": _("consents"),
    "country": _("country"),
    "date": _("date"),
    "document": _("document"),
    "email": _("e-mail"),
    "everywhere": _("all venues"),
    "first_name": _("first name"),
    "home": _("home venue"),
    "home_venue": _("home venue"),
    "language": _("language"),
    "least_card": _("cards must be at least"),
    "marketing": _("marketing"),
    "media": _("photos and video"),
    "name": _("name"),
    "number": _("registration number"),
    "on_site": _("on the league's site"),
    "place": _("place"),
    "points": _("points"),
    "points_key": _("points key"),
    "postcode": _("postcode"),
    "prize": _("prize"),
    "processing": _("processing of data"),
    "profile": _("rules profile"),
    "publication": _("publication of name and results"),
    "reason": _("reason"),
    "registered": _("registered"),
    "registered_at": _("registered at"),
    "role": _("role"),
    "roles": _("roles"),
    "round": _("round"),
    "sign_ups": _("sign-ups"),
    "since": _("from"),
    "state": _("state"),
    "street": _("street and number"),
    "surname": _("surname"),
    "text": _("text of the letter"),
    "text_cs": _("text in Czech"),
    "text_en": _("text in English"),
    "time": _("time"),
    "title": _("title"),
    "title_cs": _("title in Czech"),
    "title_en": _("title in English"),
    "town": _("town"),
    "until": _("until"),
    "venue": _("venue"),
    "venues": _("venues"),
}


def role_names(roles: Iterable[Role]) -> list[str]:
    """The roles' names, in the order of `Role`."""
    have = set(roles)
    return [str(ROLES[role]) for role in Role if role in have]


def field_name(name: str) -> str:
    """A field's name, if we know it, in the reader's language; of a consent: which."""
    kind, colon, which = name.partition(":")
    return str(_FIELDS.get(kind, kind)) + (f": {_FIELDS.get(which, which)}" if colon else "")


def field_names(fields: Iterable[str]) -> str:
    """The names of fields, those that we know in the reader's language."""
    return ", ".join(field_name(name) for name in fields)
