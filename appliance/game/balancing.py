"""Evening out tables: who leaves the fullest one, and which seat of the emptiest they get (S-3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from appliance.game.button import clockwise
from appliance.game.dealing import Dealing, dealing, deals_in, hands_until, with_newcomer
from appliance.game.event import Event
from appliance.game.play_commands import (
    Balance,
)
from appliance.game.play_events import PlayerMoved
from appliance.game.refusal import Refusal, not_running, stale
from appliance.game.seating import free_seats, occupied_tables
from appliance.game.state import Phase, Round, Table
from appliance.game.values import Seat


def gap(round: Round) -> int:
    """By how many players the fullest table in play is over the emptiest (S-3); 0 when nothing is played."""
    if round.phase is not Phase.RUNNING:
        return 0
    sizes = [len(table.seats) for table in round.tables.values() if table.seats]
    return max(sizes) - min(sizes) if sizes else 0


def balance_needed(round: Round) -> bool:
    """Whether the tables are to be balanced (S-3)."""
    return gap(round) >= round.rules.balance_gap


def fullest_and_emptiest(round: Round) -> tuple[Table, Table]:
    """The two tables a move for balance is between; of equal ones those with the lowest numbers (S-3)."""
    tables = occupied_tables(round)
    return (
        max(tables, key=lambda table: (len(table.seats), -table.number)),
        min(tables, key=lambda table: (len(table.seats), table.number)),
    )


def proposal(round: Round) -> PlayerMoved | Refusal:
    """The one move that balancing asks for now, or why there is none (S-3).

    From the fullest table to the emptiest, of equal ones those with the lowest numbers that can. Where locks or
    want of seats let no such pair of tables, the next smaller gap is looked at, as long as it is one to balance. A
    table that somebody left or came to is left in peace until its next hand, where its hands are tracked.
    """
    if refusal := not_running(round):
        return refusal
    if not balance_needed(round):
        return Refusal("balanced")
    first: Refusal | None = None
    for _, pairs in groupby(_pairs(round), key=lambda pair: len(pair[0].seats) - len(pair[1].seats)):
        pending: Refusal | None = None
        for source, target in pairs:
            found = _pending(source) or _pending(target)
            if found is not None:
                pending = pending or found
                continue
            move = _move(round, source, target)
            if isinstance(move, PlayerMoved):
                return move
            first = first or move
        if pending is not None:
            return pending
    return first or Refusal("balanced")


def _pairs(round: Round) -> Iterator[tuple[Table, Table]]:
    """Tables so far apart that they are balanced, the widest gap first, then by numbers."""
    tables = occupied_tables(round)
    pairs = ((source, target) for source in tables for target in tables)
    apart = (pair for pair in pairs if len(pair[0].seats) - len(pair[1].seats) >= round.rules.balance_gap)
    return iter(sorted(apart, key=lambda pair: len(pair[1].seats) - len(pair[0].seats)))


def _pending(table: Table) -> Refusal | None:
    if table.hand and table.balanced:
        return Refusal("move-pending", {"table": table.number, "hand": table.hand})
    return None


def _move(round: Round, source: Table, target: Table) -> PlayerMoved | Refusal:
    if not free_seats(round, target):
        return Refusal("no-free-seat", {"needed": 1, "free": 0})
    leaving = _leaving(round, source)
    if leaving is None:
        return Refusal("seat-locked", {"table": source.number})
    to = _seat_for(round, target, leaving.hands)
    return PlayerMoved(
        participant=source.seats[leaving.seat],
        source=Seat(source.number, leaving.seat),
        target=Seat(target.number, to),
        why="balance",
        deals_in=deals_in(round, target.number, to, "balance"),
    )


class _Turn(NamedTuple):
    """A seat and how many hands are dealt before it has the big blind: 0 is the next one."""

    hands: int
    seat: int


def _leaving(round: Round, table: Table) -> _Turn | None:
    """Whose seat is left; None where locks keep everybody.

    The next big blind leaves, or the one after if moved for balance less often (S-3). Locked players are passed
    over; so are those who sit where their registration promised, as long as anybody else can go.
    """
    seated = [(turn, round.players[table.seats[turn.seat]]) for turn in _turns(round, table)]
    free = [(turn, player) for turn, player in seated if not player.locked]
    drawn = [(turn, player) for turn, player in free if player.reserved is None or player.reserved != player.seat]
    next_two = (drawn or free)[:2]
    return min(next_two, key=lambda each: each[1].balanced)[0] if next_two else None


def _turns(round: Round, table: Table) -> list[_Turn]:
    """The seats of a table in the order in which they have the big blind; from the lowest before the first button."""
    found = dealing(round, table)
    first = found.positions.bb if found else None
    order = sorted(table.seats, key=lambda seat: (seat < (first or 0), seat))
    return [_Turn(hands, seat) for hands, seat in enumerate(order)]


def _seat_for(round: Round, table: Table, hands: int) -> int:
    """The seat for one who would have had the big blind after so many hands where they come from (S-3).

    ``same-or-better``: no sooner in the big blind than that, and neither of the next blinds, both as far as seats
    allow; of those the nearest to the big blind, so that nobody gains more than they must. ``worst``: the soonest in
    the big blind, a lone one included; the small blind's seat, which comes last to it, only where no other is free.
    Of equal seats the first clockwise from the last big blind.
    """
    worst = round.rules.balance_seat == "worst"

    def loss(seat: int) -> tuple[bool, bool, int]:
        found = with_newcomer(round, table.number, seat, "balance")
        until = hands_until(found, table, seat)
        return (False, False, until) if worst else _loss(found, seat, until, hands)

    return min(clockwise(free_seats(round, table), table.bb_seat or table.button or 0), key=loss)


def _loss(found: Dealing | None, seat: int, until: int, hands: int) -> tuple[bool, bool, int]:
    """What a seat costs who moves there, the heaviest first: the big blind sooner, a blind at once, many hands free."""
    blind = found is not None and seat in (found.positions.sb, found.positions.bb)
    return until < hands, blind, -until if until < hands else until


def verify_balance(round: Round, command: Balance, _at_ms: int) -> Refusal | None:
    """Why nobody is moved: the tables are even, locks forbid it, the next hand comes first, or somebody else's turn has
    come since the person saw who moves (``stale``)."""
    found = proposal(round)
    return found if isinstance(found, Refusal) else stale(command.seen, found.participant)


def do_balance(round: Round, _: Balance, _at_ms: int) -> tuple[Event, ...]:
    """One player moves; whoever wants the tables even asks again until they are."""
    found = proposal(round)
    if isinstance(found, Refusal):
        raise ValueError(f"nobody to move: {found.code}")
    return (found,)
