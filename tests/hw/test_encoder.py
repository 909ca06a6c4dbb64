"""The knob: clicks out of two contacts, whatever bounces."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.hw.encoder import Quadrature

A, B = 0, 1
CLOCKWISE = ((A, True), (B, True), (A, False), (B, False))
BACK = ((B, True), (A, True), (B, False), (A, False))


def turned(code: Quadrature, *edges: tuple[int, bool]) -> list[int]:
    return [clicks for contact, closed in edges if (clicks := code.edge(contact, closed))]


def test_one_click_is_told_when_the_knob_comes_to_rest() -> None:
    code = Quadrature()
    assert turned(code, *CLOCKWISE[:3]) == []
    assert turned(code, CLOCKWISE[3]) == [1]
    assert turned(code, *BACK, *BACK) == [-1, -1]


def test_knob_that_is_let_back_has_not_turned() -> None:
    code = Quadrature()
    assert turned(code, (A, True), (B, True), (B, False), (A, False)) == []
    assert turned(code, *CLOCKWISE) == [1]


@pytest.mark.parametrize(("quarters", "clicks"), [(4, 1), (2, 2), (1, 4)])
def test_knobs_of_other_makes_rest_more_often_in_a_cycle(quarters: Literal[1, 2, 4], clicks: int) -> None:
    assert turned(Quadrature(quarters), *CLOCKWISE) == [1] * clicks
    assert turned(Quadrature(quarters), *BACK) == [-1] * clicks


def test_knob_between_two_clicks_at_first_counts_from_where_it_rests() -> None:
    code = Quadrature(a=True, b=True)
    assert turned(code, (A, False), (B, False)) == []
    assert turned(code, *CLOCKWISE, *BACK, *BACK) == [1, -1, -1]


def test_missed_edges_cost_a_click_and_no_more() -> None:
    code = Quadrature()
    assert turned(code, (A, True), (A, True), (B, True), (B, False)) == []
    assert turned(code, (A, False)) == []
    assert turned(code, *CLOCKWISE, *CLOCKWISE) == [1, 1]


@given(
    turns=st.lists(st.sampled_from([1, -1]), max_size=20),
    quarters=st.sampled_from([1, 2, 4]),
    bounces=st.lists(st.integers(0, 4), min_size=80, max_size=80),
)
def test_bouncing_contacts_add_up_to_what_the_hand_turned(
    turns: list[int], quarters: Literal[1, 2, 4], bounces: list[int]
) -> None:
    code, told, bounce = Quadrature(quarters), 0, iter(bounces)
    for turn in turns:
        for contact, closed in CLOCKWISE if turn > 0 else BACK:
            for _ in range(next(bounce)):
                told += code.edge(contact, closed) + code.edge(contact, not closed)
            told += code.edge(contact, closed)
    assert told == sum(turns) * (4 // quarters)


@given(st.lists(st.tuples(st.integers(0, 1), st.booleans()), max_size=200), st.sampled_from([1, 2, 4]))
def test_any_edges_at_all_turn_by_no_more_than_there_were(
    edges: list[tuple[int, bool]], quarters: Literal[1, 2, 4]
) -> None:
    assert abs(sum(turned(Quadrature(quarters), *edges))) <= len(edges) / quarters
