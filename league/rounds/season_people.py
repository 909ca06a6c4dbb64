"""Participants, consents and cards of a season file. Of who is known already all changes by the acts of the office."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from msgspec import UNSET

from league.cards import acts as card_acts
from league.imports.people import ABOUT
from league.ingest import rosters
from league.people import acts
from league.people.acts import ActRefused, By, note_import
from league.people.correcting import correct, plain_of
from league.people.locking import few, lock_people
from league.people.models import Card, Consent, Participant
from league.privacy import marks, vault
from league.rounds.season_file import CardEntry, ParticipantEntry, SeasonFile
from league.staff import audit

if TYPE_CHECKING:
    from league.rounds.season_import import Tally

BY = By("import_season")

_ACTS = {"active": acts.reopen, "cancelled": acts.cancel, "refused": acts.refuse}
_FIELDS = {"home_venue": "home"}
"""What the file calls otherwise."""


def lock(file: SeasonFile) -> None:
    """Lock whom the file is about: before their cards and rounds, as everywhere."""
    marks.one_at_a_time()
    people: set[int] = set()
    for numbers in few({entry.number for entry in file.participants}):
        people.update(Participant.objects.filter(number__in=numbers).values_list("pk", flat=True))
    lock_people(people)


def take(entry: ParticipantEntry, place: str, tally: Tally, errors: list[str]) -> None:
    """Bring one participant to what the file says; what cannot be is added to the errors."""
    known = Participant.objects.filter(number=entry.number).first()
    if known is not None and known.erased_at is not None:
        errors.append(f"{place}: {known.number} has been erased: take them out of the file")
        return
    person = known or _new(entry)
    told = len(errors)
    fields = {f"consent:{kind}" for kind, given_at in entry.consents.items() if _consent(person, kind, given_at, tally)}
    if known is None:
        fields |= {name for name, value in plain_of(person).items() if value} | {"state"}
        tally.count(Participant, "added")
    else:
        tally.count(Participant, "changed" if _bring(person, entry, place, errors) else "unchanged")
    # the invalid ones first, so that a replacement may be valid beside a card declared lost in the same file
    for m, card in sorted(enumerate(entry.cards), key=lambda item: item[1].is_valid):
        if _card(person, card, f"{place}.cards[{m}]", tally, errors):
            fields.add("card")
    if fields and len(errors) == told:
        BY.note(audit.What.CHANGE, person, about=ABOUT, fields=fields)
        if known is not None:
            rosters.changed()


def _new(entry: ParticipantEntry) -> Participant:
    given = {
        "title": entry.title, "email": entry.email, "state": entry.state, "role": entry.role,
        "home_venue_id": entry.home, "language": entry.language, "registered_at": entry.registered_at,
    }  # fmt: skip
    person = Participant.objects.create(
        number=entry.number, first_name=entry.first_name, surname=entry.surname,
        **{name: value for name, value in given.items() if value is not UNSET},
    )  # fmt: skip
    note_import(person, BY)
    return person


def _bring(person: Participant, entry: ParticipantEntry, place: str, errors: list[str]) -> bool:
    """Have somebody known be as the file says; whether anything changed."""
    given: dict[str, Any] = {
        "title": entry.title, "first_name": entry.first_name, "surname": entry.surname, "email": entry.email,
        "language": entry.language, "home_venue": "" if entry.home is None else entry.home,
    }  # fmt: skip
    before = plain_of(person)
    differs = {name: value for name, value in given.items() if value is not UNSET and before[name] != value}
    try:
        changed = bool(differs and correct(person, differs, BY))
        changed |= _put(person, entry)
        if entry.state is not UNSET and entry.state != person.state:
            _ACTS[entry.state](person, BY, "import")
            changed = True
    except ValidationError as error:
        errors += (f"{place}.{_FIELDS.get(name, name)}: {texts[0]}" for name, texts in error.message_dict.items())
        return False
    except ActRefused as error:
        errors.append(f"{place}.state: {person.number}: {error.reason}")
        return False
    except (vault.Erased, vault.Damaged):
        errors.append(f"{place}: what is sealed of {person.number} does not open, and nothing of them can change")
        return False
    return changed


def _put(person: Participant, entry: ParticipantEntry) -> bool:
    """Role and time of registration, which need no act; whether one of them changed."""
    given = {"role": entry.role, "registered_at": UNSET if entry.registered_at is None else entry.registered_at}
    differs = [name for name, value in given.items() if value is not UNSET and getattr(person, name) != value]
    for name in differs:
        setattr(person, name, given[name])
    if differs:
        person.save(update_fields=differs)
        about = f"role: {person.role}" if "role" in differs else ABOUT
        BY.note(audit.What.CHANGE, person, about=about, fields=differs)
        rosters.changed()
    return bool(differs)


def _consent(person: Participant, kind: str, given_at: datetime, tally: Tally) -> bool:
    """A consent in force is left as it was given; a file can give consents, never withdraw them. Whether it did."""
    there = person.consents.filter(kind=kind)
    # withdrawn since: the same paper does not give it again
    if there.filter(withdrawn_at__isnull=True).exists() or there.filter(given_at=given_at).exists():
        tally.count(Consent, "unchanged")
        return False
    person.consents.create(kind=kind, given_at=given_at)
    tally.count(Consent, "added")
    return True


def _card(person: Participant, entry: CardEntry, place: str, tally: Tally, errors: list[str]) -> bool:
    """Bring a card to what the file says; whether anything changed that has no act of its own."""
    card = Card.objects.filter(uid=entry.uid).select_related("participant").first()
    if card is None:
        if entry.is_valid and person.cards.filter(state=Card.State.VALID).exists():
            errors.append(f"{place}.state: {person.number} already has a valid card")
            return False
        state = Card.State.VALID if entry.state is UNSET else entry.state
        Card.objects.create(uid=entry.uid, participant=person, issued_at=entry.issued_at, state=state)
        tally.count(Card, "added")
        return True
    if card.participant_id != person.pk:
        errors.append(f"{place}.uid: already a card of {card.participant.number}")
        return False
    was_issued = card.issued_at != entry.issued_at
    if was_issued:
        Card.objects.filter(pk=card.pk).update(issued_at=entry.issued_at)
    moves = entry.state is not UNSET and entry.state != card.state
    if moves:
        try:
            card_acts.bring(card, Card.State(str(entry.state)), BY, "import")
        except ActRefused as error:
            errors.append(f"{place}.state: {card.uid}: {error.reason}")
    tally.count(Card, "changed" if was_issued or moves else "unchanged")
    return was_issued
