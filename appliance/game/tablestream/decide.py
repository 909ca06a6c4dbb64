"""A table's stream: commands in, events or a refusal out."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from appliance.game.event import Event
from appliance.game.hand.hand import Hand
from appliance.game.refusal import Refusal
from appliance.game.rulings.evaluate import RulingError
from appliance.game.rulings.events import RulingMade, made
from appliance.game.tablestream import commands as c
from appliance.game.tablestream.absent import absent_of
from appliance.game.tablestream.actions import played
from appliance.game.tablestream.correcting import corrected
from appliance.game.tablestream.events import (
    ActedOutOfTurn,
    ActionUndone,
    Facts,
    HandBegun,
    HandDropped,
    HandEnded,
    HandPlayed,
    PlayerBack,
    StacksCorrected,
)
from appliance.game.tablestream.replay import hand_of
from appliance.game.tablestream.state import TableHands, Tracked


def decide_table(state: TableHands, command: c.TableCommand) -> tuple[Event, ...] | Refusal:
    """What the command leads to, or why it is refused; folding the events is up to the caller."""
    match command:
        case c.BeginHand():
            return verify_begin(state, command) or _begin(state, command)
        case c.MakeRuling():
            return _ruling(state, command)
        case c.UndoAction():
            return verify_undo(state, command) or (ActionUndone(command=state.done.cause if state.done else None),)
        case c.PlayerBack():
            return verify_back(state, command) or (PlayerBack(position=command.position),)
        case c.CorrectStacks():
            return _correct(state, command)
        case c.EndHand():
            return verify_end(state, command) or (_ended(_tracked(state), command.stacks, counted=True),)
        case c.DropHand():
            return verify_hand(state, command) or (HandDropped(hand=command.hand),)
        case c.HandCommand():
            return verify_hand(state, command) or _play(state, command)
        case _:
            raise TypeError(f"{type(command).__name__} is no command of a table")


def verify_hand(state: TableHands, command: c.HandCommand) -> Refusal | None:
    """Why this hand is not the one in play: a late key, or none is tracked."""
    if state.current is None:
        return Refusal("no-hand")
    begun = state.current.begun
    if (begun.round, begun.hand) != (command.round, command.hand):
        return Refusal("wrong-hand", {"hand": command.hand, "here": begun.hand})
    return None


def verify_begin(state: TableHands, command: c.BeginHand) -> Refusal | None:
    """Why this hand cannot be begun: it or a later one was already, or somebody is in it twice."""
    for told in (state.current, None if command.again else state.last):
        if told and told.begun.round == command.round and told.begun.hand >= command.hand:
            return Refusal("hand-begun", {"hand": command.hand, "here": told.begun.hand})
    seen = [player.participant for player in command.players]
    twice = [participant for participant in seen if seen.count(participant) > 1]
    return Refusal("twice-in-hand", {"participant": twice[0]}) if twice else None


def verify_back(state: TableHands, command: c.PlayerBack) -> Refusal | None:
    """Why nobody came back: the player was not absent, or the cards are gone."""
    if refusal := verify_hand(state, command):
        return refusal
    begun, hand = _tracked(state).begun, state.hand
    if command.position not in absent_of(begun):
        return Refusal("not-absent", {"position": command.position})
    gone = hand.verify_kill(command.position) if hand is not None else None
    return Refusal(gone.code, gone.detail) if gone else None


def verify_end(state: TableHands, command: c.EndHand) -> Refusal | None:
    """Why these are not the stacks after the hand: not of those in it, or not the chips they began with."""
    if refusal := verify_hand(state, command):
        return refusal
    players = _tracked(state).begun.players
    those = {player.participant for player in players}
    if strangers := sorted(command.stacks.keys() - those):
        return Refusal("not-in-hand", {"participant": strangers[0]})
    if missing := sorted(those - command.stacks.keys()):
        return Refusal("stacks-missing", {"participants": missing})
    before, after = sum(player.stack for player in players), sum(command.stacks.values())
    return None if before == after else Refusal("chips-differ", {"expected": before, "counted": after})


def verify_undo(state: TableHands, command: c.UndoAction) -> Refusal | None:
    """Why nothing is taken back: no command of this hand is left, or another came in between (``stale``)."""
    hand = state.current or state.last
    if state.done is None or hand is None:
        return Refusal("nothing-to-undo")
    if (hand.begun.round, hand.begun.hand) != (command.round, command.hand):
        return Refusal("wrong-hand", {"hand": command.hand, "here": hand.begun.hand})
    if command.of is not None and command.of != state.done.cause:
        return Refusal("stale", {"of": command.of, "newest": state.done.cause})
    return None


def _begin(state: TableHands, command: c.BeginHand) -> tuple[Event, ...] | Refusal:
    begun = HandBegun(
        round=command.round,
        venue=command.venue,
        table=command.table,
        hand=command.hand,
        button=command.button,
        players=command.players,
        small_blind=command.small_blind,
        big_blind=command.big_blind,
        ante=command.ante,
        ante_by=command.ante_by,
        unit=command.unit,
        live=command.live,
        dead=command.dead,
        rules=command.rules,
    )
    dropped = (HandDropped(hand=state.current.begun.hand),) if state.current else ()
    hand = hand_of(begun)
    return (*dropped, replace(begun, facts=hand.facts))


def _play(state: TableHands, command: c.HandCommand) -> tuple[Event, ...] | Refusal:
    before, tracked = state.hand, _tracked(state)
    if before is None:
        return Refusal("hand-in-doubt")
    done = played(before, absent_of(tracked.begun), state.now.early, command)
    if isinstance(done, Refusal):
        return done
    early = (ActedOutOfTurn(acted=done.early),) if done.early else ()
    return (*early, *_led_to(tracked, before, done.hand, done.reason))


def _led_to(tracked: Tracked, before: Hand, after: Hand, reason: str | None = None) -> tuple[Event, ...]:
    """What happened between, and the end of the hand where all is known of it."""
    if after is before:
        return ()
    told = HandPlayed(facts=cast("Facts", after.facts[len(before.facts) :]), reason=reason)
    if not after.over or after.undecided:
        return (told,)
    return (told, _ended(tracked, _stacks(tracked, after), counted=False))


def _correct(state: TableHands, command: c.CorrectStacks) -> tuple[Event, ...] | Refusal:
    """The count at the hand's beginning, if what was played since can be played with it."""
    if refusal := verify_hand(state, command):
        return refusal
    those = {player.participant for player in _tracked(state).begun.players}
    if strangers := sorted(command.stacks.keys() - those):
        return Refusal("not-in-hand", {"participant": strangers[0]})
    event = StacksCorrected(hand=command.hand, stacks=dict(command.stacks), unit=command.unit)
    return (event,) if corrected(state.now, event) is not None else Refusal("count-too-late", {"hand": command.hand})


def _ruling(state: TableHands, command: c.MakeRuling) -> tuple[RulingMade] | Refusal:
    told = state.current or state.last
    rules = command.rules or (told.begun.rules if told and told.begun.round == command.round else None)
    if rules is None:
        return Refusal("ruling-incomplete", {"field": "rules", "reason": "no hand here says by which rules it is"})
    try:
        ruled = made(
            command.ruling,
            dict(command.facts),
            rules,
            decision=command.decision,
            reason=command.reason,
            hand=command.hand,
        )
    except RulingError as error:
        return Refusal(error.code, {"field": error.field, "reason": str(error)})
    return (replace(ruled, round=command.round),)


def _tracked(state: TableHands) -> Tracked:
    assert state.current is not None, "verified"
    return state.current


def _stacks(tracked: Tracked, hand: Hand) -> dict[str, int]:
    players = (player.participant for player in tracked.begun.players)
    return dict(zip(players, hand.stacks, strict=True))


def _ended(tracked: Tracked, stacks: dict[str, int], *, counted: bool) -> HandEnded:
    busted = tuple(player.participant for player in tracked.begun.players if not stacks[player.participant])
    return HandEnded(hand=tracked.begun.hand, stacks=dict(stacks), busted=busted, counted=counted)
