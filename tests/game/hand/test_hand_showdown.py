"""H-1, H-12, H-13, H-16: dealing, and the showdown under every profile."""

from __future__ import annotations

import pytest

from appliance.game.hand.cards import UNKNOWN, parse_cards
from appliance.game.hand.facts import Awarded, BoardDealt, Dealt, IllegalAction, Killed, Mucked, Shown
from appliance.game.hand.hand import Hand
from appliance.game.hand.showdown import may_muck
from appliance.game.ruleset import PROFILES
from tests.game.hand.at_table import LEAGUE, TOURNAMENTS, actor, dealt, legal, played, raises, refused, told

DRY = "2c 3d 5h 9s Jc"
THREE = "QhQd KhKd AhAd"
CHECKED = "c c k | k k k | k k k | "
"""Three players to the river, no bet yet on it."""


def code_of_muck(hand: Hand, position: int) -> str | None:
    problem = hand.verify_muck(position)
    return problem and problem.code


# H-1


def test_H_1_two_cards_each_then_three_one_and_one() -> None:
    hand = Hand.begin(PROFILES["cpl"], [1000, 1000], small_blind=50, big_blind=100)
    first, second = parse_cards("Ah Kd"), parse_cards("7c 2s")
    for card in range(2):  # one at a time, as it is done at a table
        for position, cards in enumerate((first, second)):
            assert hand.phase == "deal-hole"
            hand = hand.deal_hole(position, [cards[card]])
    assert hand.holes == (first, second)
    hand = played(hand, "c k | k k | k k | k k", DRY)
    assert [len(fact.cards) for fact in told(hand, BoardDealt)] == [3, 1, 1]
    assert len(told(hand, Dealt)) == 4
    assert hand.phase == "showdown"


def test_H_1_no_card_is_dealt_twice_too_many_or_too_soon() -> None:
    hand = Hand.begin(PROFILES["cpl"], [1000, 1000], small_blind=50, big_blind=100)
    ace, king, queen, two = parse_cards("Ah Kh Qh 2c")
    hand = hand.deal_hole(0, [ace, king])
    for code, problem in [
        ("card-repeated", hand.verify_deal_hole(1, [queen, ace])),
        ("card-repeated", hand.verify_deal_hole(1, [queen, queen])),
        ("bad-notation", hand.verify_deal_hole(0, [queen])),
        ("bad-notation", hand.verify_deal_hole(1, [queen, two, 3])),
        ("bad-notation", hand.verify_deal_hole(1, [52])),
        ("not-your-turn", hand.verify_deal_board([queen, two, 3])),
        ("not-your-turn", hand.verify_fold()),
    ]:
        assert problem is not None and problem.code == code
    hand = played(hand.deal_hole(1), "c k")
    for code, cards in [("bad-notation", [two]), ("card-repeated", [queen, two, king])]:
        problem = hand.verify_deal_board(cards)
        assert problem is not None and problem.code == code
    assert hand.verify_deal_board([queen, two, UNKNOWN]) is None


# H-12


@pytest.mark.parametrize(
    ("profile", "order"),
    [
        ("cpl-2017", (1, 2, 0)),
        ("cpl", (1, 2, 0)),
        ("casino-2012", (2, 0, 1)),
        ("tda-2024", (2, 0, 1)),
        ("cash-2012", (2, 0, 1)),
    ],
)
def test_H_12_who_bet_or_raised_on_the_last_street_shows_first(profile: str, order: tuple[int, ...]) -> None:
    hand = played(dealt(profile, [5000] * 3), CHECKED + "k 100 200 c c")
    assert (hand.show_order, hand.actor) == (order, order[0])


@pytest.mark.parametrize(
    ("profile", "order"),
    [
        ("cpl-2017", (0, 1, 2)),
        ("cpl", (0, 1, 2)),
        ("casino-2012", (1, 2, 0)),
        ("tda-2024", (0, 1, 2)),
        ("cash-2012", (1, 2, 0)),
    ],
)
def test_H_12_a_bet_on_an_earlier_street_counts_only_in_the_casino(profile: str, order: tuple[int, ...]) -> None:
    hand = played(dealt(profile, [5000] * 3), "300 c c | k 100 c c | k k k | k k k")
    assert hand.show_order == order


@pytest.mark.parametrize("profile", PROFILES)
def test_H_12_with_no_bet_at_all_the_first_left_of_the_button_shows_first(profile: str) -> None:
    assert played(dealt(profile, [5000] * 4), "c c c k | k k k k | k k k k | k f k k").show_order == (0, 2, 3)


