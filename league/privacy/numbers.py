"""Which registration numbers were ever given. The store of keys remembers the highest: the league restored does not."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, Max
from django.db.models.functions import Cast

from league.people.models import Participant
from league.privacy.models import HighestNumber

TOO_LONG = 10**9
"""Numbers from here on are from old lists and do not count: after twelve nines none would fit."""


def highest_ever() -> int:
    """The highest number that anybody has or had, 0 where nobody was ever given one."""
    return max(highest_here(), highest_kept())


def keep(highest: int) -> None:
    """Remember that numbers up to this one were given."""
    if highest > highest_kept():
        HighestNumber.objects.get_or_create(only=1, defaults={"number": highest})
        HighestNumber.objects.filter(only=1, number__lt=highest).update(number=highest)


def note_given(sender: Any, instance: Participant, created: bool, **_told: Any) -> None:
    """Whoever is new has a number: remembered once they are there for good, whichever way they came."""
    number = int(instance.number)
    if created and number < TOO_LONG:
        # the first of many that came together sees to all
        transaction.on_commit(lambda: None if number <= highest_kept() else keep(highest_ever()), robust=True)


def highest_here() -> int:
    """The highest number of those whom the league's database has."""
    numbers = Participant.objects.annotate(worth=Cast("number", BigIntegerField())).filter(worth__lt=TOO_LONG)
    return int(numbers.aggregate(highest=Max("worth"))["highest"] or 0)


def highest_kept() -> int:
    """The highest number that the store of keys remembers."""
    return HighestNumber.objects.values_list("number", flat=True).first() or 0
