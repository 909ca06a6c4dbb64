"""Hand-for-hand play: a round of hands is one hand for the places (T-7, CK-6)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.places import eliminated
from appliance.game.play import HandSpan
from appliance.game.state import Elimination

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
NEXT_HAND = ["cpl-2017", "cpl", "casino-2012"]
BY_STACK = NEXT_HAND
TDA = "tda-2024"


def two_tables(evening: Any, profile: str = "cpl-2017") -> Any:
    """Two tables of four, one hand in play at each."""
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile)
    return evening.do("next_hand", table=1).do("next_hand", table=2)


def hands(evening: Any, *tables: int) -> Any:
    for table in tables:
        evening.do("next_hand", table=table)
    return evening


@pytest.mark.parametrize("profile", BY_STACK)
def test_T_7_CK_6_a_round_of_hands_is_one_hand_over_all_tables(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2)
    evening.bust(1, table=1, hand=2, stack=9000).bust(5, table=2, hand=2, stack=100)
    assert evening.places() == [(7, 1), (8, 5)]
    evening.bust(6, table=2, hand=2, stack=9000)
    assert evening.places() == [(6, 1), (6, 6), (8, 5)]


def test_T_7_CK_6_for_tda_all_of_a_round_share_whatever_their_stacks(evening) -> None:
    two_tables(evening, TDA).do("hand_for_hand", on=True)
    evening.bust(1, table=1, hand=1, stack=9000).bust(5, table=2, hand=1, stack=100).bust(6, table=2, hand=1, stack=5)
    assert evening.places() == [(6, 1), (6, 5), (6, 6)]
    hands(evening, 1, 2).bust(2, table=1, hand=2, stack=77)
    assert evening.places() == [(5, 2), (6, 1), (6, 5), (6, 6)]


def test_T_7_for_tda_outside_of_it_stacks_rank_as_everywhere(evening) -> None:
    evening.seated([1, 2, 3, 4], profile=TDA)
    evening.bust(1, table=1, hand=1, stack=9000).bust(2, table=1, hand=1, stack=100)
    assert evening.places() == [(3, 1), (4, 2)]


@pytest.mark.parametrize("profile", NEXT_HAND)
def test_T_7_CK_6_the_hand_in_progress_is_none_of_the_rounds(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    evening.bust(1, table=1, hand=1, stack=9000).bust(5, table=2, hand=1, stack=100)
    assert evening.places() == [(7, 5), (8, 1)]


def test_T_7_CK_6_for_tda_the_hand_in_progress_counts_from_before_the_announcement(evening) -> None:
    two_tables(evening, TDA).bust(1, table=1, hand=1, stack=9000).do("hand_for_hand", on=True)
    evening.bust(5, table=2, hand=1, stack=100)
    assert evening.places() == [(7, 1), (7, 5)]


@pytest.mark.parametrize("profile", BY_STACK)
def test_T_7_CK_6_one_unknown_stack_and_all_of_the_round_share(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2)
    evening.bust(1, table=1, hand=2).bust(5, table=2, hand=2, stack=100).bust(6, table=2, hand=2, stack=5)
    assert evening.places() == [(6, 1), (6, 5), (6, 6)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_CK_6_a_lower_round_ranks_lower_whatever_the_order_of_entry(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1, 2, 1, 2)
    evening.bust(5, table=2, hand=4, stack=100).bust(1, table=1, hand=3, stack=9000).bust(6, table=2, hand=2, stack=50)
    assert evening.places() == [(6, 5), (7, 1), (8, 6)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_CK_6_a_bust_without_a_hand_is_of_its_moment(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2)
    evening.bust(1, table=1, hand=2, stack=100).bust(2).bust(5, table=2, hand=2, stack=100).bust(6)
    assert evening.places() == [(5, 6), (6, 2), (7, 1), (7, 5)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_CK_6_a_bust_told_after_it_belongs_to_its_round(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(1, table=1, hand=2, stack=100).do("hand_for_hand", on=False)
    hands(evening, 1, 2).bust(2, table=1, hand=3, stack=100).bust(5, table=2, hand=2, stack=100)
    assert evening.places() == [(6, 2), (7, 1), (7, 5)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_CK_6_a_hand_before_it_ranks_below_every_round(evening, profile: str) -> None:
    """Also where nobody of that table was out in a round yet, so that nobody's place moves when one is."""
    two_tables(evening, profile)
    hands(evening, 1).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(5, table=2, hand=2, stack=100).bust(1, table=1, hand=1, stack=9000)
    assert evening.places() == [(7, 5), (8, 1)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_CK_6_two_periods_are_never_mixed(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(1, table=1, hand=2, stack=100).do("hand_for_hand", on=False)
    hands(evening, 1, 2).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(5, table=2, hand=4, stack=100).bust(2, table=1, hand=4, stack=200)
    evening.bust(6, table=2, hand=2, stack=100)
    shared = profile == TDA
    assert evening.places() == [(5, 2), (5, 5) if shared else (6, 5), (7, 1), (7, 6)]


def test_T_7_CK_6_hands_that_were_not_tracked_are_counted_from_the_first(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6]).do("hand_for_hand", on=True)
    evening.bust(4, table=2, hand=2, stack=9000).bust(1, table=1, hand=1, stack=100).bust(2, table=1, hand=2, stack=50)
    assert evening.places() == [(4, 4), (5, 2), (6, 1)]
    evening.do("hand_for_hand", on=False).bust(5, table=2, hand=1, stack=100)
    assert evening.places() == [(3, 4), (4, 2), (5, 1), (5, 5)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_6_CK_6_the_last_two_tables_play_to_a_full_set_of_places(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hand = 1
    for n in (1, 5, 2, 6, 3, 7, 4):
        if len(evening.table(1).seats) > 1 and len(evening.table(2).seats) > 1:
            hands(evening, 1, 2)
            hand += 1
        evening.bust(n, table=1 if n < 5 else 2, hand=hand, stack=100)
    found = evening.report()
    assert found["state"] == "finished"
    assert sorted(r["participant"] for r in found["results"]) == sorted(evening.round.players)
    assert sum(r["prize"] for r in found["results"]) == 800


# Whatever the order of entry

SPANS = (
    HandSpan(1, first=4, round=1, last=6),
    HandSpan(2, first=8, round=1, last=10),
    HandSpan(3, first=2, round=3, last=3),
    HandSpan(1, first=9, round=5),
    HandSpan(2, first=13, round=5),
    HandSpan(3, first=6, round=6),
)
"""Three tables, two periods: rounds 1 to 4 with table 3 from round 3 on, then from round 5 on."""


def out(place: int, table: int | None, hand: int | None, stack: int | None) -> Elimination:
    return Elimination(f"{place:06d}", 0, table, hand, stack, None, None, 0)


TOLD = st.tuples(st.one_of(st.none(), st.integers(1, 3)), st.integers(1, 16), st.one_of(st.none(), st.integers(1, 3)))


def in_play(spans: tuple[HandSpan, ...], gone: Elimination) -> int | None:
    for span in spans:
        if span.table == gone.table and span.first <= gone.hand and gone.hand <= (span.last or 99):
            return span.round + gone.hand - span.first
    return None


@settings(max_examples=300, deadline=None)
@given(told=st.lists(TOLD, max_size=14), mixed=st.randoms(use_true_random=False), shared=st.booleans())
def test_T_7_CK_6_the_order_of_entry_never_matters_for_what_hands_decide(told, mixed, shared: bool) -> None:
    """At each table, and over all rounds, however the entries are mixed, and with entries without a hand among them."""
    entries = [out(n, table, hand if table else None, stack) for n, (table, hand, stack) in enumerate(told)]
    orders = []
    for _ in range(3):
        groups = eliminated(entries, SPANS, shared=shared)
        assert sorted(who for group in groups for who in group) == sorted(e.participant for e in entries)
        ranked = {who: place for place, group in enumerate(groups) for who in group}
        orders.append([_relations(entries, ranked)])
        tracked = [n for n, e in enumerate(entries) if e.hand is not None]
        moved = tracked[:]
        mixed.shuffle(moved)
        entries = [entries[dict(zip(tracked, moved, strict=True)).get(n, n)] for n in range(len(entries))]
    assert orders[0] == orders[1] == orders[2]


def _relations(entries: list[Elimination], ranked: dict[str, int]) -> dict[tuple[str, str], int]:
    """Who ranks higher, for all pairs that one table or two rounds decide."""
    found = {}
    for a, b in permutations([e for e in entries if e.hand is not None], 2):
        rounds = in_play(SPANS, a), in_play(SPANS, b)
        if a.table == b.table or None not in rounds:
            difference = ranked[a.participant] - ranked[b.participant]
            found[a.participant, b.participant] = (difference > 0) - (difference < 0)
            earlier = a.hand < b.hand if a.table == b.table else rounds[0] < rounds[1]
            if earlier:
                assert difference < 0
    return found


@settings(max_examples=200, deadline=None)
@given(told=st.lists(TOLD, max_size=12), more=TOLD)
def test_T_7_a_further_bust_never_turns_round_the_order_of_two_others(told, more) -> None:
    """But for sharing within one hand, which one unknown stack can bring about."""
    entries = [out(n, table, hand if table else None, 1) for n, (table, hand, _) in enumerate(told)]
    table, hand, _ = more
    before = eliminated(entries, SPANS)
    after = eliminated([*entries, out(99, table, hand if table else None, 1)], SPANS)
    without = [group for group in ([who for who in group if who != "000099"] for group in after) if group]
    assert without == before


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_CK_6_it_is_the_house_that_says_whether_a_round_shares(new_evening, profile: str) -> None:
    found = []
    for order in permutations([(1, 1, 300), (5, 2, 200), (6, 2, 100)]):
        evening = two_tables(new_evening(), profile).do("hand_for_hand", on=True)
        hands(evening, 1, 2)
        for n, table, stack in order:
            evening.bust(n, table=table, hand=2, stack=stack)
        found.append(evening.places())
    expected = [(6, 1), (6, 5), (6, 6)] if profile == TDA else [(6, 1), (7, 5), (8, 6)]
    assert found == [expected] * 6


@pytest.mark.parametrize("profile", EVERY)
def test_T_8_CK_6_an_early_end_ranks_above_every_round(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(1, table=1, hand=2, stack=100).bust(5, table=2, hand=2, stack=100)
    stacks = {"000002": 9000, "000003": 500, "000004": 500, "000006": 500, "000007": 100, "000008": 1}
    evening.do("end_early", reason="oheň", stacks=stacks)
    assert evening.places() == [(1, 2), (2, 3), (2, 4), (2, 6), (5, 7), (6, 8), (7, 1), (7, 5)]
    assert sum(evening.prizes().values()) == 800


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_CK_6_who_is_reinstated_leaves_the_round_to_the_others(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(1, table=1, hand=2).bust(5, table=2, hand=2, stack=100)
    assert evening.places() == [(7, 1), (7, 5)]
    evening.do("reinstate", participant="000001")
    assert evening.places() == [(8, 5)]
    hands(evening, 1, 2).bust(1, table=1, hand=3, stack=100)
    assert evening.places() == [(7, 1), (8, 5)]


def test_T_11_T_7_CK_6_who_entered_again_has_the_place_of_the_last_bust(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile="casino-2012", reentry=True).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(1, table=1, hand=1, stack=100).bust(5, table=2, hand=1, stack=100)
    evening.do("reenter", participant="000001")
    assert evening.places() == [(8, 5)]
    hands(evening, 1, 2).bust(1, hand=2, stack=100)
    assert evening.places() == [(7, 1), (8, 5)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_14_CK_6_an_exclusion_is_of_its_moment(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2).bust(1, table=1, hand=2, stack=100)
    evening.do("sanction", participant="000002", kind="exclusion", reason="x").bust(5, table=2, hand=2, stack=100)
    assert evening.places() == [(6, 2), (7, 1), (7, 5)]
