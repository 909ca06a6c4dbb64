"""Whether a round's levels run, and up to when the evening's time is known by what was written (DESIGN §5)."""

from __future__ import annotations

from appliance.game.state import Phase, Round
from appliance.journal import Journal


def clock_runs(round: Round | None) -> bool:
    """Whether this round's levels run."""
    return round is not None and round.phase is Phase.RUNNING and round.clock is not None and round.clock.running


def is_played(round: Round | None) -> bool:
    """Whether this round has begun and goes on."""
    return round is not None and round.phase is Phase.RUNNING


def last_written(journal: Journal) -> int:
    """When directors have written last by this copy (UTC ms), 0: never. Tables and the league write by clocks of
    theirs. Raises `JournalError`.
    """
    directors = (stream for stream in journal.streams() if stream.startswith(("round/", "venue/")))
    return max(map(journal.last_at, directors), default=0)
