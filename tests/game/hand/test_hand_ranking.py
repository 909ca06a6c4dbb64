"""H-15: the best five of five to seven cards; kickers to the fifth card, suits never."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest
import treys
from hypothesis import given
from hypothesis import strategies as st

from appliance.game.hand.cards import DECK, CardError, card_text, cards_text, parse_cards
from appliance.game.hand.ranking import Category, best, category_of, strength

DEALT = st.lists(st.sampled_from(DECK), min_size=5, max_size=7, unique=True)
TREYS_CATEGORIES = {
    0: Category.ROYAL_FLUSH,
    1: Category.STRAIGHT_FLUSH,
    2: Category.FOUR_OF_A_KIND,
    3: Category.FULL_HOUSE,
    4: Category.FLUSH,
    5: Category.STRAIGHT,
    6: Category.THREE_OF_A_KIND,
    7: Category.TWO_PAIR,
    8: Category.PAIR,
    9: Category.HIGH_CARD,
}


def shown(cards: str) -> tuple[str, str]:
    ranked = best(parse_cards(cards))
    return ranked.category.code, cards_text(ranked.cards)


def compare(left: str, right: str) -> int:
    ours, theirs = strength(parse_cards(left)), strength(parse_cards(right))
    return (ours > theirs) - (ours < theirs)


@pytest.mark.parametrize(
    ("cards", "category", "five"),
    [
        ("AsKd9h7c5d3h2s", "high-card", "AsKd9h7c5d"),
        ("2s7dKhAc9dAs3c", "pair", "AcAsKh9d7d"),
        ("7s7dKh2cKd9s", "two-pair", "KhKd7s7d9s"),
        ("7s7dKhKd9s9dAc", "two-pair", "KhKd9s9dAc"),
        ("7s7dKhKd9s9d2c", "two-pair", "KhKd9s9d7s"),
        ("9h7s7dKh7cAd", "three-of-a-kind", "7s7d7cAdKh"),
        ("4h5d6s7c8dKsKd", "straight", "8d7c6s5d4h"),
        ("4h5d6s7c8d9s9d", "straight", "9s8d7c6s5d"),
        ("Ah2d3s4c5dKsKd", "straight", "5d4c3s2dAh"),
        ("AhKdQsJcTd2c3c", "straight", "AhKdQsJcTd"),
        ("Ah2d3s4c5d6s", "straight", "6s5d4c3s2d"),
        ("2h3h4h5hAsKhQh", "flush", "KhQh5h4h3h"),
        ("2c4c6c8cTcQcAc", "flush", "AcQcTc8c6c"),
        ("KsKdKh7c7d", "full-house", "KsKdKh7c7d"),
        ("7cKs7dKd7hKh2c", "full-house", "KsKdKh7c7d"),
        ("2c7cKs7dKd7hKh", "full-house", "KsKdKh7c7d"),
        ("KsKdKh7c7dAcAd", "full-house", "KsKdKhAcAd"),
        ("4h4d4s4cKdKsKh", "four-of-a-kind", "4h4d4s4cKd"),
        ("4h4d4s4cKdAsAh", "four-of-a-kind", "4h4d4s4cAs"),
        ("Ah2h3h4h5hAsAd", "straight-flush", "5h4h3h2hAh"),
        ("4h5h6h7h8h9sTs", "straight-flush", "8h7h6h5h4h"),
        ("Ah2h3h4h5h6h7h", "straight-flush", "7h6h5h4h3h"),
        ("9dTdJdQdKdAdAs", "royal-flush", "AdKdQdJdTd"),
        ("AsKhQhJhThAh2h", "royal-flush", "AhKhQhJhTh"),
    ],
)
def test_H_15_the_best_five_are_named_with_the_most_important_first(cards: str, category: str, five: str) -> None:
    assert shown(cards) == (category, five)


def test_H_15_categories_rank_from_high_card_to_royal_flush() -> None:
    weakest_first = [
        "AsKdQhJc9d",
        "2s2d3h4c5d",
        "2s2d3h3c4d",
        "2s2d2h3c4d",
        "As2d3h4c5d",
        "2s3s4s5s7s",
        "2s2d2h3c3d",
        "2s2d2h2c3d",
        "As2s3s4s5s",
        "AsKsQsJsTs",
    ]
    strengths = [strength(parse_cards(cards)) for cards in weakest_first]
    assert [category_of(number) for number in strengths] == list(Category)
    assert strengths == sorted(set(strengths))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AsKdQhJc9d", "AhKcQdJh8s"),  # the fifth card: the old rules stop at the second
        ("AsKdQh4c3d", "AhKcQd4h2s"),
        ("2s2dAhKc4d", "2h2cAdKh3s"),
        ("AsAdKhKc3d", "AhAcKdKs2s"),
        ("AsAd3h3cKd", "KhKc QdQs Ac"),
        ("5s5d5hAc3d", "5s5d5hAc2d"),
        ("6s5d4h3c2d", "5s4d3h2cAd"),  # an ace that counts low is the lowest card
        ("AsKdQhJcTd", "KsQdJhTc9d"),
        ("AsKsQsJs9s", "AhKhQhJh8h"),
        ("3s3d3h2c2d", "2s2d2hAcAd"),
        ("3s3d3h2c2d", "AsAdAhKsQd"),
        ("9s9d9h9cAd", "9s9d9h9cKd"),
        ("6s5s4s3s2s", "5h4h3h2hAh"),
    ],
)
def test_H_15_the_first_card_that_differs_decides(better: str, worse: str) -> None:
    assert (compare(better, worse), compare(worse, better)) == (1, -1)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("AsKsQsJsTs", "AhKhQhJhTh"),
        ("AsKdQhJc9d", "AhKcQdJh9s"),
        ("2s2dAhKc4d", "2h2cAdKh4s"),
        ("QsQh AsAdAhAcKd", "3s2s AsAdAhAcKd"),  # the board plays: four aces, a king
        ("3s2s AdKdQhJcTs", "9s9d AdKdQhJcTs"),
        ("KsQs AsAdJcJh2d", "KdTd AsAdJcJh2d"),  # the sixth card counts for nothing
        ("AsKsQsJs9s2s3s", "AhKhQhJh9h8h7h"),
    ],
)
def test_H_14_H_15_hands_equal_to_the_fifth_card_split_whatever_their_suits(left: str, right: str) -> None:
    assert compare(left, right) == 0


def test_H_15_every_five_card_hand_there_is_falls_into_its_category() -> None:
    """All 2,598,960; and of different strengths as many as the textbooks count."""
    strengths = Counter(map(strength, combinations(DECK, 5)))
    hands: Counter[str] = Counter()
    for number, count in strengths.items():
        hands[category_of(number).code] += count
    assert hands == {
        "royal-flush": 4,
        "straight-flush": 36,
        "four-of-a-kind": 624,
        "full-house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three-of-a-kind": 54_912,
        "two-pair": 123_552,
        "pair": 1_098_240,
        "high-card": 1_302_540,
    }
    assert hands.total() == 2_598_960
    assert Counter(category_of(number).code for number in strengths) == {
        "royal-flush": 1,
        "straight-flush": 9,
        "four-of-a-kind": 156,
        "full-house": 156,
        "flush": 1_277,
        "straight": 10,
        "three-of-a-kind": 858,
        "two-pair": 858,
        "pair": 2_860,
        "high-card": 1_277,
    }


def one_of_each_strength() -> list[tuple[int, ...]]:
    """The 7,462 five-card hands that differ in more than suits."""
    offsuit = [ranks for ranks in combinations_with_replacement(range(13), 5) if max(Counter(ranks).values()) < 5]
    suits = (0, 13, 26, 39, 0)  # equal ranks are neighbours: four of them get four suits, five ranks never one suit
    return [tuple(map(sum, zip(ranks, suits, strict=True))) for ranks in offsuit] + list(combinations(range(13), 5))


def agrees_with_treys(hands: list[tuple[int, ...]]) -> int:
    """Same category, same order, same splits; says how many strengths there were."""
    theirs = {card: treys.Card.new(card_text(card)) for card in DECK}
    evaluator = treys.Evaluator()
    ranks: dict[int, int] = {}
    for hand in hands:
        number = strength(hand)
        cards = [theirs[card] for card in hand]
        rank = evaluator.evaluate(cards[:2], cards[2:])
        assert ranks.setdefault(number, rank) == rank, cards_text(hand)
        assert category_of(number) == TREYS_CATEGORIES[evaluator.get_rank_class(rank)], cards_text(hand)
    weakest_first = [ranks[number] for number in sorted(ranks)]
    assert weakest_first == sorted(set(weakest_first), reverse=True)  # treys' best is 1
    return len(ranks)


def test_H_15_every_strength_there_is_ranks_as_another_library_ranks_it() -> None:
    assert agrees_with_treys(one_of_each_strength()) == 7_462


def test_H_15_seven_card_hands_rank_as_another_library_ranks_them() -> None:
    """200,000 at random. Of the 7,462 strengths 4,824 can be the best of seven cards."""
    chance = random.Random(15)
    assert 4_000 < agrees_with_treys([tuple(chance.sample(DECK, 7)) for _ in range(200_000)]) <= 4_824


@given(DEALT, st.randoms(use_true_random=False), st.permutations(range(4)))
def test_H_15_neither_the_order_of_cards_nor_their_suits_change_the_strength(dealt, chance, suits) -> None:
    other = [suits[card // 13] * 13 + card % 13 for card in dealt]
    chance.shuffle(other)
    assert strength(other) == strength(dealt)


@given(st.lists(st.sampled_from(DECK), min_size=6, max_size=7, unique=True))
def test_H_15_one_more_card_never_makes_a_hand_weaker(dealt) -> None:
    assert strength(dealt) == max(strength(fewer) for fewer in combinations(dealt, len(dealt) - 1))


@given(DEALT)
def test_H_15_the_five_cards_named_are_dealt_ones_and_as_strong_as_all_of_them(dealt) -> None:
    ranked = best(dealt)
    assert len(set(ranked.cards)) == 5 and set(ranked.cards) <= set(dealt)
    assert strength(ranked.cards) == ranked.strength == strength(dealt)
    assert ranked.category is category_of(ranked.strength)
    assert best(ranked.cards) == ranked


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("", "cards-count"),
        ("AsKsQsJs", "cards-count"),
        ("AsKsQsJsTs9s8s7s", "cards-count"),
        ("AsKsQsJsAs", "card-repeated"),
        ("AsKsQsJsTsAs", "card-repeated"),
        ("AsKsQsJsTs??", "not-a-card"),
    ],
)
def test_H_15_what_cannot_be_ranked_is_said(cards: str, code: str) -> None:
    with pytest.raises(CardError) as caught:
        strength(parse_cards(cards))
    assert caught.value.code == code


@pytest.mark.parametrize("card", [-2, 52, 1_000_000])
def test_H_15_a_number_that_is_no_card_is_refused(card: int) -> None:
    with pytest.raises(CardError, match="not-a-card"):
        strength([0, 1, 2, 3, card])


def test_H_15_ranking_loads_nothing_heavy() -> None:
    """A kiosk that never ranks must not pay for it: no table is made, and no other part of the program is loaded."""
    program = """
import sys
before = set(sys.modules)
import appliance.game.hand.ranking as ranking
print(*sorted(name for name in set(sys.modules) - before if name.startswith("appliance")))
held = {name: value for name, value in vars(ranking).items() if not name.startswith("__")}
print(max(len(value) for value in held.values() if isinstance(value, (dict, list, tuple, bytes))))
"""
    told = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True).stdout
    modules, largest = told.splitlines()
    assert modules.split() == [
        "appliance",
        "appliance.game",
        "appliance.game.hand",
        "appliance.game.hand.cards",
        "appliance.game.hand.ranking",
    ]
    assert int(largest) < 20
