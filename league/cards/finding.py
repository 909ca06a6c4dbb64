"""Finds cards for the office, and tells what became of one."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.cards.forms import uid_of
from league.cards.labels import reason_label
from league.cards.models import RefusedCard
from league.people.finding import find
from league.people.models import Card, CardEntry


class Event(NamedTuple):
    """One thing that happened to a card: when, what, who or where, and what else there is to say."""

    at: datetime
    what: str | Promise
    who: str
    more: str = ""


_DESK: dict[str, str | Promise] = {
    "begun": _("begun at the desk"),
    "issued": _("issued at the desk"),
    "withdrawn": _("withdrawn at the desk"),
    "wiped": _("wiped at the desk"),
}
_REFUSALS_SHOWN = 50


def find_cards(text: str, state: str = "") -> QuerySet[Card]:
    """Cards whose number begins so, or whose holder fits; those that changed last first."""
    cards = Card.objects.select_related("participant").order_by("-state_at", "-issued_at", "-pk")
    if state:
        cards = cards.filter(state=state)
    if text.strip():
        fits = Q(participant__in=find(text).values("pk"))
        if uid := uid_of(text):
            fits |= Q(uid__startswith=uid)
        cards = cards.filter(fits)
    return cards


def history(card: Card) -> list[Event]:
    """All that is known of a card, the latest first: the desk's ledger, the office's acts, kiosks' refusals."""
    holder = card.participant.number
    entries = CardEntry.objects.filter(uid=card.uid)
    events = [
        Event(row.at, _DESK.get(row.what, row.what), row.who, _more(holder, row.participant, row.reason))
        for row in entries
    ]
    events += [
        Event(
            row.at, row.get_what_display(), row.who, _more(holder, row.holder.number if row.holder else "", row.reason)
        )
        for row in card.acts.select_related("holder")
    ]
    refused = RefusedCard.objects.filter(uid=card.uid)[:_REFUSALS_SHOWN]
    events += [
        Event(row.at, _("refused by a kiosk"), f"{row.venue} · {row.device}", str(reason_label(row.reason)))
        for row in refused
    ]
    return sorted(events, key=lambda event: event.at, reverse=True)


def _more(holder: str, theirs: str, note: str) -> str:
    """A note; of what was done while the card was somebody else's only their number: the note is about them."""
    return theirs if theirs and theirs != holder else note
