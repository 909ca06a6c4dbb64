"""Deals: the independent chip model and the chip-chop (T-10)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.icm import ICM_MOST, TooManyPlayers, chop, icm

MODELS = pytest.mark.parametrize("model", [icm, chop])


@st.composite
def tables(draw, most: int = 7):
    """Stacks with prizes that never rise from place to place."""
    stack = st.one_of(st.integers(0, 12), st.integers(0, 400_000), st.sampled_from([0, 25, 1000, 1000]))
    chips = draw(st.lists(stack, min_size=1, max_size=most))
    prizes = draw(st.lists(st.integers(0, 20_000), min_size=len(chips), max_size=len(chips)))
    numbers = draw(st.permutations(range(1, len(chips) + 1)))
    return {str(n): chip for n, chip in zip(numbers, chips, strict=True)}, sorted(prizes, reverse=True)


@pytest.mark.parametrize(
    ("chips", "prizes", "expected"),
    [
        # the worked example of the usual article on the model, which gives about 45, 32 and 22 of 100
        ([50, 30, 20], [7000, 3000, 0], [4518, 3225, 2257]),
        # what the public calculators give for 50 / 30 / 20 % of 1000
        ([5000, 3000, 2000], [50000, 30000, 20000], [38393, 32750, 28857]),
        ([5000, 3000, 1500, 500], [50000, 30000, 20000, 0], [37778, 31289, 22560, 8373]),
        ([1000, 1000], [70, 30], [50, 50]),
        ([1, 3], [100, 0], [25, 75]),
    ],
)
def test_T_10_icm_gives_the_published_values(chips: list[int], prizes: list[int], expected: list[int]) -> None:
    stacks = {str(n): stack for n, stack in enumerate(chips, 1)}
    assert [icm(stacks, prizes)[n] for n in stacks] == expected


def by_permutations(chips: list[int], prizes: list[int]) -> list[Fraction]:
    """The model as it is defined: every order of finishing with its chance. Only for positive stacks."""
    mean = [Fraction(0)] * len(chips)
    for order in permutations(range(len(chips))):
        chance, left = Fraction(1), sum(chips)
        for player in order:
            chance *= Fraction(chips[player], left)
            left -= chips[player]
        for place, player in enumerate(order):
            mean[player] += chance * prizes[place]
    return mean


@settings(max_examples=60, deadline=None)
@given(
    chips=st.lists(st.one_of(st.integers(1, 9), st.integers(1, 500_000)), min_size=1, max_size=6),
    prizes=st.lists(st.integers(0, 9_999), min_size=6, max_size=6),
)
def test_T_10_icm_is_the_mean_over_all_orders_rounded_once(chips: list[int], prizes: list[int]) -> None:
    prizes = prizes[: len(chips)]
    exact = by_permutations(chips, prizes)
    found = icm({str(n): stack for n, stack in enumerate(chips)}, prizes)
    up = [n for n in range(len(chips)) if found[str(n)] != math.floor(exact[n])]
    assert all(found[str(n)] == math.floor(exact[n]) + 1 for n in up)
    assert len(up) == sum(prizes) - sum(map(math.floor, exact))
    # the left-over crowns went to the largest remainders, ties to the larger stack, then to the lower number
    order = sorted(range(len(chips)), key=lambda n: (math.floor(exact[n]) - exact[n], -chips[n], n))
    assert set(up) == set(order[: len(up)])


@MODELS
@settings(max_examples=150, deadline=None)
@given(table=tables())
def test_T_10_a_deal_adds_up_to_the_prizes_to_the_crown(model, table) -> None:
    stacks, prizes = table
    amounts = model(stacks, prizes)
    assert set(amounts) == set(stacks)
    assert sum(amounts.values()) == sum(prizes)


@MODELS
@settings(max_examples=150, deadline=None)
@given(table=tables())
def test_T_10_nobody_gets_less_than_the_place_already_secured_nor_more_than_the_first(model, table) -> None:
    stacks, prizes = table
    amounts = model(stacks, prizes)
    assert min(amounts.values()) >= prizes[-1]
    if model is icm:
        assert max(amounts.values()) <= prizes[0]


@MODELS
@settings(max_examples=150, deadline=None)
@given(table=tables())
def test_T_10_more_chips_are_never_worth_less_and_equal_ones_a_crown_apart_at_most(model, table) -> None:
    stacks, prizes = table
    amounts = model(stacks, prizes)
    for one in stacks:
        for other in stacks:
            if stacks[one] > stacks[other]:
                assert amounts[one] >= amounts[other]
            elif stacks[one] == stacks[other]:
                assert abs(amounts[one] - amounts[other]) <= 1
                if int(one) < int(other):
                    assert amounts[one] >= amounts[other]


@MODELS
@settings(max_examples=100, deadline=None)
@given(table=tables(), data=st.data())
def test_T_10_the_order_in_which_stacks_are_named_does_not_matter(model, table, data) -> None:
    stacks, prizes = table
    shuffled = dict(data.draw(st.permutations(list(stacks.items()))))
    assert model(shuffled, prizes) == model(stacks, prizes)


@MODELS
def test_T_10_left_over_crowns_go_to_the_larger_stack_then_to_the_lower_number(model) -> None:
    assert model({"9": 1, "10": 1}, [101, 0]) == {"9": 51, "10": 50}
    assert model({"10": 1, "9": 1}, [101, 0]) == {"9": 51, "10": 50}
    assert model({"007": 1, "7": 1}, [1, 0]) == {"7": 1, "007": 0}
    assert model({"1": 1, "2": 5}, [3, 0]) == {"1": 0, "2": 3}  # half a crown and two and a half


@MODELS
@pytest.mark.parametrize("lower", ["1", "2"])
def test_T_10_of_equal_remainders_the_larger_stack_has_the_crown_whatever_its_number(model, lower: str) -> None:
    larger = "2" if lower == "1" else "1"
    assert model({lower: 1, larger: 3}, [2, 0]) == {lower: 0, larger: 2}


def test_T_10_a_chip_chop_shares_what_is_above_the_lowest_prize() -> None:
    stacks = {"1": 6000, "2": 3000, "3": 1000}
    assert chop(stacks, [500, 300, 200]) == {"1": 440, "2": 320, "3": 240}
    assert chop(stacks, [500, 300, 0]) == {"1": 480, "2": 240, "3": 80}
    assert chop({"1": 9999, "2": 1}, [600, 400]) == {"1": 600, "2": 400}


def test_T_10_who_has_no_chips_comes_last_and_several_share_the_last_prizes() -> None:
    assert icm({"1": 10, "2": 0, "3": 10}, [60, 40, 7]) == {"1": 50, "3": 50, "2": 7}
    assert icm({"1": 10, "2": 0, "3": 0}, [60, 40, 7]) == {"1": 60, "2": 24, "3": 23}
    assert icm({"3": 0, "2": 0}, [5, 2]) == {"2": 4, "3": 3}
    assert chop({"1": 10, "2": 0}, [60, 40]) == {"1": 60, "2": 40}
    assert chop({"3": 0, "2": 0}, [5, 2]) == {"2": 4, "3": 3}


@MODELS
def test_T_10_without_prizes_nobody_gets_anything(model) -> None:
    assert model({"1": 5, "2": 3}, [0, 0]) == {"1": 0, "2": 0}
    assert model({}, []) == {}


def test_T_10_ten_players_with_stacks_that_share_no_factor_are_exact() -> None:
    chips = [399_989, 250_007, 180_001, 99_991, 77_773, 50_021, 31_337, 12_343, 4_001, 25]
    prizes = [12_000, 7_000, 4_500, 3_000, 2_000, 1_500, 1_000, 800, 600, 400]
    amounts = icm({str(n): stack for n, stack in enumerate(chips)}, prizes)
    assert sum(amounts.values()) == sum(prizes)
    assert sorted(amounts.values(), reverse=True) == list(amounts.values())
    assert (amounts["0"], amounts["9"]) == (7540, 403)


def test_T_10_the_model_is_offered_to_ten_at_most() -> None:
    stacks = {str(n): n for n in range(1, ICM_MOST + 2)}
    with pytest.raises(TooManyPlayers) as error:
        icm(stacks, [100] + [0] * ICM_MOST)
    assert error.value.players == 11
    assert sum(chop(stacks, [100] + [0] * ICM_MOST).values()) == 100


@MODELS
@pytest.mark.parametrize(
    ("stacks", "prizes"), [({"1": 1}, []), ({"1": 1}, [5, 3]), ({"1": -1, "2": 1}, [5, 3]), ({"1": 1}, [-5])]
)
def test_T_10_what_is_no_deal_is_an_error(model, stacks: dict[str, int], prizes: list[int]) -> None:
    with pytest.raises(ValueError):
        model(stacks, prizes)
