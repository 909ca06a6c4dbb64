"""How the course of a round is folded: from the announcement to the finish, hands and busts among it."""

from __future__ import annotations

from msgspec.structs import replace

from appliance.game import clock as clocks
from appliance.game.apply import (
    BEFORE_START,
    PLAY_AND_AFTER,
    Folds,
    check_clock,
    everybody_in,
    standing,
    with_more_chips,
    with_player,
    with_table,
)
from appliance.game.events import (
    Busted,
    Cancelled,
    ClockSet,
    Deposited,
    FinalTableDrawn,
    Finished,
    HandStarted,
    Opened,
    Paid,
    Registered,
    Reinstated,
    Rescheduled,
    StacksCounted,
    Started,
    Unregistered,
)
from appliance.game.handrounds import joined
from appliance.game.play import Instruction
from appliance.game.state import Elimination, Finish, Money, Phase, Player, Round, Status, Table
from appliance.game.tables import check_seat, cleared, join, leave, new_table
from appliance.game.values import Seat

FOLDS = Folds()


@FOLDS.of(Opened, (Phase.ANNOUNCED, Phase.MOVED))
def _(event: Opened, round: Round, at_ms: int) -> Round:
    return replace(round, phase=Phase.OPEN, reason=event.reason)


@FOLDS.of(Cancelled, BEFORE_START)
def _(event: Cancelled, round: Round, at_ms: int) -> Round:
    """Deposits go back, and with them all chips."""
    players = {player.participant: replace(player, deposits=(), chips=0) for player in round.players.values()}
    return replace(round, phase=Phase.CANCELLED, players=players, pool=0, chips=0, reason=event.reason)


@FOLDS.of(Rescheduled, BEFORE_START)
def _(event: Rescheduled, round: Round, at_ms: int) -> Round:
    return replace(round, phase=Phase.MOVED, starts_at=event.starts_at, reason=event.reason)


@FOLDS.of(Registered, (Phase.OPEN, Phase.RUNNING))
def _(event: Registered, round: Round, at_ms: int) -> Round:
    if event.participant in round.players or (event.seat is None) is (round.phase is Phase.RUNNING):
        raise ValueError(f"{event.participant} is registered already, or with a seat before there are any")
    player = Player(
        participant=event.participant,
        status=Status.REGISTERED if event.seat is None else Status.IN,
        registered_at=at_ms,
        deposits=(Money(at_ms, event.deposit),),
        chips=event.chips,
        elsewhere=event.elsewhere,
        reserved=event.reserved,
        accepted=event.accepted,
    )
    round = replace(
        with_player(round, player),
        pool=round.pool + event.deposit,
        chips=round.chips + event.chips,
        draws=event.draw or round.draws,
    )
    if event.seat is None:
        return round
    round = join(replace(round, left=round.left + 1), event.participant, event.seat, at_ms)
    return with_more_chips(round, event.seat.table, event.chips)


@FOLDS.of(Unregistered, BEFORE_START)
def _(event: Unregistered, round: Round, at_ms: int) -> Round:
    gone = round.players[event.participant]
    players = {key: player for key, player in round.players.items() if key != event.participant}
    return replace(
        round,
        players=players,
        pool=round.pool - gone.deposit,
        chips=round.chips - gone.chips,
        withdrawn=(*round.withdrawn, (gone.registered_at, at_ms)),
    )


@FOLDS.of(Deposited)
def _(event: Deposited, round: Round, at_ms: int) -> Round:
    player = standing(round, event.participant)
    deposits = (*player.deposits, Money(at_ms, event.amount))
    player = replace(player, deposits=deposits, chips=player.chips + event.chips)
    round = replace(with_player(round, player), pool=round.pool + event.amount, chips=round.chips + event.chips)
    return with_more_chips(round, player.seat.table, event.chips) if player.seat else round


@FOLDS.of(Started, (Phase.OPEN,))
def _(event: Started, round: Round, at_ms: int) -> Round:
    first = round.structure[0]
    check_clock(round, event.clock)
    if set(event.seats) != set(round.players) or len(set(event.seats.values())) != len(event.seats):
        raise ValueError("not everybody has a seat of their own")
    for seat in event.seats.values():
        check_seat(round, seat)
    players = {
        player.participant: replace(player, status=Status.IN, seat=event.seats[player.participant])
        for player in round.players.values()
    }
    seats: dict[int, dict[int, str]] = {number: {} for number in sorted(event.buttons)}
    for participant, seat in sorted(event.seats.items(), key=lambda item: item[1]):
        seats[seat.table][seat.seat] = participant
    tables = {
        number: replace(
            new_table(number, first, at_table),
            button=event.buttons[number],
            chips=sum(players[participant].chips for participant in at_table.values()),
        )
        for number, at_table in seats.items()
    }
    return replace(
        round,
        phase=Phase.RUNNING,
        seed=event.seed,
        players=players,
        tables=tables,
        clock=event.clock,
        left=len(players),
    )


@FOLDS.of(ClockSet)
def _(event: ClockSet, round: Round, at_ms: int) -> Round:
    check_clock(round, event.clock)
    return replace(round, clock=event.clock)