@pytest.mark.parametrize("profile", PROFILES)
def test_H_12_unbet_to_the_end_the_casino_shows_in_the_order_in_which_they_spoke(profile: str) -> None:
    # nobody but calls, all-in before the flop
    spoken = profile in {"casino-2012", "cash-2012"}
    hand = played(dealt(profile, [100] * 4), "c c c | | |")
    assert hand.show_order == ((2, 3, 0, 1) if spoken else (0, 1, 2, 3))


def test_H_12_a_beaten_hand_need_not_be_shown() -> None:
    hand = played(dealt("tda-2024", [5000] * 3, "AhAd KhKd QhQd"), CHECKED + "k k k .", DRY)
    assert [fact for fact in hand.facts if isinstance(fact, Shown | Mucked)] == [
        Shown(0, parse_cards("AhAd")),
        Mucked(1),
        Mucked(2),
    ]
    better = played(dealt("tda-2024", [5000] * 3, THREE), CHECKED + "k k k .", DRY)
    assert (better.shown, better.stacks) == ((0, 1, 2), (4900, 4900, 5200))


def test_H_12_where_all_others_muck_the_last_one_wins_unseen() -> None:
    hand = played(dealt("tda-2024", [5000] * 3, THREE), CHECKED + "k k k", DRY)
    hand = hand.muck(2).muck(0)
    assert hand.over and hand.stacks == (4900, 5200, 4900)
    assert told(hand, Shown) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_H_12_a_hand_shown_out_of_turn_lets_the_one_due_muck_in_the_casino(profile: str) -> None:
    mucks = profile in {"casino-2012", "cash-2012"}
    hand = played(dealt(profile, [5000] * 3, THREE), CHECKED + "k k k", DRY).show(2)
    assert may_muck(hand, 0) == mucks
    assert may_muck(hand, 1)
    assert hand.settle().shown == ((2,) if mucks else (2, 0))


def test_H_12_a_pot_the_better_hand_does_not_contest_keeps_a_hand_in() -> None:
    # aces are all-in for the main pot only: kings must show for the side pot
    hand = played(dealt("cash-2012", [100, 5000, 5000], "AhAd KhKd QhQd"), "c c k | k k | k k | 100 c", DRY)
    hand = hand.show(0)
    assert not may_muck(hand, 1)
    hand = hand.show(1)
    assert may_muck(hand, 2)
    assert hand.settle().stacks == (300, 5000, 4800)


# H-13


def test_H_13_one_card_shown_and_the_other_thrown_away_is_no_claim() -> None:
    hand = played(dealt("cpl", [5000] * 3, THREE), CHECKED + "k k k", DRY)
    ace, king = parse_cards("Ah ??")
    hand = hand.show(2, [ace, king])
    assert told(hand, Mucked) == [Mucked(2, (ace,))]
    hand = hand.show(0).show(1)
    assert told(hand, Awarded) == [Awarded(300, (0, 1, 2), ((1, 300),))]


def test_H_13_cards_shown_are_those_dealt_and_no_others() -> None:
    hand = played(dealt("cpl", [5000] * 3, THREE), CHECKED + "k k k", DRY)
    for code, cards in [
        ("bad-notation", "QhQc"),
        ("bad-notation", "Qh"),
        ("bad-notation", "QhJd"),
    ]:
        problem = hand.verify_show(0, parse_cards(cards))
        assert problem is not None and problem.code == code
    unknown = played(dealt("cpl", [5000] * 3), CHECKED + "k k k", DRY)
    for code, named in [("bad-notation", None), ("card-repeated", "2cAh"), ("card-repeated", "AhAh")]:
        problem = unknown.verify_show(0, named and parse_cards(named))
        assert problem is not None and problem.code == code
    assert unknown.show(0, parse_cards("AhAd")).shown == (0,)


def test_H_13_who_has_not_shown_cannot_win_and_what_nobody_knows_stays_undecided() -> None:
    hand = played(dealt("cpl", [5000] * 3), CHECKED + "k k k", DRY)
    known = hand.show(1, parse_cards("7h6h")).settle()
    assert (known.undecided, known.stacks) == (False, (4900, 5200, 4900))
    unknown = hand.settle()
    assert (unknown.over, unknown.undecided, unknown.stacks) == (True, True, (4900, 4900, 4900))
    assert unknown.awards == (Awarded(300, (0, 1, 2), ()),)
    half = played(dealt("cpl", [5000] * 3, THREE), CHECKED + "k k k", "2c 3d 5h 9s ??").settle()
    assert half.undecided


