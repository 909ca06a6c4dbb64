"""Which replacements were ordered and are not there yet (LG-6)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from league.cards.models import CardAct
from league.people.models import Card


def replacements_waiting() -> QuerySet[CardAct]:
    """Ordered replacements whose holder has no valid card, and was issued none since, the oldest first."""
    waiting = CardAct.objects.filter(what=CardAct.What.REPLACED, holder__state="active")
    served = Card.objects.filter(state=Card.State.VALID).values("participant")
    issued = Card.objects.filter(participant=OuterRef("holder"), issued_at__gt=OuterRef("at"))
    issued = issued.annotate(issue=Coalesce("serial", 0))  # the same chip may be issued anew
    anew = issued.exclude(pk=OuterRef("card"), issue=Coalesce(OuterRef("serial"), 0))
    return waiting.exclude(holder__in=served).exclude(Exists(anew)).select_related("card", "holder").order_by("id")
