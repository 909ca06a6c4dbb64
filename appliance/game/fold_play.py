"""How what happens to players and tables during play is folded: moves, penalties, chips, deals, calls for time."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from appliance.game.apply import PLAY_AND_AFTER, Folds, everybody_in, standing, with_more_chips, with_player, with_table
from appliance.game.codec import EventError
from appliance.game.handrounds import closed
from appliance.game.play import Arrival, DealMade, HandForHand, HandSpan, Instruction, Penalty, TimeCall
from appliance.game.play_events import (
    AbsentMarked,
    BonusCardUsed,
    ChipUpGiven,
    ColouredUp,
    DealAgreed,
    HandForHandSet,
    PlayerLocked,
    PlayerMoved,
    PresentMarked,
    Reentered,
    Sanctioned,
    SatOut,
    SeatLocked,
    TableBroken,
    TakenOut,
    TimeCalled,
    TimeCallEnded,
    Voided,
)
from appliance.game.rulings.events import RulingMade
from appliance.game.state import Elimination, Money, Phase, Player, Round, Status
from appliance.game.tables import cleared, join, leave
from appliance.game.values import Seat

FOLDS = Folds()


@FOLDS.of(AbsentMarked)
def _(event: AbsentMarked, round: Round, at_ms: int) -> Round:
    return with_player(round, replace(standing(round, event.participant), absent=True))


@FOLDS.of(PresentMarked)
def _(event: PresentMarked, round: Round, at_ms: int) -> Round:
    """One who sat out is looked at like a newcomer again."""
    player = replace(standing(round, event.participant), absent=False)
    round = with_player(round, player)
    return _arrival(round, player.seat, Arrival.NEW) if _sits_out(round, player.seat) else round


@FOLDS.of(SatOut)
def _(event: SatOut, round: Round, at_ms: int) -> Round:
    return _arrival(round, round.players[event.participant].seat, Arrival.SITS_OUT)


def _sits_out(round: Round, seat: Seat | None) -> bool:
    return seat is not None and round.tables[seat.table].arrivals.get(seat.seat) is Arrival.SITS_OUT


def _arrival(round: Round, seat: Seat | None, how: Arrival) -> Round:
    if seat is None:
        raise ValueError("sits nowhere")
    table = round.tables[seat.table]
    return with_table(round, replace(table, arrivals={**table.arrivals, seat.seat: how}))


@FOLDS.of(PlayerLocked, (Phase.OPEN, Phase.RUNNING))
def _(event: PlayerLocked, round: Round, at_ms: int) -> Round:
    return with_player(round, replace(round.players[event.participant], locked=event.on))


@FOLDS.of(SeatLocked, (Phase.OPEN, Phase.RUNNING))
def _(event: SeatLocked, round: Round, at_ms: int) -> Round:
    others = tuple(seat for seat in round.locked_seats if seat != event.seat)
    return replace(round, locked_seats=(*others, event.seat) if event.on else others)


@FOLDS.of(PlayerMoved)
def _(event: PlayerMoved, round: Round, at_ms: int) -> Round:
    """A stack between two tables blurs what is known of both; within one table it does not."""
    if standing(round, event.participant).seat != event.source:
        raise ValueError(f"{event.participant} does not sit at {event.source}")
    within = event.source is not None and event.source.table == event.target.table
    chips = round.tables[event.target.table].chips if within else None
    round = join(round, event.participant, event.target, at_ms)  # first: a lone player's table is never empty
    round = leave(round, event.source) if event.source else round
    if not within and event.source:
        round = with_table(round, replace(round.tables[event.source.table], chips=None))
    round = with_table(round, replace(round.tables[event.target.table], chips=chips))
    told = Instruction(event.participant, event.source, event.target, event.deals_in, event.why, at_ms)
    round = _instructed(round, told)
    return _for_balance(round, event) if event.why == "balance" else round


def _for_balance(round: Round, event: PlayerMoved) -> Round:
    player = round.players[event.participant]
    round = with_player(round, replace(player, balanced=player.balanced + 1))
    for seat in (event.source, event.target):
        if seat is not None:
            round = with_table(round, replace(round.tables[seat.table], balanced=True))
    return round


def _instructed(round: Round, told: Instruction) -> Round:
    return replace(round, instructions={**round.instructions, told.participant: told})


@FOLDS.of(TableBroken)
def _(event: TableBroken, round: Round, at_ms: int) -> Round:
    """Nobody counts the stacks that are carried away: what is known of the other tables' chips is blurred."""
    if sorted(event.seats) != sorted(round.tables[event.table].seats.values()):
        raise ValueError(f"not everybody at table {event.table} drew a seat")
    for participant, target in event.seats.items():
        if target.table == event.table:
            raise ValueError(f"a seat at table {event.table}, which is broken")
        source = round.players[participant].seat
        round = join(round, participant, target, at_ms)
        deals_in = event.deals_in.get(participant, "next-hand")
        round = _instructed(round, Instruction(participant, source, target, deals_in, "broken", at_ms))
    blurred = {number: replace(table, chips=None) for number, table in round.tables.items()}
    return replace(round, tables={**blurred, event.table: cleared(round.tables[event.table])}, draws=event.draw)


