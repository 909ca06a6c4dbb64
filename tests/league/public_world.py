"""What the public pages need more than the office: rounds of this year, one that is being played, players enough."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db.models import F
from django.utils import timezone

from league.people.models import Consent, Participant
from league.rounds.models import Round, Season, Venue
from tests.league import office_world
from tests.league.rounds_played import VenueRound, announcement

NAMES = [
    ("Alžběta", "Pešková"), ("Miloš", "Úlehla"), ("Hedvika", "Ošťádalová"), ("Jáchym", "Řezníček"),
    ("Květa", "Příhodová"), ("Vít", "Svoboda"), ("Bára", "Součková"), ("Tomáš", "Háček"), ("Eliška", "Šťastná"),
    ("Matěj", "Čermák"), ("Radka", "Vaňková"), ("Petr", "Malý"), ("Ľubomír", "Ďurica"), ("Zdeněk", "Růžička"),
]  # fmt: skip
FIRST = 300
LEVELS: list[dict[str, Any]] = [
    {"sb": 25, "bb": 50, "minutes": 20}, {"sb": 50, "bb": 100, "minutes": 20}, {"break": 15},
    {"sb": 100, "bb": 200, "minutes": 20}, {"sb": 200, "bb": 400, "minutes": 20, "ante": 50},
    {"sb": 400, "bb": 800, "minutes": 20, "ante": 100},
]  # fmt: skip
LIVE = "LIVE"


def build(key: Ed25519PrivateKey, now: datetime) -> None:
    """Add it to what `office_world` has built: a second venue, three rounds that are over, and one under way."""
    year = timezone.localdate(now).year
    season, _ = Season.objects.get_or_create(year=year, defaults={"name": f"Ročník {year}"})
    Venue.objects.create(id="brno", name="Dům umění", town="Brno")
    numbers = _people(now)
    for n, (first, last) in enumerate(((0, 12), (2, 14), (4, 14))):
        order = numbers[first:last][:: -1 if n == 1 else 1]
        starts_at = now - timedelta(days=7 * (n + 1))
        _plays(key, season, f"{year}-{3 - n:02}", f"{3 - n}. kolo", starts_at, order, len(order))
    _plays(key, season, LIVE, "4. kolo", now - timedelta(minutes=31), numbers, 6)
    Round.objects.filter(season=season, promised=None).update(promised=F("announcement"))


def _people(now: datetime) -> list[str]:
    numbers = []
    for n, (first, surname) in enumerate(NAMES):
        person = Participant(number=f"{FIRST + n:06}", first_name=first, surname=surname, registered_at=now)
        person.save()
        kinds = ("processing", "publication") if n % 5 != 3 else ("processing",)
        Consent.objects.bulk_create(Consent(participant=person, kind=kind, given_at=now) for kind in kinds)
        numbers.append(person.number)
    return numbers


def _plays(
    key: Ed25519PrivateKey, season: Season, code: str, name: str, starts_at: datetime, order: list[str], out: int
) -> None:
    """A round of these, best first, in which the last ``out`` are out."""
    starts_at = starts_at.replace(microsecond=0)
    terms = announcement(code, starts_at=starts_at.isoformat(), levels=LEVELS, seats_per_table=9)
    Round.objects.create(
        id=code, name=name, season=season, venue=Venue.objects.get(pk="zabreh"), starts_at=starts_at, announcement=terms
    )
    played = VenueRound(key, terms, starts_at)
    registered = [("register", {"participant": one, "identity_checked": True}) for one in sorted(order)]
    busts = [("bust", {"participant": one}) for one in order[:0:-1][:out]]
    played.all_of([("open", {}), *registered, ("start", {}), *busts])


def fill() -> None:
    """Fill the empty league of the environment with both, and print the sessions as `office_world.fill` does."""
    from django.conf import settings

    settings.ALLOWED_HOSTS.append("testserver")
    key, now = Ed25519PrivateKey.from_private_bytes(bytes(range(32))), datetime.now(UTC)
    office_world.build(key, now)
    build(key, now)
    print(json.dumps(office_world.staff()))
