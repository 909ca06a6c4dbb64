"""The best hand of five to seven cards (H-15).

A set of ranks is thirteen bits, a deuce the lowest. Of two sets of as many ranks the greater number is the better
one, highest card first; so a category with the ranks that make it and the kickers, one after the other, is one number
that compares as the hands do. Suits are not in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from appliance.game.hand.cards import UNKNOWN, CardError, card_text, rank_of, suit_of


class Category(IntEnum):
    """Weakest to strongest (H-15)."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def code(self) -> str:
        """``full-house``."""
        return self.name.lower().replace("_", "-")


class Ranked(NamedTuple):
    """A best hand. ``strength`` is greater for the better of two hands and equal where they split; ``cards`` are the
    five, the most important first: of equal ranks, the one given first."""

    strength: int
    category: Category
    cards: tuple[int, ...]


_SUIT = 0x1FFF
_ACE = 1 << 12
_WHEEL = 1 << 3
"""The top of 5-4-3-2-A, where the ace counts low."""

_MADE_OF = {
    Category.PAIR: (2, 1),
    Category.TWO_PAIR: (2, 1),
    Category.THREE_OF_A_KIND: (3, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4, 1),
}
"""How many cards of each leading rank, and of each other one; elsewhere one of each."""


def strength(cards: Sequence[int]) -> int:
    """How strong the best hand of five to seven different known cards is; only to be compared.

    Raises `CardError`: ``cards-count``, ``card-repeated``, ``not-a-card``.
    """
    held = 0
    for card in cards:
        if not 0 <= card < 52:
            raise CardError("not-a-card", card="??" if card == UNKNOWN else card)
        held |= 1 << card
    if not 5 <= len(cards) <= 7:
        raise CardError("cards-count", cards=len(cards))
    if held.bit_count() != len(cards):
        raise CardError("card-repeated", card=card_text(_repeated(cards)))
    clubs, diamonds, hearts, spades = held & _SUIT, held >> 13 & _SUIT, held >> 26 & _SUIT, held >> 39
    for suited in (clubs, diamonds, hearts, spades):
        if suited.bit_count() >= 5:
            return _of_one_suit(suited)
    return _of_ranks(clubs, diamonds, hearts, spades)


def best(cards: Sequence[int]) -> Ranked:
    """The best hand of five to seven different known cards. Raises as `strength` does."""
    number = strength(cards)
    category = category_of(number)
    return Ranked(number, category, _five(cards, number, category))


def category_of(number: int) -> Category:
    """The category of a hand of this strength."""
    return Category(number >> 26)


def leading(number: int) -> list[int]:
    """The ranks that make a hand of this strength, highest first: of a full house the three's, of a straight its top,
    of a flush or high card all five."""
    return list(_ranks(number >> 13 & _SUIT))


def kickers(number: int) -> list[int]:
    """The ranks that decide next, highest first: of a full house the pair's, of straights, flushes, high cards none."""
    return list(_ranks(number & _SUIT))


def _of_one_suit(suited: int) -> int:
    """Five or more of a suit: with at most seven cards nothing but a straight flush beats the flush."""
    if top := _straight(suited):
        return _number(Category.ROYAL_FLUSH if top == _ACE else Category.STRAIGHT_FLUSH, top)
    return _number(Category.FLUSH, _highest(suited, 5))


def _of_ranks(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    """No flush: what the ranks make."""
    red, black = diamonds | hearts, clubs | spades
    both_red, both_black = diamonds & hearts, clubs & spades
    ranks = red | black
    repeated = both_red | both_black | (red & black)
    if not repeated:
        if top := _straight(ranks):
            return _number(Category.STRAIGHT, top)
        return _number(Category.HIGH_CARD, _highest(ranks, 5))
    if four := both_red & both_black:
        return _number(Category.FOUR_OF_A_KIND, four, _highest(ranks ^ four, 1))
    threes = (both_red & black) | (both_black & red)
    if threes and repeated.bit_count() > 1:
        three = _highest(threes, 1)
        return _number(Category.FULL_HOUSE, three, _highest(repeated ^ three, 1))
    if top := _straight(ranks):
        return _number(Category.STRAIGHT, top)
    if threes:
        return _number(Category.THREE_OF_A_KIND, threes, _highest(ranks ^ threes, 2))
    pairs = _highest(repeated, 2)
    if pairs.bit_count() == 2:
        return _number(Category.TWO_PAIR, pairs, _highest(ranks ^ pairs, 1))
    return _number(Category.PAIR, pairs, _highest(ranks ^ pairs, 3))


def _number(category: Category, lead: int, rest: int = 0) -> int:
    return category << 26 | lead << 13 | rest


def _straight(ranks: int) -> int:
    """The top rank of the highest straight in a set; 0 if there is none."""
    low = ranks << 1 | ranks >> 12  # the ace below the deuce as well
    tops = ranks & low & low << 1 & low << 2 & low << 3
    return _highest(tops, 1)


def _highest(ranks: int, count: int) -> int:
    """The highest ``count`` ranks of a set, or as many as there are."""
    while ranks.bit_count() > count:
        ranks &= ranks - 1
    return ranks


def _ranks(ranks: int) -> Iterator[int]:
    return (rank for rank in range(12, -1, -1) if ranks >> rank & 1)


def _five(cards: Sequence[int], number: int, category: Category) -> tuple[int, ...]:
    """Which five cards make the hand."""
    if category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        suits = [suit_of(card) for card in cards]
        cards = [card for card in cards if suits.count(suit_of(card)) >= 5]
    if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        top = leading(number)[0]
        wanted = [(rank % 13, 1) for rank in range(top, top - 5, -1)]  # below the deuce, -1, comes the ace
    else:
        of_lead, of_rest = _MADE_OF.get(category, (1, 1))
        wanted = [(rank, of_lead) for rank in leading(number)] + [(rank, of_rest) for rank in kickers(number)]
    return tuple(card for rank, count in wanted for card in [one for one in cards if rank_of(one) == rank][:count])


def _repeated(cards: Sequence[int]) -> int:
    return next(card for card in cards if cards.count(card) > 1)
