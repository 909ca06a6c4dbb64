"""Places: T-6, T-7, T-8; reinstatement and pay."""

from __future__ import annotations

import pytest


def test_T_6_the_last_one_wins_and_the_others_rank_by_when_they_went_out(evening) -> None:
    evening.started(5).bust(3).bust(1).bust(5)
    assert evening.places() == [(3, 5), (4, 1), (5, 3)]
    assert evening.report()["state"] == "running"
    evening.bust(2)
    assert evening.places() == [(1, 4), (2, 2), (3, 5), (4, 1), (5, 3)]
    assert evening.report()["state"] == "finished"
    assert evening.player(4).status == "in"
    assert evening.player(4).chips == evening.round.chips == 20_000


def test_T_6_the_end_is_an_event_with_places_prizes_and_points(evening) -> None:
    evening.started(4).bust(1).bust(2).bust(3)
    finished = evening.events[-1]
    assert [(r.place, r.participant, r.prize, r.points_half) for r in finished.results] == [
        (1, "000004", 200, 140),
        (2, "000003", 120, 130),
        (3, "000002", 80, 20),
        (4, "000001", 0, 20),
    ]


def test_T_7_larger_stack_ranks_higher(evening) -> None:
    evening.seated([1, 2, 3, 4, 5])
    evening.bust(1, table=1, hand=1, stack=9000).bust(2, table=1, hand=1, stack=2000)
    assert evening.places() == [(4, 1), (5, 2)]


def test_T_7_equal_stacks_share_the_better_number(evening) -> None:
    evening.seated([1, 2, 3, 4, 5])
    evening.bust(2, table=1, hand=1, stack=3000).bust(1, table=1, hand=1, stack=3000)
    assert evening.places() == [(4, 1), (4, 2)]


def test_T_7_one_unknown_stack_and_all_of_the_hand_share(evening) -> None:
    evening.seated([1, 2, 3, 4, 5])
    evening.bust(1, table=1, hand=1, stack=3000).bust(2, table=1, hand=1).bust(3, table=1, hand=1, stack=5000)
    assert evening.places() == [(3, 1), (3, 2), (3, 3)]


def test_T_7_at_one_table_a_lower_hand_ranks_lower_whatever_the_order_of_entry(evening) -> None:
    evening.seated([1, 2, 3, 4, 5])
    evening.bust(1, table=1, hand=8, stack=100).bust(2, table=1, hand=5, stack=9000)
    assert evening.places() == [(4, 1), (5, 2)]
    evening.bust(3, table=1, hand=5, stack=10)
    assert evening.places() == [(3, 1), (4, 2), (5, 3)]


def test_T_7_different_tables_rank_by_the_order_of_entry(evening) -> None:
    evening.seated([1, 2, 3], [4, 5, 6])
    evening.bust(1, table=1, hand=9, stack=100).bust(4, table=2, hand=3, stack=9000)
    assert evening.places() == [(5, 4), (6, 1)]


def test_T_7_a_late_entry_goes_below_its_own_table_and_what_followed_there(evening) -> None:
    """Table 1 hand 9, table 2 hand 3, then table 1 hand 8: below its table's hand 9, so below table 2 as well."""
    evening.seated([1, 2, 3], [4, 5, 6])
    evening.bust(1, table=1, hand=9).bust(4, table=2, hand=3).bust(2, table=1, hand=8)
    assert evening.places() == [(4, 4), (5, 1), (6, 2)]


def test_T_7_a_bust_without_a_hand_is_an_elimination_of_its_own(evening) -> None:
    evening.seated([1, 2, 3, 4, 5]).do("next_hand", table=1)
    evening.bust(1, stack=9000).bust(2, stack=100)
    assert evening.places() == [(4, 2), (5, 1)]


def test_T_7_a_hand_without_a_table_is_the_players_table(evening) -> None:
    evening.seated([1, 2, 3, 4, 5]).bust(1, hand=4, stack=100).bust(2, table=1, hand=4, stack=50)
    assert evening.places() == [(4, 1), (5, 2)]


def test_T_7_hands_that_were_not_tracked_are_believed(evening) -> None:
    evening.seated([1, 2, 3]).bust(1, table=1, hand=77, stack=123_456, by="000002")
    assert evening.round.eliminations[0].hand == 77


def test_T_7_a_tie_for_the_bubble_shares_prize_and_points(evening) -> None:
    evening.seated([1, 2, 3, 4, 5], shares=["50", "30", "20"])
    evening.bust(5).bust(4, table=1, hand=2, stack=70).bust(3, table=1, hand=2, stack=70)
    assert evening.places() == [(3, 3), (3, 4), (5, 5)]
    assert evening.prizes() == {3: 50, 4: 50, 5: 0}
    points = {r["participant"]: r["points"] for r in evening.report()["results"]}
    assert points == {"000003": "37.5", "000004": "37.5", "000005": "10"}


