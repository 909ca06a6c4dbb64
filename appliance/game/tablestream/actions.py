"""What one command does to the hand in play."""

from __future__ import annotations

from typing import NamedTuple

from appliance.game.hand.awarding import award
from appliance.game.hand.cards import UNKNOWN, CardError, parse_cards
from appliance.game.hand.declaration import Declaration
from appliance.game.hand.declared import interpret
from appliance.game.hand.facts import Cards, IllegalAction, Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.out_of_turn import OutOfTurn, out_of_turn
from appliance.game.refusal import Refusal
from appliance.game.tablestream import commands as c
from appliance.game.tablestream.absent import deserted, followed, ready
from appliance.game.tablestream.turns import Early, reason_of, verify_turn


class Played(NamedTuple):
    """The hand after a command; ``reason``: why a declaration was bound to its action; ``early``: what waits now."""

    hand: Hand
    reason: str | None = None
    early: OutOfTurn | None = None


def played(hand: Hand, absent: tuple[int, ...], early: Early, command: c.HandCommand) -> Played | Refusal:
    """What the command leads to, or why it is not allowed; the codes are those of the hand.

    ``absent``: whose cards go by themselves, as a consequence of the same command (S-8). ``early``: what was done out
    of turn on this street, in order (H-9).
    """
    if isinstance(command, c.Act | c.Declare | c.DealBoard):
        hand = ready(hand, absent)
    try:
        match command:
            case c.Declare(out_of_turn=True):
                done = _early(hand, early, command)
            case c.Declare():
                done = _declared(hand, early, command)
            case c.Act(action="all-in"):  # as whoever says so: where that much may not be raised, less or a call (H-4)
                said = c.Declare(round=command.round, hand=command.hand, position=command.position, said="all-in")
                done = _declared(hand, early, said)
            case c.Act():
                after = _act(hand, command)
                done = verify_turn(hand, early, after) or Played(after, reason_of(hand, early))
            case c.Settle() if deserted(hand, absent):
                done = Played(ready(hand, absent))
            case _:
                done = Played(_play(hand, command))
        return done if isinstance(done, Refusal) else done._replace(hand=followed(done.hand, absent))
    except IllegalAction as error:
        return Refusal(error.problem.code, error.problem.detail)
    except CardError as error:
        return Refusal(error.code, error.detail)


def _play(hand: Hand, command: c.HandCommand) -> Hand:
    match command:
        case c.DealHole():
            return hand.deal_hole(command.position, parse_cards(command.cards) or None)
        case c.DealBoard():
            return hand.deal_board(parse_cards(command.cards) or _unknown_board(hand))
        case c.Show():
            return hand.show(command.position, parse_cards(command.cards) or None)
        case c.Muck():
            return hand.muck(command.position)
        case c.Settle():
            return _settle(hand)
        case c.Award():
            return award(hand, command.winners)
        case c.Kill():
            return hand.kill(command.position)
        case c.Restrict():
            return hand.restrict(command.position)
        case _:
            raise TypeError(f"{type(command).__name__} plays nothing")


def _declared(hand: Hand, early: Early, command: c.Declare) -> Played | Refusal:
    """What was said and pushed, as the house reads it; a choice that is left open has to be made first (H-10)."""
    binding = interpret(hand, declaration_of(command))
    if isinstance(binding, Problem):
        raise IllegalAction(binding)
    if binding.decides is not None:
        if command.choice is None:
            return Refusal("choice-open", {"decides": binding.decides, "options": list(binding.options)})
        binding = binding.choose(command.choice)
    after = binding.apply(hand)
    return verify_turn(hand, early, after) or Played(after, reason_of(hand, early) or binding.reason)


def _early(hand: Hand, early: Early, command: c.Declare) -> Played | Refusal:
    """What was done before the turn has come: a fold binds, all else waits (H-9)."""
    if hand.phase == "betting" and hand.actor == command.position:
        return Refusal("on-turn", {"position": command.position})
    acted = out_of_turn(hand, declaration_of(command), early)
    if isinstance(acted, Problem):
        raise IllegalAction(acted)
    return Played(acted.apply(hand), acted.reason if acted.action == "fold" else None, acted)


def declaration_of(command: c.Declare) -> Declaration:
    """What the command says the player did."""
    return Declaration(
        position=command.position,
        said=command.said,
        amount=command.amount,
        by=command.by,
        chips=command.chips,
        motions=command.motions,
        chips_first=command.chips_first,
        unseen=command.unseen,
        repeated=command.repeated,
        meanings=command.meanings,
        uncounted=command.uncounted,
        lying=command.lying,
    )


def _act(hand: Hand, command: c.Act) -> Hand:
    """What needs no reading; an all-in does."""
    by = command.position
    match command.action:
        case "fold":
            return hand.fold(by)
        case "check":
            return hand.check(by)
        case "call":
            return hand.call(by)
        case _:
            assert command.to is not None, "a raise says to how much"
            return hand.bet_or_raise(command.to, by)


def _settle(hand: Hand) -> Hand:
    if hand.phase != "showdown":
        waits = {"waits_for": hand.phase, "actor": hand.actor}
        raise IllegalAction(Problem("hand-over") if hand.over else Problem("not-your-turn", waits))
    return hand.settle()


def _unknown_board(hand: Hand) -> Cards:
    return (UNKNOWN,) * (1 if hand.street else 3)