@FOLDS.of(TakenOut)
def _(event: TakenOut, round: Round, at_ms: int) -> Round:
    player = standing(round, event.participant)
    gone = Elimination(
        participant=event.participant,
        at=at_ms,
        table=event.table,
        hand=event.hand,
        stack=event.stack,
        by=None,
        seat=player.seat,
        chips=player.chips,
        hand_then=round.tables[player.seat.table].hand if player.seat else None,
        taken=event.chips,
    )
    status = Status.EXCLUDED if event.why == "excluded" else Status.OUT
    round = _chips_leave(round, event.participant, event.chips, status)
    return replace(round, eliminations=(*round.eliminations, gone))


def _chips_leave(round: Round, participant: str, chips: int, status: Status) -> Round:
    """One who was in stands up, and their chips leave play (T-14)."""
    player = round.players[participant]
    if player.seat is not None:
        round = leave(with_more_chips(round, player.seat.table, -chips), player.seat)
    player = replace(player, status=status, chips=0, seat=None)
    return replace(with_player(round, player), left=round.left - 1, chips=max(0, round.chips - chips))


@FOLDS.of(HandForHandSet)
def _(event: HandForHandSet, round: Round, at_ms: int) -> Round:
    if event.on is (round.hand_for_hand is not None):
        raise ValueError("hand-for-hand play is on, or is not")
    if not event.on:
        return replace(round, hand_for_hand=None, hand_spans=closed(round.hand_spans, event.last))
    if not round.tables.keys() >= event.first.keys():
        raise LookupError("hands at a table that is not there")
    spans = tuple(HandSpan(table, first, event.round) for table, first in event.first.items())
    return replace(round, hand_for_hand=HandForHand(event.round, event.hand_ms), hand_spans=round.hand_spans + spans)


@FOLDS.of(ChipUpGiven)
def _(event: ChipUpGiven, round: Round, at_ms: int) -> Round:
    for participant, chips in event.chips.items():
        player = standing(round, participant)
        round = _with_bonus(round, participant, chips)
        round = with_player(round, replace(round.players[participant], chip_up=player.chip_up + chips))
    return replace(round, chip_up_given=round.chip_up_given or event.everybody)


@FOLDS.of(BonusCardUsed)
def _(event: BonusCardUsed, round: Round, at_ms: int) -> Round:
    round = _with_bonus(round, event.participant, event.chips)
    return with_player(round, replace(round.players[event.participant], bonus_card=event.chips))


def _with_bonus(round: Round, participant: str, chips: int) -> Round:
    player = standing(round, participant)
    round = with_player(round, replace(player, chips=player.chips + chips))
    round = replace(round, chips=round.chips + chips)
    return with_more_chips(round, player.seat.table, chips) if player.seat else round


