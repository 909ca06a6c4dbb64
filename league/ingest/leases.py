"""Which shards' messages this process takes, by leases in the database and by its clock (DESIGN §5).

A lease only spares work: two processes that take the same messages store them once, whichever is faster. Who holds one
and is not seen any more loses it to the others within `LEASE_S` and a look of theirs; at once, where they can see that
its process has ended.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.db import connection, transaction

from appliance.link import topics
from league.ingest.models import IngestWorker, ShardLease

LEASE_S = 6.0
LOOK_S = 2.0
"""So often a process says that it lives, and looks whether others do."""

LINGER_S = 2 * LOOK_S
"""A shard that was given up is listened to so much longer: until its next owner does."""

SHARDS = range(topics.SHARDS)
TELLERS = topics.SHARDS
"""The lease of who tells all venues what is new in the office."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Held(NamedTuple):
    """What this process has after a look: the ``shards`` it owns, those it ``hears``, and what is ``new`` to it."""

    shards: frozenset[int]
    hears: frozenset[int]
    tells: bool
    new: frozenset[int]


NOTHING = Held(frozenset(), frozenset(), False, frozenset())


def own_name() -> str:
    """A name for this process that tells others on the same machine whether it still runs."""
    return f"{_machine()}:{os.getpid()}:{secrets.token_hex(4)}"


class Leases:
    """One process's leases. ``now`` is monotonic seconds, and only paces the looking."""

    def __init__(self, name: str, now: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.held = NOTHING
        self._now = now
        self._looked_at: float | None = None
        self._lingering: dict[int, float] = {}

    def owns(self, venue: str) -> bool:
        """Whether this process sends a venue what the league says."""
        return topics.shard(venue) in self.held.shards

    def turn(self) -> bool:
        """Renew and share anew, if it is time to look; whether anything is different. Raises `django.db.Error`."""
        now = self._now()
        if self._looked_at is not None and now - self._looked_at < LOOK_S:
            return False
        mine = _shared_anew(self.name)
        self._looked_at = now
        shards, before = mine - {TELLERS}, self.held
        for lost in before.shards - shards:
            self._lingering[lost] = now + LINGER_S
        self._lingering = {shard: until for shard, until in self._lingering.items() if until > now}
        hears = shards | self._lingering.keys()
        self.held = Held(shards, frozenset(hears), TELLERS in mine, shards - before.shards)
        return self.held[:3] != before[:3]

    def give_up(self) -> None:
        """Leave all of it to the others. Raises `django.db.Error`."""
        self.held = NOTHING
        with transaction.atomic():
            ShardLease.objects.filter(owner=self.name).update(owner="")
            IngestWorker.objects.filter(pk=self.name).delete()


def database_now() -> datetime:
    """The time by the database's clock, the same for all its processes wherever they run."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT clock_timestamp()")
            return cursor.fetchone()[0].astimezone(UTC)  # type: ignore[no-any-return]
        cursor.execute("SELECT strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')")
        return datetime.fromisoformat(cursor.fetchone()[0])


@transaction.atomic
def _shared_anew(name: str) -> frozenset[int]:
    """Say that this process lives, and take a fair share of what nobody who lives has; what it has now."""
    ShardLease.objects.bulk_create(
        (ShardLease(shard=shard, until=datetime.fromtimestamp(0, UTC)) for shard in _lacking()), ignore_conflicts=True
    )
    rows = list(ShardLease.objects.select_for_update(no_key=True).order_by("shard"))  # all processes wait here
    now = database_now()
    IngestWorker.objects.update_or_create(pk=name, defaults={"seen_at": now})
    living = _living(now, name) | {name}
    free, mine = [], []
    for row in rows:
        if row.owner == name:
            mine.append(row.shard)
        elif row.owner not in living or not now < row.until <= now + timedelta(seconds=LEASE_S):
            free.append(row.shard)
    kept = _fair_share(mine, free, len(living))
    until = now + timedelta(seconds=LEASE_S)
    ShardLease.objects.filter(owner=name).exclude(shard__in=kept).update(owner="")
    ShardLease.objects.filter(shard__in=kept).update(owner=name, until=until)
    return frozenset(kept)


def _lacking() -> list[int]:
    there = set(ShardLease.objects.values_list("shard", flat=True))
    return [shard for shard in (*SHARDS, TELLERS) if shard not in there]


def _living(now: datetime, own: str) -> set[str]:
    """Who was seen not long ago and has not ended, as far as can be seen; the others are forgotten."""
    seen = dict(IngestWorker.objects.values_list("pk", "seen_at"))
    span = timedelta(seconds=LEASE_S)
    living = {name for name, at in seen.items() if abs(now - at) < span and not _has_ended(name, own)}
    IngestWorker.objects.filter(pk__in=seen.keys() - living).delete()
    return living


def _fair_share(mine: list[int], free: list[int], living: int) -> list[int]:
    """No more than its part of the shards; who tells the venues needs one alone, and whoever comes to it."""
    share = -(-len(SHARDS) // living)
    shards = [shard for shard in (*mine, *free) if shard != TELLERS][:share]
    return [*shards, TELLERS] if TELLERS in mine or TELLERS in free else shards


def _machine() -> str:
    """This boot of this machine, and which processes are seen on it."""
    return f"{_BOOT.read_text().strip()}:{Path('/proc/self/ns/pid').stat().st_ino}"


def _has_ended(name: str, own: str) -> bool:
    """Whether a process of this machine is not there any more; of others nothing can be said."""
    process = name.rpartition(":")[0]
    machine, _, pid = process.rpartition(":")
    if machine != _machine() or not pid.isdigit():
        return False
    if name != own and process == own.rpartition(":")[0]:  # it had our number before us
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state in ("Z", "X")
