"""Brings the database to what a season file says: all of it, or nothing; a second time changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypeVar

from django.db import models, transaction
from msgspec import UNSET

from appliance.game.commands import (
    Announce,
)
from league.privacy.router import KEYS
from league.rounds import season_people
from league.rounds.models import Device, Round, Season, Venue
from league.rounds.season_file import ParticipantEntry, RoundEntry, SeasonFile, SeasonFileError

K = TypeVar("K", bound=models.Model)


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
        # the keys are written first, as everywhere
        with transaction.atomic(), transaction.atomic(using=KEYS):
            season_people.lock(file)
            _season_and_venues(file, tally)
            lock_for_rounds(announce.round for _, announce in file.rounds)
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


def lock_for_rounds(ids: Iterable[str]) -> None:
    """Lock all venues and seasons, and these rounds, in the order in which whoever tells venues of rounds locks them:
    no round is planned, announced or moved until the end of the transaction.
    """
    list(Venue.objects.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    list(Season.objects.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    list(Round.objects.select_for_update(no_key=True).filter(pk__in=list(ids)).order_by("pk").values_list("pk"))


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
    if entry.home is UNSET or entry.home is None or _venue_known(entry.home, f"{place}.home", errors):
        season_people.take(entry, place, tally, errors)


def _round(entry: RoundEntry, announce: Announce, place: str, tally: Tally, errors: list[str]) -> None:
    place = f"{place}.announcement"
    starts_at = datetime.fromisoformat(entry.announcement["starts_at"])
    known = Round.objects.filter(pk=announce.round).select_related("season").first()
    season = Season.on(starts_at.date(), known.season if known else None)
    if season is None:
        errors.append(f"{place}.starts_at: there is no season {starts_at.year}")
    if not _venue_known(announce.venue, f"{place}.venue", errors) or season is None:
        return
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
