"""Calls for time (CK-4): opponents ask, the floor starts the player's time, then counts it down, then the hand ends.

The floor refuses a call by not giving the command. The player acts, or the time runs out; a fold then is the dealer's
to carry out. The next hand, and the player leaving the table, end a call as well.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from appliance.game import play_commands as c
from appliance.game.event import Event
from appliance.game.hands import verify_table
from appliance.game.play import TimeCall
from appliance.game.play_events import TimeCalled, TimeCallEnded
from appliance.game.refusal import Refusal, not_in_play, not_running
from appliance.game.state import Round


class CallFace(NamedTuple):
    """What a call for time shows: the phase, and in milliseconds what is left of it (0 when it is over)."""

    phase: Literal["thinking", "counting", "over"]
    remaining_ms: int


def face(call: TimeCall, at_ms: int) -> CallFace:
    """How a call stands at ``at_ms`` (UTC ms)."""
    thinking = call.at + call.think_ms - at_ms
    if thinking > 0:
        return CallFace("thinking", thinking)
    counting = thinking + call.count_ms
    return CallFace("counting", counting) if counting > 0 else CallFace("over", 0)


def verify_time_call(round: Round, command: c.TimeCall, _at_ms: int) -> Refusal | None:
    """Why no time is started: the player does not sit there, or there is a call at that table."""
    refusal = not_running(round) or verify_table(round, command.table) or not_in_play(round, command.participant)
    if refusal:
        return refusal
    seat = round.players[command.participant].seat
    if seat is None or seat.table != command.table:
        return Refusal("not-at-table", {"participant": command.participant, "table": command.table})
    call = round.tables[command.table].time_call
    if call is not None:
        return Refusal("time-already-called", {"table": command.table, "participant": call.participant})
    return None


def do_time_call(round: Round, command: c.TimeCall, _at_ms: int) -> tuple[Event, ...]:
    """The house's time and count begin to run, and how the hand ends with them is told."""
    rules = round.rules
    called = TimeCalled(
        table=command.table,
        participant=command.participant,
        think_ms=rules.time_call_s * 1000,
        count_ms=rules.time_count_s * 1000,
        ends=rules.time_call_ends,
    )
    return (called,)


def verify_time_end(round: Round, command: c.TimeEnd, at_ms: int) -> Refusal | None:
    """Why no call ends: there is none, or the time that is to have run out has not."""
    if refusal := not_running(round) or verify_table(round, command.table):
        return refusal
    call = round.tables[command.table].time_call
    if call is None:
        return Refusal("no-time-call", {"table": command.table})
    left_ms = call.at + call.think_ms + call.count_ms - at_ms
    if command.outcome == "ran-out" and left_ms > 0:
        return Refusal("time-left", {"participant": call.participant, "remaining_s": -(-left_ms // 1000)})
    return None


def do_time_end(_: Round, command: c.TimeEnd, _at_ms: int) -> tuple[Event, ...]:
    """The player acted, or the hand ends as the house has it."""
    return (TimeCallEnded(table=command.table, outcome=command.outcome),)
