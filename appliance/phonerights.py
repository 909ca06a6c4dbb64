"""What a phone may ask of the round and of the venue. Pure.

A commissioner's may what a commissioner may; a dealer's what its table's own keys may, and call the floor there.
"""

from __future__ import annotations

from appliance import kinds, tablekeys
from appliance.allowancenotes import AllowanceAsked
from appliance.floorwords import FloorWord
from appliance.game.command import Command
from appliance.game.state import Round
from appliance.kinds import Note
from appliance.phone import Phone

DEALER = "dealer"
"""Who gives a command that comes from a dealer's phone; no registration number reads like this."""


def may_command(phone: Phone, actor: str, command: Command, round: Round | None) -> bool:
    """Whether a phone may give this command; whether its commissioner still is one is asked beside."""
    if phone.role == "commissioner":
        return actor == phone.who
    return actor == DEALER and phone.table is not None and tablekeys.may_table(command, phone.table, round)


def may_press(phone: Phone, table: int) -> bool:
    """Whether a phone may press the keys of this table's pad."""
    return phone.role == "commissioner" or phone.table == table


def presser(phone: Phone) -> str:
    """Who gives a command by a key that was pressed on this phone."""
    return phone.who if phone.role == "commissioner" else DEALER


def may_note(phone: Phone, actor: str, note: Note) -> bool:
    """Whether a phone may have this written into the venue's stream."""
    if phone.role == "dealer":
        return actor == DEALER and isinstance(note, kinds.FloorCall) and note.table == phone.table
    by = getattr(note, "by", phone.who)
    return actor == by == phone.who and isinstance(note, _COMMISSIONERS)


_COMMISSIONERS = (
    kinds.FloorCall, kinds.OfflineRefused, AllowanceAsked, kinds.StrandedAccepted, kinds.StrandedDropped,
    kinds.TimeConfirmed, kinds.DeviceDropped, FloorWord,
)  # fmt: skip
"""What a commissioner's phone may have noted; that a card was refused or a PIN checked only a reader's device knows."""
