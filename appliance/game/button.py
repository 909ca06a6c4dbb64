"""The button and the blinds of a table, hand by hand: the dead button of S-7.

Positions move by seat. Seats are numbers, clockwise; which of them are occupied is all this needs to know.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from typing import NamedTuple

ROUND = 1000
"""Distances between seats are counted modulo this; no table has so many."""


class Positions(NamedTuple):
    """Seats of a hand. ``sb`` is None where the small blind is dead; ``sb_seat`` is its seat all the same.

    At a table with a lone player no blinds are posted: ``sb`` and ``bb`` are None, and ``sb_seat`` and
    ``bb_seat`` stay where they were, so that nobody is passed over when others join.
    """

    button: int
    sb: int | None
    bb: int | None
    sb_seat: int | None
    bb_seat: int | None


def clockwise(occupied: Collection[int], after: int) -> list[int]:
    """Occupied seats in clockwise order from the first one after ``after``, which comes last if occupied."""
    order = sorted(occupied)
    first = bisect_right(order, after)
    return order[first:] + order[:first]


def between(start: int, seat: int, end: int) -> bool:
    """Whether the seat lies after ``start`` and before ``end``, clockwise; all others do where the two are one."""
    return 0 < (seat - start) % ROUND < ((end - start) % ROUND or ROUND)


def nearest(occupied: Collection[int], seat: int) -> int:
    """The seat itself if occupied, else the first occupied one clockwise (S-2)."""
    return seat if seat in occupied else clockwise(occupied, seat)[0]


def first_hand(occupied: Collection[int], button: int) -> Positions:
    """The first hand after the button was placed: the blinds are the two players after it.

    Of two players the button has the small blind (TDA 34).
    """
    order = clockwise(occupied, button)
    if len(order) == 1:
        return Positions(button, None, None, None, None)
    if len(order) == 2:
        dealer = button if button in occupied else order[0]
        other = order[1] if order[0] == dealer else order[0]
        return Positions(dealer, dealer, other, dealer, other)
    return Positions(button, order[0], order[1], order[0], order[1])


def next_hand(occupied: Collection[int], button: int, sb_seat: int, bb_seat: int) -> Positions:
    """The hand after one whose blinds belonged to ``sb_seat`` and ``bb_seat``.

    The big blind goes to the first player after the last big blind's seat: nobody pays it twice running,
    nobody is skipped. The small blind belongs to the last big blind's seat and the button to the last small
    blind's, whether anybody sits there or not. Of two players the other one has button and small blind.
    """
    order = clockwise(occupied, bb_seat)
    if len(order) == 1:
        return Positions(button, None, None, sb_seat, bb_seat)
    bb = order[0]
    if len(order) == 2:
        return Positions(order[1], order[1], bb, order[1], bb)
    sb = bb_seat if bb_seat in occupied else None
    return Positions(_button(order, sb_seat, bb_seat), sb, bb, bb_seat, bb)


def lone_big_blind(button: int, seat: int) -> Positions:
    """A hand in which only a newcomer's big blind is posted, between the button and the player who was due (S-5).

    The button stays where it is for the hand after, whose small blind is the newcomer's.
    """
    return Positions(button, None, seat, button, seat)


def _button(order: list[int], sb_seat: int, bb_seat: int) -> int:
    """The last small blind's seat, unless the player before the blinds sits after it: then that one's seat.

    That happens when two become three, and when all but newcomers left: the button must lie behind the small
    blind, never between it and the big blind or on the latter.
    """
    before = order[-2] if order[-1] == bb_seat else order[-1]
    return before if (before - bb_seat) % ROUND > (sb_seat - bb_seat) % ROUND else sb_seat
