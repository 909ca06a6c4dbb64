"""Whole random hands of nine players, every check on, against pokerkit playing hands of the same kind.

Actions are counted that players take: fold, check, call, bet, raise. Dealing, showdown and award are in the time.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

from pokerkit import Automation, Mode, NoLimitTexasHoldem

from appliance.game.hand.hand import Hand
from appliance.game.ruleset import TDA_2024
from bench.measure import Figure, paired_rates

PLAYERS = 9
SMALL, BIG = 50, 100
HANDS = 500
SEED = 20


def figures() -> Iterator[Figure]:
    """Actions a second against pokerkit's."""
    ratio, ours, theirs = paired_rates(_Actions(_ours).take, _Actions(_theirs).take, pairs=9, step=200)
    note = f"{ours:.0f} actions a second against {theirs:.0f}"
    yield Figure("random hands of nine / pokerkit", ratio, 25, True, note)


class _Actions:
    """Endless hands, taken action by action: the stacks, decks and dice are drawn beforehand."""

    def __init__(self, play: Callable[..., Iterator[None]]) -> None:
        rng = random.Random(SEED)
        drawn = [
            (
                [rng.randint(100, 5000) for _ in range(PLAYERS)],
                rng.sample(range(52), 52),
                [rng.random() for _ in range(199)],
            )
            for _ in range(HANDS)
        ]
        self._played = itertools.chain.from_iterable(play(*each) for each in itertools.cycle(drawn))

    def take(self, count: int) -> None:
        """That many actions more."""
        for _ in itertools.islice(self._played, count):
            pass


def _ours(stacks: list[int], deck: list[int], dice: list[float]) -> Iterator[None]:
    hand = Hand.begin(TDA_2024, stacks, small_blind=SMALL, big_blind=BIG)
    cards, die = iter(deck), iter(itertools.cycle(dice))
    for position in range(PLAYERS):
        hand = hand.deal_hole(position, (next(cards), next(cards)))
    while not hand.over:
        if legal := hand.legal():
            choice = next(die)
            if legal.call and choice < 0.3:
                hand = hand.fold()
            elif legal.raise_min is not None and legal.raise_max is not None and choice > 0.8:
                hand = hand.bet_or_raise(_between(legal.raise_min, legal.raise_max, next(die)))
            else:
                hand = hand.check_or_call()
            yield
        elif hand.phase == "deal-board":
            hand = hand.deal_board([next(cards) for _ in range(1 if hand.street else 3)])
        else:
            hand = hand.settle()


def _theirs(stacks: list[int], deck: list[int], dice: list[float]) -> Iterator[None]:
    state = NoLimitTexasHoldem.create_state(
        tuple(Automation), True, 0, (SMALL, BIG), BIG, tuple(stacks), PLAYERS, mode=Mode.TOURNAMENT
    )
    die = iter(itertools.cycle(dice))
    while state.status:
        choice = next(die)
        if state.checking_or_calling_amount and choice < 0.3:
            state.fold()
        elif choice > 0.8 and state.can_complete_bet_or_raise_to():
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            assert least is not None and most is not None
            state.complete_bet_or_raise_to(_between(least, most, next(die)))
        else:
            state.check_or_call()
        yield


def _between(least: int, most: int, share: float) -> int:
    return least + int((most - least) * share * share)
