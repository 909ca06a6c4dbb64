"""Finds participants for the office by what a clerk has: number, name without accents, e-mail, card."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from league.people.models import Participant
from league.privacy.marks import fold


def find(text: str, state: str = "", venue: str = "", *, lacking: bool = False) -> QuerySet[Participant]:
    """Those that all words of the text fit, by number. ``lacking``: without birth number and address."""
    people = Participant.objects.select_related("home_venue").order_by("number")
    if state:
        people = people.filter(state=state)
    if venue:
        people = people.filter(home_venue=venue)
    if lacking:
        people = people.filter(private__isnull=True, erased_at__isnull=True)
    for word in text.split():
        people = people.filter(_fits(word))
    return people


def _fits(word: str) -> Q:
    card = word.replace(":", "").upper()
    fits = Q(email__icontains=word) | Q(cards__uid=card)
    if word.isascii() and word.isdigit():
        fits |= Q(number__contains=word)
    # neither database folds accents by itself; the names of a league fit into memory
    names = Participant.objects.values_list("pk", "first_name", "surname")
    folded = fold(word)
    if folded:
        fits |= Q(pk__in=[pk for pk, first, surname in names if folded in fold(first) or folded in fold(surname)])
    return fits
