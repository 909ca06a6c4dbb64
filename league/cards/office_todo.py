"""What waits at the cards' pages."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import ngettext

from league.cards.labels import HANDED_IN
from league.cards.models import RefusedCard
from league.cards.waiting import replacements_waiting
from league.staff.roles import Role
from league.staff.todo import Task


def tasks(roles: frozenset[Role]) -> Iterable[Task]:
    """Refused cards that somebody should have kept, and replacements that the desk has to issue."""
    if roles.isdisjoint({Role.CLERK, Role.COMMISSIONER}):
        return
    refused = RefusedCard.objects.filter(settled_at__isnull=True, reason__in=HANDED_IN).count()
    label = ngettext("refused card: was it kept?", "refused cards: were they kept?", refused)
    yield Task(refused, label, reverse("office:cards-refused"))
    if Role.CLERK in roles:
        ordered = replacements_waiting().count()
        label = ngettext("card to be issued as a replacement", "cards to be issued as replacements", ordered)
        yield Task(ordered, label, reverse("office:cards-waiting"))
