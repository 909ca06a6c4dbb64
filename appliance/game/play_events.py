"""What happens to players and tables during play, beyond hands and busts; see `events` for the whole list."""

from __future__ import annotations

from typing import Literal

from appliance.game.event import Change, Event, Word
from appliance.game.play import Arrival, DealKind, DealsIn, PenaltyKind, Why
from appliance.game.state import Money
from appliance.game.values import (
    Amount,
    Count,
    Duration,
    Moment,
    Ordinal,
    Participant,
    Seat,
    SeatNumber,
    TableNumber,
    Text,
    Total,
)


class AbsentMarked(Event, frozen=True, kw_only=True):
    """A player is away from the table; the stack is dealt in and posts its blinds (S-8)."""

    participant: Participant


class PresentMarked(Event, frozen=True, kw_only=True):
    """An absent player is back (S-8), or one who sat out is dealt in again."""

    participant: Participant


class SatOut(Event, frozen=True, kw_only=True):
    """A moved player waits for the button instead of posting a blind (S-5)."""

    participant: Participant


class PlayerLocked(Event, frozen=True, kw_only=True):
    """A player is, or is no longer, to stay where they sit: not moved to even out tables."""

    participant: Participant
    on: bool
    reason: Text | None = None


class SeatLocked(Event, frozen=True, kw_only=True):
    """A seat is, or is no longer, kept free: nobody is drawn or moved to it but by a person's word."""

    seat: Seat
    on: bool
    reason: Text | None = None


class PlayerMoved(Event, frozen=True, kw_only=True):
    """A player sits elsewhere now; ``deals_in`` as it looked then (S-3, S-5)."""

    participant: Participant
    source: Seat | None
    target: Seat
    why: Why = "asked"
    deals_in: DealsIn = "next-hand"


class TableBroken(Event, frozen=True, kw_only=True):
    """A table was broken, its players drew these seats (S-4); ``deals_in`` names those not dealt in the next hand."""

    table: TableNumber
    seats: dict[Participant, Seat]
    draw: Ordinal
    deals_in: dict[Participant, DealsIn] = {}


class TakenOut(Event, frozen=True, kw_only=True):
    """A player is out and the stack leaves play: excluded (T-14), or absent when the table was broken (S-8).

    The place is that of a bust in this hand of this table with this stack; ``hand`` None: at this moment.
    """

    participant: Participant
    why: Literal["excluded", "absent"]
    chips: Total
    table: TableNumber | None = None
    hand: Ordinal | None = None
    stack: Total | None = None


class HandForHandSet(Event, frozen=True, kw_only=True):
    """Hand-for-hand play begins or ends (CK-6).

    ``first``: by table, the number of the hand that is its first round, which bears the number ``round``; ``hand_ms``:
    what each round takes off the clock. ``last``: when it ends, by table the number of the last hand.
    """

    on: bool
    first: dict[TableNumber, Ordinal] = {}
    round: Ordinal = 1
    hand_ms: Duration = 0
    last: dict[TableNumber, Count] = {}


class ChipUpGiven(Event, frozen=True, kw_only=True):
    """The bonus stacks of the first break (T-13), chips by participant.

    ``everybody``: it was the round's one hand-out to all who were in.
    """

    chips: dict[Participant, Amount]
    everybody: bool = True


class BonusCardUsed(Event, frozen=True, kw_only=True):
    """A player used the round's bonus card (T-12) for ``chips``."""

    participant: Participant
    chips: Amount


class Reentered(Event, frozen=True, kw_only=True):
    """A bust player is in again with a new deposit and a full stack (T-11); the earlier place is no more."""

    participant: Participant
    deposit: Amount
    chips: Total
    seat: Seat
    draw: Ordinal
    elsewhere: tuple[Money, ...] = ()


class Sanctioned(Event, frozen=True, kw_only=True):
    """A penalty for the log (T-15); an exclusion comes with `TakenOut`. Fields as in `play.Penalty`."""

    participant: Participant
    kind: PenaltyKind
    reason: Text
    until_hand: Count | None = None
    until: Moment | None = None
    league: bool = False


class ColouredUp(Event, frozen=True, kw_only=True):
    """A denomination was changed up at a table (CK-5): ``changes`` of stacks in chips, and the ``stacks`` after it.

    ``total``: all chips of the table after it, None when not everybody's were counted.
    ``cards``: what was dealt for the odd chips; ``won``: who won a larger chip each; ``kept``: who kept one so as not
    to be raced out. ``draw``: the draw of the cards, None if they were given.
    """

    table: TableNumber
    denomination: Amount
    to: Amount
    changes: dict[Participant, Change]
    stacks: dict[Participant, Total]
    total: Total | None = None
    cards: dict[Participant, tuple[Word, ...]] = {}
    won: tuple[Participant, ...] = ()
    kept: tuple[Participant, ...] = ()
    draw: Ordinal | None = None


class DealAgreed(Event, frozen=True, kw_only=True):
    """Those who remain share the prizes so (T-10), in CZK; play goes on for the points."""

    kind: DealKind
    amounts: dict[Participant, Total]
    stacks: dict[Participant, Amount]


class Voided(Event, frozen=True, kw_only=True):
    """A participation is void (LG-10): no place, no points; ``chips`` of one who was in leave play."""

    participant: Participant
    reason: Text
    chips: Total = 0


class TimeCalled(Event, frozen=True, kw_only=True):
    """The floor started the time of a player who thinks (CK-4)."""

    table: TableNumber
    participant: Participant
    think_ms: Duration
    count_ms: Duration
    ends: Literal["fold", "check-or-fold"]


class TimeCallEnded(Event, frozen=True, kw_only=True):
    """The call for time is over: the player acted, or their time ran out (CK-4)."""

    table: TableNumber
    outcome: Literal["acted", "ran-out"]


Waiting = dict[SeatNumber, Arrival]
"""Seats that are not dealt in, and why (S-5)."""
