"""Fair draws from a recorded seed, the same on every machine and in every version of Python (S-1, S-2).

The algorithm, so that anybody can repeat a draw: block *i* (from 0) is the SHA-256 of the ASCII text
``tableside-draw-1|<seed>|<purpose>|<i>``, read as four big-endian 64-bit words. A number below *n* is the next
word that is smaller than the largest multiple of *n* not above 2^64, modulo *n*: no number is likelier than
another. A shuffle is Fisher and Yates's: from the last place down to the second, each is exchanged with a
place drawn among itself and those before it.

The purposes are ``seats`` and ``button`` at the start. Later draws append their number, counted through the evening
whatever they are for, as ``late/1``: ``late``, ``reentry`` and ``reinstate`` draw a table among those with the fewest
players, then a seat (`seating.draw_free_seat`); ``break`` the order in which the players of a broken table draw, from
that of their seats, then for each in turn a table among those with the fewest players, and a seat (S-4); ``final`` the
cards, or the seats and then the cards for the button (S-6); ``table`` the cards for the button of a table opened during
play; ``race`` those of a chip race (CK-5).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

_ALL_WORDS = 2**64
_FOUR_WORDS = struct.Struct(">4Q").unpack

RANKS = "23456789TJQKA"
SUITS = "cdhs"
"""Suits from the lowest: clubs, diamonds, hearts, spades (S-2)."""

DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""All cards, lowest first: by rank, then by suit."""

_STRENGTH = {card: place for place, card in enumerate(DECK)}


class Draw:
    """One draw: an endless row of numbers fixed by seed and purpose."""

    def __init__(self, seed: int, purpose: str) -> None:
        self._words = _words(f"tableside-draw-1|{seed}|{purpose}")

    def below(self, n: int) -> int:
        """The next number of 0 … n-1, each as likely as the others."""
        bound = _ALL_WORDS - _ALL_WORDS % n
        while (word := next(self._words)) >= bound:
            pass
        return word % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        row = list(items)
        for last in range(len(row) - 1, 0, -1):
            other = self.below(last + 1)
            row[last], row[other] = row[other], row[last]
        return row


def strength(card: str) -> int:
    """Rank of a card in a draw: by its rank, ties by suit, spades highest (S-2)."""
    return _STRENGTH[card]


def deal_one_each(draw: Draw, places: Sequence[T]) -> dict[T, str]:
    """One card for each place, in the order given, from a shuffled deck."""
    return dict(zip(places, draw.shuffled(DECK), strict=False))


def highest(cards: dict[T, str]) -> T:
    """The place with the highest card."""
    return max(cards, key=lambda place: strength(cards[place]))


def _words(prefix: str) -> Iterator[int]:
    block = 0
    while True:
        yield from _FOUR_WORDS(hashlib.sha256(f"{prefix}|{block}".encode("ascii")).digest())
        block += 1
