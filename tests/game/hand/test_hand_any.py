"""Any hand under any profile: chips are conserved, what is legal is accepted and nothing else, a hand ends."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.game.hand.awarding import award, claims
from appliance.game.hand.facts import Awarded, Called, Posted, Problem, Returned
from appliance.game.hand.facts import Bet as BetFact
from appliance.game.hand.facts import Raised as RaisedFact
from appliance.game.hand.hand import Hand
from appliance.game.ruleset import PROFILES

CODES = {
    "not-your-turn",
    "nothing-to-call",
    "cannot-check",
    "raise-too-small",
    "raise-not-reopened",
    "raise-capped",
    "not-enough-chips",
    "card-repeated",
    "hand-over",
    "bad-notation",
}
ACTIONS_MOST = 400
"""No hand of nine players with stacks of 3000 at blinds of 50 and 100 is longer."""

STACKS = st.lists(st.one_of(st.integers(1, 300), st.integers(300, 3000)), min_size=2, max_size=9)


@st.composite
def beginnings(draw: st.DrawFn) -> Hand:
    stacks = draw(STACKS)
    count = len(stacks)
    options: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {"antes": st.sampled_from([0, 10, 25]), "ante_by": st.sampled_from(["player", "bb"])},
            optional={
                "dead": st.sets(st.integers(0, count - 1), max_size=2),
                "dead_posts": st.lists(st.integers(0, 60), min_size=count, max_size=count),
                "blinds": st.lists(st.sampled_from([0, 0, 50, 100, -100, 200]), min_size=count, max_size=count),
                "unit": st.sampled_from([1, 5, 25]),
            },
        )
    )
    rules = PROFILES[draw(st.sampled_from(sorted(PROFILES)))]
    small = draw(st.sampled_from([50, 50, None]))
    return Hand.begin(rules, stacks, small_blind=small, big_blind=100, **options)


def chips(hand: Hand) -> int:
    lying = 0 if hand.over else sum(pot.amount for pot in hand.pots())
    undecided = sum(award.amount for award in hand.awards if not award.shares)
    return sum(hand.stacks) + sum(hand.bets) + lying + undecided


def from_facts(hand: Hand) -> tuple[int, ...]:
    """The stacks as the facts alone tell them."""
    stacks = list(hand.starting_stacks)
    for fact in hand.facts:
        match fact:
            case Posted() | Called() | BetFact() | RaisedFact():
                stacks[fact.position] -= fact.amount
            case Returned():
                stacks[fact.position] += fact.amount
            case Awarded():
                for position, share in fact.shares:
                    stacks[position] += share
            case _:
                pass
    return tuple(stacks)


def accepted(hand: Hand, verified: Problem | None, then: Hand | None) -> None:
    """A verified action was done, a refused one has one of the codes."""
    if verified is None:
        assert then is not None and then.facts[: len(hand.facts)] == hand.facts and len(then.facts) > len(hand.facts)
    else:
        assert verified.code in CODES


@settings(max_examples=200, deadline=None)
@given(beginnings(), st.randoms(use_true_random=False), st.booleans())
def test_H_3_any_hand_keeps_its_chips_and_ends(hand: Hand, rng: Any, known: bool) -> None:
    total = sum(hand.starting_stacks)
    deck = rng.sample(range(52), 52)
    for position in range(len(hand.stacks)):
        hand = hand.deal_hole(position, (deck.pop(), deck.pop()) if known else None)
    for _ in range(ACTIONS_MOST):
        assert chips(hand) == total
        assert min(hand.stacks) >= 0
        assert from_facts(hand) == hand.stacks
        if hand.over:
            break
        hand = one_step(hand, rng, deck)
    assert hand.over


def one_step(hand: Hand, rng: Any, deck: list[int]) -> Hand:
    if hand.phase == "deal-board":
        assert hand.legal() is None
        return hand.deal_board([deck.pop() for _ in range(1 if hand.street else 3)])
    if hand.phase == "showdown":
        return shown(hand, rng)
    legal = hand.legal()
    assert legal is not None and legal.actor == hand.actor
    assert (legal.check, legal.call is None) in {(True, True), (False, False)}
    accepted(hand, hand.verify_fold(), hand.fold())
    assert (hand.verify_check() is None) == legal.check
    assert (hand.verify_call() is None) == (legal.call is not None)
    check_raises(hand, legal.raise_min, legal.raise_max, rng)
    for other in range(len(hand.stacks)):
        if other != legal.actor:
            refusal = hand.verify_check_or_call(by=other)
            assert refusal is not None and refusal.code == "not-your-turn"
    dice = rng.random()
    if dice < 0.04:
        return hand.kill(rng.choice(hand.live))
    if dice < 0.2:
        return hand.fold()
    if dice < 0.5 and legal.raise_min is not None and legal.raise_max is not None:
        return hand.bet_or_raise(
            rng.choice([legal.raise_min, legal.raise_max, rng.randint(legal.raise_min, legal.raise_max)])
        )
    return hand.check_or_call()


def check_raises(hand: Hand, least: int | None, most: int | None, rng: Any) -> None:
    total = hand.bets[hand.actor or 0] + hand.stacks[hand.actor or 0]
    for to in {
        0,
        1,
        total,
        total + 1,
        total // 2,
        rng.randint(0, 4000),
        *(n + d for n in (least or 0, most or 0) for d in (-1, 0, 1)),
    }:
        refusal = hand.verify_bet_or_raise(to)
        assert (refusal is None) == (least is not None and most is not None and least <= to <= most)
        accepted(hand, refusal, hand.bet_or_raise(to) if refusal is None else None)


def shown(hand: Hand, rng: Any) -> Hand:
    position = hand.actor
    assert position is not None and hand.legal() is None
    if rng.random() < 0.3:
        return hand.settle()
    position = rng.choice(hand.to_show)
    if hand.verify_show(position) is None and rng.random() < 0.6:
        return hand.show(position)
    if hand.verify_muck(position) is not None:  # an all-in hand whose cards nobody knows (H-16)
        return award(hand, [rng.sample(pot.eligible, rng.randint(1, len(pot.eligible))) for pot in claims(hand)])
    return hand.muck(position)
