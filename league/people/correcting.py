"""Corrects what is kept of somebody (LG-7). What stood there before stays on the record, sealed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec.structs import asdict, replace

from league.ingest import rosters
from league.people.acts import ERASED, ActRefused, By
from league.people.checking import BIRTH, PLAIN, REQUIRED, SEALED, check
from league.people.models import Participant
from league.privacy import marks, vault
from league.privacy.models import Rectification
from league.staff import audit


def data_of(person: Participant) -> dict[str, str]:
    """All fields that can be corrected, as they stand. Raises `vault.Erased` and `vault.Damaged`."""
    return plain_of(person) | dict(asdict(vault.unseal(person)))


def plain_of(person: Participant) -> dict[str, str]:
    """Those of them that are not sealed."""
    return {
        name: (person.home_venue_id or "") if name == "home_venue" else str(getattr(person, name)) for name in PLAIN
    }


def correct(person: Participant, changes: Mapping[str, str], by: By) -> list[str]:
    """Change fields of `checking.FIELDS`; which ones differ now. Raises `ValidationError` by field and `ActRefused`.

    A field that was empty may stay empty; none that is required may become so.
    """
    with transaction.atomic():
        marks.one_at_a_time()
        person_now = Participant.objects.select_for_update().get(pk=person.pk)
        if person_now.erased_at is not None:
            raise ActRefused(ERASED)
        before = data_of(person_now)
        wanted = _differing(before, changes)
        if not set(wanted).isdisjoint(BIRTH):
            wanted = {name: before[name] for name in BIRTH} | wanted
        required = [name for name in REQUIRED if before[name]]
        kept = _differing(before, check(wanted, timezone.localdate(), required))
        if kept:
            _keep(person_now, before, kept, by)
    person.refresh_from_db()
    return sorted(kept)


def what_stood(row: Rectification) -> dict[str, str]:
    """What a correction took the place of. Raises `vault.Erased` and `vault.Damaged`."""
    return vault.unseal_note(row.participant, _bound_to(row.at, row.who), bytes(row.nonce), bytes(row.sealed))


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in after.items() if before[name] != value}


def _keep(person: Participant, before: dict[str, str], kept: dict[str, str], by: By) -> None:
    for name, value in kept.items():
        if name == "home_venue":
            person.home_venue_id = value or None
        elif name in PLAIN:
            setattr(person, name, value)
    person.save()
    sealed = {name: value for name, value in kept.items() if name in SEALED}
    private = replace(vault.unseal(person), **sealed)
    if sealed:
        vault.seal(person, private)
    at = timezone.now()
    nonce, note = vault.seal_note(person, _bound_to(at, by.who), {name: before[name] for name in kept})
    Rectification.objects.create(participant=person, at=at, who=by.who, fields=sorted(kept), nonce=nonce, sealed=note)
    by.note(audit.What.CHANGE, person, about="corrected", fields=kept)
    rosters.changed()
    try:
        marks.enter(person, private)
    except marks.AnothersNumber as error:
        text = _("This is the birth number of participant %(number)s.") % {"number": error.person.number}
        raise ValidationError({"birth_number": text}) from None


def _bound_to(at: datetime, who: str) -> str:
    return f"rectification {at.astimezone(UTC).isoformat()} {who}"
