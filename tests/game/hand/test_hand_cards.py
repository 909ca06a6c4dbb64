"""Cards as people and hand histories write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.game.hand.cards import (
    DECK,
    RANKS,
    SUITS,
    UNKNOWN,
    CardError,
    card_text,
    cards_text,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)


def test_H_15_a_deck_is_every_rank_in_every_suit_once() -> None:
    texts = [card_text(card) for card in DECK]
    assert sorted(texts) == sorted(rank + suit for rank in RANKS for suit in SUITS)
    assert [parse_card(text) for text in texts] == list(DECK)
    assert all(text == RANKS[rank_of(card)] + SUITS[suit_of(card)] for card, text in enumerate(texts))


@pytest.mark.parametrize("text", ["Ts", "ts", "TS", "tS", "10s", "10S"])
def test_H_15_a_card_reads_in_either_case_and_ten_as_a_number(text: str) -> None:
    assert card_text(parse_card(text)) == "Ts"


@pytest.mark.parametrize("text", ["AsKd10h2c", "As Kd 10h 2c", " askd\tTH2C\n"])
def test_H_15_cards_stand_together_or_apart(text: str) -> None:
    assert cards_text(parse_cards(text)) == "AsKdTh2c"


def test_H_15_a_card_nobody_saw_has_a_notation() -> None:
    assert parse_cards("As????") == (parse_card("As"), UNKNOWN, UNKNOWN)
    assert cards_text(parse_cards("As????")) == "As????"


@given(st.lists(st.sampled_from([*DECK, UNKNOWN])))
def test_H_15_what_is_written_reads_the_same(cards: list[int]) -> None:
    assert parse_cards(cards_text(cards)) == tuple(cards)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "s",
        "1s",
        "0s",
        "11s",
        "10",
        "100s",
        "sA",
        "Ax",
        "A?",
        "?s",
        "?",
        "AsKd",
        "A s",
        "Aſ",
        "４s",
        "♠A",
        "As,",
        "-1",
    ],
)
def test_H_15_what_names_no_card_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="not-a-card") as caught:
        parse_card(text)
    assert caught.value.code == "not-a-card"
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("text", "bit"), [("AsK", "K"), ("AsKdd", "d"), ("As,Kd", ",K"), ("AsKd1h", "1h"), ("As10", "10")]
)
def test_H_15_the_error_names_the_bit_that_is_no_card(text: str, bit: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_cards(text)
    assert caught.value.detail == {"card": bit}
