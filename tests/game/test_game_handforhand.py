"""Hand-for-hand play: CK-6, and what it means for places (T-7)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.events import HandStarted
from appliance.game.places import eliminated
from appliance.game.play import HandSpan
from appliance.game.state import Elimination

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
NEXT_HAND = ["cpl-2017", "cpl", "casino-2012"]
BY_STACK = NEXT_HAND
TDA = "tda-2024"


def two_tables(evening: Any, profile: str = "cpl-2017", **changes: Any) -> Any:
    """Two tables of four, one hand in play at each."""
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile, **changes)
    return evening.do("next_hand", table=1).do("next_hand", table=2)


def hands(evening: Any, *tables: int) -> Any:
    for table in tables:
        evening.do("next_hand", table=table)
    return evening


def left_s(evening: Any) -> int:
    return int(evening.report()["clock"]["remaining_s"])


# Waiting


@pytest.mark.parametrize("profile", NEXT_HAND)
def test_CK_6_the_next_hand_is_round_1_and_nobody_is_two_rounds_ahead(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    hands(evening, 1)
    refusal = evening.refusal("next_hand", table=1)
    assert (refusal.code, refusal.detail) == ("waiting-for-tables", {"table": 1, "waiting_for": [2]})
    hands(evening, 2, 2)
    assert evening.code("next_hand", table=2) == "waiting-for-tables"
    hands(evening, 1, 1, 2)


def test_CK_6_for_tda_the_hand_in_progress_is_round_1(evening) -> None:
    two_tables(evening, TDA).do("hand_for_hand", on=True)
    hands(evening, 1)
    assert evening.refusal("next_hand", table=1).detail == {"table": 1, "waiting_for": [2]}
    hands(evening, 2, 1)


def test_CK_6_for_tda_a_table_that_has_not_dealt_begins_with_hand_1(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=TDA).do("next_hand", table=1).do("hand_for_hand", on=True)
    assert evening.refusal("next_hand", table=1).detail == {"table": 1, "waiting_for": [2]}
    hands(evening, 2, 1)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_the_slowest_table_may_always_deal(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], [7, 8, 9], profile=profile).do("hand_for_hand", on=True)
    hands(evening, 1, 2)
    assert evening.refusal("next_hand", table=2).detail["waiting_for"] == [3]
    hands(evening, 3, 3)
    assert evening.refusal("next_hand", table=3).detail["waiting_for"] == [1, 2]


def test_CK_6_tables_that_wait_are_all_named(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], [7, 8, 9]).do("hand_for_hand", on=True)
    hands(evening, 2)
    assert evening.refusal("next_hand", table=2).detail == {"table": 2, "waiting_for": [1, 3]}


def test_CK_6_after_it_everybody_deals_on(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1)
    assert evening.code("next_hand", table=1) == "waiting-for-tables"
    evening.do("hand_for_hand", on=False)
    hands(evening, 1, 1, 1)


def test_CK_6_a_lone_player_holds_nobody_up_and_joins_with_company(evening) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7], [8, 9]).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 3).bust(9)
    hands(evening, 1, 2, 1, 2)
    evening.do("move", participant="000004", seat=[3, 5])
    hands(evening, 3)
    assert evening.refusal("next_hand", table=3).detail == {"table": 3, "waiting_for": [1, 2]}
    hands(evening, 1, 2, 3)
    dealt = [event for event in evening.events if isinstance(event, HandStarted)]
    assert [(event.table, event.together) for event in dealt[-4:]] == [(3, 4), (1, 4), (2, 4), (3, 5)]


def test_CK_6_a_table_opened_meanwhile_joins_with_the_round_that_is_to_begin(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1, 2)
    evening.do("move", participant="000003", seat=[3, 1])
    hands(evening, 1, 2)
    evening.do("move", participant="000007", seat=[3, 2])
    hands(evening, 3)
    assert evening.events[-1].together == 4
    assert evening.code("next_hand", table=3) == "waiting-for-tables"
    hands(evening, 1, 2)


def test_CK_6_a_final_table_begins_a_round_of_its_own(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 2)
    evening.do("final_table")
    hands(evening, 1)
    assert evening.events[-1].together == 3
    hands(evening, 1, 1)


def test_CK_6_it_is_switched_on_and_off_once(evening) -> None:
    two_tables(evening)
    assert evening.code("hand_for_hand", on=False) == "hand-for-hand-off"
    evening.do("hand_for_hand", on=True)
    assert evening.code("hand_for_hand", on=True) == "hand-for-hand-on"


@pytest.mark.parametrize("on", [True, False])
def test_CK_6_only_while_the_round_runs(evening, on: bool) -> None:
    evening.opened(3)
    assert evening.code("hand_for_hand", on=on) == "not-running"
    evening.do("start").bust(1).bust(2)
    assert evening.code("hand_for_hand", on=on) == "finished"


def test_CK_6_other_reasons_against_a_hand_are_told_first(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    assert evening.code("next_hand", table=9) == "no-such-table"


# The clock


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_the_clock_stands_though_play_goes_on(evening, profile: str) -> None:
    two_tables(evening, profile).after(minutes=5).do("hand_for_hand", on=True).after(minutes=30)
    assert left_s(evening) == 900
    assert evening.report()["clock"]["running"] is False
    assert evening.report()["state"] == "running"


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_each_round_takes_two_minutes_whoever_deals_first(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True)
    if profile in NEXT_HAND:
        hands(evening, 1, 2)
    assert left_s(evening) == 1200
    assert left_s(hands(evening.after(minutes=1), 2)) == 1080
    assert left_s(hands(evening.after(minutes=9), 1)) == 1080
    assert left_s(hands(evening, 1)) == 960
    assert left_s(hands(evening, 2)) == 960


def test_CK_6_the_hand_that_begins_is_of_the_level_the_clock_comes_to(evening) -> None:
    two_tables(evening).do("set_remaining", seconds=120).do("hand_for_hand", on=True)
    hands(evening, 1, 2)
    assert (evening.face().level, evening.table(2).level) == (1, 1)
    hands(evening, 2)
    assert (evening.face().level, left_s(evening), evening.table(2).level, evening.table(1).level) == (2, 1200, 2, 1)
    hands(evening, 1)
    assert evening.table(1).level == 2


def test_CK_6_what_a_round_takes_too_much_is_not_taken_from_the_next_level(evening) -> None:
    two_tables(evening).do("set_remaining", seconds=30).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1)
    assert (evening.face().level, left_s(evening)) == (2, 1200)


def test_CK_6_the_last_level_stays_at_0(evening) -> None:
    levels = [{"sb": 50, "bb": 100, "minutes": 3}]
    two_tables(evening, levels=levels).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1, 2)
    assert left_s(evening) == 60
    hands(evening, 1, 2, 1, 2)
    assert (left_s(evening), evening.report()["state"]) == (0, "running")


def test_CK_6_a_break_runs_in_real_time_and_the_clock_stands_again_with_the_next_hand(evening) -> None:
    two_tables(evening).do("next_level").do("next_level").do("set_remaining", seconds=60).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1, 2)
    assert (evening.face().on_break, left_s(evening)) == (True, 600)
    evening.after(minutes=6)
    assert (evening.face().on_break, left_s(evening)) == (True, 240)
    evening.after(minutes=5)
    assert (evening.face().level, left_s(evening), evening.face().running) == (4, 1140, True)
    hands(evening, 1)
    assert (left_s(evening), evening.face().running) == (1020, False)
    assert left_s(evening.after(minutes=5)) == 1020


def test_CK_6_a_hand_dealt_into_the_break_takes_nothing_off_it(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True).do("begin_break", minutes=10)
    hands(evening, 1, 2, 1, 2)
    assert (evening.face().on_break, left_s(evening)) == (True, 600)


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_a_house_may_merely_stop_the_clock(evening, profile: str) -> None:
    two_tables(evening, profile).do("hand_for_hand", on=True, minutes=0)
    hands(evening, 1, 2, 1, 2, 1, 2)
    assert (left_s(evening), evening.face().running, evening.report()["state"]) == (1200, False, "running")


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_never_more_than_three_minutes(evening, profile: str) -> None:
    two_tables(evening, profile)
    refusal = evening.refusal("hand_for_hand", on=True, minutes=4)
    assert (refusal.code, refusal.detail) == ("hand-for-hand-minutes", {"maximum": 3})
    evening.do("hand_for_hand", on=True, minutes=3)
    assert left_s(hands(evening, 1, 2, 1, 2)) == (1020 if profile in NEXT_HAND else 840)


def test_CK_6_after_it_the_clock_goes_on(evening) -> None:
    two_tables(evening).after(minutes=5).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1).after(minutes=9).do("hand_for_hand", on=False)
    assert (left_s(evening), evening.face().running) == (780, True)
    assert left_s(evening.after(minutes=1)) == 720


def test_CK_6_a_paused_clock_stays_paused_and_pays_nothing(evening) -> None:
    two_tables(evening).do("pause").do("hand_for_hand", on=True)
    assert evening.report()["state"] == "paused"
    hands(evening, 1, 2, 1, 2)
    assert (left_s(evening), evening.report()["state"]) == (1200, "paused")
    evening.do("hand_for_hand", on=False).after(minutes=3)
    assert (left_s(evening), evening.report()["state"]) == (1200, "paused")


def test_CK_3_CK_6_pausing_stops_play_and_resuming_it_holds_the_clock_again(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    assert evening.code("resume") == "already-running"
    evening.do("pause")
    assert evening.report()["state"] == "paused"
    assert evening.code("pause") == "not-running"
    evening.do("resume").after(minutes=5)
    assert (left_s(evening), evening.face().running, evening.report()["state"]) == (1200, False, "running")
    hands(evening, 1, 2, 1)
    assert left_s(evening) == 1080


def test_CK_3_CK_6_the_clock_is_set_while_it_stands(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True).do("set_remaining", seconds=500).after(minutes=5)
    assert left_s(evening) == 500
    evening.do("next_level").after(minutes=5)
    assert (evening.face().level, left_s(evening), evening.report()["state"]) == (2, 1200, "running")
    evening.do("next_level").do("next_level").after(minutes=4)
    assert (evening.face().on_break, left_s(evening)) == (True, 360)
    evening.do("end_break").after(minutes=4)
    assert (evening.face().level, left_s(evening), evening.face().running) == (4, 1200, False)


def test_CK_6_a_break_that_was_added_ends_and_its_level_goes_on_until_the_next_hand(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True).after(minutes=3).do("begin_break", minutes=5).after(minutes=6)
    assert (evening.face().on_break, left_s(evening)) == (False, 1140)
    hands(evening, 1).after(minutes=6)
    assert left_s(evening) == 1140


# Undo


@pytest.mark.parametrize("profile", EVERY)
def test_CK_6_undo_and_redo_of_every_step(evening, profile: str) -> None:
    two_tables(evening, profile)
    steps: list[tuple[str, dict[str, Any]]] = [
        ("hand_for_hand", {"on": True}),
        *[("next_hand", {"table": table}) for table in (1, 2, 2, 1, 1)],
        ("bust", {"participant": "000001", "table": 1, "hand": 4, "stack": 100}),
        ("pause", {}),
        ("resume", {}),
        ("hand_for_hand", {"on": False}),
        ("next_hand", {"table": 1}),
    ]
    states = [evening.state_bytes()]
    for do, fields in steps:
        states.append(evening.do(do, **fields).state_bytes())
    for state in states[-2::-1]:
        assert evening.do("undo").state_bytes() == state
    for state in states[1:]:
        assert evening.do("redo").state_bytes() == state
    assert evening.replayed().round == evening.round


def test_CK_6_undo_of_the_first_hand_of_a_round_gives_its_minutes_back(evening) -> None:
    two_tables(evening).do("hand_for_hand", on=True)
    hands(evening, 1, 2, 1).after(minutes=3)
    assert left_s(evening) == 1080
    assert left_s(evening.do("undo")) == 1200
    assert left_s(evening.do("redo")) == 1080


def test_CK_6_undo_of_the_announcement_lets_the_clock_go_on_from_there(evening) -> None:
    two_tables(evening).after(minutes=5).do("hand_for_hand", on=True).after(minutes=40).do("undo").after(minutes=1)
    assert (left_s(evening), evening.face().running) == (840, True)


# Places


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
