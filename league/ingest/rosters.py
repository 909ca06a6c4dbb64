"""Brings venues' rosters up to what the office has changed: marked with the change, written by the ingest process."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from league.ingest.models import RosterChange, RosterMark
from league.ingest.outbox import Pen
from league.ingest.publishing import Memory, publish_roster
from league.live import changes
from league.rounds.models import Venue

LOOK_S = 1.0
"""So often it is looked whether something changed: a consent withdrawn is off the venues' screens within a minute."""

RESTS_S = 20.0
"""After all were told it is rested for as long as that took, but no longer than this: in a league so large that it
takes long the ingest has other work, too."""

_AT_ONCE = 500

EVERY_S = 3600.0
"""So often rosters are told anyway: by the day alone an exclusion ends, and names of those expected somewhere go."""


def changed() -> None:
    """Have the venues told soon, and whoever watches the public pages; in the transaction of the change itself, so that
    all of it happens or nothing.
    """
    RosterMark.objects.create()
    changes.bump()


def counted() -> RosterChange | None:
    """Count what was marked since the last time; what is counted by now, if anything."""
    if RosterMark.objects.exists():
        with transaction.atomic():
            row, _ = RosterChange.objects.select_for_update(no_key=True).get_or_create(only=1)
            marks = list(RosterMark.objects.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE])
            deleted, _ = RosterMark.objects.filter(pk__in=marks).delete()
            RosterChange.objects.filter(pk=row.pk).update(change=F("change") + deleted)
    return RosterChange.objects.first()


class RosterTeller:
    """Publishes the rosters after changes. Two tellers in two processes are safe: only differences are written."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._looked_at: float | None = None
        self._told_at: float | None = None
        self._left: list[str] = []
        self._upto = 0
        self._began_at = 0.0
        self._rest_s = LOOK_S
        self._memory = Memory()

    def turn(self, now: float) -> list[str]:
        """Tell one venue more of what changed, if it is time to look (monotonic seconds); which were told."""
        if not self._left:
            if self._looked_at is not None and now - self._looked_at < self._rest_s:
                return []
            self._looked_at = self._began_at = now
            self._rest_s = LOOK_S
            row = counted()
            is_due = row is not None and row.change > row.told
            self._told_at = now if self._told_at is None or is_due else self._told_at
            if not is_due and now - self._told_at < EVERY_S:
                return []
            self._upto, self._told_at = row.change if row else 0, now
            self._left = list(Venue.objects.order_by("-pk").values_list("pk", flat=True))
        told: list[str] = []
        if self._left:
            venue = self._left[-1]  # still left should the database fail: then it is told the next time
            try:
                written = publish_roster(venue, self._pen, self._memory)
                told = [venue] if written.entries or written.removals else []
            except Venue.DoesNotExist:
                pass  # closed meanwhile
            self._left.pop()
        if not self._left:
            self._looked_at, self._rest_s = now, max(LOOK_S, min(RESTS_S, now - self._began_at))
            self._memory.read_anew()
            RosterChange.objects.filter(told__lt=self._upto).update(told=self._upto)
        return told
