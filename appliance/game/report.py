"""The round as one object: what ``tableside round --json`` prints, without the refusals."""

from __future__ import annotations

from typing import Any

import msgspec

from appliance.game import clock as clocks
from appliance.game import timecall
from appliance.game.announcement import MINUTE_MS
from appliance.game.balancing import balance_needed
from appliance.game.bonus import settled
from appliance.game.handrounds import rounds_begun
from appliance.game.notices import notices
from appliance.game.play import Arrival, Penalty
from appliance.game.points import points_text
from appliance.game.results import prizes_won, results
from appliance.game.sanctions import next_step
from appliance.game.seating import occupied_tables
from appliance.game.state import Ledger, Phase, Player, Round, Table
from appliance.game.timekeeping import goes_on
from appliance.game.values import time_text


def state_name(round: Round) -> str:
    """The state in one word; paused: the clock was stopped by command.

    A break counts as running, and so does hand-for-hand play, though it holds the clock (CK-6).
    """
    if round.phase is Phase.RUNNING and round.clock is not None and not goes_on(round.clock):
        return "paused"
    return round.phase.value


def report(ledger: Ledger, at_ms: int) -> dict[str, Any]:
    """The round at ``at_ms``, in plain values; before the announcement everything is empty."""
    if ledger.round is None:
        return _nothing()
    round = settled(ledger.round, at_ms)
    return {
        "round": round.id,
        "state": state_name(round),
        "profile": round.profile,
        "clock": clock_report(round, at_ms),
        **_hand_for_hand(round),
        **_deal(round),
        "tables": {str(table.number): _table(table, at_ms) for table in occupied_tables(round)},
        "players": {player.participant: _player(player) for player in round.players.values()},
        "pool": round.pool,
        "chips_in_play": round.chips,
        "balance_needed": balance_needed(round),
        "results": [
            {
                "place": result.place,
                "participant": result.participant,
                "prize": result.prize,
                "points": points_text(result.points_half),
            }
            for result in results(round)
        ],
        **_rulings(round),
        "notices": [{"code": n.code, "detail": dict(n.detail)} for n in notices(round, at_ms)],
    }


def _rulings(round: Round) -> dict[str, Any]:
    """Once there is one, what the commissioner ruled, in order (I-13)."""
    return {"rulings": [msgspec.to_builtins(ruling) for ruling in round.rulings]} if round.rulings else {}


def _hand_for_hand(round: Round) -> dict[str, Any]:
    """While it is on: the round of hands that was begun last, 0 before the first, and the minutes each takes (CK-6)."""
    playing = round.hand_for_hand
    if playing is None:
        return {}
    begun = rounds_begun(round) - playing.round + 1
    return {"hand_for_hand": {"round": begun, "minutes": playing.hand_ms // MINUTE_MS}}


def _deal(round: Round) -> dict[str, Any]:
    """Once there is one: what each of those who dealt gets, as things stand, be they out or still playing (T-10)."""
    if round.deal is None:
        return {}
    won = prizes_won(round)
    amounts = {who: won[who] for who in round.deal.amounts if who in won}
    return {"deal": {"kind": round.deal.kind, "amounts": amounts}}


def _nothing() -> dict[str, Any]:
    return {
        "round": None,
        "state": None,
        "profile": None,
        "clock": None,
        "tables": {},
        "players": {},
        "pool": 0,
        "chips_in_play": 0,
        "balance_needed": False,
        "results": [],
        "notices": [],
    }


def clock_report(round: Round, at_ms: int) -> dict[str, Any]:
    """The clock; a second that has begun counts as left, so that 0 means over."""
    face = clocks.face(round, at_ms)
    return {
        "level": face.level,
        "sb": face.sb,
        "bb": face.bb,
        "ante": face.ante,
        "running": face.running,
        "on_break": face.on_break,
        "remaining_s": -(-face.remaining_ms // 1000),
    }


def _table(table: Table, at_ms: int) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "button": table.button,
        "sb": table.sb,
        "bb": table.bb,
        "hand": table.hand,
        "level": table.level,
        "seats": {str(seat): participant for seat, participant in sorted(table.seats.items())},
    }
    waiting = {str(seat): how.value for seat, how in sorted(table.arrivals.items()) if how is not Arrival.NEW}
    if waiting:
        shown["waiting"] = waiting
    if table.time_call is not None:
        called = timecall.face(table.time_call, at_ms)
        shown["time_call"] = {
            "participant": table.time_call.participant,
            "phase": called.phase,
            "remaining_s": -(-called.remaining_ms // 1000),
        }
    return shown


def _player(player: Player) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "status": player.status.value,
        "deposit": player.deposit,
        "chips": player.chips,
        "seat": list(player.seat) if player.seat else None,
    }
    if player.paid:
        shown["paid"] = player.paid
    if player.absent:
        shown["absent"] = True
    if player.locked:
        shown["locked"] = True
    if player.penalties:
        shown["penalties"] = [_penalty(penalty) for penalty in player.penalties]
        shown["next_penalty"] = next_step(player)
    return shown


def _penalty(penalty: Penalty) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": penalty.kind, "reason": penalty.reason, "at": time_text(penalty.at)}
    if penalty.until_hand is not None:
        shown["until_hand"] = penalty.until_hand
    if penalty.until is not None:
        shown["until"] = time_text(penalty.until)
    if penalty.league:
        shown["league"] = True
    return shown
