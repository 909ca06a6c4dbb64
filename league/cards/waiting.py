"""Which replacements were ordered and are not there yet (LG-6)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from league.cards.models import CardAct
from league.people.models import Card


def replacements_waiting() -> QuerySet[CardAct]:
    """Ordered replacements whose holder has no valid card, and was issued none since, the oldest first."""
    waiting = CardAct.objects.filter(what=CardAct.What.REPLACED, card__participant__state="active")
    served = Card.objects.filter(state=Card.State.VALID).values("participant")
    issued = Card.objects.filter(participant=OuterRef("card__participant"), issued_at__gt=OuterRef("at"))
    waiting = waiting.exclude(card__participant__in=served).exclude(Exists(issued.exclude(pk=OuterRef("card"))))
    return waiting.select_related("card__participant").order_by("id")
