"""Whole evenings as floors run them: every promise holds on each, and every command is part of one."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.simulation.anything import KINDS
from bench.simulation.whole import simulate

EVENINGS = 200
"""`make bench` plays ten thousand."""

CHUNK = 50


@pytest.mark.parametrize("first", range(0, EVENINGS, CHUNK))
def test_T_4_T_5_T_6_T_7_S_1_S_3_S_5_S_7_what_holds_on_any_evening(first: int) -> None:
    evenings = [simulate(seed, every=7) for seed in range(first, first + CHUNK)]
    assert [violation for evening in evenings for violation in evening.violations] == []
    accepted = sum((evening.accepted for evening in evenings), Counter[str]())
    assert [kind for kind in KINDS if not accepted[kind]] == []
    assert sum(evening.finished for evening in evenings) >= CHUNK - 2, "one in forty is cancelled, the others end"


def test_the_same_seed_plays_the_same_evening() -> None:
    assert simulate(17, players=12) == simulate(17, players=12)
