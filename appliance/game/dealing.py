"""Who is dealt in next at a table, and with which blinds: players who came during play (S-5), on top of S-7.

Call *s* and *b* the small- and big-blind positions of the hand just played: in the next one the button belongs to *s*,
the small blind to *b*, and the big blind to the first player after *b*. Everything here follows from four rules:

- Who came to a seat plays at once and takes the seat's duties: on *b* the small blind, between *b* and the next
  player the big blind, on *s* the button.
- Who came to a seat between *s* and *b* waits: the button would reach the blinds before it reached them. When the
  button has passed them they are dealt in. Where nobody but the players on *s* and *b* is left, the one on *s* has the
  big blind, the button goes between them, and nobody waits.
- Who waits is not there: neither button nor blinds count them. Where fewer than two are settled nobody has to wait.
- Who had the last big blind and merely changed seats keeps their turn as long as no settled player was passed: the
  position moves with them, so that they have the small blind next, not the big blind again.

**Decided** where houses differ, by the switches ``moved_in`` (S-5) and ``balance_seat`` (S-3):

- ``between-blinds-waits``: where the next small blind would be dead, the first newcomer after *s*, up to *b*, has a
  lone big blind; the button lies on *s* in this hand and the next, in which the newcomer has the small blind and the
  player who was due has the big blind. A newcomer on *s* takes the button only after the player before them had it;
  else they wait one hand and it lies dead on their seat.
- ``worst``: one who was moved to *b* to even out tables has the lone big blind too (TDA 11: that seat may have it twice
  running; the worst place is never the small blind).
- ``may-wait``: one who would post a blind may sit out until the button is on their seat or has passed it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from appliance.game.button import Positions, between, clockwise, first_hand, lone_big_blind, next_hand
from appliance.game.play import Arrival, DealsIn, Why
from appliance.game.ruleset import RuleSet
from appliance.game.state import Round, Table
from appliance.game.values import Seat


class Dealing(NamedTuple):
    """The positions of a hand and the seats that are not dealt in, with why not."""

    positions: Positions
    waiting: Mapping[int, Arrival]


def dealing(round: Round, table: Table) -> Dealing | None:
    """The next hand of a table as it looks now; None where its button is still to be drawn (S-2).

    The first hand after a button was placed has everybody in: nobody has missed or paid anything yet.
    """
    if table.button is None:
        return None
    if table.sb_seat is None or table.bb_seat is None:
        return Dealing(first_hand(table.seats, table.button), {})
    return _plain(table) or _Looked(round.rules, table, _moved_to_balance(round, table)).dealing()


def _plain(table: Table) -> Dealing | None:
    """The next hand where no newcomer needs a look, as most often: all came to play, on seats beyond the blinds."""
    assert table.button is not None and table.sb_seat is not None and table.bb_seat is not None
    for seat, how in table.arrivals.items():
        beyond = between(table.bb_seat, seat, table.sb_seat)
        if not beyond or how is Arrival.SITS_OUT or table.seats[seat] == table.last_bb:
            return None
    positions = next_hand(table.seats, table.button, table.sb_seat, table.bb_seat)
    return None if positions.button in table.arrivals else Dealing(positions, {})


def upcoming(round: Round, table: int) -> Positions | None:
    """The positions of a table's next hand as it looks now; None where its button is still to be drawn."""
    found = dealing(round, round.tables[table])
    return found.positions if found else None


def deals_in(round: Round, table: int, seat: int, why: Why = "asked") -> DealsIn:
    """When one who came to this free seat now would be dealt in (S-5); ``why`` they would be moved."""
    return dealt_in(with_newcomer(round, table, seat, why), seat)


def dealt_in(found: Dealing | None, seat: int) -> DealsIn:
    """When the player at this seat is dealt in, as a table's next hand looks; with the button undrawn, at once."""
    if found is None:
        return "next-hand"
    if seat in found.waiting:
        return "after-button"
    return "big-blind" if found.positions.bb == seat and found.positions.sb is None else "next-hand"


def hands_until_big_blind(round: Round, table: int, seat: int, *, arriving: bool, why: Why = "asked") -> int:
    """How many hands are dealt before this seat has the big blind, if all stay: 0 is the next one.

    ``arriving``: the seat is free and somebody would come to it. 0 where the button is still to be drawn.
    """
    at_table = round.tables[table]
    found = with_newcomer(round, table, seat, why) if arriving else dealing(round, at_table)
    return hands_until(found, at_table, seat)


def hands_until(found: Dealing | None, table: Table, seat: int) -> int:
    """The same, where the table's next hand has been looked at."""
    if found is None or found.positions.bb is None:
        return 0
    order = clockwise({*table.seats, seat}, found.positions.bb)
    return (order.index(seat) + 1) % len(order)


def may_choose(round: Round, seat: Seat) -> bool:
    """Whether one who came to this seat would post a blind in the next hand, and so may sit out (A, B: S-5).

    Not before the first hand after a button was placed, nor for one who merely changed seats and keeps their turn.
    """
    table = round.tables[seat.table]
    if table.button is None or table.sb_seat is None or table.bb_seat is None:
        return False
    _, arrivals = _turn_kept(table, table.sb_seat, table.bb_seat)
    if arrivals.get(seat.seat) is not Arrival.NEW:
        return False
    positions = _Looked(round.rules, table, ()).dealing().positions
    return seat.seat in (positions.sb, positions.bb)


