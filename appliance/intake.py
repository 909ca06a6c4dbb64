"""What comes to the director as a command, and what of it may be carried out. Pure.

Nothing in a message is believed: not its form, not its device, not its actor. What is let through becomes an `Order`
that says who gave it and where; whether the rules allow it is theirs to say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from appliance import allowance, kinds, phonerights, tablekeys
from appliance.allowance import NONE_GIVEN, Allowances
from appliance.engine import Order
from appliance.floorwords import FloorWord
from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    Deposit,
    Redo,
    Register,
    Undo,
    decode_command,
)
from appliance.game.play_commands import (
    Reenter,
)
from appliance.game.publications import accepted_at
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal as Ruled
from appliance.game.roster import Roster
from appliance.game.round import decide, fold, verify
from appliance.game.state import Ledger, Round
from appliance.kinds import VENUE_NOTES
from appliance.link.envelope import CommandMessage, Refusal
from appliance.phone import Phone

MAX_KEPT_BYTES = 2048
"""A longer command is not repeated in the record of what it led to."""


class Barred(Refusal, frozen=True):
    """A refusal by what the venue as a whole knows: it stands under the command's id, whatever changes. ``round``: the
    one that it is about.
    """

    round: str = ""


class Here(NamedTuple):
    """What the director knows: its venue, the venue's devices, the league's roster, the announced rounds by id.

    ``tables``: the device that each table is, by the table's number. ``allowances``: what may be spent of them now.
    ``adopted``: the devices that were let in on the spot, and their keys. ``lone``: what only an old director had and
    nobody has decided of, by the command's id. ``there``: the tables whose device is there, and which it is.
    ``answered``: whether the command with an id was answered for good before. ``phone``: the one that has signed what
    is looked at, if any has.
    """

    venue: str
    devices: Container[str]
    roster: Roster
    ledgers: Mapping[str, Ledger]
    tables: Mapping[int, str] = {}
    allowances: Allowances = NONE_GIVEN
    adopted: Mapping[str, str] = {}
    lone: Mapping[str, kinds.StrandedFound] = {}
    there: Callable[[], Mapping[int, str]] = dict
    answered: Callable[[str], bool] = lambda number: False
    phone: Phone | None = None

    def rounds(self) -> list[Round]:
        """All announced rounds."""
        return [ledger.round for ledger in self.ledgers.values() if ledger.round is not None]


def takes_money(order: Order) -> bool:
    """Whether a limit that reaches over several rounds applies to it (T-3): it must see what others did before it."""
    return isinstance((order.first or order).command, Register | Reenter | Deposit | Undo | Redo)


def lets_in(order: Order) -> bool:
    """Whether a device is let in by it: who was a moment before must be known (two for one table)."""
    return isinstance((order.first or order).command, kinds.DeviceAdopted)


def order_of(message: CommandMessage, here: Here, now: int) -> Order | Refusal:
    """The order a message asks for, or why it is none; ``now`` in UTC ms."""
    if not is_uuid(message.id):
        return refusal("bad-command", field="id")
    if message.device not in here.devices and (here.phone is None or here.phone.device != message.device):
        return refusal("unknown-device", device=message.device)
    if message.round == VENUE_NOTES:
        return _note(message, here, now)
    try:
        command = decode_command(bytes(message.body))
    except CommandError as error:
        return refusal("bad-command", field=error.field, reason=error.reason)
    if command.round != message.round:
        return refusal("wrong-round", round=command.round, here=message.round)
    if not _may_command(message, command, here):
        return refusal("not-authorised", actor=message.actor)
    return _ordered(message, command, here, now)


def _ordered(message: CommandMessage, command: Command, here: Here, now: int) -> Order | Refusal:
    """The order of a command that may be given, unless the venue as a whole knows better."""
    if command.round not in here.ledgers:
        return refusal("not-announced", round=command.round)
    why_not = None if here.answered(message.id) else _why_not(command, here, now)
    if why_not is not None:
        return Barred(why_not.code, refusal(why_not.code, **why_not.detail).detail, command.round)
    body = _kept(bytes(message.body))
    if isinstance(command, Register):
        command = _accepting(command, here, now)
    order = Order(message.id, f"round/{command.round}", command, message.actor, message.device, body)
    return order if message.revision is None else replace(order, revision=message.revision)


def _accepting(command: Register, here: Here, now: int) -> Register:
    """With the versions of rules and game plan that the screens show now: who registers accepts them (LG-12)."""
    round = here.ledgers[command.round].round
    right_ms = now if round is None else round.times.right(now)
    return replace(command, accepted=accepted_at(here.roster.editions, right_ms))


def refusal(code: str, **detail: Any) -> Refusal:
    """A refusal as it goes over the link."""
    return Refusal(code, msgspec.Raw(json.dumps(detail, default=str).encode()))


def _kept(body: bytes) -> bytes:
    """A command as it stands in the record of what it led to: on one line, and not if it is long."""
    line = msgspec.json.encode(msgspec.json.decode(body))
    return line if len(line) <= MAX_KEPT_BYTES else b""


def _note(message: CommandMessage, here: Here, now: int) -> Order | Refusal:
    try:
        note = kinds.decode_note(bytes(message.body))
    except msgspec.MsgspecError as error:
        return refusal("bad-command", reason=str(error)[:200])
    if here.phone is not None and not _may_note(message, note, here.phone, here):
        return refusal("not-authorised", actor=message.actor)
    if isinstance(note, kinds.DeviceDropped):
        return _drop(message, note, here)
    known = isinstance(note, kinds.KioskNote) or (here.phone is not None and isinstance(note, FloorWord))
    if not known or getattr(note, "device", "") != message.device:
        return refusal("bad-command", field="device")
    if isinstance(note, kinds.FloorCall) and here.phone is None and here.tables.get(note.table) != message.device:
        return refusal("bad-command", field="table")
    if isinstance(note, kinds.OfflineRefused) and not _may_tell(note, here):
        return refusal("not-authorised", actor=note.by)
    if isinstance(note, kinds.StrandedAccepted | kinds.StrandedDropped | kinds.TimeConfirmed) and not is_commissioner(
        here.roster, note.by
    ):
        return refusal("not-authorised", actor=note.by)
    if isinstance(note, kinds.StrandedAccepted):
        return _given_anew(message, note, here, now)
    if isinstance(note, kinds.StrandedDropped) and not _is_listed(message, note.command, here):
        return refusal("stale")
    return Order(message.id, f"venue/{here.venue}", note)


def _is_listed(message: CommandMessage, entry: str, here: Here) -> bool:
    """Whether an entry waits for a word, or this very message was answered: that answer is told again."""
    return entry in here.lone or here.answered(message.id)


def _given_anew(message: CommandMessage, note: kinds.StrandedAccepted, here: Here, now: int) -> Order | Refusal:
    """What only an old director had is decided anew, as theirs who accept it, in one with the note that it was."""
    number = kinds.given_anew(note.command)
    note = replace(note, anew=number)
    if not _is_listed(message, note.command, here):
        return refusal("stale")
    found = here.lone.get(note.command)
    if found is None:
        return Order(message.id, f"venue/{here.venue}", note)
    try:
        if found.round == VENUE_NOTES:
            first = _of_device(number, kinds.decode_note(bytes(found.body)), note.by, here)
        else:
            command = decode_command(bytes(found.body))
            anew = replace(message, id=number, actor=note.by, round=command.round, body=found.body)
            first = _ordered(anew, command, here, now)
    except (CommandError, msgspec.MsgspecError):
        return refusal("unreadable-entry")
    return first if isinstance(first, Refusal) else Order(message.id, f"venue/{here.venue}", note, first=first)


def _of_device(number: str, note: kinds.Note, by: str, here: Here) -> Order | Refusal:
    """A device that an old director had let in, or dropped, belongs here, or does not, by the word of ``by``."""
    match note:
        case kinds.DeviceAdopted():
            table = here.there().get(note.table or 0, note.device)
            if note.key in here.roster.revoked_keys:
                return refusal("device-revoked")
            if here.adopted.get(note.device, note.key) != note.key:
                return refusal("name-taken")
            if table != note.device:
                return refusal("table-taken", table=note.table, device=table)
            return Order(number, f"venue/{here.venue}", replace(note, by=by))
        case kinds.DeviceDropped():
            return Order(number, f"venue/{here.venue}", replace(note, by=by))
        case _:
            return refusal("unreadable-entry")


def _drop(message: CommandMessage, note: kinds.DeviceDropped, here: Here) -> Order | Refusal:
    """A commissioner has what was let in on the spot belong here no more; of others only the league says so."""
    if note.by != message.actor or not is_commissioner(here.roster, note.by):
        return refusal("not-authorised", actor=note.by)
    if note.device not in here.adopted or here.adopted[note.device] != note.key:
        return refusal("not-adopted", device=note.device)
    return Order(message.id, f"venue/{here.venue}", note)


def _may_tell(note: kinds.OfflineRefused, here: Here) -> bool:
    """A table tells what was refused to it; that it was seen, a commissioner at any device."""
    if note.open:
        return here.tables.get(note.table) == note.device
    return is_commissioner(here.roster, note.by)


def _may_command(message: CommandMessage, command: Command, here: Here) -> bool:
    """A commissioner may ask for anything, a table's own kiosk for what happens there; so may their phones."""
    if here.phone is not None:
        ledger = here.ledgers.get(command.round)
        signed_in = is_commissioner(here.roster, here.phone.who)
        return signed_in and phonerights.may_command(
            here.phone, message.actor, command, ledger.round if ledger else None
        )
    if message.actor != tablekeys.ACTOR:
        return is_commissioner(here.roster, message.actor)
    ledger = here.ledgers.get(command.round)
    return tablekeys.may_ask(command, message.device, here.tables, ledger.round if ledger else None)


