"""Texts of the office's forms that come to stand on venues' screens."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from appliance.plaintext import fault


def check_texts(record: Model, *fields: str) -> None:
    """Refuse what no screen can show, naming its field. Raises `ValidationError`."""
    wrong = [name for name in fields if fault(getattr(record, name)) is not None]
    if wrong:
        raise ValidationError(dict.fromkeys(wrong, _("There are characters in it that no screen can show.")))
