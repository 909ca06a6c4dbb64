"""The birth index: finds who is registered already, by keyed hashes that open nothing (HMAC-SHA256)."""

from __future__ import annotations

import hashlib
import hmac
import os
import unicodedata

from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections, transaction

from league.people.models import Participant
from league.privacy.models import BirthIndex, IndexKey
from league.privacy.router import KEYS
from league.privacy.vault import Damaged, Erased, Private, unseal

_LOCK = int.from_bytes(b"tbsmarks", "big")
"""PostgreSQL's advisory lock that is the birth index's."""


class AnothersNumber(ValueError):
    """The birth number, or the document, is in the index for somebody else; ``person``: who. ``field``: which it is."""

    def __init__(self, person: Participant, field: str = "birth_number") -> None:
        super().__init__(person.number)
        self.person, self.field = person, field


def fold(text: str) -> str:
    """Letters and digits alone, without accents and cases: what people type who look for a name."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if letter.isalnum())


def one_at_a_time() -> None:
    """Have nobody else look into the index and enter into it until this transaction of the league's database ends.

    The index is in another database: what it says of somebody who is not committed here yet would be taken for left
    over. To be called before anybody's row is locked. On SQLite whoever writes is alone from the beginning.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def same_birth_number(digits: str) -> Participant | None:
    """Who has this birth number, whatever their state."""
    return next(iter(_people(mark=_mark("birth number", digits))), None) if digits else None


def same_document(number: str, birth_date: str) -> tuple[list[Participant], bool]:
    """Who has a document of this number, however it is written; whether one of them was born on that day, too.

    Then it is them: other countries may have given the same number, but hardly to somebody of the same day.
    """
    mark = _document(number)
    found = _people(document=mark) if mark else []
    born = [person for person in found if birth_date and _born(person) == birth_date]
    return born or found, bool(born)


def catch_up() -> int:
    """Enter the documents of those who were entered before documents were looked at; how many people."""
    rows = BirthIndex.objects.filter(document__isnull=True)
    done = 0
    for pk in list(rows.values_list("pk", flat=True)):
        person = Participant.objects.filter(pk=pk).first()
        private = _private(person) if person is not None else None
        done += rows.filter(pk=pk).update(document=_document(private.document) if private else "")
    return done


def alike(first_name: str, surname: str, birth_date: str) -> list[Participant]:
    """Those of this name and birth date."""
    mark = _alike(first_name, surname, birth_date)
    return _people(alike=mark) if mark else []


def enter(person: Participant, private: Private) -> None:
    """Bring the index up to what is kept of a person, in a transaction. Raises `AnothersNumber`."""
    one_at_a_time()
    mark = _mark("birth number", private.birth_number) if private.birth_number else ""
    fields = {
        "mark": mark, "alike": _alike(person.first_name, person.surname, private.birth_date),
        "document": _document(private.document),
    }  # fmt: skip
    if not BirthIndex.objects.filter(pk=person.pk, document=fields["document"]).exists():
        others, sure = same_document(private.document, private.birth_date)
        if sure and person not in others:
            raise AnothersNumber(others[0], "document")
    if mark:
        other = same_birth_number(private.birth_number)
        if other is not None and other.pk != person.pk:
            raise AnothersNumber(other)
        # of somebody whose registration was never finished
        BirthIndex.objects.filter(mark=mark).exclude(pk=person.pk).delete()
    try:
        with transaction.atomic(using=KEYS):
            BirthIndex.objects.update_or_create(pk=person.pk, defaults=fields)
    except IntegrityError:
        other = same_birth_number(private.birth_number)
        if other is None:
            raise
        raise AnothersNumber(other) from None


def _people(**wanted: str) -> list[Participant]:
    """Whose entries have such a mark. An entry is only of somebody whose sealed data do not say otherwise."""
    found = list(BirthIndex.objects.filter(**wanted).values_list("pk", flat=True))
    return [each for each in Participant.objects.filter(pk__in=found).order_by("pk") if _is_theirs(each, wanted)]


def _is_theirs(person: Participant, wanted: dict[str, str]) -> bool:
    private = _private(person)
    if private is None:
        return True  # nothing opens that could tell
    says = {
        "mark": private.birth_number and _mark("birth number", private.birth_number),
        "document": _document(private.document),
        # by the name that it was entered with, which may be another one now
        "alike": private.birth_date and wanted.get("alike", ""),
    }
    return all(says[name] == mark for name, mark in wanted.items())


def _alike(first_name: str, surname: str, birth_date: str) -> str:
    return _mark("name and date", f"{fold(surname)} {fold(first_name)} {birth_date}") if birth_date else ""


def _document(number: str) -> str:
    return _mark("document", fold(number)) if fold(number) else ""


def _born(person: Participant) -> str:
    private = _private(person)
    return private.birth_date if private else ""


def _private(person: Participant) -> Private | None:
    try:
        return unseal(person)
    except (Erased, Damaged):
        return None


def _mark(of: str, text: str) -> str:
    row, _ = IndexKey.objects.get_or_create(only=1, defaults={"key": os.urandom(32)})
    return hmac.new(bytes(row.key), f"{of}: {text}".encode(), hashlib.sha256).hexdigest()
