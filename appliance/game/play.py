"""What play adds to players and tables: arrivals, instructions, calls for time, hand-for-hand, penalties, deals."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from appliance.game.values import Amount, Seat

Why = Literal["asked", "balance", "broken", "final"]
"""Why a player is moved: the commissioner asked, balancing (S-3), a broken table (S-4), the final table (S-6)."""

DealsIn = Literal["next-hand", "after-button", "big-blind"]
"""When a moved player is dealt in (S-5): in the next hand, once the button has passed, or as a lone big blind."""

PenaltyKind = Literal["warning", "dead-hand", "sit-out", "exclusion"]
DealKind = Literal["icm", "chop", "manual"]


class Arrival(StrEnum):
    """How a seat stands that was taken during play (S-5); settled players have none.

    NEW: since the table's last hand. WAITS: not dealt in until the button has passed. SITS_OUT: chose to wait for
    the button.
    """

    NEW = "new"
    WAITS = "waits"
    SITS_OUT = "sits-out"


class Instruction(Struct, frozen=True, gc=False):
    """Who goes from where to where, and when they are dealt in; it stands until the new table's next hand.

    ``at``: since when (UTC ms).
    """

    participant: str
    source: Seat | None
    target: Seat
    deals_in: DealsIn
    why: Why
    at: int


class HandForHand(Struct, frozen=True, gc=False):
    """Hand-for-hand play is on (CK-6). ``round``: the number of its first round of hands; no two periods share one.

    ``hand_ms``: what a round takes off the clock; 0: the clock is merely stopped.
    """

    round: int
    hand_ms: int


class HandSpan(Struct, frozen=True, gc=False):
    """Hands of a table that are rounds of hand-for-hand play (CK-6): ``first`` is round ``round``, and so on.

    ``last`` is the last of them, None while it goes on. The spans of all periods are kept: a bust that is told late
    belongs to the round its hand was.
    """

    table: int
    first: int
    round: int
    last: int | None = None


class TimeCall(Struct, frozen=True, gc=False):
    """A call for time (CK-4): at ``at`` (UTC ms) ``think_ms`` begin, then ``count_ms`` are counted; then it ends so."""

    participant: str
    at: int
    think_ms: int
    count_ms: int
    ends: Literal["fold", "check-or-fold"]


class Penalty(Struct, frozen=True, gc=False):
    """A sanction in the log (T-15). A sit-out lasts to the end of hand ``until_hand``, or until ``until`` (UTC ms).

    ``league``: the commissioner proposes exclusion from the league.
    """

    at: int
    kind: PenaltyKind
    reason: str
    until_hand: int | None = None
    until: int | None = None
    league: bool = False


class DealMade(Struct, frozen=True, gc=False):
    """A deal (T-10): CZK for each of those who were in."""

    at: int
    kind: DealKind
    amounts: Mapping[str, Amount]
