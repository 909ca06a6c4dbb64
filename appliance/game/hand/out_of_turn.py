"""Acting before it is one's turn: what binds now, and what when the turn comes (H-9, TDA 53)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from appliance.game.hand.binding import Act, Binding
from appliance.game.hand.declared import Declaration, Reading, interpret, verify_declaration
from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand


class OutOfTurn(Struct, frozen=True, kw_only=True):
    """An action out of turn, kept until the turn comes; chips pushed go back until then.

    ``action`` and ``to``: what it would have been. ``bet``: what there was to match, ``turn``: whose turn it was.
    """

    position: int
    declaration: Declaration
    action: Act
    to: int
    bet: int
    turn: int
    returned: int
    reason: Literal["out-of-turn-withdrawn", "out-of-turn-waits", "out-of-turn-fold"]
    rules: tuple[str, ...]
    penalty: Literal["warning"] = "warning"

    def apply(self, hand: Hand) -> Hand:
        """The hand after it: a fold binds at once, all else waits for the player's turn."""
        return hand.kill(self.position) if self.action == "fold" else hand


class Turn(Struct, frozen=True, kw_only=True):
    """What is left to the player once the turn comes.

    ``freedom``: ``bound`` to ``binding``; ``call-or-fold``: no raise; ``free``: all options. `declared` reads what
    they then declare.
    """

    position: int
    freedom: Literal["bound", "call-or-fold", "free"]
    binding: Binding | None = None
    reason: str
    rules: tuple[str, ...]

    def declared(self, hand: Hand, declaration: Declaration) -> Binding | Problem:
        """What the player's new declaration binds them to, under what the earlier one left."""
        if problem := hand.verify_fold(self.position) or hand.verify_fold(declaration.position):
            return problem
        if self.binding is not None:
            return self.binding
        if self.freedom == "free":
            return interpret(hand, declaration)
        passive = replace(hand.betting, passive=hand.betting.passive | 1 << self.position)
        read = interpret(replace(hand, betting=passive), declaration)
        if isinstance(read, Binding) and read.reason == "cards-shown":
            return replace(read, reason=self.reason, rules=self.rules)
        return read


def out_of_turn(hand: Hand, declaration: Declaration) -> OutOfTurn | Problem:
    """What a declaration of a player who is not on turn means now, or why it means nothing."""
    street, position = hand.betting, declaration.position
    if hand.over:
        return Problem("hand-over")
    if problem := verify_declaration(hand, declaration):
        return problem
    turn = street.actor
    folds = declaration.said == "fold" and not declaration.chips_first
    due = street.players if folds else street.waiting  # who has acted may still throw the cards away
    if hand.phase != "betting" or turn is None or turn == position or not due >> position & 1:
        return Problem("not-your-turn", {"actor": turn, "position": position})
    meant = Reading(_as_if_on_turn(hand, position), declaration).binding()
    if isinstance(meant, Problem):
        return meant
    withdrawn = hand.rules.out_of_turn == "withdrawn"
    reason: Literal["out-of-turn-withdrawn", "out-of-turn-waits", "out-of-turn-fold"]
    reason = "out-of-turn-withdrawn" if withdrawn else "out-of-turn-waits"
    return OutOfTurn(
        position=position,
        declaration=declaration,
        action=meant.action,
        to=meant.to,
        bet=street.bet,
        turn=turn,
        returned=declaration.pushed,
        reason="out-of-turn-fold" if meant.action == "fold" else reason,
        rules=("H-9",) if withdrawn else ("H-9", "TDA 53"),
    )


def when_turn_comes(hand: Hand, earlier: OutOfTurn) -> Turn | Problem:
    """What the earlier action means now that the player is on turn, in the same street."""
    if problem := hand.verify_fold(earlier.position):
        return problem
    if hand.rules.out_of_turn == "binding":
        return _after_binding(hand, earlier)
    return _after_withdrawn(hand, earlier)


def _after_binding(hand: Hand, earlier: OutOfTurn) -> Turn | Problem:
    """A check, call or fold of the skipped player changes nothing and the action stands; a bet or raise frees."""
    rules = ("H-9", "TDA 53")
    if hand.betting.bet != earlier.bet:
        return Turn(position=earlier.position, freedom="free", reason="action-changed", rules=rules)
    read = interpret(hand, earlier.declaration)
    if isinstance(read, Problem):
        return read
    reason = "action-not-changed"
    bound = replace(read, reason=reason, rules=tuple(dict.fromkeys((*rules, *read.rules))))
    return Turn(position=earlier.position, freedom="bound", binding=bound, reason=reason, rules=rules)


def _after_withdrawn(hand: Hand, earlier: OutOfTurn) -> Turn | Problem:
    """The bet is gone; what the player who was on turn did says what is left of the choice."""
    street, rules, position = hand.betting, ("H-9",), earlier.position
    if street.bet != earlier.bet and street.raisers[-1:] != (earlier.turn,):
        return Turn(position=position, freedom="free", reason="somebody-else-bet", rules=rules)
    if not street.to_call(position):
        check = interpret(hand, Declaration(position=position, said="check"))
        if isinstance(check, Problem):
            return check
        bound = replace(check, reason="nobody-bet", rules=rules)
        return Turn(position=position, freedom="bound", binding=bound, reason="nobody-bet", rules=rules)
    if street.bet > max(earlier.to, earlier.bet):
        return Turn(position=position, freedom="free", reason="bet-is-larger", rules=rules)
    return Turn(position=position, freedom="call-or-fold", reason="bet-is-no-larger", rules=rules)


def _as_if_on_turn(hand: Hand, position: int) -> Hand:
    return replace(hand, betting=replace(hand.betting, actor=position))
