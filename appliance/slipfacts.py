"""From a round's record to the slips it asks for: a deposit, a move, a prize paid out. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from appliance.game import events as e
from appliance.game.codec import EventError
from appliance.game.events import decode_event
from appliance.game.play import DealsIn
from appliance.game.play_events import PlayerMoved, Reentered, TableBroken
from appliance.game.results import results
from appliance.game.state import Round
from appliance.game.values import Seat as GameSeat
from appliance.record import Record
from appliance.slips.contents import (
    DealtIn,
    Occasion,
    Printing,
    Seat,
    deposit_receipt,
    move_slip,
    payout_slip,
)
from appliance.slips.slip import Slip

Keyed = tuple[str, Slip]
"""A slip and what it is known by: the record, and of several for one record whose it is."""

_DEALT_IN: dict[DealsIn, DealtIn] = {
    "next-hand": DealtIn.AT_ONCE,
    "after-button": DealtIn.AFTER_BUTTON,
    "big-blind": DealtIn.AT_ONCE,
}


class _Origin(msgspec.Struct):
    """Who gave the command, as the engine signs it off in the first record's data."""

    actor: str = ""


def slips_of(record: Record, round: Round, venue: str, how: Printing) -> Iterator[Keyed]:
    """The slips a record asks for; ``round`` as it stands now."""
    try:
        event = decode_event(record.type, record.data)
    except EventError:
        return
    match event:
        case e.Registered() | e.Deposited() | Reentered():
            yield record.id, _deposit(event, record, _about(record, round, venue, event.participant), round, how)
        case PlayerMoved(participant=who, source=source, target=target, deals_in=deals_in) if source is not None:
            yield record.id, _move(_about(record, round, venue, who), source, target, deals_in, how)
        case TableBroken() | e.FinalTableDrawn():
            yield from _moves(event, record, round, venue, how)
        case e.Paid(participant=who, amount=amount):
            place = next((row.place for row in results(round) if row.participant == who), None)
            if place is not None:
                about = _about(record, round, venue, who)
                yield record.id, payout_slip(about, place, amount, how, commissioner=_actor(record), record=record.id)


def name_of(round: Round) -> str:
    """What a slip calls a round."""
    return round.id


def _about(record: Record, round: Round, venue: str, participant: str) -> Occasion:
    at = datetime.fromtimestamp(record.at / 1000, UTC)
    return Occasion(round.id, name_of(round), venue, participant, at)


def _deposit(
    event: e.Registered | e.Deposited | Reentered, record: Record, about: Occasion, round: Round, how: Printing
) -> Slip:
    amount = event.amount if isinstance(event, e.Deposited) else event.deposit
    player = round.players.get(event.participant)
    so_far = [money.amount for money in player.deposits if money.at <= record.at] if player else []
    return deposit_receipt(
        about, amount, event.chips, how, commissioner=_actor(record), record=record.id, total=sum(so_far) or None
    )


def _moves(event: TableBroken | e.FinalTableDrawn, record: Record, round: Round, venue: str, how: Printing) -> Any:
    """Where everybody sat before, the round's instructions say; who has gone on since needs no slip."""
    if isinstance(event, TableBroken):
        targets = dict(event.seats)
    else:
        targets = {who: GameSeat(event.table, seat) for seat, who in event.seats.items()}
    for who, target in sorted(targets.items()):
        told = round.instructions.get(who)
        if told is not None and told.target == target and told.source not in (None, target):
            about = _about(record, round, venue, who)
            yield f"{record.id} {who}", _move(about, told.source, target, told.deals_in, how)


def _move(about: Occasion, source: GameSeat, target: GameSeat, deals_in: DealsIn, how: Printing) -> Slip:
    old, new = Seat(source.table, source.seat), Seat(target.table, target.seat)
    return move_slip(about, old, new, _DEALT_IN[deals_in], how)


def _actor(record: Record) -> str:
    try:
        return msgspec.json.decode(record.data, type=_Origin).actor
    except msgspec.MsgspecError:
        return ""