@FOLDS.of(HandStarted)
def _(event: HandStarted, round: Round, at_ms: int) -> Round:
    table = round.tables[event.table]
    if not table.seats or not table.seats.keys() >= event.waiting.keys():
        raise ValueError(f"nobody sits there: table {event.table}, seats {sorted(event.waiting)}")
    if (event.together is None) is not (round.hand_for_hand is None):
        raise ValueError("a round of hands in hand-for-hand play only, and nothing else in that")
    table = replace(
        table,
        hand=event.hand,
        button=event.button,
        sb=event.sb,
        bb=event.bb,
        sb_seat=event.sb_seat,
        bb_seat=event.bb_seat,
        level=event.level,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        ante=event.ante,
        arrivals=event.waiting,
        dealer=None if event.button in event.waiting else table.seats.get(event.button),
        last_bb=table.seats.get(event.bb) if event.bb else None,
        balanced=False,
        time_call=None,
    )
    instructions = round.instructions
    if instructions:
        instructions = {who: told for who, told in instructions.items() if told.target.table != event.table}
    tables = {**round.tables, event.table: table}
    spans = round.hand_spans
    if event.together is not None:
        spans = joined(spans, tables, event.table, event.together)
    return replace(round, tables=tables, draws=event.draw or round.draws, instructions=instructions, hand_spans=spans)


@FOLDS.of(StacksCounted)
def _(event: StacksCounted, round: Round, at_ms: int) -> Round:
    counted = {key: replace(standing(round, key), chips=chips) for key, chips in event.stacks.items()}
    round = replace(round, players={**round.players, **counted})
    if event.total is None:
        return round
    return with_table(round, replace(round.tables[event.table], chips=event.total))


@FOLDS.of(Busted)
def _(event: Busted, round: Round, at_ms: int) -> Round:
    player = standing(round, event.participant)
    elimination = Elimination(
        participant=event.participant,
        at=at_ms if event.happened is None else min(event.happened, at_ms),
        table=event.table,
        hand=event.hand,
        stack=event.stack,
        by=event.by,
        seat=player.seat,
        chips=player.chips,
        hand_then=round.tables[player.seat.table].hand if player.seat else None,
    )
    round = leave(round, player.seat) if player.seat else round
    player = replace(player, status=Status.OUT, chips=0, seat=None)
    eliminations = (*round.eliminations, elimination)
    return replace(with_player(round, player), eliminations=eliminations, left=round.left - 1)


@FOLDS.of(Reinstated)
def _(event: Reinstated, round: Round, at_ms: int) -> Round:
    """Back before the next hand of their table is no arrival: nothing was missed."""
    gone = {e.participant: e for e in round.eliminations}[event.participant]
    player = replace(standing(round, event.participant, Status.OUT), status=Status.IN, chips=event.chips)
    round = replace(
        with_player(round, player),
        eliminations=tuple(e for e in round.eliminations if e is not gone),
        left=round.left + 1,
        draws=event.draw or round.draws,
        chips=round.chips + event.returned,
    )
    table = round.tables.get(event.seat.table)
    missed_nothing = gone.seat == event.seat and table is not None and table.hand == gone.hand_then
    round = join(round, event.participant, event.seat, at_ms, arrives=not missed_nothing)
    return with_more_chips(round, event.seat.table, event.returned) if event.returned else round


@FOLDS.of(Paid, PLAY_AND_AFTER)
def _(event: Paid, round: Round, at_ms: int) -> Round:
    player = round.players[event.participant]
    round = with_player(round, replace(player, paid=player.paid + event.amount))
    return replace(round, paid=round.paid + event.amount)


@FOLDS.of(FinalTableDrawn)
def _(event: FinalTableDrawn, round: Round, at_ms: int) -> Round:
    """One table is left, with all chips; its hand numbers go on and its button was placed anew."""
    if sorted(event.seats.values()) != sorted(everybody_in(round)):
        raise ValueError("not everybody has one seat at the final table")
    for number in event.seats:
        check_seat(round, Seat(event.table, number))
    before = round.tables.get(event.table)
    level = clocks.face(round, at_ms)
    table = Table(
        number=event.table,
        seats=event.seats,
        level=before.level if before else level.level,
        small_blind=before.small_blind if before else level.sb,
        big_blind=before.big_blind if before else level.bb,
        ante=before.ante if before else level.ante,
        button=event.button,
        hand=before.hand if before else 0,
        chips=round.chips,
        coloured_up=min((other.coloured_up for other in round.tables.values() if other.seats), default=0),
    )
    players, told = dict(round.players), {}
    for number, participant in event.seats.items():
        seat = Seat(event.table, number)
        told[participant] = Instruction(participant, players[participant].seat, seat, "next-hand", "final", at_ms)
        players[participant] = replace(players[participant], seat=seat)
    tables = {number: cleared(other) for number, other in round.tables.items()}
    return replace(round, players=players, tables={**tables, event.table: table}, draws=event.draw, instructions=told)


@FOLDS.of(Finished, PLAY_AND_AFTER)
def _(event: Finished, round: Round, at_ms: int) -> Round:
    """The clock and calls for time stop with the play. A later one revises the results, not when play ended."""
    if event.stacks.keys() != everybody_in(round):
        raise ValueError("not everybody who is in has a stack to be ranked by")
    ranked = {key: replace(round.players[key], chips=chips) for key, chips in event.stacks.items()}
    clock = round.clock and clocks.stopped(round.structure, round.clock, at_ms)
    return replace(
        round,
        phase=Phase.FINISHED,
        tables={number: replace(table, time_call=None) for number, table in round.tables.items()},
        players={**round.players, **ranked},
        clock=clock,
        finish=Finish(round.finish.at if round.finish else at_ms, event.stacks, event.reason),
    )
