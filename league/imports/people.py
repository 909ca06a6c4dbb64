"""Imports participants from CSV (LG-5): those who are new, and what lacks of those who came without sealed data.

Nobody who is there is changed otherwise: that is a correction, with its history. So a second import changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from league.imports import values
from league.imports.csvfile import Problem, Row, Table
from league.imports.numbers import SEVERAL, Numbers
from league.imports.outcome import Outcome, carry_out
from league.ingest import rosters
from league.people.acts import ERASED, ActRefused, By, note_act, note_import
from league.people.checking import ADDRESS, BIRTH, PLAIN, SEALED, check
from league.people.correcting import ANOTHERS, correct, what_opens
from league.people.labels import label_of
from league.people.models import Consent, ConsentKind, Participant, number_validator
from league.people.registering import FOUND, NextNumbers, create
from league.privacy import marks, vault
from league.privacy.models import Act, PrivateRecord
from league.rounds.models import Venue
from league.staff import audit

ABOUT = gettext_noop("import of participants")

COLUMNS: dict[str, tuple[str, ...]] = {
    "number": ("registration number", "číslo", "registrační číslo", "č."),
    "title": ("titul",), "first_name": ("jméno",), "surname": ("příjmení",),
    "email": ("e-mail", "e-mail address", "mail"), "birth_number": ("rodné číslo", "rč"),
    "birth_date": ("datum narození", "narozen"), "document": ("doklad", "číslo dokladu"),
    "street": ("ulice", "ulice a číslo", "address", "adresa"), "town": ("obec", "město"),
    "postcode": ("psč", "zip"), "country": ("stát", "země"), "citizenship": ("občanství", "státní občanství"),
    "language": ("jazyk",), "home_venue": ("domovská herna", "herna", "venue"),
    "registered_at": ("registered", "registered on", "registrován", "datum registrace"), "state": ("stav",),
    "processing": ("souhlas se zpracováním", "zpracování údajů", "souhlas zpracování"),
    "publication": ("souhlas se zveřejněním", "zveřejnění", "souhlas zveřejnění"),
    "marketing": ("souhlas s marketingem", "obchodní sdělení", "souhlas marketing"),
    "media": ("souhlas s fotografiemi", "foto a video", "souhlas foto"),
}  # fmt: skip

_STATES = {
    "active": "active", "aktivni": "active", "cancelled": "cancelled", "zruseny": "cancelled", "zruseno": "cancelled",
    "refused": "refused", "odmitnuty": "refused", "odmitnuto": "refused", "": "active",
}  # fmt: skip

_NEVER = _("The columns of first name and surname must be there.")
_UNKNOWABLE = _("Give the registration number, the birth number or the birth date: else nobody knows them again.")
_NO_CONSENT = _("Without this consent nobody can take part.")
_NO_DAY = _("There is no such day.")
_TO_COME = _("That day has not come yet.")


class _Wrong(ValueError):
    """A line that cannot be taken; ``problems``: by column."""

    def __init__(self, problems: Iterable[tuple[str, str | Promise]]) -> None:
        super().__init__()
        self.problems = list(problems)


class _Line(NamedTuple):
    """A line as it is meant."""

    number: str
    data: dict[str, str]
    state: str
    registered_at: datetime | None
    consents: dict[ConsentKind, datetime]


def import_people(raw: bytes, by: By, *, encoding: str = "", dry_run: bool = False) -> Outcome:
    """Take a file, all of it or nothing."""
    venues = {venue.pk: venue.pk for venue in Venue.objects.all()}
    venues |= {marks.fold(venue.name): venue.pk for venue in Venue.objects.all()}

    found: set[str] = set()

    def take(table: Table, outcome: Outcome) -> None:
        if not {"first_name", "surname"} <= set(table.columns):
            outcome.problems.append(Problem(1, "", _NEVER))
            return
        marks.one_at_a_time()
        seen: dict[int, int] = {}
        numbers, given = Numbers(), NextNumbers()
        for row in table.rows:
            try:
                person = _take(row, _meant(row, venues, numbers), by, seen, outcome, found, given)
                numbers.add(person.number)
                given.note(person.number)
            except _Wrong as error:
                outcome.problems += [Problem(row.line, column, text) for column, text in error.problems]
        if outcome.writes:
            rosters.changed()
            by_count = f"{ABOUT}: {outcome.writes}"
            audit.note_by(by.who, audit.What.ACT, about=by_count, address=by.address)

    outcome = carry_out(raw, encoding, COLUMNS, take, dry_run=dry_run)
    for number in sorted(found):
        audit.note_by(by.who, audit.What.VIEW, number=number, about=FOUND, address=by.address)
    return outcome


def _meant(row: Row, venues: dict[str, str], numbers: Numbers) -> _Line:
    """A line's cells, checked as a paper card is, but for what old lists do not have. Raises `_Wrong`."""
    cells = {name: row.cells.get(name, "") for name in COLUMNS}
    wrong: dict[str, str | Promise] = {}
    data = {name: cells[name] for name in (*PLAIN, *SEALED)}
    number = cells["number"]
    if number:
        try:
            number_validator(number)
            number = numbers.meant(number)
        except ValidationError as error:
            wrong["number"] = error.messages[0]
        except ValueError:
            wrong["number"] = SEVERAL
    elif not (data["birth_number"] or data["birth_date"]):
        wrong["number"] = _UNKNOWABLE
    if data["birth_date"]:
        try:
            data["birth_date"] = values.day(data["birth_date"]).isoformat()
        except ValueError:
            wrong["birth_date"] = _NO_DAY
    if data["language"] not in ("", *Participant.Language.values):
        wrong["language"] = _("Either cs or en.")
    if data["home_venue"]:
        venue = venues.get(data["home_venue"]) or venues.get(marks.fold(data["home_venue"]))
        data["home_venue"] = venue or ""
        if venue is None:
            wrong["home_venue"] = _("There is no such venue.")
    state = _STATES.get(marks.fold(cells["state"]), "")
    if not state:
        wrong["state"] = _("Either active, cancelled or refused.")
    registered_at, consents = _times(cells, wrong)
    try:
        data = _checked(data)
    except ValidationError as error:
        for name, texts in error.message_dict.items():
            wrong.setdefault(name, texts[0])
    if wrong:
        raise _Wrong(wrong.items())
    return _Line(number, data, state, registered_at, consents)


