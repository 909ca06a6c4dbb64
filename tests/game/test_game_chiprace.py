"""The chip race: a denomination leaves a table (CK-5)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.chiprace import ChipRace, race
from appliance.game.draw import DECK, Draw, strength
from appliance.game.refusal import Refusal


def raced(*arguments, **named) -> ChipRace:
    """A race that must be possible."""
    found = race(*arguments, **named)
    assert isinstance(found, ChipRace), found
    return found


def refused(*arguments, **named) -> tuple[str, dict]:
    """The code and the detail of a race that must not be possible."""
    found = race(*arguments, **named)
    assert isinstance(found, Refusal), found
    return found.code, dict(found.detail)


HOLDINGS = {"1": {25: 6, 100: 3}, "2": {25: 3, 100: 1}, "3": {25: 1, 500: 2}, "4": {25: 8}}
SEATS = ["1", "2", "3", "4"]
CARDS = {"1": ["Kd", "2c"], "2": ["Ac", "As", "Ah"], "3": ["Kh"]}


def test_CK_5_whole_chips_are_exchanged_and_the_highest_cards_win_the_odd_ones() -> None:
    found = raced(25, 100, HOLDINGS, SEATS, CARDS)
    assert found.odd == {"1": 2, "2": 3, "3": 1}  # 150 in odd chips: two of 100
    assert found.winners == ("2", "3")  # one each, although three aces were higher; hearts over diamonds
    assert found.holdings == {"1": {100: 4}, "2": {100: 2}, "3": {100: 1, 500: 2}, "4": {100: 2}}
    assert found.changes == {"1": -50, "2": 25, "3": 75, "4": 0}
    assert (found.delta, found.kept) == (50, ())


def test_CK_5_the_total_is_rounded_up_to_whole_larger_chips() -> None:
    one = raced(25, 100, {"1": {25: 1, 100: 1}}, ["1"], {"1": ["2c"]})
    assert (one.holdings, one.delta) == ({"1": {100: 2}}, 75)
    exact = raced(
        25, 100, {"1": {25: 2, 100: 1}, "2": {25: 2, 100: 1}}, ["1", "2"], {"1": ["2c", "3c"], "2": ["4c", "2d"]}
    )
    assert (exact.winners, exact.delta) == (("2",), 0)
    five = raced(100, 500, {"1": {100: 4, 500: 1}, "2": {100: 2, 500: 1}}, ["1", "2"], Draw(1, "race/1"))
    assert (sorted(five.winners), five.delta) == (["1", "2"], 400)


def test_CK_5_nobody_is_raced_out() -> None:
    holdings = {"1": {25: 1}, "2": {25: 1, 500: 4}, "3": {25: 1, 100: 9}}
    found = raced(25, 100, holdings, ["1", "2", "3"], {"1": ["2c"], "2": ["As"], "3": ["3c"]})
    assert (found.winners, found.kept, found.smallest) == (("2",), ("1",), 100)
    assert found.holdings == {"1": {100: 1}, "2": {100: 1, 500: 4}, "3": {100: 9}}
    assert found.changes == {"1": 75, "2": 75, "3": -25}


def test_CK_5_what_is_kept_is_the_smallest_chip_still_in_play() -> None:
    holdings = {"1": {100: 1}, "2": {100: 5, 25: 3}, "3": {100: 1, 500: 1}}
    found = raced(100, 500, holdings, ["1", "2", "3"], {"1": ["2c"], "3": ["3c"]})
    assert (found.winners, found.kept, found.smallest) == (("3",), ("1",), 25)
    assert found.holdings["1"] == {25: 1}
    assert found.holdings["2"] == {25: 3, 500: 1}


def test_CK_5_who_had_nothing_before_gets_nothing() -> None:
    found = raced(25, 100, {"1": {25: 4}, "2": {}, "3": {25: 0}}, ["1", "2", "3"], {})
    assert found.holdings == {"1": {100: 1}, "2": {}, "3": {}}
    assert (found.kept, found.delta) == ((), 0)


def test_CK_5_cards_are_dealt_from_seat_1_all_of_one_player_first() -> None:
    holdings = {"7": {25: 3, 100: 1}, "5": {25: 2, 100: 1}, "6": {100: 1}}
    found = raced(25, 100, holdings, ["5", "6", "7", "8"], Draw(4, "race/1"))
    deck = Draw(4, "race/1").shuffled(DECK)
    assert list(found.cards.items()) == [("5", tuple(deck[:2])), ("7", tuple(deck[2:5]))]
    assert raced(25, 100, holdings, ["5", "6", "7", "8"], Draw(4, "race/1")) == found


@pytest.mark.parametrize(("higher", "lower"), [("2s", "2h"), ("2h", "2d"), ("2d", "2c"), ("3c", "2s"), ("Ac", "Ks")])
def test_CK_5_S_2_ties_go_by_suit(higher: str, lower: str) -> None:
    holdings = {"1": {50: 1, 100: 1}, "2": {50: 1, 100: 1}}
    assert raced(50, 100, holdings, ["1", "2"], {"1": [lower], "2": [higher]}).winners == ("2",)
    assert raced(50, 100, holdings, ["1", "2"], {"1": [higher], "2": [lower]}).winners == ("1",)


def test_CK_5_beyond_one_deck_another_is_dealt_and_the_first_of_two_same_cards_is_higher() -> None:
    holdings = {str(n): {1: 9, 1000: 1} for n in range(1, 7)}
    seats = sorted(holdings)
    found = raced(1, 10, holdings, seats, Draw(3, "race/2"))
    dealt = [card for cards in found.cards.values() for card in cards]
    assert len(dealt) == 54 and sorted(dealt[:52]) == sorted(DECK)
    assert len(found.winners) == 6
    holdings = {"1": {1: 30, 100: 1}, "2": {1: 30, 100: 1}}
    low = ["As", *DECK[:29]]
    assert raced(1, 60, holdings, ["2", "1"], {"1": low, "2": low}).winners == ("2",)
    assert refused(1, 60, holdings, ["2", "1"], {"1": [*low[:29], "As"], "2": low})[0] == "card-repeated"


def test_CK_5_without_odd_chips_there_is_no_race() -> None:
    found = raced(25, 100, {"1": {25: 8}, "2": {100: 2}}, ["1", "2"], Draw(1, "race/1"))
    assert (found.odd, found.cards, found.winners, found.delta) == ({}, {}, (), 0)


@pytest.mark.parametrize(("small", "large"), [(25, 25), (100, 25), (100, 250), (0, 100), (25, 0), (-25, 100)])
def test_CK_5_the_larger_chip_is_worth_several_small_ones(small: int, large: int) -> None:
    assert refused(small, large, {}, [], {}) == ("bad-denomination", {"denomination": small, "to": large})


@pytest.mark.parametrize(
    ("cards", "code", "detail"),
    [
        ({}, "cards-count", {"participant": "1", "wanted": 2, "given": 0}),
        ({**CARDS, "1": ["Kd"]}, "cards-count", {"participant": "1", "wanted": 2, "given": 1}),
        ({**CARDS, "3": ["Kh", "2h"]}, "cards-count", {"participant": "3", "wanted": 1, "given": 2}),
        ({**CARDS, "4": ["2h"]}, "cards-count", {"participant": "4", "wanted": 0, "given": 1}),
        ({**CARDS, "9": ["2h"]}, "cards-count", {"participant": "9", "wanted": 0, "given": 1}),
        ({**CARDS, "3": ["Kx"]}, "not-a-card", {"participant": "3", "card": "Kx"}),
        ({**CARDS, "3": ["10h"]}, "not-a-card", {"participant": "3", "card": "10h"}),
        ({**CARDS, "3": ["Kd"]}, "card-repeated", {"participant": "3", "card": "Kd"}),
        ({**CARDS, "1": ["Kd", "Kd"]}, "card-repeated", {"participant": "1", "card": "Kd"}),
    ],
)
def test_CK_5_given_cards_are_one_for_each_odd_chip(cards, code: str, detail: dict) -> None:
    assert refused(25, 100, HOLDINGS, SEATS, cards) == (code, detail)


def test_CK_5_players_without_odd_chips_may_be_named_without_cards() -> None:
    assert raced(25, 100, HOLDINGS, SEATS, {**CARDS, "4": []}) == raced(25, 100, HOLDINGS, SEATS, CARDS)


def test_CK_5_only_those_at_the_table_take_part() -> None:
    assert refused(25, 100, HOLDINGS, ["1", "2", "4"], CARDS) == ("not-at-table", {"participant": "3"})


def test_CK_5_a_race_for_more_cards_than_anybody_deals_is_refused_at_once() -> None:
    found = refused(1, 10**12, {"1": {1: 10**12 - 1}}, ["1"], Draw(1, "race/1"))
    assert found == ("too-many-cards", {"cards": 10**12 - 1, "most": 520})


@st.composite
def races(draw):
    """A denomination, a larger one, what everybody holds, and the seats."""
    small = draw(st.sampled_from([1, 5, 20, 25, 100, 500]))
    large = small * draw(st.sampled_from([2, 4, 5, 10, 20]))
    chips = st.dictionaries(st.sampled_from([1, 5, 25, 50, 100, 500, 1000, 5000]), st.integers(0, 30), max_size=4)
    holdings = {str(n): draw(chips) for n in range(draw(st.integers(0, 10)))}
    for held in holdings.values():
        held[small] = draw(st.integers(0, 45))
    seats = draw(st.permutations([*holdings, "99"]))
    return small, large, holdings, seats


def worth(chips) -> int:
    return sum(chip * count for chip, count in chips.items())


@settings(max_examples=300, deadline=None)
@given(case=races(), seed=st.integers(0, 10**6))
def test_CK_5_in_any_race(case, seed: int) -> None:
    small, large, holdings, seats = case
    found = raced(small, large, holdings, seats, Draw(seed, "race/1"))
    ratio = large // small
    odd = {who: held[small] % ratio for who, held in holdings.items() if held[small] % ratio}
    assert found.odd == odd and list(found.odd) == [who for who in seats if who in odd]
    assert len(found.winners) == len(set(found.winners)) == -(-sum(odd.values()) * small // large)
    assert set(found.winners) <= set(odd)
    assert {who: len(cards) for who, cards in found.cards.items()} == odd
    assert set(found.holdings) == set(found.changes) == set(holdings)
    for who, held in holdings.items():
        after = found.holdings[who]
        assert small not in after
        assert worth(after) - worth(held) == found.changes[who]
        assert bool(worth(after)) == bool(worth(held))
        if who not in found.kept:
            gained = held[small] // ratio + (who in found.winners)
            assert Counter(after) == +(Counter(held) - Counter({small: held[small]}) + Counter({large: gained}))
    # before anybody is spared, less than one larger chip came into play
    spared = sum(worth(found.holdings[who]) for who in found.kept)
    assert 0 <= found.delta - spared < large


@settings(max_examples=150, deadline=None)
@given(case=races(), seed=st.integers(0, 10**6))
def test_CK_5_a_loser_had_no_card_above_a_winners_best_and_given_cards_are_the_drawn_ones(case, seed: int) -> None:
    small, large, holdings, seats = case
    found = raced(small, large, holdings, seats, Draw(seed, "race/1"))
    best = {who: max(map(strength, cards)) for who, cards in found.cards.items()}
    losers = [best[who] for who in found.odd if who not in found.winners]
    assert not losers or max(losers) <= min(best[who] for who in found.winners)
    assert [best[who] for who in found.winners] == sorted((best[who] for who in found.winners), reverse=True)
    assert raced(small, large, holdings, seats, found.cards) == found