def with_newcomer(round: Round, number: int, seat: int, why: Why) -> Dealing | None:
    """A table's next hand if one more came to this free seat; None where its button is still to be drawn."""
    table = round.tables[number]
    table = replace(table, seats={**table.seats, seat: ""}, arrivals={**table.arrivals, seat: Arrival.NEW})
    if table.button is None:
        return None
    if table.sb_seat is None or table.bb_seat is None:
        return dealing(round, table)
    if plain := _plain(table):
        return plain
    moved = _moved_to_balance(round, table)
    return _Looked(round.rules, table, {*moved, seat} if why == "balance" else moved).dealing()


def _moved_to_balance(round: Round, table: Table) -> Collection[int]:
    """Seats whose player came to even out tables since the table's last hand (S-3)."""
    told = round.instructions
    return [seat for seat in table.arrivals if (i := told.get(table.seats[seat])) and i.why == "balance"]


class _Looked:
    """A table with newcomers before its next hand."""

    def __init__(self, rules: RuleSet, table: Table, balanced: Collection[int]) -> None:
        assert table.button is not None and table.sb_seat is not None and table.bb_seat is not None
        self._rules = rules
        self._table = table
        self._balanced = balanced
        self._button = table.button
        self._s = table.sb_seat
        self._b, self._arrivals = _turn_kept(table, table.sb_seat, table.bb_seat)
        self._left = table.bb_seat
        self._settled = {seat for seat in table.seats if seat not in self._arrivals}
        self._free_for_all = len(self._settled) < 2

    def dealing(self) -> Dealing:
        waiting = self._sitting_out()
        playing = {seat for seat in self._table.seats if seat not in waiting}
        lone = self._lone(playing)
        for seat in self._waiting_for_the_button(playing, lone or self._b):
            waiting[seat] = Arrival.WAITS
            playing.discard(seat)
        if len(playing) < 2:
            return Dealing(self._positions(set(self._table.seats), None), {})
        positions = self._positions(playing, lone)
        while not self._may_have_button(positions, playing):
            waiting[positions.button] = Arrival.WAITS
            playing.discard(positions.button)
            positions = self._positions(playing, lone)
        return Dealing(positions, dict(sorted(waiting.items())))

    def _positions(self, playing: set[int], lone: int | None) -> Positions:
        if lone is not None:
            return lone_big_blind(self._s, lone)
        return next_hand(playing, self._button, self._s, self._b)

    def _sitting_out(self) -> dict[int, Arrival]:
        """Who chose to wait for the button and would still come before it, up to the next settled player."""
        chose = [seat for seat, how in self._arrivals.items() if how is Arrival.SITS_OUT]
        if not chose:
            return {}
        others = self._settled or {seat for seat in self._table.seats if seat not in chose}
        due = clockwise(others, self._b)[0] if others else self._b
        out = [seat for seat in chose if seat == self._b or between(self._b, seat, due)]
        if not others <= {self._s, self._b}:
            out += [seat for seat in chose if between(self._s, seat, self._b)]
        return dict.fromkeys(out, Arrival.SITS_OUT)

    def _waiting_for_the_button(self, playing: set[int], blind: int) -> list[int]:
        """Newcomers between the button and the first blind, unless the button goes between the only two others.

        Where the small blind moved a seat back, also those between it and the seat it left: the big blind is not
        theirs but the next settled player's.
        """
        if self._free_for_all:
            return []
        new = [seat for seat in self._arrivals if seat in playing]
        left = [seat for seat in new if between(self._s, self._b, self._left) and self._was_blind(seat)]
        inside = [seat for seat in new if between(self._s, seat, blind)]
        return left if playing.difference(inside, left) <= {self._s, self._b} else inside + left

    def _was_blind(self, seat: int) -> bool:
        return seat == self._left or between(self._b, seat, self._left)

    def _lone(self, playing: set[int]) -> int | None:
        """The newcomer who has a lone big blind, where the small blind would be dead."""
        if self._free_for_all or self._b in self._settled:
            return None
        if self._rules.moved_in == "between-blinds-waits":
            may = [x for x in self._arrivals if x in playing and (x == self._b or between(self._s, x, self._b))]
        elif self._rules.balance_seat == "worst":
            may = [x for x in self._arrivals if x == self._b and x in self._balanced]
        else:
            return None
        return clockwise(may, self._s)[0] if may else None

    def _may_have_button(self, positions: Positions, playing: set[int]) -> bool:
        """Everybody has a right to the button: nobody new takes it before the player ahead of them had it (C)."""
        new = self._arrivals.get(positions.button) is Arrival.NEW and positions.button in playing
        if self._rules.moved_in != "between-blinds-waits" or self._free_for_all or len(playing) < 3 or not new:
            return True
        before = clockwise(playing, positions.button)[-2]
        if self._table.dealer is not None:
            return self._table.seats[before] == self._table.dealer
        return before == clockwise(self._settled, self._button)[-1]


def _turn_kept(table: Table, s: int, b: int) -> tuple[int, Mapping[int, Arrival]]:
    """The big blind's position and the newcomers, once the one who had the big blind is looked at.

    Who changed seats within the table and passed no settled player is no newcomer, and the position moves along.
    """
    arrivals = table.arrivals
    moved = next((seat for seat in arrivals if table.last_bb and table.seats[seat] == table.last_bb), None)
    if moved is None:
        return b, arrivals
    settled = [seat for seat in table.seats if seat not in arrivals]
    behind = moved == b or between(s, moved, b)
    if not behind and any(between(b, seat, moved) for seat in settled):
        return b, arrivals
    return moved, {seat: how for seat, how in arrivals.items() if seat != moved}
