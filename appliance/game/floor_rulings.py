"""The commissioner's rulings in a round's own record: what happened, what followed, who decided why (I-13)."""

from __future__ import annotations

from appliance.game.event import Event
from appliance.game.play_commands import Ruling
from appliance.game.refusal import Refusal, not_running
from appliance.game.rulings.evaluate import RulingError
from appliance.game.rulings.events import RulingMade, made
from appliance.game.state import Phase, Round


def verify_ruling(round: Round, command: Ruling, _at_ms: int) -> Refusal | None:
    """Why there is no such ruling: before play, at no table, or something missing or not asked for."""
    if round.phase is not Phase.FINISHED and (refusal := not_running(round)):
        return refusal
    if command.table is not None and command.table not in round.tables:
        return Refusal("no-such-table", {"table": command.table})
    try:
        _made(round, command)
    except RulingError as error:
        return Refusal(error.code, {"field": error.field, "reason": str(error)})
    return None


def do_ruling(round: Round, command: Ruling, _at_ms: int) -> tuple[Event, ...]:
    """What the round's own rules make of it."""
    return (_made(round, command),)


def _made(round: Round, command: Ruling) -> RulingMade:
    return made(
        command.ruling,
        dict(command.facts),
        round.rules,
        decision=command.decision,
        reason=command.reason,
        hand=command.hand,
        table=command.table,
    )