def _checked(data: dict[str, str]) -> dict[str, str]:
    """Raises `ValidationError` by field."""
    given = {name: value for name, value in data.items() if name not in BIRTH or any(data[each] for each in BIRTH)}
    required = ["first_name", "surname"]
    if any(data[name] for name in ADDRESS):
        required += ["street", "town", "postcode"]
    return check(given, timezone.localdate(), required)


def _times(
    cells: dict[str, str], wrong: dict[str, str | Promise]
) -> tuple[datetime | None, dict[ConsentKind, datetime]]:
    """When they registered and consented; a consent that is only said to be there is of the day of registration."""
    now = timezone.now()
    registered = _time(cells, "registered_at", wrong, now)
    consents: dict[ConsentKind, datetime] = {}
    for kind in ConsentKind:
        try:
            given = (registered or now) if values.yes(cells[kind.value]) else None
        except ValueError:
            given = _time(cells, kind.value, wrong, now)
        if given is not None:
            consents[kind] = given
    return registered, consents


def _time(cells: dict[str, str], name: str, wrong: dict[str, str | Promise], now: datetime) -> datetime | None:
    if not cells[name]:
        return None
    try:
        found = values.moment(cells[name])
    except (ValueError, OverflowError):
        wrong[name] = _NO_DAY
        return None
    if found > now or found.year < 1900:
        wrong[name] = _TO_COME if found > now else _NO_DAY
    return found


def _take(
    row: Row, line: _Line, by: By, seen: dict[int, int], outcome: Outcome, found: set[str], given: NextNumbers
) -> Participant:  # fmt: skip
    """Do what a line says; whom it is about. ``found``: whom birth number or date told of. Raises `_Wrong`."""
    person = _known(line, found)
    if person is None:
        person = _new(line, by, given)
        outcome.counts["added"] += 1
    elif person.pk in seen:
        raise _Wrong([("", _("The same participant as on line %(line)d.") % {"line": seen[person.pk]})])
    elif person.erased_at is not None:
        raise _Wrong([("number", ERASED)])
    elif any(line.data.get(name) for name in SEALED) and not _is_sealed(person):
        if not _same_name(person, line.data):
            text = _("This would be participant %(number)s, who has another name.")
            raise _Wrong([("", text % {"number": person.number})])
        _complete(person, line, by)
        outcome.counts["completed"] += 1
    else:
        outcome.counts["known"] += 1
        if differs := _differing(person, line.data):
            text = _("Known as %(number)s and left as it is, though it differs: %(fields)s.")
            outcome.remarks.append(Problem(row.line, "", text % {"number": person.number, "fields": differs}))
    seen[person.pk] = row.line
    return person


