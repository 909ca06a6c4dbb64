"""The state of a cash session is a fold over its events; it takes outcomes from them and consults no rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from appliance.game.cash.events import (
    AbsentMarked,
    AddedOn,
    Called,
    Closed,
    EntryChosen,
    HandEnded,
    HandStarted,
    Joined,
    Left,
    ListLeft,
    Opened,
    PresentMarked,
    RabbitHunted,
    SatDown,
    SeatChanged,
    StacksCounted,
)
from appliance.game.cash.history import redo, remember, set_aside, undo
from appliance.game.cash.state import (
    CashLedger,
    CashTable,
    Differing,
    HandInPlay,
    Movement,
    MovementKind,
    Player,
    Standing,
    Waiter,
)
from appliance.game.codec import EventError, UnknownEvent
from appliance.game.event import Event
from appliance.game.events import MOST_NAMED, CommandsRedone, CommandsUndone
from appliance.game.values import is_moment

__all__ = ["EMPTY", "fold", "set_aside"]

EMPTY = CashLedger()
"""The ledger of a stream without events."""

E = TypeVar("E", bound=Event)
_FOLDS: dict[type[Event], Callable[[Any, CashTable, int], CashTable]] = {}


def _of(
    kind: type[E],
) -> Callable[[Callable[[E, CashTable, int], CashTable]], Callable[[E, CashTable, int], CashTable]]:
    def register(function: Callable[[E, CashTable, int], CashTable]) -> Callable[[E, CashTable, int], CashTable]:
        _FOLDS[kind] = function
        return function

    return register


def fold(ledger: CashLedger, event: Event | UnknownEvent, at_ms: int, cause: str | None) -> CashLedger:
    """The ledger after an event of its stream; ``cause`` is the id of the command that led to it.

    What this version does not know changes nothing. Raises `EventError` for an event that cannot follow.
    """
    if isinstance(event, UnknownEvent):
        return ledger
    if not is_moment(at_ms):
        raise EventError(f"{type(event).__name__} at {str(at_ms)[:40]}: no time that can be shown")
    try:
        return _folded(ledger, event, at_ms, cause)
    except (LookupError, TypeError, ValueError) as error:
        if isinstance(error, EventError):
            raise
        raise EventError(f"{type(event).__name__} cannot follow: {type(error).__name__} {error}") from error


def _folded(ledger: CashLedger, event: Event, at_ms: int, cause: str | None) -> CashLedger:
    table = ledger.table
    if isinstance(event, Opened):
        if table is not None and table.closed_at is None:
            raise EventError("Opened cannot follow: the table is open")
        return CashLedger(_opened(event, at_ms))
    if table is None:
        raise EventError(f"{type(event).__name__} cannot come first: no table is open")
    if isinstance(event, CommandsUndone | CommandsRedone):
        if len(event.commands) != min(event.n, MOST_NAMED):
            raise EventError(f"{type(event).__name__} cannot follow: {event.n} said, {len(event.commands)} named")
        return undo(ledger, event.n) if isinstance(event, CommandsUndone) else redo(ledger, event.n)
    if table.closed_at is not None:
        raise EventError(f"{type(event).__name__} cannot follow: the session is over")
    return remember(ledger, _FOLDS[type(event)](event, table, at_ms), cause)


def _opened(event: Opened, at_ms: int) -> CashTable:
    return CashTable(
        id=event.session,
        profile=event.profile,
        rules=event.rules,
        rules_hash=event.rules_hash,
        settings=event.settings,
        seed=event.seed,
        opened_at=at_ms,
    )


@_of(Joined)
def _(event: Joined, table: CashTable, at_ms: int) -> CashTable:
    if table.sitting(event.participant) or any(waiter.participant == event.participant for waiter in table.waiting):
        raise ValueError(f"{event.participant} sits or waits already")
    return replace(table, waiting=(*table.waiting, Waiter(event.participant, at_ms)))


@_of(Called)
def _(event: Called, table: CashTable, at_ms: int) -> CashTable:
    waiting = tuple(
        replace(waiter, called=at_ms) if waiter.participant == event.participant else waiter for waiter in table.waiting
    )
    if waiting == table.waiting:
        raise ValueError(f"{event.participant} does not wait")
    return replace(table, waiting=waiting)


@_of(ListLeft)
def _(event: ListLeft, table: CashTable, at_ms: int) -> CashTable:
    waiting = _without(table, event.participant)
    if waiting == table.waiting:
        raise ValueError(f"{event.participant} does not wait")
    return replace(table, waiting=waiting)


@_of(SatDown)
def _(event: SatDown, table: CashTable, at_ms: int) -> CashTable:
    _check_free(table, event.seat)
    who = event.participant
    before = table.players.get(who) or Player(who, None, 0, Standing.NEW)
    if before.seat is not None:
        raise ValueError(f"{who} sits already")
    player = Player(
        who,
        event.seat,
        event.chips,
        event.standing,
        event.entry,
        bought=before.bought + event.chips,
        cashed=before.cashed,
    )
    table = replace(table, waiting=_without(table, who), chips_in=table.chips_in + event.chips)
    return _moved(_with(table, player), at_ms, who, "buy-in", event.chips)


@_of(EntryChosen)
def _(event: EntryChosen, table: CashTable, at_ms: int) -> CashTable:
    return _with(table, replace(_sitting(table, event.participant), entry=event.entry))


@_of(SeatChanged)
def _(event: SeatChanged, table: CashTable, at_ms: int) -> CashTable:
    _check_free(table, event.seat)
    player = _idle(table, event.participant)
    return _with(table, replace(player, seat=event.seat, standing=event.standing, entry="big-blind"))


@_of(AddedOn)
def _(event: AddedOn, table: CashTable, at_ms: int) -> CashTable:
    player = _idle(table, event.participant)
    player = replace(player, stack=player.stack + event.chips, bought=player.bought + event.chips)
    table = replace(_with(table, player), chips_in=table.chips_in + event.chips)
    return _moved(table, at_ms, event.participant, "add-on", event.chips)


@_of(Left)
def _(event: Left, table: CashTable, at_ms: int) -> CashTable:
    return _cashed_out(table, _idle(table, event.participant), event.chips, at_ms)


@_of(AbsentMarked)
def _(event: AbsentMarked, table: CashTable, at_ms: int) -> CashTable:
    return _with(table, replace(_sitting(table, event.participant), absent=True, entry="big-blind"))


@_of(PresentMarked)
def _(event: PresentMarked, table: CashTable, at_ms: int) -> CashTable:
    return _with(table, replace(_sitting(table, event.participant), absent=False))


@_of(HandStarted)
def _(event: HandStarted, table: CashTable, at_ms: int) -> CashTable:
    seated = table.seated()
    if event.hand != table.number + 1 or len(set(event.order)) != len(event.order) or event.bb not in event.order:
        raise ValueError(f"hand {event.hand} after {table.number}, seats {event.order}")
    posting = [post.seat for post in event.posts]
    if len(set(posting)) != len(posting) or not set(posting) <= set(event.order):
        raise ValueError(f"posts of seats {posting}")
    players = dict(table.players)
    for seat in event.order:
        player = seated[seat]
        if not player.stack:
            raise ValueError(f"seat {seat} has no chips")
        players[player.participant] = replace(player, standing=Standing.IN, entry="big-blind")
    for who, standing in event.standings.items():
        players[who] = replace(players[who], standing=standing)
    return replace(
        table,
        players=players,
        button=event.button,
        sb=event.sb,
        bb=event.bb,
        sb_seat=event.sb_seat,
        bb_seat=event.bb_seat,
        hand=HandInPlay(event.order, event.posts),
        number=event.hand,
        draws=event.draw or table.draws,
    )


@_of(HandEnded)
def _(event: HandEnded, table: CashTable, at_ms: int) -> CashTable:
    if table.hand is None or event.hand != table.number:
        raise ValueError(f"hand {event.hand} is not in play")
    table = _counted(table, event.stacks, event.rake)
    if event.told:
        given = {who: table.players[who].stack for who in event.told}
        table = replace(table, differing=(*table.differing, Differing(at_ms, event.hand, event.told, given)))
    return replace(table, hand=None, rake=table.rake + event.rake)


@_of(StacksCounted)
def _(event: StacksCounted, table: CashTable, at_ms: int) -> CashTable:
    return _counted(table, event.stacks, 0)


@_of(RabbitHunted)
def _(event: RabbitHunted, table: CashTable, at_ms: int) -> CashTable:
    player = _sitting(table, event.participant)
    hand, seat = table.hand, player.seat
    if hand is None or seat is None or seat not in hand.order or player.stack < event.tip:
        raise ValueError(f"{event.participant} with {player.stack} cannot tip {event.tip} in this hand")
    tips = {**hand.tips, seat: hand.tips.get(seat, 0) + event.tip}
    table = _with(table, replace(player, stack=player.stack - event.tip))
    table = replace(table, chips_out=table.chips_out + event.tip, hand=replace(hand, tips=tips))
    return _moved(table, at_ms, event.participant, "tip", event.tip)


@_of(Closed)
def _(event: Closed, table: CashTable, at_ms: int) -> CashTable:
    if event.stacks != {player.participant: player.stack for player in table.seated().values()}:
        raise ValueError("not everybody cashes out what they have")
    for who, chips in event.stacks.items():
        table = _cashed_out(table, _idle(table, who), chips, at_ms)
    return replace(table, closed_at=at_ms, waiting=())


def _with(table: CashTable, player: Player) -> CashTable:
    return replace(table, players={**table.players, player.participant: player})


def _without(table: CashTable, participant: str) -> tuple[Waiter, ...]:
    return tuple(waiter for waiter in table.waiting if waiter.participant != participant)


def _moved(table: CashTable, at_ms: int, participant: str, kind: MovementKind, chips: int) -> CashTable:
    return replace(table, movements=(*table.movements, Movement(at_ms, participant, kind, chips)))


def _check_free(table: CashTable, seat: int) -> None:
    if seat > table.settings.seats or seat in table.seated():
        raise ValueError(f"seat {seat} is not free")


def _sitting(table: CashTable, participant: str) -> Player:
    player = table.players[participant]
    if player.seat is None:
        raise ValueError(f"{participant} does not sit here")
    return player


def _idle(table: CashTable, participant: str) -> Player:
    player = _sitting(table, participant)
    if table.holds_cards(player):
        raise ValueError(f"{participant} holds cards")
    return player


def _counted(table: CashTable, stacks: Mapping[str, int], rake: int) -> CashTable:
    """The table with these stacks; raises ValueError if chips came from nowhere or got lost."""
    before = sum(_sitting(table, who).stack for who in stacks)
    if before != sum(stacks.values()) + rake:
        raise ValueError(f"{before} chips before, {sum(stacks.values())} and {rake} after")
    players = {who: replace(table.players[who], stack=chips) for who, chips in stacks.items()}
    return replace(table, players={**table.players, **players})


def _cashed_out(table: CashTable, player: Player, chips: int, at_ms: int) -> CashTable:
    if chips != player.stack:
        raise ValueError(f"{player.participant} has {player.stack}, cashes out {chips}")
    gone = replace(
        player, seat=None, last_seat=player.seat, stack=0, cashed=player.cashed + chips, absent=False, entry="big-blind"
    )
    table = replace(_with(table, gone), chips_out=table.chips_out + chips)
    return _moved(table, at_ms, player.participant, "cash-out", chips)
