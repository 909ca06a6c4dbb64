"""Locks people before anything else is: whoever waits for one of them holds nothing that another one needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from league.people.models import Participant

_AT_ONCE = 500


def lock_people(keys: Iterable[int]) -> None:
    """Keep their rows, and their cards by them, to oneself until the end of the transaction. All at once, in order."""
    for some in few(keys):
        list(Participant.objects.select_for_update(no_key=True).filter(pk__in=some).order_by("pk").values_list("pk"))


def few(values: Iterable[Any]) -> Iterable[list[Any]]:
    """Them in order, so many at a time as a query may name."""
    ordered = sorted(values)
    return (ordered[n : n + _AT_ONCE] for n in range(0, len(ordered), _AT_ONCE))