@FOLDS.of(Reentered)
def _(event: Reentered, round: Round, at_ms: int) -> Round:
    player = standing(round, event.participant, Status.OUT)
    player = replace(
        player,
        status=Status.IN,
        deposits=(*player.deposits, Money(at_ms, event.deposit)),
        elsewhere=event.elsewhere or player.elsewhere,
        chips=event.chips,
        absent=False,
        reentered=True,
    )
    round = replace(
        with_player(round, player),
        eliminations=tuple(e for e in round.eliminations if e.participant != event.participant),
        pool=round.pool + event.deposit,
        chips=round.chips + event.chips,
        left=round.left + 1,
        draws=event.draw,
    )
    round = join(round, event.participant, event.seat, at_ms)
    return with_more_chips(round, event.seat.table, event.chips)


@FOLDS.of(Sanctioned, PLAY_AND_AFTER)
def _(event: Sanctioned, round: Round, at_ms: int) -> Round:
    player = round.players[event.participant]
    penalty = Penalty(at_ms, event.kind, event.reason, event.until_hand, event.until, event.league)
    return with_player(round, replace(player, penalties=(*player.penalties, penalty)))


@FOLDS.of(RulingMade, PLAY_AND_AFTER)
def _(event: RulingMade, round: Round, at_ms: int) -> Round:
    if event.table is not None and event.table not in round.tables:
        raise EventError(f"RulingMade cannot follow: there is no table {event.table}")
    if event.table is not None:
        table = round.tables[event.table]
        round = with_table(round, replace(table, ruled=(table.hand, event)))
    return replace(round, rulings=(*round.rulings, event))


@FOLDS.of(ColouredUp)
def _(event: ColouredUp, round: Round, at_ms: int) -> Round:
    grown = sum(event.changes.values())
    round = replace(round, players=_with_stacks(round, event.stacks), chips=max(0, round.chips + grown))
    round = with_more_chips(round, event.table, grown)
    table = round.tables[event.table]
    table = replace(
        table,
        coloured_up=max(table.coloured_up, event.denomination),
        chips=table.chips if event.total is None else event.total,
    )
    return replace(with_table(round, table), draws=event.draw or round.draws)


@FOLDS.of(DealAgreed)
def _(event: DealAgreed, round: Round, at_ms: int) -> Round:
    """The stacks that were told are a count of all tables."""
    if event.amounts.keys() != everybody_in(round):
        raise ValueError("a deal of others than those who are in")
    counted = {
        number: replace(table, chips=sum(event.stacks.get(who, 0) for who in table.seats.values()))
        for number, table in round.tables.items()
        if table.seats
    }
    return replace(
        round,
        players=_with_stacks(round, event.stacks),
        tables={**round.tables, **counted},
        deal=DealMade(at_ms, event.kind, event.amounts),
    )


def _with_stacks(round: Round, stacks: Mapping[str, int]) -> dict[str, Player]:
    counted = {who: replace(standing(round, who), chips=chips) for who, chips in stacks.items()}
    return {**round.players, **counted}


@FOLDS.of(Voided, PLAY_AND_AFTER)
def _(event: Voided, round: Round, at_ms: int) -> Round:
    """No place: nothing of theirs is ranked any more."""
    player = round.players[event.participant]
    if player.status is Status.VOID:
        raise ValueError(f"{event.participant} is void already")
    if player.status is Status.IN:
        round = _chips_leave(round, event.participant, event.chips, Status.VOID)
    round = with_player(round, replace(round.players[event.participant], status=Status.VOID))
    finish = round.finish
    if finish is not None and event.participant in finish.stacks:
        stacks = {who: chips for who, chips in finish.stacks.items() if who != event.participant}
        finish = replace(finish, stacks=stacks)
    eliminations = tuple(e for e in round.eliminations if e.participant != event.participant)
    return replace(round, eliminations=eliminations, finish=finish)


@FOLDS.of(TimeCalled)
def _(event: TimeCalled, round: Round, at_ms: int) -> Round:
    seat = standing(round, event.participant).seat
    if seat is None or seat.table != event.table:
        raise ValueError(f"{event.participant} does not sit at table {event.table}")
    call = TimeCall(event.participant, at_ms, event.think_ms, event.count_ms, event.ends)
    return with_table(round, replace(round.tables[event.table], time_call=call))


@FOLDS.of(TimeCallEnded)
def _(event: TimeCallEnded, round: Round, at_ms: int) -> Round:
    return with_table(round, replace(round.tables[event.table], time_call=None))
