"""Random hands under `tda-2024` against pokerkit: the same choices at every step, the same stacks at the end.

Where the two differ the difference is one of those named here, and is asserted to be exactly that:

- *free folds*: pokerkit refuses a fold where a check is free;
- *short big blind* (H-5): it lets others call what a short big blind posted; here the bet stays the big blind;
- *not reopened* (H-4, addendum 47 examples 1-A and 3-A): it lets some raise again who have acted and face less than a
  full raise, as where the first bet or raise of a street is a short all-in;
- *reopened* (H-4): it counts short all-ins anew once they add up to a full raise, and so refuses a raise to one who
  faces those and a further one;
- *odd chips* (H-14): it gives all the odd chips of a pot to one player, and makes one pot of those left to the winners;
- *an all-in hand* (H-16) may be mucked there.

``TABLESIDE_HANDS`` says how many hands are played.
"""

from __future__ import annotations

import itertools
import os
import random
import warnings
from collections import Counter
from collections.abc import Iterator

import pytest
from pokerkit import Automation, Mode, NoLimitTexasHoldem, State

from appliance.game.hand.cards import cards_text
from appliance.game.hand.facts import Bet, BoardDealt, Called, Checked, Raised, Shown
from appliance.game.hand.hand import Hand
from appliance.game.ruleset import TDA_2024
from tests.game.hand.at_table import dealt, legal, played

HANDS = int(os.environ.get("TABLESIDE_HANDS", "2400"))
CHUNKS = 12
SMALL, BIG = 50, 100
AUTOMATIONS = tuple(set(Automation) - {Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING})

Choices = tuple[int | None, int | None, tuple[int, int] | None]
"""Who is on turn, what a call adds (0 for a check), what a raise may be to."""


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Folds and cards that pokerkit finds unusual are what is wanted here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_H_3_random_hands_have_the_same_choices_and_the_same_end(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk, HANDS, CHUNKS):
        seen += Pair(seed).play()
    assert seen["compared"] > 5 * HANDS // CHUNKS  # choices that were the same
    assert seen["same end"] > 0.8 * HANDS / CHUNKS
    assert seen["free fold"] and seen["short big blind"]


