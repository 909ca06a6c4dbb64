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


def in_czech(strength: int) -> str:
    """The Czech name of a hand of this strength (`ranking.strength`)."""
    lead, other = _ranks(strength)
    match category_of(strength):
        case Category.HIGH_CARD:
            return f"nejvyšší karta {lead.one}"
        case Category.PAIR:
            return f"pár {lead.of}"
        case Category.TWO_PAIR:
            return f"dva páry, {lead.several} a {other.several}"
        case Category.THREE_OF_A_KIND:
            return f"trojice {lead.of}"
        case Category.STRAIGHT:
            return f"postupka do {lead.up_to}"
        case Category.FLUSH:
            return f"barva, nejvyšší {lead.one}"
        case Category.FULL_HOUSE:
            return f"full house, {lead.several} na {other.on}"
        case Category.FOUR_OF_A_KIND:
            return f"poker, čtveřice {lead.of}"
        case Category.STRAIGHT_FLUSH:
            return f"postupka v barvě do {lead.up_to}"
        case Category.ROYAL_FLUSH:
            return "královská barva"


def in_english(strength: int) -> str:
    """The English one."""
    lead, other = _ranks(strength)
    match category_of(strength):
        case Category.HIGH_CARD:
            return f"high card, {lead.en}"
        case Category.PAIR:
            return f"pair of {lead.en_several}"
        case Category.TWO_PAIR:
            return f"two pair, {lead.en_several} and {other.en_several}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {lead.en_several}"
        case Category.STRAIGHT:
            return f"straight, {lead.en} high"
        case Category.FLUSH:
            return f"flush, {lead.en} high"
        case Category.FULL_HOUSE:
            return f"full house, {lead.en_several} over {other.en_several}"
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {lead.en_several}"
        case Category.STRAIGHT_FLUSH:
            return f"straight flush, {lead.en} high"
        case Category.ROYAL_FLUSH:
            return "royal flush"


def _ranks(strength: int) -> tuple[_Rank, _Rank]:
    """The first rank that counts and the next one; a straight has only one, its top."""
    ranks = [*leading(strength), *kickers(strength)]
    return _RANKS[ranks[0]], _RANKS[ranks[:2][-1]]
