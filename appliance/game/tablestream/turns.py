"""Actions out of turn in a table's stream: kept until the turn comes in the same street, then held against it (H-9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from appliance.game.hand import facts as f
from appliance.game.hand.binding import Binding
from appliance.game.hand.hand import Hand
from appliance.game.hand.out_of_turn import OutOfTurn, Turn, turn_of
from appliance.game.refusal import Refusal

Early = tuple[OutOfTurn, ...]
"""What was done out of turn on this street, in order."""


def verify_turn(before: Hand, early: Early, after: Hand) -> Refusal | None:
    """Why the player on turn may not do what leads to ``after``: they have acted before, or spoken up too late."""
    turn = turn_of(before, early)
    if turn is None or turn.freedom == "free":
        return None
    done = after.facts[len(before.facts) :]
    if turn.binding is None:
        raised = isinstance(done[0], f.Bet | f.Raised)
        return Refusal("call-or-fold", {"reason": turn.reason}) if raised else None
    if any(option.apply(before).facts[len(before.facts) :] == done for option in _options(turn.binding)):
        return None
    return Refusal("bound-by-earlier", {"action": turn.binding.action, "to": turn.binding.to, "reason": turn.reason})


def reason_of(before: Hand, early: Early) -> str | None:
    """Why the player on turn is bound, if they are."""
    turn: Turn | None = turn_of(before, early)
    return turn.reason if turn is not None and turn.binding is not None else None


def still_early(early: Early, facts: Sequence[f.Fact]) -> Early:
    """What of it still counts after these facts: not what somebody did whose turn has come, nothing on a new street."""
    for fact in facts if early else ():
        match fact:
            case f.BoardDealt():
                return ()
            case f.Folded(by) | f.Checked(by) | f.Called(by) | f.Bet(by) | f.Raised(by):
                early = tuple(
                    replace(each, skipped=tuple(other for other in each.skipped if other != by))
                    for each in early
                    if each.position != by
                )
    return early


def _options(binding: Binding) -> tuple[Binding, ...]:
    choices: tuple[Literal["call", "fold"], ...] = ("call", "fold")
    return tuple(binding.choose(option) for option in choices if option in binding.options) or (binding,)
