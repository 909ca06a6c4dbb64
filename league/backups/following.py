"""What must follow a restore: nobody erased comes back, no session; no letter goes twice, and no stream two ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import DEFAULT_DB_ALIAS, DatabaseError, transaction
from django.db.models import Max
from django.utils import timezone

from league.backups.archive import Erased
from league.backups.engines import engine_of
from league.ingest import rosters
from league.ingest.models import StreamHead
from league.ingest.own_pen import own_pen
from league.mail import outbox
from league.people.acts import By
from league.people.models import Participant
from league.privacy import numbers, vault
from league.privacy.erasing import erase
from league.privacy.models import BirthIndex, Erasure, PersonKey
from league.privacy.router import KEYS
from league.rounds.models import Venue

WHO = "restore"
"""Who the audit log says erased somebody again."""


class Followed(NamedTuple):
    """Whom it erased again or left out (registration numbers), and the venues whose stream went on in a new epoch.

    ``closed``: of whom what is sealed opens with no key that is here.
    """

    erased: list[str]
    venues: list[str]
    closed: list[str]


def league(erased: Iterable[Erased], epochs: Mapping[str, int]) -> Followed:
    """After the league's own database. ``epochs``: the highest number of each stream in what was there before."""
    UserSession.objects.all().delete()
    Session.objects.all().delete()
    done = keys(erased)
    outbox.give_up_all(timezone.now())
    pen = own_pen()
    venues = Venue.objects.order_by("pk").values_list("pk", flat=True)
    opened = [venue for venue in venues if pen.reopen(venue, WHO, beyond=epochs.get(f"league/{venue}", 0))]
    rosters.changed()
    return done._replace(venues=opened)


def keys(erased: Iterable[Erased]) -> Followed:
    """After the store of keys, and the league's own database: erased is who either knows as erased, or the backup."""
    gone = Participant.objects.filter(erased_at__isnull=False).values_list("pk", "number", "erased_at")
    known = {pk: Erased(pk, number, at) for pk, number, at in gone if at is not None}
    known |= {row.participant: row for row in erased}
    again = {*_erase(known.values()), *_take_keys(known)}
    return Followed(sorted(again), [], vault.closed())


def epochs_here() -> dict[str, int]:
    """The highest number of an epoch of each of the league's own streams, as far as there is a database."""
    try:
        own = StreamHead.objects.filter(stream__startswith="league/").values("stream").annotate(Max("epoch_number"))
        return {row["stream"]: row["epoch_number__max"] for row in own}
    except DatabaseError:
        return {}


def highest_here() -> int:
    """The highest registration number that was ever given, as far as there are databases."""
    return max(map(_or_none, (numbers.highest_here, numbers.highest_kept)))


def _or_none(highest: Callable[[], int]) -> int:
    try:
        return highest()
    except DatabaseError:
        return 0


def _erase(erased: Iterable[Erased]) -> list[str]:
    done = []
    for row in erased:
        person = Participant.objects.filter(pk=row.participant, number=row.number, erased_at__isnull=True).first()
        if person is not None:  # no number is given twice, whatever the clock said on which day
            erase(person, By(WHO), reason=f"erased on {timezone.localdate(row.at)}, before a restore")
            done.append(row.number)
    return done


def _take_keys(erased: Mapping[int, Erased]) -> list[str]:
    """Destroy what opens them, and whose that was. Nobody new gets an id that the store of keys knows as another's."""
    with transaction.atomic(using=KEYS):
        for row in erased.values():
            Erasure.objects.get_or_create(pk=row.participant, defaults={"number": row.number, "at": row.at})
        found = set(PersonKey.objects.filter(pk__in=erased).values_list("pk", flat=True))
        PersonKey.objects.filter(pk__in=erased).delete()
        BirthIndex.objects.filter(pk__in=erased).delete()
    last = max(model.objects.aggregate(last=Max("pk"))["last"] or 0 for model in (PersonKey, BirthIndex, Erasure))
    _, engine = engine_of(DEFAULT_DB_ALIAS)
    engine.number_from(DEFAULT_DB_ALIAS, Participant._meta.db_table, last)
    return [erased[pk].number for pk in found]
