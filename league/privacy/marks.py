"""The birth index: finds who is registered already, by keyed hashes that open nothing (HMAC-SHA256)."""

from __future__ import annotations

import hashlib
import hmac
import os
import unicodedata

from django.db import DEFAULT_DB_ALIAS, IntegrityError, connections, models, transaction

from league.people.models import Participant
from league.privacy.models import BirthIndex, IndexKey
from league.privacy.router import KEYS
from league.privacy.vault import Private

_LOCK = int.from_bytes(b"tbsmarks", "big")
"""PostgreSQL's advisory lock that is the birth index's."""


class AnothersNumber(ValueError):
    """The birth number is in the index for somebody else; ``person``: who."""

    def __init__(self, person: Participant) -> None:
        super().__init__(person.number)
        self.person = person


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
    return _people(mark=_mark("birth number", digits)).first() if digits else None


def alike(first_name: str, surname: str, birth_date: str) -> list[Participant]:
    """Those of this name and birth date."""
    mark = _alike(first_name, surname, birth_date)
    return list(_people(alike=mark)) if mark else []


def enter(person: Participant, private: Private) -> None:
    """Bring the index up to what is kept of a person, in a transaction. Raises `AnothersNumber`."""
    one_at_a_time()
    mark = _mark("birth number", private.birth_number) if private.birth_number else ""
    fields = {"mark": mark, "alike": _alike(person.first_name, person.surname, private.birth_date)}
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


def _people(**wanted: str) -> models.QuerySet[Participant]:
    found = list(BirthIndex.objects.filter(**wanted).values_list("pk", flat=True))
    return Participant.objects.filter(pk__in=found)


def _alike(first_name: str, surname: str, birth_date: str) -> str:
    return _mark("name and date", f"{fold(surname)} {fold(first_name)} {birth_date}") if birth_date else ""


def _mark(of: str, text: str) -> str:
    row, _ = IndexKey.objects.get_or_create(only=1, defaults={"key": os.urandom(32)})
    return hmac.new(bytes(row.key), f"{of}: {text}".encode(), hashlib.sha256).hexdigest()
