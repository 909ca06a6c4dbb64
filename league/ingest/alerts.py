"""Alerts: what a person should look at, one open row a kind and place, counted when it comes again."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from appliance.link import replication
from league.ingest.models import Alert
from league.ingest.text import kept

STOPPED = ("broken-chain", "bad-signature", "unknown-writer", "revoked-writer", "forked", "store-trouble")
"""Alerts of a stream that has stopped; once it goes on they are over."""

HARMLESS = ("gap",)
"""Said by replication, healed by replication, of no interest to a person."""


class Notice(NamedTuple):
    """Something to tell: ``venue`` and ``stream`` are empty where nobody can be named."""

    venue: str
    stream: str
    code: str
    detail: str


def notice(venue: str, alert: replication.Alert, revoked: bool = False) -> Notice:
    """An alert of the replication, under its kebab-case name; ``revoked``: the writer is known and counts no more."""
    if revoked and isinstance(alert, replication.UnknownWriter):
        return Notice(venue, alert.stream, "revoked-writer", f"{alert.epoch} {alert.seq}: {alert.detail}")
    code = re.sub(r"(?<!^)(?=[A-Z])", "-", type(alert).__name__).lower()
    return Notice(venue, alert.stream, code, f"{alert.epoch} {alert.seq}: {alert.detail}")


def raise_all(notices: list[Notice]) -> None:
    """Write notices down, those of one place at once; one that is open already is counted up."""
    now = timezone.now()
    places = Counter((venue, kept(stream, 80), code) for venue, stream, code, _ in notices if code not in HARMLESS)
    newest = {(venue, kept(stream, 80), code): kept(detail, 300) for venue, stream, code, detail in notices}
    for (venue, stream, code), times in places.items():
        place = {"venue": venue, "stream": stream, "code": code, "resolved_at": None}
        values = {"detail": newest[venue, stream, code], "last_at": now}
        with suppress(IntegrityError), transaction.atomic():
            # only an IntegrityError if another process has just raised it: then it is there to be counted up
            if not Alert.objects.filter(**place).exists():
                Alert.objects.create(**place, **values, count=0)
        Alert.objects.filter(**place).update(count=F("count") + times, **values)


def stopped() -> QuerySet[Alert]:
    """What is open of streams that have stopped."""
    return Alert.objects.filter(code__in=STOPPED, resolved_at__isnull=True)


def resolve(venue: str, streams: set[str]) -> None:
    """These streams go on."""
    stopped().filter(venue=venue, stream__in=streams).update(resolved_at=timezone.now())
