"""Corrects what is kept of somebody (LG-7). What stood there before stays on the record, sealed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from types import MappingProxyType

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec.structs import asdict

from league.ingest import rosters
from league.people.acts import ERASED, ActRefused, By
from league.people.birth_number import BadBirthNumber, read
from league.people.checking import BIRTH, PLAIN, REQUIRED, SEALED, check
from league.people.models import Participant
from league.privacy import marks, vault
from league.privacy.models import Rectification
from league.rounds.models import Venue
from league.staff import audit

ANOTHERS = {
    "birth_number": _("This is the birth number of participant %(number)s."),
    "document": _("This is the document of participant %(number)s, born on the same day."),
}


def data_of(person: Participant) -> dict[str, str]:
    """All fields that can be corrected, as they stand. Raises `vault.Erased` and `vault.Damaged`."""
    return plain_of(person) | dict(asdict(vault.unseal(person)))


def what_opens(person: Participant) -> tuple[dict[str, str], bool]:
    """The same; of what is sealed nothing where it does not open. Whether it does."""
    try:
        return data_of(person), True
    except (vault.Erased, vault.Damaged):
        return plain_of(person) | dict.fromkeys(SEALED, ""), False


def plain_of(person: Participant) -> dict[str, str]:
    """Those of them that are not sealed."""
    return {
        name: (person.home_venue_id or "") if name == "home_venue" else str(getattr(person, name)) for name in PLAIN
    }


class ChangedMeanwhile(ValidationError):
    """Somebody else has changed these fields since they were shown; ``now``: what stands there."""

    def __init__(self, now: dict[str, str]) -> None:
        super().__init__({name: _meanwhile(name, value) for name, value in now.items()})
        self.now = now


def correct(
    person: Participant, changes: Mapping[str, str], by: By, shown: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Change fields of `checking.FIELDS`; which ones differ now. Raises `ValidationError` by field and `ActRefused`.

    A field that was empty may stay empty; none that is required may become so. ``shown``: what whoever corrects saw
    of the fields: what they left as it was is none of their changes. Raises `ChangedMeanwhile` where others changed it.
    What is sealed and does not open any more is entered anew.
    """
    changes = {name: value for name, value in changes.items() if name not in shown or value != shown[name]}
    with transaction.atomic():
        marks.one_at_a_time()
        person_now = Participant.objects.select_for_update(no_key=True).get(pk=person.pk)
        if person_now.erased_at is not None or vault.is_destroyed(person_now):
            raise ActRefused(ERASED)
        before, opens = what_opens(person_now)
        wanted = _differing(before, changes)
        if meanwhile := {name: before[name] for name in wanted if name in shown and before[name] != shown[name]}:
            raise ChangedMeanwhile(meanwhile)
        kept = _differing(before, _checked(before, wanted, changes))
        if kept:
            _keep(person_now, before, kept, by)
            if opens or not set(kept).isdisjoint(BIRTH):  # else the index knows more than what is left
                _enter(person_now, before | kept)
    person.refresh_from_db()
    return sorted(kept)


def what_stood(row: Rectification) -> dict[str, str]:
    """What a correction took the place of. Raises `vault.Erased` and `vault.Damaged`."""
    return vault.unseal_note(row.participant, _bound_to(row.at, row.who), bytes(row.nonce), bytes(row.sealed))


def _checked(before: Mapping[str, str], wanted: dict[str, str], changes: Mapping[str, str]) -> Mapping[str, str]:
    """What is wanted as it is to be kept, checked with what it goes with. Raises `ValidationError` by field."""
    if "postcode" in wanted or "country" in wanted:
        wanted = {name: before[name] for name in ("postcode", "country")} | wanted
    if not set(wanted).isdisjoint(BIRTH):
        wanted = {name: before[name] for name in BIRTH} | wanted
        if not any(wanted[name] for name in BIRTH):
            # what was entered for somebody by mistake goes, even where nothing takes its place
            cleared = dict.fromkeys(BIRTH, "")
            return check({name: wanted[name] for name in wanted if name not in BIRTH}, *_by(before)) | cleared
        if wanted["birth_number"] != before["birth_number"] and not changes.get("birth_date"):
            wanted["birth_date"] = "" if _says_the_day(wanted["birth_number"]) else wanted["birth_date"]
    return check(wanted, *_by(before))


def _by(before: Mapping[str, str]) -> tuple[date, list[str]]:
    return timezone.localdate(), [name for name in REQUIRED if before[name]]


def _says_the_day(birth_number: str) -> bool:
    """Whether the day of birth follows from the number: then the one that stood beside another number goes."""
    try:
        return read(birth_number).doubt(timezone.localdate()) is None
    except BadBirthNumber:
        return False


def _meanwhile(name: str, value: str) -> str | Promise:
    if name == "home_venue" and value:
        value = str(Venue.objects.filter(pk=value).first() or value)
    if not value:
        return _("This was emptied meanwhile by somebody else. Send the form once more to have what you typed kept.")
    text = _("This was changed meanwhile by somebody else: %(now)s. Send the form once more to have yours kept.")
    return text % {"now": value}


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in after.items() if before[name] != value}


def _keep(person: Participant, before: dict[str, str], kept: dict[str, str], by: By) -> None:
    for name, value in kept.items():
        if name == "home_venue":
            person.home_venue_id = value or None
        elif name in PLAIN:
            setattr(person, name, value)
    person.save()
    if not set(kept).isdisjoint(SEALED):
        vault.seal(person, _private(before | kept))
    at = timezone.now()
    nonce, note = vault.seal_note(person, _bound_to(at, by.who), {name: before[name] for name in kept})
    Rectification.objects.create(participant=person, at=at, who=by.who, fields=sorted(kept), nonce=nonce, sealed=note)
    by.note(audit.What.CHANGE, person, about="corrected", fields=kept)
    rosters.changed()


def _private(data: Mapping[str, str]) -> vault.Private:
    return vault.Private(**{name: data[name] for name in SEALED})


def _enter(person: Participant, data: Mapping[str, str]) -> None:
    """Raises `ValidationError`."""
    try:
        marks.enter(person, _private(data))
    except marks.AnothersNumber as error:
        raise ValidationError({error.field: ANOTHERS[error.field] % {"number": error.person.number}}) from error


def _bound_to(at: datetime, who: str) -> str:
    return f"rectification {at.astimezone(UTC).isoformat()} {who}"