def test_T_7_left_over_crowns_go_to_the_lower_registration_numbers(evening) -> None:
    evening.announce(deposit=51, shares=["60", "40"]).do("open")
    for participant in ("9", "000010", "000200"):
        evening.do("register", participant=participant, identity_checked=True)
    evening.do("start")
    stacks = {"9": 500, "000010": 100, "000200": 100}
    evening.do("end_early", reason="oheň", stacks=stacks)
    assert evening.prizes() == {9: 92, 10: 31, 200: 30}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"participant": "000009"}, "not-registered"),
        ({"participant": "000001", "table": 9, "hand": 1}, "no-such-table"),
        ({"participant": "000001", "by": "000001"}, "by-oneself"),
        ({"participant": "000001", "by": "000009"}, "not-registered"),
    ],
)
def test_a_bust_that_cannot_be_is_refused(evening, fields, code: str) -> None:
    evening.started(4)
    assert evening.code("bust", **fields) == code


def test_nobody_goes_out_twice_or_outside_play(evening) -> None:
    evening.opened(3)
    assert evening.code("bust", participant="000001") == "not-running"
    evening.do("start").bust(1)
    refusal = evening.refusal("bust", participant="000001")
    assert (refusal.code, refusal.detail) == ("not-in-play", {"participant": "000001", "status": "out"})
    evening.bust(2)
    assert evening.code("bust", participant="000003") == "finished"


def test_T_8_an_early_end_ranks_the_rest_by_chips_and_equal_counts_share(evening) -> None:
    evening.started(5).bust(5)
    stacks = {"000001": 9000, "000002": 3000, "000003": 3000, "000004": 5000}
    evening.do("end_early", reason="výpadek proudu", stacks=stacks)
    assert evening.places() == [(1, 1), (2, 4), (3, 2), (3, 3), (5, 5)]
    assert evening.report()["state"] == "finished"
    assert sum(evening.prizes().values()) == 500
    assert "chips-differ" not in evening.notices()
    assert evening.events[-1].reason == "výpadek proudu"


def test_T_8_given_stacks_are_believed_with_a_notice(evening) -> None:
    evening.started(3).do("end_early", reason="x", stacks={"000001": 1, "000002": 2, "000003": 3})
    assert evening.notices()["chips-differ"] == {"counted": 6, "expected": 12_000}
    assert evening.report()["chips_in_play"] == 12_000


def test_T_8_every_remaining_player_needs_a_stack(evening) -> None:
    evening.opened(4)
    assert evening.code("end_early", reason="x", stacks={"000001": 1}) == "not-running"
    evening.do("start").bust(4)
    refusal = evening.refusal("end_early", reason="x", stacks={"000001": 1})
    assert (refusal.code, refusal.detail) == ("stacks-missing", {"participants": ["000002", "000003"]})
    everybody = {f"00000{n}": 1 for n in range(1, 5)}
    assert evening.code("end_early", reason="x", stacks=everybody) == "not-in-play"


def test_reinstated_a_player_is_back_and_later_places_move(evening) -> None:
    evening.seated([1, 2, 3, 4, 5]).bust(1).bust(2).bust(3)
    evening.do("reinstate", participant="000002")
    assert evening.places() == [(4, 3), (5, 1)]
    assert evening.player(2).seat == (1, 2)
    assert evening.player(2).chips == 4000
    assert evening.round.left == 3


def test_a_reinstated_player_whose_seat_is_gone_draws_one(evening) -> None:
    evening.seated([1, 2, 3], [4, 5]).bust(1).do("move", participant="000004", seat=[1, 1])
    evening.bust(5).do("reinstate", participant="000001")
    assert evening.player(1).seat.table == 1
    evening.do("reinstate", participant="000005")
    assert evening.player(5).seat.table == 1
    assert len(evening.table(1).seats) == 5


def test_only_who_is_out_can_be_reinstated(evening) -> None:
    evening.seated([1, 2, 3, 4], seats_per_table=4)
    assert evening.code("reinstate", participant="000001") == "not-out"
    assert evening.code("reinstate", participant="000009") == "not-registered"
    evening.bust(1).bust(2).bust(3)
    assert evening.code("reinstate", participant="000001") == "finished"


def test_nobody_is_reinstated_without_a_seat(evening) -> None:
    evening.seated([1, 2, 3, 4], seats_per_table=4, profile="casino-2012", late_registration=True)
    evening.bust(1).register(5)
    assert evening.player(5).seat == (1, 1)
    assert evening.code("reinstate", participant="000001") == "no-free-seat"


