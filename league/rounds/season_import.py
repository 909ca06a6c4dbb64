"""Brings the database to what a season file says: all of it, or nothing; a second time changes nothing."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, TypeVar

from django.db import models, transaction
from msgspec import UNSET

from appliance.game.commands import (
    Announce,
)
from league.people.acts import By, note_import
from league.people.models import Card, Consent, Participant
from league.rounds.models import Device, Round, Season, Venue
from league.rounds.season_file import ParticipantEntry, RoundEntry, SeasonFile, SeasonFileError

K = TypeVar("K", bound=models.Model)


_BY = By("import_season")


class Tally:
    """How many rows of each kind were added, changed and left alone."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()

    def count(self, kind: type[models.Model], outcome: str) -> None:
        self.counts[kind.__name__.lower(), outcome] += 1

    @property
    def changed(self) -> int:
        """How many rows were written."""
        return sum(n for (_, outcome), n in self.counts.items() if outcome != "unchanged")

    def __str__(self) -> str:
        kinds = sorted({kind for kind, _ in self.counts})
        outcomes = ("added", "changed", "unchanged")
        return "\n".join(
            f"{kind}: " + ", ".join(f"{self.counts[kind, outcome]} {outcome}" for outcome in outcomes) for kind in kinds
        )


class _DryRun(Exception):
    """Takes the transaction back after everything has been tried."""


def apply(file: SeasonFile, *, dry_run: bool = False) -> Tally:
    """Write the file's entries; with ``dry_run`` try them all and take them back. Raises `SeasonFileError`."""
    tally = Tally()
    errors: list[str] = []
    try:
        with transaction.atomic():
            _season_and_venues(file, tally)
            lock_for_rounds()
            for n, device in enumerate(file.devices):
                _device(device, f"devices[{n}]", tally, errors)
            for n, person in enumerate(file.participants):
                _participant(person, f"participants[{n}]", tally, errors)
            for n, (entry, announce) in enumerate(file.rounds):
                _round(entry, announce, f"rounds[{n}]", tally, errors)
            if errors:
                raise SeasonFileError(errors)
            if dry_run:
                raise _DryRun
    except _DryRun:
        pass
    return tally


def lock_for_rounds() -> None:
    """Lock all venues and seasons, in the order in which whoever tells venues of rounds locks them: no round is
    planned, announced or moved until the end of the transaction.
    """
    list(Venue.objects.select_for_update().order_by("pk").values_list("pk"))
    list(Season.objects.select_for_update().order_by("pk").values_list("pk"))


def _season_and_venues(file: SeasonFile, tally: Tally) -> None:
    if file.season:
        entry = file.season
        values: dict[str, Any] = {"name": entry.name, "profile": entry.profile}
        if entry.points_key is not UNSET:
            values["points_key"] = entry.points_key
        if entry.least_card is not UNSET:
            values["least_card"] = entry.least_card
        _put(Season, {"year": entry.year}, values, tally)
    for venue in file.venues:
        _put(Venue, {"id": venue.id}, {"name": venue.name, "town": venue.town}, tally)


def _device(entry: Any, place: str, tally: Tally, errors: list[str]) -> None:
    if not _venue_known(entry.venue, f"{place}.venue", errors):
        return
    other = Device.objects.filter(public_key=entry.public_key).exclude(venue_id=entry.venue, name=entry.name).first()
    if other:
        errors.append(f"{place}.public_key: already the key of {other}")
        return
    values = {"role": entry.role, "table": entry.table, "public_key": entry.public_key}
    _put(Device, {"venue_id": entry.venue, "name": entry.name}, values, tally)


