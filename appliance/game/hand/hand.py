"""One hand of no-limit hold'em, from the blinds to the award (H-1 to H-5, H-11 to H-14, H-16).

A `Hand` never changes. Every action has a ``verify_…``, which says why it is not allowed (None if it is), and a doing
of the plain name, which returns the next hand or raises `IllegalAction`. What happened is in ``facts``.
Cards may be unknown: who has not shown both cannot win at a showdown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec.structs import replace

from appliance.game.hand.betting import Street, Terms
from appliance.game.hand.cards import DECK, UNKNOWN, card_text
from appliance.game.hand.closing import awarded, claimed, mucked, played, told
from appliance.game.hand.facts import (
    BoardDealt,
    Card,
    Dealt,
    Folded,
    IllegalAction,
    Killed,
    Problem,
    Restricted,
    Shown,
)
from appliance.game.hand.posting import PLAYERS_MOST, Dues, antes_of, blinds_of, post
from appliance.game.hand.showdown import may_muck
from appliance.game.hand.state import HOLE_CARDS, HandState
from appliance.game.ruleset import RuleSet


class Hand(HandState, frozen=True, gc=False, kw_only=True):
    """A hand, and what can be done in it."""

    @classmethod
    def begin(
        cls,
        rules: RuleSet,
        stacks: Sequence[int],
        *,
        small_blind: int | None = 0,
        big_blind: int,
        antes: Sequence[int] | int = 0,
        ante_by: Literal["player", "bb"] = "player",
        antes_dead: bool | None = None,
        blinds: Sequence[int] | None = None,
        min_bet: int | None = None,
        unit: int = 1,
        dead: Collection[int] = (),
        dead_posts: Sequence[int] | None = None,
    ) -> Hand:
        """A hand with antes and blinds posted, waiting for the hole cards.

        ``small_blind`` None: its seat is empty, the first position has the big blind (S-7). ``blinds``: what each
        position posts instead, straddles included, live posts negative, heads-up in the order small, big, as in PHH.
        ``dead``: positions that post no blind though it would be theirs. ``dead_posts``: chips each puts into the pot
        without their counting as a bet. ``ante_by`` bb: the blind is paid first, and nobody matches the ante;
        ``antes_dead`` says the latter of antes from every player too. Raises ValueError where the numbers make no hand.
        """
        count = len(stacks)
        if not 2 <= count <= PLAYERS_MOST or min(stacks) <= 0 or big_blind < 0 or unit <= 0:
            raise ValueError("a hand needs two to twenty-two stacks of chips")
        owed = blinds_of(count, small_blind, big_blind) if blinds is None else tuple(blinds)
        if blinds is not None and count == 2:
            owed = owed[::-1]
        owed = tuple(0 if position in dead else blind for position, blind in enumerate(owed))
        dues = Dues(
            blinds=owed,
            antes=antes_of(antes, ante_by, owed),
            dead=tuple(dead_posts or [0] * count),
            antes_dead=ante_by == "bb" if antes_dead is None else antes_dead,
            antes_last=ante_by == "bb",
        )
        if not len(owed) == len(dues.antes) == len(dues.dead) == count or min(*dues.antes, *dues.dead) < 0:
            raise ValueError("blinds, antes and posts are one number a position")
        table = post(tuple(stacks), dues)
        terms = Terms.of(rules, min_bet or big_blind)
        street = Street(
            terms=terms,
            stacks=table.stacks,
            bets=table.bets,
            live=(1 << count) - 1,
            bet=dues.bet,
            full=min_bet or max(dues.bet, big_blind),
        )
        return cls(
            rules=rules,
            starting_stacks=tuple(stacks),
            unit=unit,
            betting=street,
            paid=table.paid,
            opener=dues.first,
            holes=((),) * count,
            facts=table.facts,
        )

    # The dealer

    def verify_deal_hole(self, position: int, cards: Sequence[Card] | None = None) -> Problem | None:
        """Why these cards, or unknown ones, cannot be dealt to this player."""
        if self.phase != "deal-hole":
            return self._not_now()
        if not 0 <= position < len(self.holes):
            return Problem("bad-notation", {"reason": "no-such-position", "position": position})
        count = HOLE_CARDS if cards is None else len(cards)
        if not 1 <= count <= HOLE_CARDS - len(self.holes[position]):
            return Problem("bad-notation", {"reason": "two-cards-each", "position": position})
        return self._repeated(cards or ())

    def deal_hole(self, position: int, cards: Sequence[Card] | None = None) -> Hand:
        """Deal one or two cards to a player; none given: two unknown ones. The last card begins the betting."""
        _raise(self.verify_deal_hole(position, cards))
        dealt = (UNKNOWN,) * HOLE_CARDS if cards is None else tuple(cards)
        holes = (*self.holes[:position], self.holes[position] + dealt, *self.holes[position + 1 :])
        fact = Dealt(position, dealt)
        if () in holes or any(len(each) < HOLE_CARDS for each in holes):
            return told(self, fact, holes=holes, seen=self._seen(dealt))
        hand = replace(self, holes=holes, seen=self._seen(dealt))
        return played(hand, self.betting.begun(self.opener), fact)

    def verify_deal_board(self, cards: Sequence[Card]) -> Problem | None:
        """Why these cards cannot be the flop, the turn or the river now."""
        if self.phase != "deal-board":
            return self._not_now()
        if len(cards) != (1 if self.street else 3):
            return Problem("bad-notation", {"reason": "cards-of-a-street", "cards": len(cards)})
        return self._repeated(cards)

    def deal_board(self, cards: Sequence[Card]) -> Hand:
        """Deal the flop (three cards), the turn or the river (one)."""
        _raise(self.verify_deal_board(cards))
        dealt, old = tuple(cards), self.betting
        street = Street(
            terms=old.terms,
            stacks=old.stacks,
            bets=old.bets,
            live=old.live,
            passive=old.passive,
            full=old.terms.minimum_bet,
        )
        number = self.street + 1
        board = self.board + dealt
        hand = replace(self, street=number, board=board, seen=self._seen(dealt), phase="betting")
        return played(hand, street.begun(0), BoardDealt(number, dealt))

    # The players

    def verify_fold(self, by: int | None = None) -> Problem | None:
        """Why the player on turn, who is ``by`` if given, cannot fold."""
        if self.phase != "betting":
            return self._not_now()
        if by is not None and by != self.betting.actor:
            return Problem("not-your-turn", {"actor": self.betting.actor, "position": by})
        return None

    def fold(self, by: int | None = None) -> Hand:
        """The player on turn gives up the hand; also where a check is free."""
        _raise(self.verify_fold(by))
        position = self._actor
        return played(self, self.betting.without(position), Folded(position))

    def verify_check(self, by: int | None = None) -> Problem | None:
        """Why the player on turn cannot check."""
        if problem := self.verify_fold(by):
            return problem
        if call := self.betting.to_call(self._actor):
            return Problem("cannot-check", {"call": call})
        return None

    def check(self, by: int | None = None) -> Hand:
        """The player on turn passes."""
        _raise(self.verify_check(by))
        return self.check_or_call()

    def verify_call(self, by: int | None = None) -> Problem | None:
        """Why the player on turn cannot call."""
        if problem := self.verify_fold(by):
            return problem
        return None if self.betting.to_call(self._actor) else Problem("nothing-to-call")

    def call(self, by: int | None = None) -> Hand:
        """The player on turn matches the bet, or goes all-in for less."""
        _raise(self.verify_call(by))
        return self.check_or_call()

    def verify_check_or_call(self, by: int | None = None) -> Problem | None:
        """Why the player on turn can neither check nor call: it is not their turn."""
        return self.verify_fold(by)

    def check_or_call(self, by: int | None = None) -> Hand:
        """The player on turn checks, or calls where there is something to call."""
        _raise(self.verify_fold(by))
        street, fact = self.betting.checked_or_called()
        return played(self, street, fact)

    def verify_bet_or_raise(self, to: int, by: int | None = None) -> Problem | None:
        """Why the player on turn cannot bet or raise to this total (H-3, H-4)."""
        return self.verify_fold(by) or self.betting.verify_raise(self._actor, to)

    def bet_or_raise(self, to: int, by: int | None = None) -> Hand:
        """The player on turn bets, or raises, to this total on the street."""
        _raise(self.verify_bet_or_raise(to, by))
        street, fact = self.betting.raised(to)
        return played(self, street, fact)

    # The floor

    def verify_kill(self, position: int) -> Problem | None:
        """Why this hand cannot be declared dead."""
        if self.over:
            return Problem("hand-over")
        return None if position in self.live else Problem("not-your-turn", {"position": position})

    def kill(self, position: int) -> Hand:
        """Declare a hand dead, on turn or not: an absent player's (S-8), a penalty (T-15), a fold out of turn (H-9)."""
        _raise(self.verify_kill(position))
        return played(self, self.betting.without(position), Killed(position))

    def restrict(self, position: int) -> Hand:
        """The player may only check, call or fold from now on, where the profile says so (H-16)."""
        _raise(self.verify_kill(position))
        betting = self.betting
        if self.rules.exposed_cards == "passive-only":
            betting = replace(betting, passive=betting.passive | 1 << position)
        return told(self, Restricted(position), betting=betting)

    # The showdown

    def verify_show(self, position: int, cards: Sequence[Card] | None = None) -> Problem | None:
        """Why this player cannot lay open these cards, or those dealt."""
        if problem := self._verify_claim(position):
            return problem
        dealt = self.holes[position]
        if cards is None:
            return Problem("bad-notation", {"reason": "cards-not-known"}) if UNKNOWN in dealt else None
        if len(cards) != HOLE_CARDS:
            return Problem("bad-notation", {"reason": "two-cards-each", "position": position})
        rest = [card for card in cards if card not in dealt or card == UNKNOWN]
        if len([card for card in dealt if card == UNKNOWN]) < len([card for card in rest if card != UNKNOWN]):
            return Problem("bad-notation", {"reason": "not-the-cards-dealt", "position": position})
        return self._repeated([card for card in rest if card != UNKNOWN])

    def show(self, position: int, cards: Sequence[Card] | None = None) -> Hand:
        """Lay open the hand, in order or out of it; one card alone, the other unknown, is no claim (H-13)."""
        _raise(self.verify_show(position, cards))
        hole = self.holes[position] if cards is None else tuple(cards)
        if UNKNOWN in hole:
            return self.muck(position, [card for card in hole if card != UNKNOWN])
        holes = (*self.holes[:position], hole, *self.holes[position + 1 :])
        shown = (*self.shown, position)
        return claimed(told(self, Shown(position, hole), shown=shown, holes=holes, seen=self._seen(hole)))

    def verify_muck(self, position: int) -> Problem | None:
        """Why this player cannot give up the claim: it is lost already, or all hands are shown (H-16)."""
        problem = self._verify_claim(position)
        return Problem("all-in-shows", {"position": position}) if problem is None and self.tabled else problem

    def muck(self, position: int, shown: Sequence[Card] = ()) -> Hand:
        """Give up the claim at the showdown, with at most one card shown (H-13)."""
        _raise(self.verify_muck(position))
        return mucked(self, position, shown)

    def settle(self) -> Hand:
        """The rest of the showdown: in order, who is beaten mucks and the others show; the pots are awarded.

        Who holds unknown cards does not show, and wins only where all the others mucked.
        """
        hand = self
        for position in self.to_show:
            if hand.phase != "showdown":
                break
            if UNKNOWN not in hand.holes[position]:
                hand = hand.muck(position) if may_muck(hand, position) else hand.show(position)
        return awarded(hand) if hand.phase == "showdown" else hand

    # Within

    @property
    def _actor(self) -> int:
        assert self.betting.actor is not None, "nobody is on turn"
        return self.betting.actor

    def _not_now(self) -> Problem:
        if self.over:
            return Problem("hand-over")
        return Problem("not-your-turn", {"waits_for": self.phase, "actor": self.actor})

    def _verify_claim(self, position: int) -> Problem | None:
        if self.phase != "showdown" and not (self.show_order and self.phase == "deal-board"):
            return self._not_now()
        return None if position in self.to_show else Problem("not-your-turn", {"position": position})

    def _repeated(self, cards: Sequence[Card]) -> Problem | None:
        seen = self.seen
        for card in cards:
            if card == UNKNOWN:
                continue
            if not 0 <= card < len(DECK):
                return Problem("bad-notation", {"reason": "no-such-card", "card": card})
            if seen >> card & 1:
                return Problem("card-repeated", {"card": card_text(card)})
            seen |= 1 << card
        return None

    def _seen(self, cards: Sequence[Card]) -> int:
        seen = self.seen
        for card in cards:
            if card != UNKNOWN:
                seen |= 1 << card
        return seen


def _raise(problem: Problem | None) -> None:
    if problem is not None:
        raise IllegalAction(problem)
