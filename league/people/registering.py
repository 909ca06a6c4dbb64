"""Registers somebody from the paper card, under a number that the league gives (LG-4, LG-5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.ingest import rosters
from league.people.acts import By, give_consent, note_act
from league.people.checking import PLAIN, SEALED, check
from league.people.models import ConsentKind, Participant
from league.privacy import marks, numbers, vault
from league.privacy.models import Act, PaperCard
from league.staff import audit

_DIGITS = 6
_TRIES = 20


class Signed(NamedTuple):
    """What the paper card says besides the person's data. ``handed_to``: the commissioner at a venue, or empty."""

    signed_on: date
    proof: PaperCard.Proof
    proven_to: str
    handed_to: str = ""


class Duplicate(ValueError):
    """Somebody like that is there already. ``sure``: by the birth number, else by name and birth date."""

    def __init__(self, people: list[Participant], *, sure: bool) -> None:
        super().__init__(", ".join(person.number for person in people))
        self.people = people
        self.sure = sure


def register(
    data: Mapping[str, str], consents: Collection[ConsentKind], signed: Signed | None, by: By, *,
    another: bool = False, number: str = "",
) -> Participant:  # fmt: skip
    """Register somebody. Raises `ValidationError` by field, and `Duplicate`.

    ``another``: it is somebody else than those of the same name and birth date. ``number``: given already, else the
    next one.
    """
    kept = check({name: data.get(name, "") for name in (*PLAIN, *SEALED)}, timezone.localdate())
    if ConsentKind.PROCESSING not in consents:
        raise ValidationError({"processing": _("Without this consent nobody can take part.")})
    private = vault.Private(**{name: kept[name] for name in SEALED})
    with transaction.atomic():
        marks.one_at_a_time()
        known = marks.same_birth_number(private.birth_number)
        if known is not None:
            raise Duplicate([known], sure=True)
        same = marks.alike(kept["first_name"], kept["surname"], private.birth_date)
        if same and not another:
            raise Duplicate(same, sure=False)
        person = create({name: kept[name] for name in PLAIN}, number)
        vault.seal(person, private)
        _record(person, signed, by)
        for kind in ConsentKind:
            if kind in consents:
                give_consent(person, kind, by)
        try:
            marks.enter(person, private)
        except marks.AnothersNumber as error:
            raise Duplicate([error.person], sure=True) from None
    return person


def next_number() -> str:
    """The number after the highest one that was ever given; numbers are never given twice, after a restore neither."""
    number = numbers.highest_ever() + 1
    while Participant.objects.filter(number=str(number).zfill(_DIGITS)).exists():
        number += 1
    return str(number).zfill(_DIGITS)


def create(plain: Mapping[str, str], number: str = "", registered_at: datetime | None = None) -> Participant:
    """Make the row, now and under the next number unless told. Raises `ValidationError`.

    Two clerks at once get two numbers: the database takes each once.
    """
    fields: dict[str, object] = {**plain, "home_venue_id": plain["home_venue"] or None}
    del fields["home_venue"]
    for _try in range(_TRIES):
        try:
            with transaction.atomic():
                return Participant.objects.create(
                    number=number or next_number(), registered_at=registered_at or timezone.now(), **fields
                )
        except IntegrityError:
            if number:
                raise ValidationError({"number": _("This number is somebody's already.")}) from None
    raise ValidationError(_("No number could be given: try again."))


def _record(person: Participant, signed: Signed | None, by: By) -> None:
    if signed is not None:
        PaperCard.objects.create(
            participant=person, signed_on=signed.signed_on, proof=signed.proof, proven_to=signed.proven_to,
            handed_to=signed.handed_to, entered_at=timezone.now(), entered_by=by.who,
        )  # fmt: skip
    note_act(person, Act.What.REGISTERED, by)
    by.note(audit.What.CHANGE, person, about="registered", fields=[*PLAIN, *SEALED])
    rosters.changed()