def _may_note(message: CommandMessage, note: kinds.Note, phone: Phone, here: Here) -> bool:
    """Whether a phone may have this noted, as long as its commissioner is one."""
    return is_commissioner(here.roster, phone.who) and phonerights.may_note(phone, message.actor, note)


def is_commissioner(roster: Roster, actor: str) -> bool:
    """Whether a commissioner has this number."""
    entry = roster.by_number(actor)
    return entry is not None and entry.role == "commissioner" and entry.state == "active"


def _why_not(command: Command, here: Here, now: int) -> Ruled | None:
    """What only the venue as a whole knows: who is on the roster, and what was deposited next door (T-3)."""
    ledger = here.ledgers[command.round]
    round = ledger.round
    if round is None:
        return None
    match command:
        case Register() | Reenter():
            entry = here.roster.by_number(command.participant)
            if entry is None or entry.state != "active":
                reason = "unknown" if entry is None else entry.state
                return Ruled("card-refused", {"participant": command.participant, "reason": reason})
            return _too_much(round, here, command, now)
        case Deposit():
            return allowance.top_up(round, here.rounds(), command.participant, command.amount, now, here.allowances)
        case Undo() | Redo():
            after = _after(ledger, command, now)
            return allowance.comes_back(round, after, here.rounds(), now, here.allowances) if after else None
        case _:
            return None


def _too_much(round: Round, here: Here, command: Register | Reenter, now: int) -> Ruled | None:
    """The limit, where the rules of the round would let the participant in; else theirs is the better answer."""
    if verify(Ledger(round), command, now) is not None:
        return None
    if isinstance(command, Reenter):
        return allowance.reentry(round, here.rounds(), command, now, here.allowances)
    return allowance.registration(round, here.rounds(), command, now, here.allowances)


def _after(ledger: Ledger, command: Undo | Redo, now: int) -> Round | None:
    """The round as the command would leave it; None if it is refused anyway."""
    decided, round = decide(ledger, command, now, ""), ledger.round
    if isinstance(decided, Ruled) or round is None:
        return None
    for event in decided:
        ledger = fold(ledger, event, now, "")
    return kinds.timed(ledger, round.times).round


def is_uuid(text: str) -> bool:
    """Whether this can be a command's id."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