def test_T_5_every_payout_is_recorded_up_to_the_prize(evening) -> None:
    evening.started(3)
    assert evening.code("pay", participant="000001", amount=1) == "no-prize-yet"
    evening.bust(1).bust(2)
    assert evening.code("pay", participant="000009", amount=1) == "not-registered"
    evening.do("pay", participant="000003", amount=100)
    refusal = evening.refusal("pay", participant="000003", amount=51)
    assert (refusal.code, refusal.detail) == ("prize-exceeded", {"prize": 150, "paid": 100, "left": 50})
    evening.do("pay", participant="000003", amount=50)
    assert evening.report()["players"]["000003"]["paid"] == 150


def test_who_was_paid_is_not_reinstated(evening) -> None:
    evening.started(4).bust(1).bust(2).do("pay", participant="000002", amount=80)
    assert evening.code("reinstate", participant="000002") == "already-paid"
    assert evening.refusal("reinstate", participant="000001").detail == {
        "participant": "000002", "paid": 80, "prize": 0,
    }  # fmt: skip


EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]


@pytest.mark.parametrize("profile", EVERY)
def test_T_6_a_lone_winner_has_all_chips_whatever_was_counted_last(evening, profile: str) -> None:
    evening.seated([1, 2, 3], profile=profile)
    evening.do("stacks", table=1, stacks={"000001": 100, "000002": 5900, "000003": 6000}).bust(3).bust(2)
    assert evening.places() == [(1, 1), (2, 2), (3, 3)]
    assert (evening.player(1).chips, evening.round.finish.stacks) == (12_000, {"000001": 12_000})


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_the_stack_ranks_within_a_hand_whatever_the_order_of_entry(new_evening, profile: str) -> None:
    for order in ([1, 2, 3], [3, 2, 1], [2, 3, 1]):
        evening = new_evening().seated([1, 2, 3, 4, 5], profile=profile)
        for n in order:
            evening.bust(n, table=1, hand=6, stack={1: 100, 2: 250, 3: 100}[n])
        assert evening.places() == [(3, 2), (4, 1), (4, 3)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_hands_told_late_and_busts_without_a_hand_keep_one_order(evening, profile: str) -> None:
    """Hand 3, then one without a hand, then hand 9, then hand 5 told late: right before hand 9."""
    evening.seated([1, 2, 3, 4, 5, 6], profile=profile)
    evening.bust(1, table=1, hand=3).bust(2).bust(3, table=1, hand=9).bust(4, table=1, hand=5)
    assert evening.places() == [(3, 3), (4, 4), (5, 2), (6, 1)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_7_a_wrong_order_is_corrected_by_command(evening, profile: str) -> None:
    evening.seated([1, 2, 3], [4, 5, 6], profile=profile).bust(1, table=1, hand=2).bust(4, table=2, hand=2)
    assert evening.places() == [(5, 4), (6, 1)]
    evening.do("reinstate", participant="000001").bust(1, table=1, hand=2)
    assert evening.places() == [(5, 1), (6, 4)]


@pytest.mark.parametrize("profile", EVERY)
def test_T_8_all_equal_share_the_first_place_and_its_prizes(evening, profile: str) -> None:
    evening.started(4, profile=profile).do("end_early", reason="x", stacks={f"00000{n}": 4000 for n in range(1, 5)})
    assert evening.places() == [(1, n) for n in range(1, 5)]
    assert evening.prizes() == {1: 100, 2: 100, 3: 100, 4: 100}


@pytest.mark.parametrize("profile", EVERY)
def test_T_8_an_early_end_and_its_places_are_undone_and_given_again(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5], profile=profile).bust(5, table=1, hand=1, stack=100)
    before = evening.state_bytes()
    stacks = {"000001": 9000, "000002": 3000, "000003": 3000, "000004": 5000}
    after = evening.do("end_early", reason="x", stacks=stacks).state_bytes()
    assert evening.do("undo").state_bytes() == before
    assert evening.places() == [(5, 5)]
    assert evening.do("redo").state_bytes() == after


@pytest.mark.parametrize("profile", EVERY)
def test_T_6_bust_and_reinstatement_are_undone_and_given_again(evening, profile: str) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8], profile=profile).do("next_hand", table=1)
    states = [evening.state_bytes()]
    for do, fields in (
        ("bust", {"table": 1, "hand": 1, "stack": 4000, "by": "000002"}),
        ("reinstate", {}),
        ("bust", {}),
    ):
        states.append(evening.do(do, participant="000001", **fields).state_bytes())
    for state in states[-2::-1]:
        assert evening.do("undo").state_bytes() == state
    for state in states[1:]:
        assert evening.do("redo").state_bytes() == state


def test_T_11_a_player_who_entered_again_has_one_place(evening) -> None:
    evening.seated([1, 2, 3, 4], profile="casino-2012", reentry=True, shares=["50", "50"])
    evening.bust(1).bust(2).do("reenter", participant="000001").bust(3).bust(1)
    assert evening.places() == [(1, 4), (2, 1), (3, 3), (4, 2)]
    assert sum(evening.prizes().values()) == 500
