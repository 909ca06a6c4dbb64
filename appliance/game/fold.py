"""State is a fold over events. It takes outcomes from them and consults no rule."""

from __future__ import annotations

from functools import singledispatch

from msgspec.structs import replace

from appliance.game import clock as clocks
from appliance.game.codec import EventError, UnknownEvent
from appliance.game.events import (
    Announced,
    Busted,
    Cancelled,
    ClockSet,
    CommandsRedone,
    CommandsUndone,
    Deposited,
    Event,
    FinalTableDrawn,
    Finished,
    HandStarted,
    Opened,
    Paid,
    PlayerMoved,
    Registered,
    Reinstated,
    Rescheduled,
    StacksCounted,
    Started,
    Unregistered,
)
from appliance.game.history import redo, remember, set_aside, undo
from appliance.game.state import (
    ClockState,
    Elimination,
    Finish,
    Ledger,
    Money,
    Phase,
    Player,
    Round,
    Status,
    Table,
)
from appliance.game.tables import cleared, join, leave, new_table
from appliance.game.values import Seat, is_moment

__all__ = ["INITIAL", "announced", "apply", "fold", "set_aside"]

INITIAL = Ledger()
"""The ledger of a stream without events."""


def fold(ledger: Ledger, event: Event | UnknownEvent, at_ms: int, cause: str | None) -> Ledger:
    """The ledger after an event of its stream; ``cause`` is the id of the command that led to it.

    Events of one command follow each other and are undone together. What this version does not know changes
    nothing. Raises `EventError` for an event that cannot follow: events are believed, and this one is not true.
    """
    if isinstance(event, UnknownEvent):
        return ledger
    if not is_moment(at_ms):
        raise EventError(f"{type(event).__name__} at {str(at_ms)[:40]}: no time that can be shown")
    try:
        return _fold_known(ledger, event, at_ms, cause)
    except EventError:
        raise
    except (LookupError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
        raise EventError(f"{type(event).__name__} cannot follow: {type(error).__name__} {error}") from error


def _fold_known(ledger: Ledger, event: Event, at_ms: int, cause: str | None) -> Ledger:
    if isinstance(event, Announced):
        if ledger.round is not None:
            raise EventError("Announced cannot follow: the round is announced")
        return Ledger(announced(event))
    if ledger.round is None:
        raise EventError(f"{type(event).__name__} cannot come first: nothing is announced")
    match event:
        case CommandsUndone() | CommandsRedone() if event.n != len(event.commands):
            raise EventError(f"{type(event).__name__} cannot follow: {event.n} said, {len(event.commands)} named")
        case CommandsUndone():
            return undo(ledger, event.n, at_ms)
        case CommandsRedone():
            return redo(ledger, event.n, at_ms)
        case _:
            return remember(ledger, apply(event, ledger.round, at_ms), at_ms, cause)


def announced(event: Announced) -> Round:
    """The round as announced."""
    return Round(
        id=event.round,
        venue=event.venue,
        starts_at=event.starts_at,
        profile=event.profile,
        rules=event.rules,
        rules_hash=event.rules_hash,
        structure=event.structure,
        shares=event.shares,
        key=event.key,
        deposit=event.deposit,
        seats_per_table=event.seats_per_table,
        capacity=event.capacity,
        table_numbers=event.tables,
        late_registration=event.late_registration,
        reentry=event.reentry,
        guarantee=event.guarantee,
        chip_up=event.chip_up,
        bonus_card=event.bonus_card,
        ante_by=event.ante_by,
        seed=event.seed,
    )


@singledispatch
def apply(event: Event, round: Round, at_ms: int) -> Round:
    """The round after an event that is no undo; raises TypeError for one that has no meaning here."""
    raise TypeError(f"{type(event).__name__} changes no round")


@apply.register
def _(event: Opened, round: Round, at_ms: int) -> Round:
    return replace(round, phase=Phase.OPEN, reason=event.reason)


@apply.register
def _(event: Cancelled, round: Round, at_ms: int) -> Round:
    """Deposits go back, and with them all chips."""
    players = {player.participant: replace(player, deposits=(), chips=0) for player in round.players.values()}
    return replace(round, phase=Phase.CANCELLED, players=players, pool=0, chips=0, reason=event.reason)


@apply.register
def _(event: Rescheduled, round: Round, at_ms: int) -> Round:
    return replace(round, phase=Phase.MOVED, starts_at=event.starts_at, reason=event.reason)


@apply.register
def _(event: Registered, round: Round, at_ms: int) -> Round:
    player = Player(
        participant=event.participant,
        status=Status.REGISTERED if event.seat is None else Status.IN,
        registered_at=at_ms,
        deposits=(Money(at_ms, event.deposit),),
        chips=event.chips,
        elsewhere=event.elsewhere,
        reserved=event.reserved,
    )
    round = replace(
        _with_player(round, player),
        pool=round.pool + event.deposit,
        chips=round.chips + event.chips,
        draws=event.draw or round.draws,
    )
    if event.seat is None:
        return round
    round = join(replace(round, left=round.left + 1), event.participant, event.seat, at_ms)
    return _with_more_chips(round, event.seat.table, event.chips)


@apply.register
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


@apply.register
def _(event: Deposited, round: Round, at_ms: int) -> Round:
    player = round.players[event.participant]
    deposits = (*player.deposits, Money(at_ms, event.amount))
    player = replace(player, deposits=deposits, chips=player.chips + event.chips)
    round = replace(_with_player(round, player), pool=round.pool + event.amount, chips=round.chips + event.chips)
    return _with_more_chips(round, player.seat.table, event.chips) if player.seat else round


@apply.register
def _(event: Started, round: Round, at_ms: int) -> Round:
    first = round.structure[0]
    _check_clock(round, event.clock)
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


@apply.register
def _(event: ClockSet, round: Round, at_ms: int) -> Round:
    _check_clock(round, event.clock)
    return replace(round, clock=event.clock)


@apply.register
def _(event: HandStarted, round: Round, at_ms: int) -> Round:
    table = replace(
        round.tables[event.table],
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
    )
    return replace(_with_table(round, table), draws=event.draw or round.draws)


@apply.register
def _(event: StacksCounted, round: Round, at_ms: int) -> Round:
    counted = {key: replace(round.players[key], chips=chips) for key, chips in event.stacks.items()}
    round = replace(round, players={**round.players, **counted})
    if event.total is None:
        return round
    return _with_table(round, replace(round.tables[event.table], chips=event.total))


@apply.register
def _(event: Busted, round: Round, at_ms: int) -> Round:
    player = round.players[event.participant]
    elimination = Elimination(
        participant=event.participant,
        at=at_ms,
        table=event.table,
        hand=event.hand,
        stack=event.stack,
        by=event.by,
        seat=player.seat,
        chips=player.chips,
    )
    round = leave(round, player.seat) if player.seat else round
    player = replace(player, status=Status.OUT, chips=0, seat=None)
    eliminations = (*round.eliminations, elimination)
    return replace(_with_player(round, player), eliminations=eliminations, left=round.left - 1)


@apply.register
def _(event: Reinstated, round: Round, at_ms: int) -> Round:
    player = replace(round.players[event.participant], status=Status.IN, chips=event.chips)
    eliminations = tuple(e for e in round.eliminations if e.participant != event.participant)
    round = replace(
        _with_player(round, player),
        eliminations=eliminations,
        left=round.left + 1,
        draws=event.draw or round.draws,
    )
    return join(round, event.participant, event.seat, at_ms)


@apply.register
def _(event: Paid, round: Round, at_ms: int) -> Round:
    player = round.players[event.participant]
    return _with_player(round, replace(player, paid=player.paid + event.amount))


@apply.register
def _(event: PlayerMoved, round: Round, at_ms: int) -> Round:
    """A stack between two tables blurs what is known of both; within one table it does not."""
    within = event.source is not None and event.source.table == event.target.table
    chips = round.tables[event.target.table].chips if within else None
    round = leave(round, event.source) if event.source else round
    round = join(round, event.participant, event.target, at_ms)
    if not within and event.source:
        round = _with_table(round, replace(round.tables[event.source.table], chips=None))
    return _with_table(round, replace(round.tables[event.target.table], chips=chips))


@apply.register
def _(event: FinalTableDrawn, round: Round, at_ms: int) -> Round:
    """One table is left, with all chips; its hand numbers go on and its button was placed anew."""
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
    )
    players = dict(round.players)
    for seat, participant in event.seats.items():
        players[participant] = replace(players[participant], seat=Seat(event.table, seat))
    tables = {number: cleared(other) for number, other in round.tables.items()}
    return replace(round, players=players, tables={**tables, event.table: table}, draws=event.draw)


@apply.register
def _(event: Finished, round: Round, at_ms: int) -> Round:
    """The clock stops with the play."""
    ranked = {key: replace(round.players[key], chips=chips) for key, chips in event.stacks.items()}
    clock = round.clock and clocks.stopped(round.structure, round.clock, at_ms)
    return replace(
        round,
        phase=Phase.FINISHED,
        players={**round.players, **ranked},
        clock=clock,
        finish=Finish(at_ms, event.stacks, event.reason),
    )


def _check_clock(round: Round, clock: ClockState) -> None:
    """Raises `EventError` for a clock beyond the structure's end."""
    if clock.entry >= len(round.structure):
        raise EventError(f"a clock at entry {clock.entry} of {len(round.structure)}")


def _with_player(round: Round, player: Player) -> Round:
    return replace(round, players={**round.players, player.participant: player})


def _with_table(round: Round, table: Table) -> Round:
    return replace(round, tables={**round.tables, table.number: table})


def _with_more_chips(round: Round, number: int, chips: int) -> Round:
    table = round.tables[number]
    return round if table.chips is None else _with_table(round, replace(table, chips=table.chips + chips))
