"""A count during a hand: the commissioner is believed, and the hand goes on as if it had begun with those stacks."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game.hand.hand import Hand
from appliance.game.tablestream.events import HandBegun, StacksCorrected
from appliance.game.tablestream.replay import hand_of, replayed
from appliance.game.tablestream.state import Done, Moment, Tracked


def corrected(now: Moment, event: StacksCorrected) -> Moment | None:
    """The moment with these stacks at the beginning of its hand; None where what was played since could not be."""
    current = now.current
    if current is None or current.begun.hand != event.hand:
        return None
    players = tuple(replace(p, stack=event.stacks.get(p.participant, p.stack)) for p in current.begun.players)
    begun = replace(current.begun, players=players, unit=event.unit)
    hand = _played_again(begun, current)
    if hand is None and now.hand is not None:
        return None
    stacks = {player.participant: player.stack for player in players}
    return replace(now, current=replace(current, begun=begun), hand=hand, stacks=stacks)


def corrected_steps(done: Done | None, event: StacksCorrected) -> Done | None:
    """The steps of the hand, so that an undo of what was played keeps the count."""
    if done is None or (before := corrected(done.before, event)) is None:
        return done
    return Done(done.cause, before, corrected_steps(done.previous, event))


def _played_again(begun: HandBegun, told: Tracked) -> Hand | None:
    try:
        hand = hand_of(begun)
    except ValueError:
        return None
    posted = len(begun.facts)
    return replayed(hand, told.facts[posted:]) if hand.facts == told.facts[:posted] else None
