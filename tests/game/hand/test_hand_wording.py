"""What hands are called, in good Czech and English."""

from __future__ import annotations

import pytest

from appliance.game.hand.cards import RANKS, parse_cards
from appliance.game.hand.ranking import strength
from appliance.game.hand.wording import in_czech, in_english


@pytest.mark.parametrize(
    ("cards", "czech", "english"),
    [
        ("AsKdQhJc9d", "nejvyšší karta eso", "high card, ace"),
        ("JsJdAhKc4d", "pár kluků", "pair of jacks"),
        ("KsKd7h7c4d", "dva páry, králové a sedmy", "two pair, kings and sevens"),
        ("QsQdQh7c4d", "trojice dam", "three of a kind, queens"),
        ("As2d3h4c5d", "postupka do pětky", "straight, five high"),
        ("AsKdQhJcTd", "postupka do esa", "straight, ace high"),
        ("KsJs9s7s2s", "barva, nejvyšší král", "flush, king high"),
        ("JsJdJhAcAd", "full house, kluci na esech", "full house, jacks over aces"),
        ("7s7d7h7cAd", "poker, čtveřice sedem", "four of a kind, sevens"),
        ("9s8s7s6s5s", "postupka v barvě do devítky", "straight flush, nine high"),
        ("AsKsQsJsTs", "královská barva", "royal flush"),
    ],
)
def test_H_15_each_category_has_a_name(cards: str, czech: str, english: str) -> None:
    number = strength(parse_cards(cards))
    assert (in_czech(number), in_english(number)) == (czech, english)


@pytest.mark.parametrize(
    ("rank", "of", "several", "on", "en"),
    [
        ("2", "dvojek", "dvojky", "dvojkách", "deuces"),
        ("3", "trojek", "trojky", "trojkách", "threes"),
        ("4", "čtyřek", "čtyřky", "čtyřkách", "fours"),
        ("5", "pětek", "pětky", "pětkách", "fives"),
        ("6", "šestek", "šestky", "šestkách", "sixes"),
        ("7", "sedem", "sedmy", "sedmách", "sevens"),
        ("8", "osem", "osmy", "osmách", "eights"),
        ("9", "devítek", "devítky", "devítkách", "nines"),
        ("T", "desítek", "desítky", "desítkách", "tens"),
        ("J", "kluků", "kluci", "klucích", "jacks"),
        ("Q", "dam", "dámy", "dámách", "queens"),
        ("K", "králů", "králové", "králích", "kings"),
        ("A", "es", "esa", "esech", "aces"),
    ],
)
def test_H_15_every_rank_is_declined(rank: str, of: str, several: str, on: str, en: str) -> None:
    def names(cards: str) -> tuple[str, str]:
        number = strength(parse_cards(cards.replace("x", rank)))
        return in_czech(number), in_english(number)

    others = [other for other in RANKS if other != rank]
    low, high = others[0], others[-1]
    assert names(f"xsxd{others[0]}h{others[5]}c{others[8]}d") == (f"pár {of}", f"pair of {en}")
    assert names(f"xsxdxh{others[5]}c{others[8]}d") == (f"trojice {of}", f"three of a kind, {en}")
    assert names(f"xsxdxhxc{high}d") == (f"poker, čtveřice {of}", f"four of a kind, {en}")
    full_cs, full_en = names(f"{low}s{low}d{low}hxcxd")
    assert full_cs.endswith(f" na {on}") and full_en.endswith(f" over {en}")
    full_cs, full_en = names(f"xsxdxh{low}c{low}d")
    assert full_cs.startswith(f"full house, {several} na ") and full_en.startswith(f"full house, {en} over ")


@pytest.mark.parametrize(
    ("top", "below", "up_to", "one", "en"),
    [
        ("6", "5432", "šestky", "šestka", "six"),
        ("7", "6543", "sedmy", "sedma", "seven"),
        ("8", "7654", "osmy", "osma", "eight"),
        ("9", "8765", "devítky", "devítka", "nine"),
        ("T", "9876", "desítky", "desítka", "ten"),
        ("J", "T987", "kluka", "kluk", "jack"),
        ("Q", "JT98", "dámy", "dáma", "queen"),
        ("K", "QJT9", "krále", "král", "king"),
        ("A", "KQJT", "esa", "eso", "ace"),
    ],
)
def test_H_15_a_straight_goes_up_to_its_top_and_a_flush_has_a_highest_card(
    top: str, below: str, up_to: str, one: str, en: str
) -> None:
    straight = strength(parse_cards(f"{top}s" + "".join(f"{rank}d" for rank in below)))
    assert (in_czech(straight), in_english(straight)) == (f"postupka do {up_to}", f"straight, {en} high")
    if top not in "6":
        flush = strength(parse_cards(f"{top}h" + "".join(f"{rank}h" for rank in below[:3]) + "2h"))
        assert (in_czech(flush), in_english(flush)) == (f"barva, nejvyšší {one}", f"flush, {en} high")
