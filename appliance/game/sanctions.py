"""Sanctions: warning, dead hand, sitting out, exclusion, and the log of them (T-14, T-15)."""

from __future__ import annotations

from appliance.game.announcement import MINUTE_MS
from appliance.game.ending import decided, taken_out
from appliance.game.event import Event
from appliance.game.fold import apply
from appliance.game.play import PenaltyKind
from appliance.game.play_commands import (
    Sanction,
)
from appliance.game.play_events import Sanctioned, TakenOut
from appliance.game.refusal import Refusal, not_in_play, not_running, stale
from appliance.game.state import Phase, Player, Round, Status

LADDER: tuple[PenaltyKind, ...] = ("warning", "dead-hand", "sit-out", "exclusion")
"""From the mildest sanction to the hardest (T-15)."""


def next_step(player: Player) -> PenaltyKind:
    """What to answer the player's next offence with: one step above the hardest so far (T-15).

    A proposal: the commissioner decides, and may skip steps.
    """
    steps = [LADDER.index(penalty.kind) + 1 for penalty in player.penalties]
    return LADDER[min(max(steps, default=0), len(LADDER) - 1)]


def verify_sanction(round: Round, command: Sanction, _at_ms: int) -> Refusal | None:
    """Why there is no such sanction: who is not in play cannot be given a dead hand, sit out or be excluded.

    A warning, and the proposal to exclude from the league, can be logged for everybody, also after the end. What two
    saw that nobody had been punished for yet, one of them punishes (``stale``).
    """
    if round.phase is not Phase.FINISHED and (refusal := not_running(round)):
        return refusal
    if command.participant not in round.players:
        return Refusal("not-registered", {"participant": command.participant})
    for_the_log = command.kind == "warning" or (command.kind == "exclusion" and command.league)
    if not for_the_log and (refusal := not_running(round) or not_in_play(round, command.participant)):
        return refusal
    if refusal := stale(command.seen, len(round.players[command.participant].penalties)):
        return refusal
    if command.kind == "sit-out" and command.hands is not None and command.minutes is not None:
        return Refusal("sit-out-length", {"hands": command.hands, "minutes": command.minutes})
    return None


def do_sanction(round: Round, command: Sanction, at_ms: int) -> tuple[Event, ...]:
    """The sanction for the log; an excluded player goes out as if bust at that moment, the chips leave play.

    A sit-out of hands is counted from the hand in play at the player's table, which still is theirs; without hands
    and minutes it lasts until the floor says otherwise.
    """
    player = round.players[command.participant]
    logged = Sanctioned(
        participant=command.participant,
        kind=command.kind,
        reason=command.reason,
        until_hand=_until_hand(round, player, command),
        until=at_ms + command.minutes * MINUTE_MS if command.kind == "sit-out" and command.minutes else None,
        league=command.league,
    )
    if command.kind != "exclusion" or round.phase is not Phase.RUNNING or player.status is not Status.IN:
        return (logged,)
    gone = TakenOut(participant=command.participant, why="excluded", chips=taken_out(round, player))
    return (logged, gone, *decided(apply(gone, round, at_ms), at_ms))


def _until_hand(round: Round, player: Player, command: Sanction) -> int | None:
    if command.kind != "sit-out" or command.hands is None or player.seat is None:
        return None
    return round.tables[player.seat.table].hand + command.hands
