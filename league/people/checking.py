"""Checks what a paper card or a correction says of somebody (LG-4, LG-5): pure but for the texts, the day is given."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from appliance.plaintext import fault
from league.people.birth_number import BadBirthNumber, BirthNumber, Doubt, Fault, adult_from, is_adult, read
from league.privacy.marks import fold

PLAIN = ("title", "first_name", "surname", "email", "language", "home_venue")
"""What the database has as it is."""

BIRTH = ("birth_number", "birth_date", "document")
ADDRESS = ("street", "town", "postcode", "country")
SEALED = (*BIRTH, *ADDRESS, "citizenship")
FIELDS = (*PLAIN, *SEALED)

REQUIRED = ("first_name", "surname", "email", *ADDRESS, "citizenship")
"""All that a paper card has, but the title; of birth number, birth date and document see `_birth`."""

_LONGEST = {"title": 40, "first_name": 80, "surname": 80, "email": 254, "postcode": 12, "document": 40}
_LONG = 120
_OLDEST = date(1900, 1, 1)

_MISSING = _("This field is required.")
_UNSHOWN = _("There are characters in it that no screen can show.")
_FAULTS = {
    Fault.FORM: _("A birth number is nine or ten digits, with or without a slash after the sixth."),
    Fault.DATE: _("There is no such date of birth in a birth number."),
    Fault.CHECK_DIGIT: _("The last digit does not fit the others: is it mistyped?"),
}
_DOUBTS = {
    Doubt.REMAINDER: _(
        "Such a number was no longer given out: enter the birth date and the document that bear it out."
    ),
    Doubt.FUTURE: _("By this number the person is not born yet: enter the birth date and the document that prove it."),
    Doubt.UNDER_AGE: _(
        "By this number the person is under 18 and may take part from %(day)s on. "
        "If a document proves more, enter the birth date and the document."
    ),
}
_NO_CZECH_POSTCODE = _("A Czech postcode is five digits, like 110 00.")
_NO_POSTCODE = _("A postcode is of digits, in some countries with letters; nothing else.")
_CZECH = {"cz", "cze", "cr", "czechia", "czechrepublic", "cesko", "ceskarepublika"}
_CZECH_POSTCODE = re.compile(r"[1-9][0-9]{2} ?[0-9]{2}", re.ASCII)
_POSTCODE = re.compile(r"(?=.*[0-9])[A-Z0-9]+([ -][A-Z0-9]+)*", re.ASCII | re.IGNORECASE)


def check(data: Mapping[str, str], today: date, required: Collection[str] = REQUIRED) -> dict[str, str]:
    """The fields as they are to be kept. Raises `ValidationError` by field.

    ``required``: which must not be empty. Birth number, birth date and document are checked where one of them is given
    or required.
    """
    kept = {name: " ".join(str(value).split()) for name, value in data.items()}
    errors: dict[str, str | Promise] = {}
    for name, value in kept.items():
        if not value:
            if name in required:
                errors[name] = _MISSING
        elif len(value) > (longest := _LONGEST.get(name, _LONG)):
            errors[name] = _("At most %(count)d characters.") % {"count": longest}
        elif fault(value) is not None:
            errors[name] = _UNSHOWN
    if kept.get("email") and "email" not in errors:
        try:
            validate_email(kept["email"])
        except ValidationError as error:
            errors["email"] = error.messages[0]
    if kept.get("postcode") and "postcode" not in errors and (wrong := _postcode(kept)) is not None:
        errors["postcode"] = wrong
    if not set(BIRTH).isdisjoint(kept):
        _birth(kept, errors, today)
    if errors:
        raise ValidationError(errors)
    return kept


def _postcode(kept: Mapping[str, str]) -> Promise | None:
    """What is wrong with it. Abroad they are all kinds of digits and letters."""
    if fold(kept.get("country", "")) in _CZECH:
        return None if _CZECH_POSTCODE.fullmatch(kept["postcode"]) else _NO_CZECH_POSTCODE
    return None if _POSTCODE.fullmatch(kept["postcode"]) else _NO_POSTCODE


def _birth(kept: dict[str, str], errors: dict[str, str | Promise], today: date) -> None:
    """Age by birth number, or by birth date and document where there is none or it is in doubt."""
    number: BirthNumber | None = None
    if kept.get("birth_number"):
        try:
            number = read(kept["birth_number"])
        except BadBirthNumber as error:
            errors["birth_number"] = _FAULTS[error.fault]
            return
        kept["birth_number"] = number.digits
    born = _date(kept.get("birth_date", ""), errors)
    doubt = number.doubt(today) if number else None
    if number is not None and doubt is None:
        if born is not None and born != number.born:
            errors["birth_date"] = _("The birth number says another day: %(day)s.") % {"day": _day(number.born)}
        born = number.born
    elif number is not None and doubt is not None and not (born and kept.get("document")):
        text: str | Promise = _DOUBTS[doubt]
        if doubt == Doubt.UNDER_AGE:
            text = text % {"day": _day(adult_from(number.born))}
        errors.setdefault("birth_number", text)
    elif number is None:
        if born is None:
            errors.setdefault("birth_date", _("Without a birth number enter the birth date."))
        if not kept.get("document"):
            errors.setdefault("document", _("Without a birth number enter the number of the document seen."))
    if born is None:
        return
    kept["birth_date"] = born.isoformat()
    if born > today or born < _OLDEST:
        errors.setdefault("birth_date", _("Nobody can be born on that day."))
    elif not is_adult(born, today):
        errors["birth_date"] = _("Under 18: may take part from %(day)s on.") % {"day": _day(adult_from(born))}


def _date(text: str, errors: dict[str, str | Promise]) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        errors["birth_date"] = _("There is no such day.")
        return None


def _day(day: date) -> str:
    return formats.date_format(day, "SHORT_DATE_FORMAT")
