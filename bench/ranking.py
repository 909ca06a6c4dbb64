"""Seven-card hands ranked, against treys: pure Python as well, with a table of every hand's rank."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import treys

from appliance.game.hand.cards import DECK, card_text
from appliance.game.hand.ranking import strength
from bench.measure import Figure, paired_rates

HANDS = 5_000


def figures() -> Iterator[Figure]:
    """The same random hands for both, each in its own notation."""
    chance = random.Random(1)
    hands = [chance.sample(DECK, 7) for _ in range(HANDS)]
    theirs = {card: treys.Card.new(card_text(card)) for card in DECK}
    evaluate = treys.Evaluator().evaluate

    def as_treys(hand: list[int]) -> int:
        return evaluate(hand[:2], hand[2:])

    ratio, ours, peer = paired_rates(
        _each(strength, hands), _each(as_treys, [[theirs[card] for card in hand] for hand in hands]), step=500
    )
    yield Figure("seven-card rankings / treys", ratio, 1.0, True, f"{ours:.0f}/s against {peer:.0f}/s")


def _each(rank: Callable[[list[int]], int], hands: list[list[int]]) -> Callable[[int], None]:
    around = itertools.cycle(hands)

    def work(count: int) -> None:
        for hand in itertools.islice(around, count):
            rank(hand)

    return work
