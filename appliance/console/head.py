"""What stands above every page of a phone: the round's time, level and who is left, as numbers. Pure."""

from __future__ import annotations

from typing import Any

from appliance import evening
from appliance.console.sight import Sight
from appliance.game import clock
from appliance.game.state import Phase, Round


def round_of(sight: Sight, wanted: str | None, now_ms: int, table: int | None = None) -> str | None:
    """The round a phone is about: the one it names, else the one that a kiosk at that table would show."""
    if wanted in sight.ledgers:
        return wanted
    rounds = [ledger.round for ledger in sight.ledgers.values() if ledger.round is not None]
    found = evening.on_screen(rounds, sight.times.right(now_ms), table)
    return found.id if found is not None else None


def head(sight: Sight, round: str | None, now_ms: int) -> dict[str, Any] | None:
    """None where there is no round. Times in milliseconds; ``ends_at`` while the clock runs, else ``left``."""
    ledger = sight.ledgers.get(round) if round is not None else None
    known = ledger.round if ledger is not None else None
    return _told(known, now_ms) if known is not None else None


def _told(round: Round, now_ms: int) -> dict[str, Any]:
    told: dict[str, Any] = {"round": round.id, "phase": round.phase.value, "players": len(round.players)}
    if round.phase is Phase.RUNNING and round.clock is not None:
        face = clock.face(round, now_ms)
        told |= {"level": face.level, "sb": face.sb, "bb": face.bb, "ante": face.ante, "break": face.on_break}
        told |= {"left_in": round.left, "running": face.running, "left": face.remaining_ms, "ends_at": face.ends_at}
    return told
