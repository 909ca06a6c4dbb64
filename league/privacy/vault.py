"""Seals and opens what is private of a person: birth number, birth date, document, address (DESIGN §6, RFC 5116).

Destroying a person's key erases all of it, from old backups of the database, too.
"""

from __future__ import annotations

import os
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db import transaction
from django.utils import timezone

from league.people.models import Participant
from league.privacy.models import BirthIndex, Erasure, PersonKey, PrivateRecord
from league.privacy.router import KEYS


class Private(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is kept sealed (LG-5). Birth numbers without the slash; dates as ``YYYY-MM-DD``."""

    birth_number: str = ""
    birth_date: str = ""
    document: str = ""
    street: str = ""
    town: str = ""
    postcode: str = ""
    country: str = ""
    citizenship: str = ""


class Erased(LookupError):
    """There is a sealed record whose key is gone."""


class Damaged(ValueError):
    """A sealed record that its person's key does not open: somebody changed or swapped it."""


def seal(person: Participant, private: Private) -> None:
    """Keep this of a person, instead of what was kept before. Raises `Erased` for whom was erased."""
    nonce, sealed = _lock(person, msgspec.json.encode(private), _bound_to(person))
    PrivateRecord.objects.update_or_create(participant=person, defaults={"nonce": nonce, "sealed": sealed})


def unseal(person: Participant) -> Private:
    """What is kept of a person; empty where nothing is. Raises `Erased` and `Damaged`."""
    record = PrivateRecord.objects.filter(participant=person).first()
    if record is None:
        return Private()
    return msgspec.json.decode(_open(person, record.nonce, record.sealed, _bound_to(person)), type=Private)


def seal_note(person: Participant, of: str, note: dict[str, str]) -> tuple[bytes, bytes]:
    """Some texts about a person, sealed to what they are of: nonce and sealed bytes, for the caller to keep."""
    return _lock(person, msgspec.json.encode(note), _bound_to(person, of))


def unseal_note(person: Participant, of: str, nonce: bytes, sealed: bytes) -> dict[str, str]:
    """What `seal_note` sealed. Raises `Erased` and `Damaged`."""
    return msgspec.json.decode(_open(person, nonce, sealed, _bound_to(person, of)), type=dict[str, str])


def destroy(person: Participant) -> None:
    """Erase what is kept of a person: the key and the index entry first, then the sealed bytes.

    The store of keys remembers that it was done, and no backup brings the person back.
    """
    with transaction.atomic(using=KEYS):
        Erasure.objects.update_or_create(pk=person.pk, defaults={"number": person.number, "at": timezone.now()})
        PersonKey.objects.filter(pk=person.pk).delete()
        BirthIndex.objects.filter(pk=person.pk).delete()
    PrivateRecord.objects.filter(participant=person).delete()


def closed() -> list[str]:
    """The registration numbers of those whose private record opens with no key that is here, in order."""
    keys = {row.pk: bytes(row.key) for row in PersonKey.objects.iterator()}
    records = PrivateRecord.objects.filter(participant__erased_at=None).select_related("participant")
    found = []
    for record in records.order_by("participant__number").iterator():
        try:
            AESGCM(keys[record.pk]).decrypt(bytes(record.nonce), bytes(record.sealed), _bound_to(record.participant))
        except (KeyError, InvalidTag):
            found.append(record.participant.number)
    return found


def is_destroyed(person: Participant) -> bool:
    """Whether this was erased for good, as the store of keys remembers it: nothing is ever sealed of them again."""
    return Erasure.objects.filter(pk=person.pk, number=person.number).exists()


def forget_left_over(sender: Any, instance: Participant, created: bool, raw: bool = False, **_told: Any) -> None:
    """What the store of keys has under the id of somebody new is of nobody: who had it was never there for good."""
    if created and not raw:
        for kind in (PersonKey, BirthIndex):
            left = kind._default_manager.filter(pk=instance.pk)
            if left.exists():
                left.delete()


def _key(person: Participant, *, make: bool = False) -> bytes:
    found = PersonKey.objects.filter(pk=person.pk).first()
    if found is None and make and not is_destroyed(person):
        found, _ = PersonKey.objects.get_or_create(pk=person.pk, defaults={"key": os.urandom(32)})
    if found is None:
        raise Erased(person.number)
    return bytes(found.key)


def _lock(person: Participant, plain: bytes, bound_to: bytes) -> tuple[bytes, bytes]:
    nonce = os.urandom(12)
    return nonce, AESGCM(_key(person, make=True)).encrypt(nonce, plain, bound_to)


def _open(person: Participant, nonce: bytes | memoryview, sealed: bytes | memoryview, bound_to: bytes) -> bytes:
    try:
        return AESGCM(_key(person)).decrypt(bytes(nonce), bytes(sealed), bound_to)
    except InvalidTag as error:
        raise Damaged(f"a private record of {person.number} does not open") from error


def _bound_to(person: Participant, of: str = "") -> bytes:
    return f"participant {person.pk} {of}".rstrip().encode()


__all__ = [
    "Damaged", "Erased", "Private", "closed", "destroy", "is_destroyed", "seal", "seal_note", "unseal", "unseal_note"
]  # fmt: skip