class Pair:
    """One hand, played by both."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        count = self.rng.randint(2, 9)
        stacks = [self._stack() for _ in range(count)]
        ante = self.rng.choice([0, 0, 10])
        self.deck = self.rng.sample(range(52), 52)
        self.ours = Hand.begin(TDA_2024, stacks, small_blind=SMALL, big_blind=BIG, antes=ante)
        self.theirs = NoLimitTexasHoldem.create_state(
            AUTOMATIONS, True, ante, (SMALL, BIG), BIG, tuple(stacks), count, mode=Mode.TOURNAMENT
        )
        self.short_blind = self.ours.bets[0 if count == 2 else 1] < BIG
        self.seen: Counter[str] = Counter()
        for position in range(count):
            cards = (self.deck.pop(), self.deck.pop())
            self.ours = self.ours.deal_hole(position, cards)
            self.theirs.deal_hole(cards_text(cards))

    def _stack(self) -> int:
        return self.rng.choice([self.rng.randint(20, 400), self.rng.randint(200, 1500), self.rng.randint(1000, 20_000)])

    def play(self) -> Counter[str]:
        """The hand to its end, or to a short big blind that makes the two play different hands."""
        while not self.ours.over:
            if self.ours.phase == "deal-board":
                self._board()
            elif self.ours.phase == "showdown":
                self.ours = self.ours.settle()
            elif not self._act():
                return self.seen
        self._compare_ends()
        return self.seen

    def _board(self) -> None:
        assert self.theirs.actor_index is None
        cards = [self.deck.pop() for _ in range(1 if self.ours.street else 3)]
        self.ours = self.ours.deal_board(cards)
        self.theirs.burn_card("??")
        self.theirs.deal_board(cards_text(cards))

    def _act(self) -> bool:
        ours, theirs = our_choices(self.ours), their_choices(self.theirs)
        self._compare_folds(ours[1])
        if self.short_blind and self.ours.street == 0 and max(self.ours.bets) < BIG:
            self._compare_short_blind(ours, theirs)
            return False
        if ours == theirs:
            self.seen["compared"] += 1
            self._both(*ours[1:])
        else:
            self._compare_reopening(ours, theirs)
            self._both(ours[1], None)
        return True

    def _both(self, call: int | None, raises: tuple[int, int] | None) -> None:
        dice = self.rng.random()
        if call and dice < 0.2:
            self.ours = self.ours.fold()
            self.theirs.fold()
        elif raises and dice < 0.5:
            least, most = raises
            near = min(least + self.rng.randint(0, 100), most)
            to = self.rng.choice([least, most, near, self.rng.randint(least, most)])
            self.ours = self.ours.bet_or_raise(to)
            self.theirs.complete_bet_or_raise_to(to)
        else:
            self.ours = self.ours.check_or_call()
            self.theirs.check_or_call()

    # The differences

    def _compare_folds(self, call: int | None) -> None:
        assert legal(self.ours).fold
        assert self.theirs.can_fold() == bool(call)
        self.seen["free fold"] += not call

    def _compare_short_blind(self, ours: Choices, theirs: Choices) -> None:
        """H-5: ours is asked for the big blind, theirs for what lies there."""
        actor = ours[0]
        assert actor is not None and actor == theirs[0]
        missing, stack = BIG - self.ours.bets[actor], self.ours.stacks[actor]
        assert ours[1] == min(missing, stack)
        assert theirs[1] == min(max(self.ours.bets) - self.ours.bets[actor], stack)
        assert ours[2] is None or ours[2][0] == min(2 * BIG, ours[2][1])
        self.seen["short big blind"] += 1

    def _compare_reopening(self, ours: Choices, theirs: Choices) -> None:
        """H-4: the actor has acted; ours may raise if they face a full raise, theirs by its own count."""
        assert ours[:2] == theirs[:2]
        assert (ours[2] is None) != (theirs[2] is None)
        assert ours[0] is not None
        faced, full = self._faced(ours[0])
        assert (faced >= full) == (ours[2] is not None)
        self.seen["reopened" if ours[2] else "not reopened"] += 1

    def _faced(self, actor: int) -> tuple[int, int]:
        """What was bet since the actor acted on this street, and the largest full bet or raise of the street."""
        bet, full, then = BIG, BIG, None
        for fact in self.ours.facts:
            if isinstance(fact, BoardDealt):
                bet, full, then = 0, BIG, None
            if isinstance(fact, Bet | Raised):
                bet, full = fact.to, max(full, fact.to - bet)
            if isinstance(fact, Bet | Raised | Called | Checked) and fact.position == actor:
                then = bet
        assert then is not None, "has not acted"
        return bet - then, full

    def _compare_ends(self) -> None:
        assert not self.theirs.status
        if list(self.ours.stacks) == list(self.theirs.stacks):
            self.seen["same end"] += 1
            return
        assert odd_chips_to_one(self.ours) == list(self.theirs.stacks)
        self.seen["odd chips"] += 1


def our_choices(hand: Hand) -> Choices:
    choices = legal(hand)
    if choices.raise_min is None or choices.raise_max is None:
        return choices.actor, choices.call or 0, None
    return choices.actor, choices.call or 0, (choices.raise_min, choices.raise_max)


def their_choices(state: State) -> Choices:
    least, most = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
    raises = None if least is None or most is None else (least, most)
    return state.actor_index, state.checking_or_calling_amount, raises


def odd_chips_to_one(hand: Hand) -> list[int]:
    """The stacks if pots left to the same of the winning hands were one, all its odd chips the first winner's."""
    stacks = list(hand.stacks)
    winning = {position for award in hand.awards for position, _ in award.shares}
    for _, alike in itertools.groupby(hand.awards, key=lambda award: winning & {*award.eligible}):
        awards = list(alike)
        winners = [position for position, _ in awards[0].shares]
        for position, share in itertools.chain.from_iterable(award.shares for award in awards):
            stacks[position] -= share
        each, odd = divmod(sum(award.amount for award in awards), len(winners))
        for position in winners:
            stacks[position] += each
        stacks[winners[0]] += odd
    return stacks


def test_H_14_pokerkit_gives_all_odd_chips_of_a_pot_to_one() -> None:
    ends = (Pair(seed) for seed in range(6000))
    differing = next(pair for pair in ends if pair.play()["odd chips"])
    assert list(differing.ours.stacks) != list(differing.theirs.stacks)


def test_H_16_pokerkit_lets_an_all_in_player_muck_and_we_do_not() -> None:
    ours = played(dealt("tda-2024", [1000, 1000], "AhAdKhKd"), "a c | | |", "2c3d5h9sJc")
    assert [fact.position for fact in ours.facts if isinstance(fact, Shown)] == [1, 0]
    shown = Automation.HOLE_CARDS_SHOWING_OR_MUCKING
    automations = tuple(set(AUTOMATIONS) - {shown})
    theirs = NoLimitTexasHoldem.create_state(automations, True, 0, (SMALL, BIG), BIG, (1000, 1000), 2)
    for cards in ("AhAd", "KhKd"):
        theirs.deal_hole(cards)
    theirs.complete_bet_or_raise_to(1000)
    theirs.check_or_call()
    assert theirs.showdown_index is not None
    assert theirs.can_show_or_muck_hole_cards(False)
