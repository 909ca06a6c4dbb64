"""Which of a venue's rounds a screen or a card is about (LG-1: there may be several in one evening). Pure."""

from __future__ import annotations

from collections.abc import Iterable

from appliance.game.state import Phase, Round

SOON_MS = 12 * 3_600_000
"""A round that starts within this time is tonight's, and one that ended within it is still spoken of."""

FORGOTTEN_MS = 24 * 3_600_000
"""A round that nobody ended is no longer tonight's so long after its start."""

_TONIGHT = 3.0


def on_screen(rounds: Iterable[Round], now: int, table: int | None = None) -> Round | None:
    """The round to show at ``now`` (UTC ms), at a table or at a door.

    The one in play comes first, then one that takes registrations for tonight, then one that has just ended, so that
    its players see results or its cancellation, then what is announced. A table shows the round that plays there.
    """
    return min(rounds, key=lambda r: (_rank(r, now) + _distance(r, table), abs(r.starts_at - now), r.id), default=None)


def of_participant(rounds: Iterable[Round], participant: str, now: int, table: int | None = None) -> Round | None:
    """The round a participant's card is about: tonight's that they are in, else one they can still register for."""
    known = list(rounds)
    tonight = [r for r in known if _rank(r, now) < _TONIGHT]
    mine = [r for r in tonight if participant in r.players and r.phase is not Phase.CANCELLED]
    taking = [r for r in tonight if r.phase is Phase.OPEN or (r.phase is Phase.RUNNING and r.late_registration)]
    return on_screen(mine or taking or known, now, table)


def _rank(round: Round, now: int) -> float:
    """How near a round is to what people want to see now; below `_TONIGHT` it is of this evening."""
    match round.phase:
        case Phase.RUNNING:
            return 0.0 if now - round.starts_at < FORGOTTEN_MS else 4.0
        case Phase.OPEN:
            return 1.0 if abs(round.starts_at - now) < SOON_MS else 2.9
        case Phase.FINISHED:
            ended = round.finish.at if round.finish else round.starts_at
            return 2.0 if now - ended < SOON_MS else 5.0
        case Phase.CANCELLED:
            return 2.1 if abs(round.starts_at - now) < SOON_MS else 6.0
        case _:
            return _TONIGHT


def _distance(round: Round, table: int | None) -> float:
    """What a table takes off a round that does not play there: it yields to any of tonight's that does."""
    if table is None:
        return 0.0
    if table in round.tables:
        return 0.0
    return 0.2 if table in round.table_numbers else 2.5