def _participant(entry: ParticipantEntry, place: str, tally: Tally, errors: list[str]) -> None:
    if entry.home is not None and not _venue_known(entry.home, f"{place}.home", errors):
        return
    values: dict[str, Any] = {
        "first_name": entry.first_name, "surname": entry.surname, "title": entry.title, "email": entry.email,
        "state": entry.state, "role": entry.role, "home_venue_id": entry.home,
    }  # fmt: skip
    if entry.language is not UNSET:
        values["language"] = entry.language
    if entry.registered_at is not None:
        values["registered_at"] = entry.registered_at
    before = Participant.objects.filter(number=entry.number).values_list("state", flat=True).first()
    person = _put(Participant, {"number": entry.number}, values, tally)
    if before != entry.state:
        note_import(person, _BY)
    for kind, given_at in entry.consents.items():
        _consent(person, kind, given_at, tally)
    # the invalid ones first, so that a replacement may be valid beside a card declared lost in the same file
    for m, card in sorted(enumerate(entry.cards), key=lambda item: item[1].state == "valid"):
        _card(person, card, f"{place}.cards[{m}]", tally, errors)


def _consent(person: Participant, kind: str, given_at: datetime, tally: Tally) -> None:
    """A consent in force is left as it was given; a file can give consents, never withdraw them."""
    if person.consents.filter(kind=kind, withdrawn_at__isnull=True).exists():
        tally.count(Consent, "unchanged")
    elif person.consents.filter(kind=kind, given_at=given_at).exists():
        tally.count(Consent, "unchanged")  # withdrawn since: the same paper does not give it again
    else:
        person.consents.create(kind=kind, given_at=given_at)
        tally.count(Consent, "added")


def _card(person: Participant, entry: Any, place: str, tally: Tally, errors: list[str]) -> None:
    other = Card.objects.filter(uid=entry.uid).exclude(participant=person).select_related("participant").first()
    if other:
        errors.append(f"{place}.uid: already a card of {other.participant.number}")
        return
    if entry.state == "valid" and person.cards.filter(state="valid").exclude(uid=entry.uid).exists():
        errors.append(f"{place}.state: {person.number} already has a valid card")
        return
    values = {"participant_id": person.pk, "state": entry.state, "issued_at": entry.issued_at}
    _put(Card, {"uid": entry.uid}, values, tally)


def _round(entry: RoundEntry, announce: Announce, place: str, tally: Tally, errors: list[str]) -> None:
    place = f"{place}.announcement"
    starts_at = datetime.fromisoformat(entry.announcement["starts_at"])
    season = Season.objects.filter(year=starts_at.year).first()
    if season is None:
        errors.append(f"{place}.starts_at: there is no season {starts_at.year}")
    if not _venue_known(announce.venue, f"{place}.venue", errors) or season is None:
        return
    known = Round.objects.select_for_update().filter(pk=announce.round).first()
    if known and (why := _why_kept(known)) and not _as_promised(entry.announcement, known.terms):
        errors.append(f"{place}: round {announce.round} {why} and cannot change by import")
        return
    values = {
        "season_id": season.pk, "venue_id": announce.venue, "starts_at": starts_at, "name": entry.name,
        "announcement": dict(entry.announcement),
    }  # fmt: skip
    _put(Round, {"id": announce.round}, values, tally)


def _why_kept(round: Round) -> str | None:
    """Why a round is changed by nobody but the office any more, whose pages tell those who must know."""
    if round.offered_at is not None:
        return "has been sent to its venue"
    if round.cancelled_at is not None:
        return "was cancelled"
    return "has sign-ups" if round.sign_ups.exists() else None


def _as_promised(announcement: dict[str, Any], promised: dict[str, Any]) -> bool:
    """Whether an announcement says what was promised; the season's key of that time need not stand in it."""
    return promised in (announcement, announcement | {"points_key": promised.get("points_key")})


def _venue_known(code: str, place: str, errors: list[str]) -> bool:
    if Venue.objects.filter(pk=code).exists():
        return True
    errors.append(f"{place}: there is no venue {code!r}")
    return False


def _put(kind: type[K], key: dict[str, Any], values: dict[str, Any], tally: Tally) -> K:
    """Add the row, or change it where it differs."""
    row = kind._default_manager.filter(**key).first()
    if row is None:
        tally.count(kind, "added")
        return kind._default_manager.create(**key, **values)
    if all(getattr(row, name) == value for name, value in values.items()):
        tally.count(kind, "unchanged")
        return row
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))
    tally.count(kind, "changed")
    return row
