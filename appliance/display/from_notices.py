"""The round's notices → what a screen says of them: each where it concerns those in front of it. Pure."""

from __future__ import annotations

from appliance.display.notice import (
    Balance,
    BelowMinimum,
    BonusStack,
    ChipsDiffer,
    ColourUpDue,
    GuaranteeVoid,
    LonePlayer,
    Notice,
    Ruled,
    TableShort,
    WaitsForTables,
)
from appliance.game import clock as clocks
from appliance.game.handforhand import verify_round
from appliance.game.notices import notices
from appliance.game.state import Phase, Round


def table_notices(round: Round | None, at_ms: int, number: int) -> tuple[Notice, ...]:
    """What concerns table ``number``, and what the commissioner is to see at any table.

    Where a player sits alone it goes without saying that play halts.
    """
    if round is None:
        return ()
    found: list[Notice] = []
    for notice in notices(round, at_ms):
        match notice.code, notice.detail:
            case "balance", {"from": fullest, "to": emptiest} if number in (fullest, emptiest):
                found.append(Balance(fullest, emptiest))
            case "table-short", {"table": table, "short": short} if table == number:
                found.append(TableShort(short))
            case "lone-player", {"table": table} if table == number:
                found.append(LonePlayer())
            case "chips-differ", {"counted": counted, "expected": expected}:
                found.append(ChipsDiffer(counted, expected))
            case "colour-up-due", {"denomination": chip, "to": to, "tables": tables} if number in tables:
                found.append(ColourUpDue(chip, to))
    alone = LonePlayer() in found
    told = tuple(notice for notice in found if not (alone and isinstance(notice, TableShort)))
    return (*told, *_waits(round, number), *_bonus_stack(round, at_ms), *_ruled(round, number))


def _waits(round: Round, number: int) -> tuple[WaitsForTables, ...]:
    """For whom a table has to wait after its hand, while play is hand for hand (CK-6)."""
    if round.phase is not Phase.RUNNING or number not in round.tables:
        return ()
    refusal = verify_round(round, number)
    return (WaitsForTables(tuple(refusal.detail["waiting_for"])),) if refusal else ()


def _bonus_stack(round: Round, at_ms: int) -> tuple[BonusStack, ...]:
    """The bonus stack, in the first break once it was given; the clock tells which break it is (T-13)."""
    if not round.chip_up or not round.chip_up_given or round.clock is None or round.phase is not Phase.RUNNING:
        return ()
    if not clocks.face(round, at_ms).on_break:
        return ()
    clock = clocks.settle(round.structure, round.clock, at_ms)
    earlier = sum(entry.is_break for entry in round.structure[: clock.entry + 1])
    begun = earlier + (clock.interrupted_ms is not None)
    return (BonusStack(round.chip_up),) if begun == 1 else ()


def _takes_more(round: Round) -> bool:
    """Whether more can register: of a full round nobody is told that it lacks players."""
    return round.phase is Phase.OPEN and len(round.players) < round.capacity


def _ruled(round: Round, number: int) -> tuple[Ruled, ...]:
    """The last ruling at this table, until the next hand begins (I-13)."""
    table = round.tables.get(number)
    if table is None or table.ruled is None or round.phase is not Phase.RUNNING:
        return ()
    hand_then, made = table.ruled
    return (Ruled(made.ruling, made.hand, made.outcome, made.decision),) if hand_then == table.hand else ()


def room_notices(round: Round | None, at_ms: int) -> tuple[Notice, ...]:
    """What concerns everybody: until the start whether there will be one (LG-3), then for how much (T-9)."""
    if round is None:
        return ()
    found: list[Notice] = []
    for notice in notices(round, at_ms):
        match notice.code, notice.detail:
            case "below-minimum", {"registered": registered, "minimum": minimum} if _takes_more(round):
                found.append(BelowMinimum(registered, minimum))
            case "guarantee-void", {"guarantee": guarantee, "minimum": minimum}:
                found.append(GuaranteeVoid(guarantee, minimum))
    return (*found, *_bonus_stack(round, at_ms))
