"""What comes to the director as a command, and what of it may be carried out. Pure.

Nothing in a message is believed: not its form, not its device, not its actor. What is let through becomes an `Order`
that says who gave it and where; whether the rules allow it is theirs to say.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from appliance import kinds
from appliance.engine import Order
from appliance.game.commands import Command, Deposit, Register, decode_command
from appliance.game.entry import over_limit
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal as Ruled
from appliance.game.roster import Roster
from appliance.game.state import Money, Phase, Round
from appliance.link.envelope import CommandMessage, Refusal

VENUE_NOTES = "venue"
"""What a message names as its round when it is a note for the venue's stream."""

_DAY_MS = 24 * 3_600_000


class Here(NamedTuple):
    """What the director knows: its venue, the venue's devices, the league's roster, the announced rounds by id."""

    venue: str
    devices: Container[str]
    roster: Roster
    rounds: Mapping[str, Round]


def takes_money(order: Order) -> bool:
    """Whether a limit that reaches over several rounds applies to it (T-3): it must see what others did before it."""
    return isinstance(order.command, Register | Deposit)


def order_of(message: CommandMessage, here: Here, now: int) -> Order | Refusal:
    """The order a message asks for, or why it is none; ``now`` in UTC ms."""
    if not _is_uuid(message.id):
        return refusal("bad-command", field="id")
    if message.device not in here.devices:
        return refusal("unknown-device", device=message.device)
    if message.round == VENUE_NOTES:
        return _note(message, here)
    try:
        command = decode_command(bytes(message.body))
    except CommandError as error:
        return refusal("bad-command", field=error.field, reason=error.reason)
    if command.round != message.round:
        return refusal("wrong-round", round=command.round, here=message.round)
    if not _is_commissioner(here.roster, message.actor):
        return refusal("not-authorised", actor=message.actor)
    if command.round not in here.rounds:
        return refusal("not-announced", round=command.round)
    checked = _checked(command, here, now)
    if isinstance(checked, Ruled):
        return refusal(checked.code, **checked.detail)
    return Order(message.id, f"round/{command.round}", checked, message.actor, message.device)


def refusal(code: str, **detail: Any) -> Refusal:
    """A refusal as it goes over the link."""
    return Refusal(code, msgspec.Raw(json.dumps(detail, default=str).encode()))


def deposited_elsewhere(rounds: Mapping[str, Round], here: str, participant: str, now: int) -> list[Money]:
    """What a participant deposited in the venue's other rounds within the last 24 hours, and not got back (T-3)."""
    return [
        money
        for number, other in rounds.items()
        if number != here and other.phase is not Phase.CANCELLED and participant in other.players
        for money in other.players[participant].deposits
        if money.at > now - _DAY_MS
    ]


def _note(message: CommandMessage, here: Here) -> Order | Refusal:
    try:
        note = kinds.decode_note(bytes(message.body))
    except msgspec.MsgspecError as error:
        return refusal("bad-command", reason=str(error)[:200])
    if not isinstance(note, kinds.CardRefused) or note.device != message.device:
        return refusal("bad-command", field="device")
    return Order(message.id, f"venue/{here.venue}", note)


def _is_commissioner(roster: Roster, actor: str) -> bool:
    entry = roster.by_number(actor)
    return entry is not None and entry.role == "commissioner" and entry.state == "active"


def _checked(command: Command, here: Here, now: int) -> Command | Ruled:
    """The command with what only the venue as a whole knows: who is on the roster, what was deposited next door."""
    match command:
        case Register():
            return _registration(command, here, now)
        case Deposit():
            return _top_up(command, here, now) or command
        case _:
            return command


def _registration(command: Register, here: Here, now: int) -> Register | Ruled:
    entry = here.roster.by_number(command.participant)
    if entry is None or entry.state != "active":
        reason = "unknown" if entry is None else entry.state
        return Ruled("card-refused", {"participant": command.participant, "reason": reason})
    next_door = deposited_elsewhere(here.rounds, command.round, command.participant, now)
    if not next_door:
        return command
    told = command.deposits_24h
    given = ((_iso(now), told),) * bool(told) if isinstance(told, int) else told
    return replace(command, deposits_24h=(*given, *((_iso(money.at), money.amount) for money in next_door)))


def _top_up(command: Deposit, here: Here, now: int) -> Ruled | None:
    """Why a deposit would go over the limit, counted with what came in next door since the registration."""
    round = here.rounds[command.round]
    player = round.players.get(command.participant)
    if player is None:
        return None
    next_door = deposited_elsewhere(here.rounds, command.round, command.participant, now)
    if not next_door:
        return None
    return over_limit(round, [*player.deposits, *_union(player.elsewhere, next_door)], command.amount, now)


def _union(known: Sequence[Money], found: Sequence[Money]) -> list[Money]:
    """Both, without counting twice what stands in both."""
    left = list(known)
    for money in found:
        if money in left:
            left.remove(money)
    return [*left, *found]


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
