"""A cash table's sessions in its stream (C-1 to C-8): loaded where one is played, for most tables never play any."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from appliance.game.cash import table as cash
from appliance.game.cash.commands import CashCommand
from appliance.game.cash.events import CASH_EVENT_TYPES, decode_cash_event, encode_cash_event
from appliance.game.cash.state import CashLedger
from appliance.game.codec import EventError
from appliance.game.refusal import Refusal
from appliance.game.tablestream.state import TableHands
from appliance.record import Record

_log = logging.getLogger(__name__)


def decide(
    ledger: CashLedger | None, command: CashCommand, seed: int, told: TableHands
) -> Sequence[tuple[str, bytes]] | Refusal:
    """Ask the rules of the cash table; no ``ledger``: nothing of any session is here yet."""
    decided = cash.decide(ledger or cash.EMPTY, command, seed=seed, told=told)
    return decided if isinstance(decided, Refusal) else [encode_cash_event(event) for event in decided]


def is_known(record: Record) -> bool:
    """Whether it tells of a cash session in a way that this version knows."""
    return record.type in CASH_EVENT_TYPES


def fold(ledger: CashLedger | None, record: Record) -> CashLedger:
    """Fold one event that is known; one that cannot be true changes nothing but what may follow it."""
    ledger = ledger or cash.EMPTY
    try:
        return cash.fold(ledger, decode_cash_event(record.type, record.data), record.at, record.cause)
    except EventError as error:
        _log.error("%s %s %d is not folded: %s", record.stream, record.epoch, record.seq, error)
        return cash.set_aside(ledger, record.cause)
