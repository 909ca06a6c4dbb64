"""What a hand is called in the league's own terms: *full house, králové na sedmách*; *full house, kings over sevens*.

Names tell what makes the hand; kickers are seen in its cards.
"""

from __future__ import annotations

from typing import NamedTuple

from appliance.game.hand.ranking import Category, category_of, kickers, leading


class _Rank(NamedTuple):
    """Declined: one (*král*), up to one (*do krále*), several (*králové*), of several (*králů*), on several
    (*na králích*); in English one and several."""

    one: str
    up_to: str
    several: str
    of: str
    on: str
    en: str
    en_several: str


_RANKS = (
    _Rank("dvojka", "dvojky", "dvojky", "dvojek", "dvojkách", "deuce", "deuces"),
    _Rank("trojka", "trojky", "trojky", "trojek", "trojkách", "three", "threes"),
    _Rank("čtyřka", "čtyřky", "čtyřky", "čtyřek", "čtyřkách", "four", "fours"),
    _Rank("pětka", "pětky", "pětky", "pětek", "pětkách", "five", "fives"),
    _Rank("šestka", "šestky", "šestky", "šestek", "šestkách", "six", "sixes"),
    _Rank("sedma", "sedmy", "sedmy", "sedem", "sedmách", "seven", "sevens"),
    _Rank("osma", "osmy", "osmy", "osem", "osmách", "eight", "eights"),
    _Rank("devítka", "devítky", "devítky", "devítek", "devítkách", "nine", "nines"),
    _Rank("desítka", "desítky", "desítky", "desítek", "desítkách", "ten", "tens"),
    _Rank("kluk", "kluka", "kluci", "kluků", "klucích", "jack", "jacks"),
    _Rank("dáma", "dámy", "dámy", "dam", "dámách", "queen", "queens"),
    _Rank("král", "krále", "králové", "králů", "králích", "king", "kings"),
    _Rank("eso", "esa", "esa", "es", "esech", "ace", "aces"),
)

_CS = {
    Category.HIGH_CARD: "nejvyšší karta {lead.one}",
    Category.PAIR: "pár {lead.of}",
    Category.TWO_PAIR: "dva páry, {lead.several} a {next.several}",
    Category.THREE_OF_A_KIND: "trojice {lead.of}",
    Category.STRAIGHT: "postupka do {lead.up_to}",
    Category.FLUSH: "barva, nejvyšší {lead.one}",
    Category.FULL_HOUSE: "full house, {lead.several} na {next.on}",
    Category.FOUR_OF_A_KIND: "poker, čtveřice {lead.of}",
    Category.STRAIGHT_FLUSH: "postupka v barvě do {lead.up_to}",
    Category.ROYAL_FLUSH: "královská barva",
}

_EN = {
    Category.HIGH_CARD: "high card, {lead.en}",
    Category.PAIR: "pair of {lead.en_several}",
    Category.TWO_PAIR: "two pair, {lead.en_several} and {next.en_several}",
    Category.THREE_OF_A_KIND: "three of a kind, {lead.en_several}",
    Category.STRAIGHT: "straight, {lead.en} high",
    Category.FLUSH: "flush, {lead.en} high",
    Category.FULL_HOUSE: "full house, {lead.en_several} over {next.en_several}",
    Category.FOUR_OF_A_KIND: "four of a kind, {lead.en_several}",
    Category.STRAIGHT_FLUSH: "straight flush, {lead.en} high",
    Category.ROYAL_FLUSH: "royal flush",
}


def in_czech(strength: int) -> str:
    """The Czech name of a hand of this strength (`ranking.strength`)."""
    return _name(_CS, strength)


def in_english(strength: int) -> str:
    """The English one."""
    return _name(_EN, strength)


def _name(names: dict[Category, str], strength: int) -> str:
    ranks = [_RANKS[rank] for rank in (*leading(strength), *kickers(strength))]
    return names[category_of(strength)].format(lead=ranks[0], next=ranks[1] if len(ranks) > 1 else None)