# H-16


@pytest.mark.parametrize("profile", TOURNAMENTS)
def test_H_16_with_an_all_in_and_no_more_betting_all_hands_are_shown_at_once(profile: str) -> None:
    hand = played(dealt(profile, [1000, 3000, 5000], THREE), "5000 c c")
    assert [(fact.position, fact.tabled) for fact in told(hand, Shown)] == [(2, True), (0, True), (1, True)]
    assert hand.phase == "deal-board"
    hand = played(hand, "| | |", DRY)
    assert (hand.over, hand.stacks) == (True, (0, 0, 9000))


@pytest.mark.parametrize("profile", TOURNAMENTS)
def test_H_16_not_while_two_can_still_bet(profile: str) -> None:
    hand = played(dealt(profile, [100, 5000, 5000], THREE), "c c k |", DRY)
    assert told(hand, Shown) == []
    hand = played(hand, "k k | k k | k 200 c", "9s Jc")
    assert len(told(hand, Shown)) == 3 and hand.over


def test_H_16_an_all_in_player_may_not_muck() -> None:
    hand = played(dealt("tda-2024", [1000, 1000], "AhAd ????"), "a c | | |", DRY)
    assert hand.to_show == (1,)
    assert code_of_muck(hand, 0) == "not-your-turn"  # lies open already
    assert code_of_muck(hand, 1) == "all-in-shows"  # though nobody keyed in the cards
    with pytest.raises(IllegalAction):
        hand.show(1, (parse_cards("Kh")[0], UNKNOWN))  # one card alone would give up the claim
    assert hand.show(1, parse_cards("KhKd")).stacks == (2000, 0)


def test_H_16_in_the_cash_game_nobody_shows_before_the_river() -> None:
    hand = played(dealt("cash-2012", [1000, 1000, 5000], THREE), "a c c", DRY)
    assert (told(hand, Shown), hand.phase) == ([], "deal-board")
    assert hand.show(0).shown == (0,)  # but may
    hand = played(hand, "| | |", DRY)
    assert (hand.phase, hand.to_show) == ("showdown", (2, 0, 1))


@pytest.mark.parametrize("profile", PROFILES)
def test_H_16_who_showed_cards_may_only_check_call_or_fold_in_the_casino(profile: str) -> None:
    hand = dealt(profile, [5000] * 3).restrict(2)
    assert raises(hand) == (None if profile in {"casino-2012", "cash-2012"} else (200, 5000))
    assert legal(hand).call == 100


def test_H_16_shown_cards_bind_to_the_end_of_the_hand() -> None:
    assert refused(dealt("casino-2012", [5000] * 3).restrict(2), "300") == "raise-not-reopened"
    later = played(dealt("casino-2012", [5000] * 3).restrict(2), "c c k | k k")
    assert (actor(later), raises(later)) == (2, None)


# A dead hand


def test_S_8_a_hand_killed_after_the_deal_never_acts_and_its_blind_stays() -> None:
    hand = dealt("tda-2024", [5000] * 4).kill(0)
    assert told(hand, Killed) == [Killed(0)]
    assert [actor(hand), actor(played(hand, "c")), actor(played(hand, "c c"))] == [2, 3, 1]
    assert played(hand, "f f").stacks == (4950, 5050, 5000, 5000)


def test_S_8_the_last_live_hand_wins_wherever_the_others_die() -> None:
    dealing = Hand.begin(PROFILES["cpl"], [500] * 3, small_blind=50, big_blind=100).kill(0)
    assert dealing.phase == "deal-hole"
    assert dealing.kill(2).stacks == (450, 550, 500)
    board = played(dealt("cpl", [500] * 3), "c c k")
    assert board.kill(1).phase == "deal-board"
    assert board.kill(1).kill(0).stacks == (400, 400, 700)
    river = played(dealt("cpl", [5000] * 3, THREE), CHECKED + "k k k", DRY)
    assert river.kill(2).settle().stacks == (4900, 5200, 4900)
    assert river.kill(0).kill(2).over
    with pytest.raises(IllegalAction):
        river.kill(0).kill(0)
    with pytest.raises(IllegalAction):
        river.settle().kill(1)


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_12_who_began_the_betting_and_is_dead_leaves_the_showing_to_the_next(profile: str) -> None:
    hand = played(dealt(profile, [5000] * 3), CHECKED + "k 100 c").kill(1)
    assert played(hand, "c").show_order == (2, 0)
