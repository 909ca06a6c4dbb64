"""Registers somebody from the paper card, under a number that the league gives (LG-4, LG-5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from league.ingest import rosters
from league.people.acts import By, give_consent, note_act, on_paper
from league.people.checking import PLAIN, SEALED, check
from league.people.models import ConsentKind, Participant
from league.privacy import marks, numbers, vault
from league.privacy.models import Act, PaperCard
from league.staff import audit

FOUND = gettext_noop("found as registered already")
"""What the audit log says where a birth number, a document or a birth date told somebody at the office whose it is."""

_DIGITS = 6
_TRIES = 20


class Signed(NamedTuple):
    """What the paper card says besides the person's data. ``handed_to``: the commissioner at a venue, or empty."""

    signed_on: date
    proof: PaperCard.Proof
    proven_to: str
    handed_to: str = ""


class Duplicate(ValueError):
    """Somebody like that is there already. ``by``: the birth number, the document, or name and birth date (``name``).

    ``sure``: it is them, and not only somebody alike.
    """

    def __init__(self, people: list[Participant], by: str, *, sure: bool) -> None:
        super().__init__(", ".join(person.number for person in people))
        self.people = people
        self.by = by
        self.sure = sure


def register(
    data: Mapping[str, str], consents: Collection[ConsentKind], signed: Signed | None, by: By, *,
    another: bool = False, number: str = "",
) -> Participant:  # fmt: skip
    """Register somebody. Raises `ValidationError` by field, and `Duplicate`.

    ``another``: it is somebody else than those of the same name and birth date. ``number``: given already, else the
    next one. Consents are of the day on which the card was signed, and to the text of that day (LG-7).
    """
    kept = check({name: data.get(name, "") for name in (*PLAIN, *SEALED)}, timezone.localdate())
    if ConsentKind.PROCESSING not in consents:
        raise ValidationError({"processing": _("Without this consent nobody can take part.")})
    private = vault.Private(**{name: kept[name] for name in SEALED})
    with transaction.atomic():
        marks.one_at_a_time()
        known = marks.same_birth_number(private.birth_number)
        if known is not None:
            raise Duplicate([known], "birth_number", sure=True)
        _look_alike(kept, private, another=another)
        person = create({name: kept[name] for name in PLAIN}, number)
        vault.seal(person, private)
        _record(person, signed, by)
        for kind in ConsentKind:
            if kind in consents:
                give_consent(person, kind, by, on_paper(signed.signed_on) if signed else None)
        try:
            marks.enter(person, private)
        except marks.AnothersNumber as error:
            raise Duplicate([error.person], error.field, sure=True) from None
    return person


def _look_alike(kept: Mapping[str, str], private: vault.Private, *, another: bool) -> None:
    """Raises `Duplicate`."""
    same, sure = marks.same_document(private.document, private.birth_date)
    if sure or (same and not another):
        raise Duplicate(same, "document", sure=sure)
    same = marks.alike(kept["first_name"], kept["surname"], private.birth_date)
    if same and not another:
        raise Duplicate(same, "name", sure=False)


class NextNumbers:
    """Registration numbers for people who come together: which one is the highest is asked once for all of them."""

    def __init__(self) -> None:
        self._highest: int | None = None

    def next(self) -> str:
        """The number after the highest that was ever given; none is given twice, after a restore neither."""
        number = (numbers.highest_ever() if self._highest is None else self._highest) + 1
        while Participant.objects.filter(number=str(number).zfill(_DIGITS)).exists():
            number += 1
        self._highest = number
        return str(number).zfill(_DIGITS)

    def note(self, number: str) -> None:
        """Somebody got this number, whoever gave it."""
        if self._highest is not None and int(number) < numbers.TOO_LONG:
            self._highest = max(self._highest, int(number))


def next_number() -> str:
    """The next one, for one person."""
    return NextNumbers().next()


def create(
    plain: Mapping[str, str], number: str = "", registered_at: datetime | None = None,
    next_one: Callable[[], str] = next_number,
) -> Participant:  # fmt: skip
    """Make the row, now and under the next number unless told. Raises `ValidationError`.

    Two clerks at once get two numbers: the database takes each once.
    """
    fields: dict[str, object] = {**plain, "home_venue_id": plain["home_venue"] or None}
    del fields["home_venue"]
    for _try in range(_TRIES):
        try:
            with transaction.atomic():
                return Participant.objects.create(
                    number=number or next_one(), registered_at=registered_at or timezone.now(), **fields
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
