"""Acting before it is one's turn: what binds now, and what when the turn comes (H-9, TDA 53).

``earlier`` are all the actions out of turn of the street so far, in their order, folds among them: where they bind,
each is read as if those before it had counted, as its player saw them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from appliance.game.hand.betting import members
from appliance.game.hand.binding import Act, Binding
from appliance.game.hand.declaration import Declaration, Position, verify_declaration
from appliance.game.hand.declared import Reading, interpret
from appliance.game.hand.facts import Problem
from appliance.game.hand.hand import Hand
from appliance.game.hand.posting import PLAYERS_MOST
from appliance.game.values import Amount

ACTIONS, WITH_CHIPS = 3, 2
"""Substantial action: so many actions of any kind, or so many of which one puts chips in (TDA 36)."""


class OutOfTurn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An action out of turn, kept until the turn comes; chips pushed go back until then.

    ``action`` and ``to``: what it would have been. ``bet``: what there was to match, ``turn``: whose turn it was.
    ``skipped``: who has lost the right to change it, having said nothing until so many had acted (TDA 53).
    """

    declaration: Declaration
    action: Act
    to: Amount
    bet: Amount
    turn: Position
    returned: Amount = 0
    skipped: Annotated[tuple[Position, ...], Meta(max_length=PLAYERS_MOST)] = ()
    reason: Literal["out-of-turn-withdrawn", "out-of-turn-waits", "out-of-turn-fold"]
    penalty: Literal["warning"] = "warning"

    @property
    def position(self) -> int:
        """Who acted."""
        return self.declaration.position

    def apply(self, hand: Hand) -> Hand:
        """The hand after it: a fold binds at once, all else waits for the player's turn."""
        return hand.kill(self.position) if self.action == "fold" else hand


class Turn(Struct, frozen=True, kw_only=True):
    """What is left to the player once the turn comes.

    ``freedom``: ``bound`` to ``binding``; ``call-or-fold``: no bet or raise; ``free``: all options. `declared` reads
    what they then declare.
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


def out_of_turn(hand: Hand, declaration: Declaration, earlier: Sequence[OutOfTurn] = ()) -> OutOfTurn | Problem:
    """What a declaration of a player who is not on turn means now, or why it means nothing."""
    position, turn = declaration.position, hand.betting.actor
    if hand.over:
        return Problem("hand-over")
    if problem := verify_declaration(hand, declaration):
        return problem
    folds = declaration.said == "fold" and not declaration.chips_first
    if not folds and (kept := _kept(earlier, position)):
        return Problem("out-of-turn-kept", {"position": position, "action": kept.action, "to": kept.to})
    seen = _as_seen(hand, earlier)
    due = hand.betting.players if folds else seen.betting.waiting  # who has acted may still throw the cards away
    if hand.phase != "betting" or turn is None or turn == position or not due >> position & 1:
        return Problem("not-your-turn", {"actor": turn, "position": position})
    meant = Reading(_as_if_on_turn(seen, position), declaration).binding()
    if isinstance(meant, Problem):
        return meant
    reason: Literal["out-of-turn-withdrawn", "out-of-turn-waits", "out-of-turn-fold"] = "out-of-turn-waits"
    if meant.action == "fold":
        reason = "out-of-turn-fold"
    elif hand.rules.out_of_turn == "withdrawn":
        reason = "out-of-turn-withdrawn"
    acted = OutOfTurn(
        declaration=declaration,
        action=meant.action,
        to=meant.to,
        bet=seen.betting.bet,
        turn=turn,
        returned=declaration.pushed,
        reason=reason,
    )
    return replace(acted, skipped=_skipped(hand, (*earlier, acted)))


def turn_of(hand: Hand, earlier: Sequence[OutOfTurn]) -> Turn | None:
    """What earlier actions leave to the player on turn; None where they have no say in it."""
    position = hand.actor
    if hand.phase != "betting" or position is None:
        return None
    if kept := _kept(earlier, position):
        turn = when_turn_comes(hand, kept)
        return turn if isinstance(turn, Turn) else None
    if any(position in each.skipped for each in earlier):
        return Turn(position=position, freedom="call-or-fold", reason="skipped", rules=("H-9", "TDA 53"))
    return None


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


def _kept(earlier: Sequence[OutOfTurn], position: int) -> OutOfTurn | None:
    return next((each for each in earlier if each.position == position and each.action != "fold"), None)


def _as_seen(hand: Hand, earlier: Sequence[OutOfTurn]) -> Hand:
    """The hand as if the earlier actions had counted, where they bind."""
    if hand.rules.out_of_turn == "withdrawn":
        return hand
    for each in earlier:
        if each.position in hand.live and hand.phase == "betting":
            as_if = _as_if_on_turn(hand, each.position)
            meant = Reading(as_if, each.declaration).binding()
            hand = hand if isinstance(meant, Problem) else meant.apply(as_if)
    return hand


def _skipped(hand: Hand, acted: Sequence[OutOfTurn]) -> tuple[int, ...]:
    """Who said nothing until there was substantial action behind them, in the order of their turns."""
    turn, count = hand.betting.actor, len(hand.stacks)
    if hand.rules.out_of_turn == "withdrawn" or turn is None:
        return ()
    skipped = []
    for position in sorted(members(hand.betting.waiting), key=lambda each: (each - turn) % count):
        behind = [each for each in acted if (each.position - turn) % count > (position - turn) % count]
        chips = any(each.action in ("call", "bet", "raise") for each in behind)
        if not _kept(acted, position) and len(behind) >= (WITH_CHIPS if chips else ACTIONS):
            skipped.append(position)
    return tuple(skipped)


def _as_if_on_turn(hand: Hand, position: int) -> Hand:
    return replace(hand, betting=replace(hand.betting, actor=position))
