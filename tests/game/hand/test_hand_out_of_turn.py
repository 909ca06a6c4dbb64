"""Acting out of turn: what binds at once, what when the turn comes, house by house."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.hand.binding import Binding
from appliance.game.hand.declaration import Declaration
from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.out_of_turn import OutOfTurn, Turn, out_of_turn, when_turn_comes
from appliance.game.hand.reasons import sentence
from tests.game.hand.by_declaration import ALL, CASINO, LEAGUE, TDA, adds_up, outcome, table

BINDING = CASINO + TDA


def early(hand: Hand, position: int, **what: Any) -> OutOfTurn:
    """What a player who is not on turn said or pushed."""
    earlier = out_of_turn(hand, Declaration(position=position, **what))
    assert isinstance(earlier, OutOfTurn), earlier
    assert sentence(earlier.reason, {}, "cs") != sentence(earlier.reason, {}, "en")
    return earlier


def turn(hand: Hand, earlier: OutOfTurn) -> Turn:
    """What is left of it."""
    assert hand.actor == earlier.position
    left = when_turn_comes(hand, earlier)
    assert isinstance(left, Turn), left
    assert sentence(left.reason, {}, "cs") != sentence(left.reason, {}, "en")
    return left


def then(hand: Hand, left: Turn, **what: Any) -> Binding:
    """What the player is bound to, declaring this now."""
    binding = left.declared(hand, Declaration(position=left.position, **what))
    assert isinstance(binding, Binding), binding
    adds_up(hand, binding)
    return binding


# Binding, unless the skipped player changes the action


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_raise_out_of_turn_stands_when_the_skipped_player_folds(profile: str) -> None:
    hand = table(profile)
    earlier = early(hand, 3, said="raise", amount=1200, chips=(1000, 200))
    assert (earlier.action, earlier.to, earlier.returned) == ("raise", 1200, 1200)
    assert (earlier.reason, earlier.turn, earlier.penalty) == ("out-of-turn-waits", 2, "warning")
    assert earlier.apply(hand) is hand
    hand = hand.fold()
    left = turn(hand, earlier)
    assert (left.freedom, left.reason) == ("bound", "action-not-changed")
    assert outcome(then(hand, left, said="fold")) == ("raise", 1200, 0, "action-not-changed")


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_call_by_the_skipped_player_changes_nothing(profile: str) -> None:
    hand = table(profile)
    earlier = early(hand, 3, said="raise", amount=1200)
    hand = hand.call()
    assert outcome(then(hand, turn(hand, earlier), said="call")) == ("raise", 1200, 0, "action-not-changed")


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_check_by_the_skipped_player_changes_nothing(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, chips=(1000,))
    assert (earlier.action, earlier.to) == ("bet", 1000)
    hand = hand.check()
    assert outcome(then(hand, turn(hand, earlier), said="check"))[:2] == ("bet", 1000)


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_raise_by_the_skipped_player_frees(profile: str) -> None:
    hand = table(profile)
    earlier = early(hand, 3, said="call", chips=(400,))
    hand = hand.bet_or_raise(1200)
    left = turn(hand, earlier)
    assert (left.freedom, left.binding, left.reason) == ("free", None, "action-changed")
    assert then(hand, left, said="fold").action == "fold"
    assert then(hand, left, said="call").to == 1200
    assert then(hand, left, said="raise", amount=5000).to == 5000


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_smaller_bet_by_the_skipped_player_frees_too(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, said="bet", amount=3000)
    hand = hand.bet_or_raise(500)
    assert turn(hand, earlier).freedom == "free"


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_check_out_of_turn_stands_when_nobody_bets(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 2, said="check")
    hand = hand.check().check()
    assert outcome(then(hand, turn(hand, earlier), said="bet", amount=900))[:2] == ("check", 0)


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_call_out_of_turn_stands_when_two_skipped_players_fold(profile: str) -> None:
    hand = table(profile)
    earlier = early(hand, 0, chips=(1000,))  # an oversized chip of the small blind
    assert (earlier.action, earlier.to) == ("call", 400)
    hand = hand.fold().fold()
    assert outcome(then(hand, turn(hand, earlier), said="fold")) == ("call", 400, 800, "action-not-changed")


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_an_all_in_for_less_by_the_skipped_player_changes_nothing(profile: str) -> None:
    hand = table(profile, "1200", stacks=(20_000, 20_000, 20_000, 700))
    earlier = early(hand, 0, said="raise", amount=4000)
    hand = hand.call()
    assert turn(hand, earlier).freedom == "bound"


@pytest.mark.parametrize("profile", BINDING)
def test_H_9_a_raise_out_of_turn_is_a_call_when_nobody_is_left_to_raise(profile: str) -> None:
    hand = table(profile, "f", "5000", "f", stacks=(20_000, 20_000, 20_000, 5000))
    assert hand.actor == 1
    hand = table(profile, "5000", stacks=(20_000, 20_000, 5000, 20_000))
    earlier = early(hand, 1, said="raise", amount=12_000)
    assert earlier.action == "raise"
    hand = hand.fold().fold()
    assert outcome(then(hand, turn(hand, earlier), said="fold"))[:2] == ("call", 5000)


@pytest.mark.parametrize("profile", ALL)
def test_H_9_a_fold_out_of_turn_always_binds(profile: str) -> None:
    hand = table(profile)
    earlier = early(hand, 3, said="fold")
    assert earlier.reason == "out-of-turn-fold"
    after = earlier.apply(hand)
    assert 3 not in after.live
    assert after.actor == 2
    assert after.bet_or_raise(1200).actor == 0


@pytest.mark.parametrize("profile", ALL)
def test_H_9_who_has_acted_may_still_fold_out_of_turn(profile: str) -> None:
    hand = table(profile, "1200")
    after = early(hand, 2, said="fold").apply(hand)
    assert (after.live, after.actor, after.bets[2]) == ((0, 1, 3), 3, 1200)


# Withdrawn


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_9_a_withdrawn_bet_must_check_when_the_player_on_turn_checks(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, chips=(1000,))
    assert (earlier.reason, earlier.returned) == ("out-of-turn-withdrawn", 1000)
    hand = hand.check()
    left = turn(hand, earlier)
    assert (left.freedom, left.reason) == ("bound", "nobody-bet")
    binding = then(hand, left, said="bet", amount=1000)
    assert (binding.action, binding.to) == ("check", 0)


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_9_a_bet_after_that_check_frees_everyone(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, chips=(1000,))
    hand = hand.check()
    hand = then(hand, turn(hand, earlier), said="check").apply(hand)
    hand = hand.bet_or_raise(800).fold().fold()
    assert hand.actor == 1
    legal = hand.legal()
    assert legal is not None
    assert (legal.fold, legal.call, legal.raise_min is not None) == (True, 800, True)


@pytest.mark.parametrize("profile", LEAGUE)
@pytest.mark.parametrize("bet", [400, 999, 1000])
def test_H_9_against_a_bet_no_larger_only_a_call_or_a_fold_is_left(profile: str, bet: int) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, said="bet", amount=1000)
    hand = hand.bet_or_raise(bet)
    left = turn(hand, earlier)
    assert (left.freedom, left.reason) == ("call-or-fold", "bet-is-no-larger")
    assert outcome(then(hand, left, said="raise", amount=5000, chips=(5000,))) == (
        "call",
        bet,
        5000 - bet,
        "bet-is-no-larger",
    )
    assert then(hand, left, said="fold").action == "fold"
    assert then(hand, left, said="call").to == bet


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_9_against_a_larger_bet_all_options_are_left(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, said="bet", amount=1000)
    hand = hand.bet_or_raise(1001)
    left = turn(hand, earlier)
    assert (left.freedom, left.reason) == ("free", "bet-is-larger")
    assert then(hand, left, said="raise", amount=5000).to == 5000


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_9_when_another_skipped_player_bets_all_options_are_left(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 2, said="bet", amount=1000)
    hand = hand.check().bet_or_raise(500)
    left = turn(hand, earlier)
    assert (left.freedom, left.reason) == ("free", "somebody-else-bet")


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_9_a_withdrawn_raise_may_only_call_or_fold_when_the_player_on_turn_calls(profile: str) -> None:
    hand = table(profile)
    earlier = early(hand, 3, said="raise", amount=1200)
    hand = hand.call()
    left = turn(hand, earlier)
    assert left.freedom == "call-or-fold"
    assert then(hand, left, said="raise", amount=1200).to == 400


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_9_a_withdrawn_check_is_free_against_a_bet(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, said="check")
    hand = hand.bet_or_raise(400)
    assert turn(hand, earlier).freedom == "free"


@pytest.mark.parametrize("profile", LEAGUE)
def test_H_9_the_restriction_ends_with_the_street(profile: str) -> None:
    hand = table(profile, "flop")
    earlier = early(hand, 1, said="bet", amount=1000)
    hand = hand.bet_or_raise(500)
    hand = then(hand, turn(hand, earlier), said="call").apply(hand)
    hand = hand.fold().fold().deal_board((20,)).check()
    legal = hand.legal()
    assert legal is not None
    assert (legal.actor, legal.raise_min) == (1, 400)


# What is no action out of turn


@pytest.mark.parametrize(
    ("hand", "what", "code"),
    [
        (table("tda-2024"), {"position": 2, "said": "call"}, "not-your-turn"),  # it is
        (table("tda-2024", "c"), {"position": 2, "said": "call"}, "not-your-turn"),  # has acted
        (table("tda-2024", "f"), {"position": 2, "said": "call"}, "not-your-turn"),  # has folded
        (table("tda-2024"), {"position": 3, "said": "check"}, "cannot-check"),
        (table("tda-2024"), {"position": 3, "chips": (30_000,)}, "not-enough-chips"),
        (table("tda-2024"), {"position": 7, "said": "fold"}, "bad-notation"),
        (table("tda-2024", "f", "f", "f"), {"position": 0, "said": "fold"}, "hand-over"),
    ],
)
def test_H_9_what_is_no_action_out_of_turn(hand: Hand, what: dict[str, Any], code: str) -> None:
    problem = out_of_turn(hand, Declaration(**what))
    assert isinstance(problem, Problem)
    assert problem.code == code


def test_H_9_nothing_is_decided_before_the_turn_comes() -> None:
    hand = table("tda-2024")
    problem = when_turn_comes(hand, early(hand, 3, said="call"))
    assert problem == Problem("not-your-turn", {"actor": 2, "position": 3})
