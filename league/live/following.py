"""Counts what the office changes that is on public pages: whoever saves such a row need not think of it.

Results and reports of rounds are counted where they are written (`league.standings.results`), names with the rosters
(`league.ingest.rosters`).
"""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.db.models.signals import post_delete, post_save

from league.live import changes
from league.notices.models import Announcement, Edition
from league.rounds.models import Round, Season, SeasonAct, Venue
from league.standings.models import ParticipationVoid, PastRound, PointsCorrection


def begin() -> None:
    """Look after every row that is saved or deleted from now on."""
    for kind in (
        Announcement,
        Edition,
        ParticipationVoid,
        PastRound,
        PointsCorrection,
        Round,
        Season,
        SeasonAct,
        Venue,
    ):
        post_save.connect(_changed, kind, dispatch_uid=f"public change of {kind.__name__}")
        post_delete.connect(_changed, kind, dispatch_uid=f"public change of {kind.__name__}")


def _changed(sender: type[Model], instance: Model, **_: Any) -> None:
    if not (isinstance(instance, Edition) and instance.published_at is None):
        changes.bump(instance.pk if isinstance(instance, Round) else None)
