"""Who finished where (T-6, T-7, T-8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from appliance.game.state import Elimination, Round
from appliance.game.values import registration_order


class Place(NamedTuple):
    """Participants who share the places from ``place`` on, one each; the better number names them all."""

    place: int
    participants: tuple[str, ...]


def places(round: Round) -> list[Place]:
    """The places known so far, best first, counted from the bottom: everybody registered has one below."""
    stacks = round.finish.stacks if round.finish else {}
    shared = [*eliminated(round.eliminations), *by_stack(stacks)]
    known: list[Place] = []
    below = 0
    for participants in shared:
        below += len(participants)
        place = len(round.players) - below + 1
        known.append(Place(place, tuple(sorted(participants, key=registration_order))))
    return known[::-1]


def eliminated(eliminations: Iterable[Elimination]) -> list[list[str]]:
    """Those who are out, from the lowest place up; those in one list share their places.

    The order of the stream decides, but for two things: at one table a lower hand number ranks lower,
    whatever the order of entry, and those who went out in one hand rank by their stacks.
    """
    moments: list[list[Elimination]] = []
    for elimination in eliminations:
        _enter(moments, elimination)
    return [group for moment in moments for group in _in_one_hand(moment)]


def _enter(moments: list[list[Elimination]], late: Elimination) -> None:
    """Add an elimination to its hand, or before the first later hand of its table, or at the end."""
    if late.hand is not None:
        for place, moment in enumerate(moments):
            other = moment[0]
            if other.hand is None or other.table != late.table or other.hand < late.hand:
                continue
            if other.hand == late.hand:
                moment.append(late)
            else:
                moments.insert(place, [late])
            return
    moments.append([late])


def _in_one_hand(moment: list[Elimination]) -> list[list[str]]:
    """Rank one hand's eliminations by stack; equal stacks share, and with one unknown all do (T-7)."""
    stacks = {e.participant: e.stack for e in moment if e.stack is not None}
    if len(stacks) < len(moment):
        return [[e.participant for e in moment]]
    return by_stack(stacks)


def by_stack(stacks: Mapping[str, int]) -> list[list[str]]:
    """Participants from the smallest stack up; equal stacks share."""
    order = sorted(stacks, key=lambda participant: stacks[participant])
    return [list(group) for _, group in groupby(order, key=lambda participant: stacks[participant])]
