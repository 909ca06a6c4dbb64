"""What the league tells a venue of a round that it has announced: that it is cancelled or moved (LG-2).

The round's row and the word to the venue change in one transaction. The venue's screens show it as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import translation

from appliance.game.roster import Notice, RoundChanged, RoundOffered, RoundWithdrawn
from appliance.record import uuid7
from league.allowances.issuing import drafts
from league.ingest.outbox import Pen
from league.ingest.publishing import announcement_of
from league.ingest.told import offer_of
from league.rounds.models import Round, Venue

SHOWN_FOR = timedelta(hours=6)
"""How long after the start that was announced the venue's screens still tell of the change."""


def cancel_at_venue(round: Round, text: Callable[[], str], pen: Pen, now: datetime) -> None:
    """Tell a round's venue that the league has cancelled it; its director does so. ``text``: what screens show.

    Within the transaction in which it is. Raises `Venue.DoesNotExist`.
    """
    change = RoundChanged(id=_id(now), round=round.pk, do="cancel", reason=round.reason or None)
    _write(round, [RoundWithdrawn(round=round.pk), change], text, round.starts_at, pen)


def move_at_venue(round: Round, before: datetime, text: Callable[[], str], pen: Pen, now: datetime) -> None:
    """Tell a round's venue that it starts at another time than ``before``: offered anew, and moved where it is
    announced. Within the transaction in which it is. Raises `Venue.DoesNotExist`.
    """
    at = int(round.starts_at.timestamp() * 1000)
    change = RoundChanged(id=_id(now), round=round.pk, do="reschedule", starts_at=at, reason=round.reason or None)
    _write(round, [RoundOffered(announcement=announcement_of(round)), change], text, before, pen)


def _write(
    round: Round, events: list[RoundOffered | RoundWithdrawn | RoundChanged], text: Callable[[], str], shown: datetime,
    pen: Pen,
) -> None:  # fmt: skip
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=round.venue_id)
        offered = offer_of(round.venue_id, round.pk) is not None
        if not offered:
            events = [event for event in events if not isinstance(event, RoundWithdrawn)]
        until = int((shown + SHOWN_FOR).timestamp() * 1000)
        pen.append(
            round.venue_id, drafts([*events, Notice(text_cs=_in("cs", text), text_en=_in("en", text), until=until)])
        )


def _in(language: str, text: Callable[[], str]) -> str:
    with translation.override(language):
        return text()[:2000]


def _id(now: datetime) -> str:
    return uuid7(int(now.timestamp() * 1000), os.urandom(10))
