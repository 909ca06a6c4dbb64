"""Whatever a player says and pushes, wherever the hand stands: the binding is legal and the chips add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.game.hand.binding import Binding
from appliance.game.hand.declaration import Declaration
from appliance.game.hand.declared import interpret
from appliance.game.hand.exposed import Exposure, exposed
from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.out_of_turn import OutOfTurn, out_of_turn, when_turn_comes
from appliance.game.ruleset import PROFILES
from tests.game.hand.by_declaration import ALL, adds_up

CHIPS = (25, 50, 100, 200, 500, 1000)
SAID = (None, None, None, "fold", "check", "call", "call", "bet", "raise", "raise", "all-in", "amount")


def start(draw: st.DrawFn, profile: str) -> Hand:
    count = draw(st.integers(2, 5))
    stacks = [draw(st.integers(1, 80)) * 25 for _ in range(count)]
    hand = Hand.begin(PROFILES[profile], stacks, small_blind=50, big_blind=100, antes=draw(st.sampled_from([0, 25])))
    for position in range(count):
        hand = hand.deal_hole(position)
    return hand


def declaration(draw: st.DrawFn, hand: Hand, position: int) -> Declaration:
    left, motions = hand.stacks[position], []
    for _ in range(draw(st.integers(0, 3))):
        motion = []
        for chip in draw(st.lists(st.sampled_from(CHIPS), min_size=1, max_size=5)):
            if chip <= left:
                motion.append(chip)
                left -= chip
        if motion:
            motions.append(tuple(motion))
    said = draw(st.sampled_from(SAID)) if motions else draw(st.sampled_from(SAID[3:]))
    number = st.integers(1, 2500)
    return Declaration(
        position=position,
        said=said,
        amount=draw(number if said == "amount" else st.none() | number),
        by=draw(st.booleans()),
        chips=motions[0] if motions else (),
        motions=tuple(motions[1:]),
        chips_first=bool(motions) and draw(st.booleans()),
        unseen=draw(st.booleans()),
        repeated=draw(st.booleans()),
    )


def read(hand: Hand, declared: Declaration, result: Binding | Problem) -> Hand | None:
    """The hand after it; None if it was no declaration: only a check that cannot be is none."""
    if isinstance(result, Problem):
        assert result.code == "cannot-check"
        assert declared.said == "check"
        return None
    assert result.pushed == declared.pushed
    adds_up(hand, result)
    chosen = result
    for option in result.options:
        if option != "penalty":
            chosen = result.choose(option)
            adds_up(hand, chosen)
    return chosen.apply(hand)


def total(hand: Hand) -> int:
    return sum(hand.stacks) + (0 if hand.over else sum(hand.bets) + sum(pot.amount for pot in hand.pots()))


@pytest.mark.parametrize("profile", ALL)
@given(data=st.data())
def test_H_6_any_declaration_binds_to_a_legal_action(profile: str, data: st.DataObject) -> None:
    hand = start(data.draw, profile)
    chips, card = sum(hand.starting_stacks), 0
    for _ in range(25):
        if hand.phase == "deal-board":
            count = 1 if hand.street else 3
            hand = hand.deal_board(tuple(range(card, card + count)))
            card += count
        elif hand.phase != "betting" or hand.actor is None:
            break
        elif data.draw(st.integers(0, 9)) == 0:
            shown = exposed(hand, data.draw(st.sampled_from(hand.live)), repeated=data.draw(st.booleans()))
            assert isinstance(shown, Exposure)
            hand = shown.apply(hand)
        else:
            declared = declaration(data.draw, hand, hand.actor)
            hand = read(hand, declared, interpret(hand, declared)) or hand
        assert total(hand) == chips


@pytest.mark.parametrize("profile", ALL)
@given(data=st.data())
def test_H_9_any_action_out_of_turn_comes_to_a_legal_one(profile: str, data: st.DataObject) -> None:
    hand = start(data.draw, profile)
    if data.draw(st.booleans()):
        while hand.phase == "betting":
            hand = hand.check_or_call()
        if hand.phase == "deal-board":
            hand = hand.deal_board((0, 1, 2))
    if hand.phase != "betting":
        return
    position = data.draw(st.sampled_from(hand.live))
    earlier = out_of_turn(hand, declaration(data.draw, hand, position))
    if isinstance(earlier, Problem):
        assert earlier.code in ("not-your-turn", "cannot-check")
        return
    assert isinstance(earlier, OutOfTurn)
    hand = earlier.apply(hand)
    if earlier.action == "fold":
        assert position not in hand.live
        return
    street = hand.street
    while hand.phase == "betting" and hand.street == street and hand.actor != position:
        legal = hand.legal()
        assert legal is not None
        if legal.raise_min is not None and legal.raise_max is not None and data.draw(st.booleans()):
            hand = hand.bet_or_raise(data.draw(st.integers(legal.raise_min, legal.raise_max)))
        else:
            hand = hand.check_or_call() if data.draw(st.booleans()) else hand.fold()
    if hand.phase != "betting" or hand.street != street:
        return
    left = when_turn_comes(hand, earlier)
    assert not isinstance(left, Problem)
    now = declaration(data.draw, hand, position)
    result = left.declared(hand, now)
    if left.freedom == "bound":
        assert result == left.binding
        assert isinstance(result, Binding)
        adds_up(hand, result)
    else:
        read(hand, now, result)
    if left.freedom == "call-or-fold" and isinstance(result, Binding):
        assert result.action in ("call", "check", "fold")