def _known(line: _Line, found: set[str]) -> Participant | None:
    """Who it is, if they are there already. Raises `_Wrong` where number, birth number and name do not agree."""
    data = line.data
    by_number = Participant.objects.filter(number=line.number).first() if line.number else None
    by_birth, field = marks.same_birth_number(data.get("birth_number", "")), "birth_number"
    if by_birth is None:
        same, sure = marks.same_document(data.get("document", ""), data.get("birth_date", ""))
        by_birth, field = (by_number if by_number in same else same[0]) if sure else None, "document"
    if by_birth is not None and by_birth != by_number:
        found.add(by_birth.number)
    if by_birth is not None and line.number and by_birth != by_number:
        raise _Wrong([(field, ANOTHERS[field] % {"number": by_birth.number})])
    if by_birth is not None:
        return by_birth
    alike = marks.alike(data["first_name"], data["surname"], data.get("birth_date", ""))
    if by_number is not None:
        if by_number.erased_at is None and not _same_name(by_number, data):
            raise _Wrong([("number", _("This number is that of somebody with another name."))])
        return by_number
    if not alike:
        return None
    found.update(person.number for person in alike)
    if len(alike) > 1 or line.number or data.get("birth_number"):
        text = _("Somebody of this name and birth date is there already: %(number)s.")
        raise _Wrong([("", text % {"number": ", ".join(person.number for person in alike)})])
    return alike[0]


def _is_sealed(person: Participant) -> bool:
    """Whether anything is, and opens."""
    _data, opens = what_opens(person)
    return opens and PrivateRecord.objects.filter(participant=person).exists()


def _same_name(person: Participant, data: dict[str, str]) -> bool:
    return all(marks.fold(getattr(person, name)) == marks.fold(data[name]) for name in ("first_name", "surname"))


def _new(line: _Line, by: By, given: NextNumbers) -> Participant:
    if line.state == Participant.State.ACTIVE and ConsentKind.PROCESSING not in line.consents:
        raise _Wrong([("processing", _NO_CONSENT)])
    try:
        person = create({name: line.data[name] for name in PLAIN}, line.number, line.registered_at, given.next)
    except ValidationError as error:
        raise _Wrong([("number", error.messages[0])]) from None
    if line.state != person.state:
        person.state = line.state
        person.save(update_fields=["state"])
    private = vault.Private(**{name: line.data.get(name, "") for name in SEALED})
    if private != vault.Private():
        vault.seal(person, private)
        try:
            marks.enter(person, private)
        except marks.AnothersNumber as error:
            raise _Wrong([(error.field, ANOTHERS[error.field] % {"number": error.person.number})]) from None
    Consent.objects.bulk_create(
        Consent(participant=person, kind=kind.value, given_at=given) for kind, given in line.consents.items()
    )
    note_act(person, Act.What.REGISTERED, by, "import")
    note_import(person, by)
    by.note(audit.What.CHANGE, person, about=ABOUT, fields=[name for name, value in line.data.items() if value])
    return person


def _complete(person: Participant, line: _Line, by: By) -> None:
    """Enter what nobody had entered yet, as a correction."""
    before, _opens = what_opens(person)
    changes = {name: value for name, value in line.data.items() if value and not before[name]}
    try:
        correct(person, changes, by)
    except ValidationError as error:
        raise _Wrong((name, texts[0]) for name, texts in error.message_dict.items()) from None
    except ActRefused as error:
        raise _Wrong([("", error.reason)]) from None


def _differing(person: Participant, data: dict[str, str]) -> str:
    """The names of fields that the file has otherwise."""
    before, opens = what_opens(person)
    if not opens:
        return ""
    return ", ".join(str(label_of(name)) for name, value in data.items() if value and before[name] != value)
