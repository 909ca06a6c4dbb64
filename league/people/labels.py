"""What fields of a participant are called on pages."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_LABELS: dict[str, str | Promise] = {
    "title": _("Title"), "first_name": _("First name"), "surname": _("Surname"), "email": _("E-mail address"),
    "language": _("Language of screens"), "home_venue": _("Home venue"), "birth_number": _("Birth number"),
    "birth_date": _("Birth date"), "document": _("Number of the document"), "street": _("Street and number"),
    "town": _("Town"), "postcode": _("Postcode"), "country": _("Country"), "citizenship": _("Citizenship"),
}  # fmt: skip


def label_of(name: str) -> str | Promise:
    """A field as a reader of the page knows it."""
    return _LABELS.get(name, name)
