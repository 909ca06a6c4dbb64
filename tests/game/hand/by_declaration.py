"""Hands up to a point, and what is declared there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from appliance.game.hand.binding import Binding
from appliance.game.hand.declaration import Declaration
from appliance.game.hand.declared import interpret
from appliance.game.hand.hand import Hand
from appliance.game.hand.reasons import sentence
from appliance.game.ruleset import PROFILES

ALL = tuple(PROFILES)
LEAGUE = ("cpl-2017", "cpl")
CASINO = ("casino-2012", "cash-2012")
TDA = ("tda-2024",)


def table(
    profile: str, *acts: str, stacks: Sequence[int] = (20_000,) * 4, blinds: tuple[int, int] = (200, 400)
) -> Hand:
    """A hand after these acts: f, c (check or call), a number (bet or raise to), "flop" (checked or called to it)."""
    hand = Hand.begin(PROFILES[profile], list(stacks), small_blind=200, big_blind=400)
    for position in range(len(stacks)):
        hand = hand.deal_hole(position)
    for act in acts:
        match act:
            case "f":
                hand = hand.fold()
            case "c":
                hand = hand.check_or_call()
            case "flop":
                while hand.phase == "betting":
                    hand = hand.check_or_call()
                hand = hand.deal_board((0, 5, 10))
            case _:
                hand = hand.bet_or_raise(int(act))
    return hand


def bound(hand: Hand, **what: Any) -> Binding:
    """What the player on turn is bound to; the chips must add up and the hand must accept it."""
    assert hand.actor is not None
    binding = interpret(hand, Declaration(position=hand.actor, **what))
    assert isinstance(binding, Binding), binding
    adds_up(hand, binding)
    return binding


def adds_up(hand: Hand, binding: Binding) -> None:
    assert binding.pushed + binding.due == binding.put_in + binding.returned
    assert not (binding.due and binding.returned)
    assert binding.to == hand.bets[binding.position] + binding.put_in
    for lang in ("cs", "en"):
        text = sentence(binding.reason, binding.detail, lang)
        assert text.endswith(".")
        assert "{" not in text
    after = binding.apply(hand)
    assert len(after.facts) > len(hand.facts)
    committed = hand.stacks[binding.position] - binding.put_in
    assert after.stacks[binding.position] >= committed
    if after.street == hand.street and after.phase == "betting":
        assert after.stacks[binding.position] == committed


def outcome(binding: Binding) -> tuple[str, int, int, str]:
    return binding.action, binding.to, binding.returned, binding.reason
