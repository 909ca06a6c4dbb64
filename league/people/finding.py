"""Finds participants for the office by what a clerk has: number, name without accents, e-mail, card."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.people.models import Card, Participant
from league.privacy.marks import fold
from league.privacy.models import BirthIndex


def find(
    text: str, state: str = "", venue: str = "", *, lacking: bool = False, cardless: bool = False
) -> QuerySet[Participant]:  # fmt: skip
    """Those that all words of the text fit, by number.

    ``lacking``: without birth number and address. ``cardless``: who take part and were never issued a card.
    """
    people = Participant.objects.select_related("home_venue").order_by("number")
    if state:
        people = people.filter(state=state)
    if venue:
        people = people.filter(home_venue=venue)
    if lacking:
        people = people.filter(lacking_data())
    if cardless:
        people = people.filter(without_card())
    for word in text.split():
        people = people.filter(_fits(word))
    return people


def lacking_data() -> Q:
    """Those whose birth number and address nobody has entered, or whose birth was taken away as somebody else's."""
    emptied = BirthIndex.objects.filter(mark="", alike="").values_list("pk", flat=True)
    return Q(erased_at__isnull=True) & (Q(private__isnull=True) | Q(pk__in=list(emptied)))


def without_card() -> Q:
    """Those who take part, and whom the desk has issued no card yet."""
    nobodys = ~Exists(Card.objects.filter(participant=OuterRef("pk")))
    return Q(nobodys, state=Participant.State.ACTIVE, erased_at__isnull=True)


def _fits(word: str) -> Q:
    card = word.replace(":", "").upper()
    fits = Q(email__icontains=word) | Q(pk__in=Card.objects.filter(uid=card).values("participant"))
    if word.isascii() and word.isdigit():
        fits |= Q(number__contains=word)
    if folded := fold(word):
        fits |= Q(folded__contains=folded)
    return fits
