"""Between a table and its round: what a hand begins with, and what its end asks of the round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from appliance.game.button import clockwise
from appliance.game.colourup import usual_chips
from appliance.game.command import Command
from appliance.game.commands import Bust, Stacks
from appliance.game.refusal import Refusal, not_running
from appliance.game.state import Phase, Round, Status, Table
from appliance.game.tablestream.commands import BeginHand
from appliance.game.tablestream.counts import still_there
from appliance.game.tablestream.events import InHand
from appliance.game.tablestream.state import TableHands


def begin_of(round: Round, number: int, stacks: Mapping[str, int] | None = None) -> BeginHand | Refusal:
    """The command that begins to track the hand which the round has begun at this table.

    ``stacks``: counted at the table, instead of those the round knows. Refused where there is no such hand, fewer
    than two are dealt in, or somebody has no chips to play with.
    """
    table = round.tables.get(number)
    if refusal := not_running(round):
        return refusal
    if table is None or not table.hand or table.button is None or table.bb is None:
        return Refusal("no-hand")
    known = {participant: round.players[participant].chips for participant in table.seats.values()} | dict(stacks or {})
    seats = _by_position(table)
    for seat in seats:
        if known[table.seats[seat]] <= 0:
            return Refusal("no-chips", {"participant": table.seats[seat]})
    if len(seats) < 2:
        return Refusal("no-hand")
    return BeginHand(
        round=round.id,
        venue=round.venue,
        table=number,
        hand=table.hand,
        button=table.button,
        players=tuple(_in_hand(round, table.seats[seat], seat, known) for seat in seats),
        small_blind=None if table.sb is None else table.small_blind,
        big_blind=table.big_blind,
        ante=table.ante,
        ante_by=round.ante_by,
        unit=smallest_chip(round, table, [known[table.seats[seat]] for seat in seats]),
        rules=round.rules,
    )


def proposals(state: TableHands, round: Round) -> tuple[Command, ...]:
    """What the end of the last hand asks of its round: all stacks, then a bust for each who lost theirs (T-7).

    Empty while a hand goes on, for another round's hand, and for what the round knows already. To be given in this
    order, once a hand: what a person counts or corrects later is not the table's to know.
    """
    told = state.last
    if state.current is not None or told is None or told.ended is None:
        return ()
    begun, ended = told.begun, told.ended
    if begun.round != round.id or round.phase is not Phase.RUNNING or begun.table not in round.tables:
        return ()
    there = [player for player in begun.players if still_there(round, begun.table, player)]
    commands: list[Command] = []
    stacks = {player.participant: ended.stacks[player.participant] for player in there}
    as_known = all(round.players[participant].chips == chips for participant, chips in stacks.items())
    if not as_known and round.tables[begun.table].hand == begun.hand:
        commands.append(Stacks(round=round.id, table=begun.table, stacks=stacks))
    for player in there:
        if player.participant in ended.busted:
            bust = Bust(
                round=round.id,
                participant=player.participant,
                table=begun.table,
                hand=begun.hand,
                stack=player.stack,
            )
            commands.append(bust)
    return tuple(commands)


def moved_in_hand(state: TableHands, round: Round) -> dict[str, int]:
    """Who was seated at another table in mid-hand, with the chips they have after it, where the round has it otherwise.

    They are no longer this table's to count: somebody has to tell the round. Empty once it has begun a later hand.
    """
    told = state.last
    if state.current is not None or told is None or told.ended is None or told.begun.round != round.id:
        return {}
    table = round.tables.get(told.begun.table)
    if round.phase is not Phase.RUNNING or table is None or table.hand != told.begun.hand:
        return {}
    players = {dealt.participant: round.players.get(dealt.participant) for dealt in told.begun.players}
    away = {
        participant: player
        for participant, player in players.items()
        if player and player.status is Status.IN and player.seat and player.seat.table != table.number
    }
    stacks = told.ended.stacks
    return {participant: stacks[participant] for participant, p in away.items() if p.chips != stacks[participant]}


def to_reinstate(
    state: TableHands, round: Round, number: int, in_hand: Collection[str] = frozenset()
) -> tuple[str, ...]:
    """Who went out in the hand that was the last at this table, though they have chips after it.

    Somebody else may have put them out while it was played: ``in_hand`` are those seen to be out before its end, and
    who is out without what it left them went out before that was told. Who goes home after it is out with just that.
    """
    last, table = state.last, round.tables.get(number)
    if last is None or last.ended is None or table is None or state.current is not None:
        return ()
    if (last.begun.round, last.begun.hand) != (round.id, table.hand):
        return ()
    if round.phase is not Phase.RUNNING:
        return ()
    stacks, hand = last.ended.stacks, last.begun.hand
    out = [e for e in round.eliminations if round.players[e.participant].status is Status.OUT]
    by_hand = {e.participant for e in out if (e.table, e.hand) == (number, hand)}
    by_others = {
        e.participant
        for e in out
        if e.hand is None and e.seat is not None and (e.seat.table, e.hand_then) == (number, hand)
        if e.participant in in_hand or e.chips != stacks.get(e.participant)
    }
    return tuple(sorted(who for who in by_hand | by_others if stacks.get(who)))


def _in_hand(round: Round, participant: str, seat: int, known: Mapping[str, int]) -> InHand:
    return InHand(participant, seat, known[participant], round.players[participant].absent)


def smallest_chip(round: Round, table: Table, stacks: Iterable[int]) -> int:
    """Of the announced set, else of the usual one where these stacks can be made up of it (H-14)."""
    chip = next((chip for chip in usual_chips(round) if chip > table.coloured_up), 1)
    return chip if round.chip_set or not any(stack % chip for stack in stacks) else 1


def _by_position(table: Table) -> list[int]:
    """Seats that are dealt in, from the small blind on, from the big blind where the small one is dead or two play."""
    seats = [seat for seat in table.seats if seat not in table.arrivals]
    first = table.sb if table.sb in seats and len(seats) > 2 else table.bb
    assert first is not None, "there is a big blind"
    order = clockwise(seats, first)
    return [order[-1], *order[:-1]] if order and order[-1] == first else order
