"""A hand told in a few words, for the tests of the hand.

``f`` fold, ``k`` check, ``c`` call, ``300`` bet or raise to 300, ``a`` all-in, ``|`` the next street of the board,
``.`` the rest of the showdown. Positions as in the hand: 0 the small blind, the last one the button.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from appliance.game.hand.cards import UNKNOWN, parse_cards
from appliance.game.hand.facts import Fact, IllegalAction
from appliance.game.hand.hand import Hand
from appliance.game.hand.legal import Legal
from appliance.game.ruleset import PROFILES

TOURNAMENTS = [name for name, rules in PROFILES.items() if rules.tournament]
LEAGUE = ["cpl-2017", "cpl"]
CUMULATIVE = ["casino-2012", "tda-2024", "cash-2012"]


def dealt(
    profile: str, stacks: Sequence[int], holes: str = "", *, small: int | None = 50, big: int = 100, **options: Any
) -> Hand:
    """A hand at its first action; ``holes`` two cards each, of all players, else they are unknown."""
    hand = Hand.begin(PROFILES[profile], stacks, small_blind=small, big_blind=big, **options)
    cards = iter(parse_cards(holes) if holes else itertools.repeat(UNKNOWN))
    for position in range(len(stacks)):
        hand = hand.deal_hole(position, (next(cards), next(cards)))
    return hand


def played(hand: Hand, script: str, board: str = "") -> Hand:
    """The hand after the words of the script; ``board`` the cards to come, else unknown."""
    cards = iter(parse_cards(board) if board else itertools.repeat(UNKNOWN))
    for word in script.split():
        hand = _done(hand, word, cards)
    return hand


def _done(hand: Hand, word: str, cards: Iterator[int]) -> Hand:
    match word:
        case "f":
            return hand.fold()
        case "k":
            return hand.check()
        case "c":
            return hand.call()
        case "a":
            return hand.bet_or_raise(hand.bets[actor(hand)] + hand.stacks[actor(hand)])
        case "|":
            return hand.deal_board([next(cards) for _ in range(1 if hand.street else 3)])
        case ".":
            return hand.settle()
        case _:
            return hand.bet_or_raise(int(word))


def actor(hand: Hand) -> int:
    """Who is on turn; somebody has to be."""
    assert hand.actor is not None
    return hand.actor


def legal(hand: Hand) -> Legal:
    """What the one on turn may do; somebody has to be."""
    choices = hand.legal()
    assert choices is not None
    return choices


def raises(hand: Hand) -> tuple[int, int] | None:
    """What a raise may be to, or None."""
    choices = legal(hand)
    if choices.raise_min is None or choices.raise_max is None:
        return None
    return choices.raise_min, choices.raise_max


def refused(hand: Hand, word: str) -> str:
    """The code with which the action is refused."""
    with pytest.raises(IllegalAction) as caught:
        _done(hand, word, itertools.repeat(UNKNOWN))
    return caught.value.problem.code


def told(hand: Hand, kind: type[Fact]) -> list[Any]:
    """The facts of this kind, in order."""
    return [fact for fact in hand.facts if isinstance(fact, kind)]
