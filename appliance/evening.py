"""Which of a venue's rounds a screen, a card or a menu is about (LG-1: several may be in one evening). Pure."""

from __future__ import annotations

from collections.abc import Iterable

from appliance.game.results import prizes_won
from appliance.game.state import Phase, Round, Status

SOON_MS = 12 * 3_600_000
"""A round that starts within this time is tonight's, and one that ended within it is still spoken of."""

FORGOTTEN_MS = 24 * 3_600_000
"""A round that nobody ended is no longer tonight's so long after its start."""

READ_MS = 15 * 60_000
"""How long results are read, also where no prize waits to be paid."""

_OPEN = 1.0
_TONIGHT = 3.0


def on_screen(rounds: Iterable[Round], now: int, table: int | None = None, *, door: bool = False) -> Round | None:
    """The round to show at ``now`` (UTC ms), at a table, at a ``door``, or on a wall.

    The one in play comes first, then one whose results are still to be read or paid, which a door leaves to the
    tables; then one that takes registrations for tonight, then one that has ended, so that its players see results or
    its cancellation, then what is announced. A table shows the round that plays there.
    """
    found = _nearest(rounds, now, table, door)
    return found[0] if found else None


def of_tonight(rounds: Iterable[Round], now: int, table: int | None = None, *, door: bool = False) -> tuple[Round, ...]:
    """The rounds a commissioner may have to do with at ``now``, that of the screen first: those in play and open
    whenever they began, those that start soon, and those that ended within a day."""
    return tuple(r for n, r in enumerate(_nearest(rounds, now, table, door)) if n == 0 or _may_be_needed(r, now))


def of_participant(rounds: Iterable[Round], participant: str, now: int, table: int | None = None) -> Round | None:
    """The round a participant's card is about: tonight's that they are in, else one they can still register for.

    At a door (``table`` None) the latter comes before one that is over for them.
    """
    known = list(rounds)
    tonight = [r for r in known if _rank(r, now) < _TONIGHT]
    mine = [r for r in tonight if participant in r.players and r.phase is not Phase.CANCELLED]
    taking = [r for r in tonight if r.phase is Phase.OPEN or (r.phase is Phase.RUNNING and r.late_registration)]
    if table is None and mine and all(_is_over(r, participant) for r in mine):
        mine = [r for r in taking if _rank(r, now) <= _OPEN and participant not in r.players] or mine
    return on_screen(mine or taking or known, now, table, door=True)


def _nearest(rounds: Iterable[Round], now: int, table: int | None, door: bool) -> list[Round]:
    def key(r: Round) -> tuple[float, int, str]:
        return _rank(r, now, door) + _distance(r, table), abs(r.starts_at - now), r.id

    return sorted(rounds, key=key)


def _may_be_needed(round: Round, now: int) -> bool:
    if round.phase in (Phase.RUNNING, Phase.OPEN):
        return True
    if round.phase is Phase.FINISHED:
        return now - _ended(round) < FORGOTTEN_MS
    return abs(round.starts_at - now) < SOON_MS


def _is_over(round: Round, participant: str) -> bool:
    """Whether a participant has nothing more to play in it."""
    return round.phase is Phase.FINISHED or round.players[participant].status not in (Status.REGISTERED, Status.IN)


def _ended(round: Round) -> int:
    return round.finish.at if round.finish else round.starts_at


def _is_read(round: Round, now: int) -> bool:
    """Whether nobody waits for its results any more: there was time to read them, and every prize was handed over."""
    return now - _ended(round) >= READ_MS and round.paid >= sum(prizes_won(round).values())


def _rank(round: Round, now: int, door: bool = False) -> float:
    """How near a round is to what people want to see now; below `_TONIGHT` it is of this evening."""
    match round.phase:
        case Phase.RUNNING:
            return 0.0 if now - round.starts_at < FORGOTTEN_MS else 4.0
        case Phase.OPEN:
            return _OPEN if abs(round.starts_at - now) < SOON_MS else 2.9
        case Phase.FINISHED:
            if now - _ended(round) >= SOON_MS:
                return 5.0
            return 2.0 if door or _is_read(round, now) else 0.5
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
