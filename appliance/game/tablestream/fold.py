"""State is a fold over events. Stacks, busts and the log are taken from them as they stand."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game.codec import EventError, UnknownEvent
from appliance.game.event import Event
from appliance.game.rulings.events import RulingMade
from appliance.game.tablestream.absent import absent_of
from appliance.game.tablestream.correcting import corrected, corrected_steps
from appliance.game.tablestream.events import (
    ActedOutOfTurn,
    ActionUndone,
    HandBegun,
    HandDropped,
    HandEnded,
    HandPlayed,
    PlayerBack,
    StacksCorrected,
)
from appliance.game.tablestream.replay import hand_of, replayed
from appliance.game.tablestream.state import Done, Moment, TableHands, Tracked
from appliance.game.tablestream.turns import still_early

INITIAL_TABLE = TableHands()
"""The table of a stream without events."""


def fold_table(state: TableHands, event: Event | UnknownEvent, cause: str | None) -> TableHands:
    """The table after an event of its stream; ``cause`` is the id of the command that led to it.

    What this version does not know counts as its command's, so that an undo takes back the same everywhere. Raises
    `EventError` for an event that cannot follow.
    """
    now = state.now
    match event:
        case UnknownEvent():
            return set_aside_table(state, cause)
        case RulingMade():
            return replace(state, rulings=(*state.rulings, event))
        case ActionUndone():
            if state.done is None or state.done.cause != event.command:
                raise EventError(f"ActionUndone cannot follow: {event.command} was not the last command")
            return replace(state, now=state.done.before, done=state.done.previous)
        case HandBegun():
            dropped = state.done is not None and cause is not None and state.done.cause == cause
            before = state.done.before if state.done and dropped else now
            return replace(state, now=_begun(now, event), done=Done(cause, before, None))
        case HandPlayed():
            return _remember(state, _played(now, event), cause)
        case ActedOutOfTurn():
            return _remember(state, _acted_early(now, event), cause)
        case PlayerBack():
            return _remember(state, _back(now, event.position), cause)
        case StacksCorrected():
            if (after := corrected(now, event)) is None:
                raise EventError("StacksCorrected cannot follow: not with what was played")
            return replace(state, now=after, done=corrected_steps(state.done, event))
        case HandEnded():
            return _remember(state, _ended(now, event), cause)
        case HandDropped():
            return _remember(state, _closed(now, _tracked(now, event)), cause)
        case _:
            raise EventError(f"{type(event).__name__} changes no table")


def set_aside_table(state: TableHands, cause: str | None) -> TableHands:
    """The table after a command of which an event could not be folded: the hand in play cannot be played on here."""
    if state.current is None:
        return state
    return _remember(state, replace(state.now, hand=None), cause)


def _remember(state: TableHands, now: Moment, cause: str | None) -> TableHands:
    """The events of one command are undone together."""
    done = state.done
    if done is not None and cause is not None and done.cause == cause:
        return replace(state, now=now)
    return replace(state, now=now, done=Done(cause, state.now, done))


def _begun(now: Moment, event: HandBegun) -> Moment:
    stacks = {player.participant: player.stack for player in event.players}
    if now.current is not None or len(stacks) < len(event.players):
        raise EventError("HandBegun cannot follow: a hand is in play, or somebody is in it twice")
    try:
        hand = hand_of(event)
    except ValueError as error:
        raise EventError(f"HandBegun cannot follow: {error}") from None
    playable = hand if hand.facts == event.facts else None
    return Moment(Tracked(event, event.facts), playable, stacks, now.log)


def _played(now: Moment, event: HandPlayed) -> Moment:
    if now.current is None:
        raise EventError("HandPlayed cannot follow: no hand is tracked")
    return replace(
        now,
        current=replace(now.current, facts=(*now.current.facts, *event.facts)),
        hand=now.hand and replayed(now.hand, event.facts),
        early=still_early(now.early, event.facts),
    )


def _acted_early(now: Moment, event: ActedOutOfTurn) -> Moment:
    if now.current is None or event.acted.position >= len(now.current.begun.players):
        raise EventError("ActedOutOfTurn cannot follow: nobody of a hand that is tracked")
    if event.acted.action == "fold":
        current = replace(now.current, folded=(*now.current.folded, event.acted.position))
        return replace(now, current=current, early=(*now.early, event.acted))
    return replace(now, early=(*now.early, event.acted))


def _back(now: Moment, position: int) -> Moment:
    if now.current is None or position not in absent_of(now.current.begun):
        raise EventError("PlayerBack cannot follow: nobody absent of a hand that is tracked")
    players = list(now.current.begun.players)
    players[position] = replace(players[position], absent=False)
    begun = replace(now.current.begun, players=tuple(players))
    return replace(now, current=replace(now.current, begun=begun))


def _ended(now: Moment, event: HandEnded) -> Moment:
    current = _tracked(now, event)
    if event.stacks.keys() != {player.participant for player in current.begun.players}:
        raise EventError("HandEnded cannot follow: not the stacks of those in the hand")
    return replace(_closed(now, replace(current, ended=event)), stacks=event.stacks)


def _closed(now: Moment, current: Tracked) -> Moment:
    return replace(now, current=None, hand=None, log=(*now.log, current), early=())


def _tracked(now: Moment, event: HandEnded | HandDropped) -> Tracked:
    if now.current is None or now.current.begun.hand != event.hand:
        raise EventError(f"{type(event).__name__} cannot follow: hand {event.hand} is not in play")
    return now.current
