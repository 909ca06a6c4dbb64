"""What happened in a round, as frozen facts that carry outcomes: folding them asks no rule.

Every type has a version. `decode_event` ignores unknown fields and keeps unknown types as `UnknownEvent`.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from appliance.game.pointskey import PointsKey
from appliance.game.ruleset import RuleSet
from appliance.game.state import ClockState, Entry, Money
from appliance.game.values import Seat


class EventError(ValueError):
    """Bytes that are no event of the type they claim to be."""


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened in the round whose stream it is in."""


class UnknownEvent(Struct, frozen=True):
    """An event of a type this version does not know: kept as it came, shown, never folded."""

    type: str
    raw: bytes


class Announced(Event, frozen=True, kw_only=True):
    """The round was announced: a snapshot of all that was promised. Times in UTC ms, money in CZK."""

    round: str
    venue: str
    starts_at: int
    profile: str
    rules: RuleSet
    rules_hash: str
    structure: tuple[Entry, ...]
    shares: tuple[str, ...]
    key: PointsKey
    deposit: int
    seats_per_table: int
    capacity: int
    tables: tuple[int, ...]
    late_registration: bool = False
    reentry: bool = False
    guarantee: int | None = None
    chip_up: int | None = None
    bonus_card: int | None = None
    ante_by: Literal["player", "bb"] = "player"
    seed: int | None = None


class Opened(Event, frozen=True, kw_only=True):
    """Registrations are taken from now on."""

    reason: str | None = None


class Cancelled(Event, frozen=True, kw_only=True):
    """The round was cancelled; ``returned`` is what each participant got back, CZK."""

    returned: dict[str, int]
    reason: str | None = None


class Rescheduled(Event, frozen=True, kw_only=True):
    """The round was moved to another time (UTC ms); registrations stay."""

    starts_at: int
    reason: str | None = None


class Registered(Event, frozen=True, kw_only=True):
    """A participant registered. ``seat``: where a late entrant sits; ``reserved``: a seat fixed for the draw.

    ``draw``: the number of the draw the seat came from, None if it was given.
    """

    participant: str
    deposit: int
    chips: int
    elsewhere: tuple[Money, ...] = ()
    reserved: Seat | None = None
    seat: Seat | None = None
    draw: int | None = None


class Unregistered(Event, frozen=True, kw_only=True):
    """A registration was taken back; ``returned`` CZK."""

    participant: str
    returned: int


class Deposited(Event, frozen=True, kw_only=True):
    """A deposit was raised by ``amount`` CZK; ``chips`` were lent for it."""

    participant: str
    amount: int
    chips: int


class Started(Event, frozen=True, kw_only=True):
    """The round started: who sits where, the buttons by table, and the cards that drew the first one.

    ``cards``: seat → card at the table that drew; empty when the button was given.
    """

    seed: int
    seats: dict[str, Seat]
    buttons: dict[int, int]
    clock: ClockState
    cards: dict[int, str] = {}


class ClockSet(Event, frozen=True, kw_only=True):
    """The clock was changed by the command named ``by``; ``clock`` is how it stands at the event's time."""

    by: str
    clock: ClockState


class HandStarted(Event, frozen=True, kw_only=True):
    """A table's next hand (S-7, CK-2): its number, button and blinds; seats are None where dead.

    ``sb_seat`` and ``bb_seat`` are the positions, dead or not. ``cards``: the draw of a new table's button.
    """

    table: int
    hand: int
    button: int
    sb: int | None
    bb: int | None
    sb_seat: int | None
    bb_seat: int | None
    level: int
    small_blind: int
    big_blind: int
    ante: int = 0
    cards: dict[int, str] = {}
    draw: int | None = None


class StacksCounted(Event, frozen=True, kw_only=True):
    """Chips were counted at a table; ``total`` is all of the table's, None when not everybody was counted."""

    table: int
    stacks: dict[str, int]
    total: int | None


class Busted(Event, frozen=True, kw_only=True):
    """A participant is out; ``hand`` None: an elimination of its own (T-7)."""

    participant: str
    table: int | None = None
    hand: int | None = None
    stack: int | None = None
    by: str | None = None


class Reinstated(Event, frozen=True, kw_only=True):
    """A bust player is back in, with ``chips`` at ``seat``; later places move."""

    participant: str
    seat: Seat
    chips: int
    draw: int | None = None


class Paid(Event, frozen=True, kw_only=True):
    """``amount`` CZK of a prize was handed over."""

    participant: str
    amount: int


class PlayerMoved(Event, frozen=True, kw_only=True):
    """A player sits elsewhere now."""

    participant: str
    source: Seat | None
    target: Seat


class FinalTableDrawn(Event, frozen=True, kw_only=True):
    """All who remain sit at one table; ``cards``: participant → card where cards seated them (S-6)."""

    table: int
    seats: dict[int, str]
    button: int
    draw: int
    cards: dict[str, str] = {}


class Result(Struct, frozen=True):
    """A place of the round: the better number of a shared one, its prize in CZK and points in halves."""

    place: int
    participant: str
    prize: int
    points_half: int


class Finished(Event, frozen=True, kw_only=True):
    """The round is over: final places, prizes and points, best first.

    ``stacks``: the chips of those who were still in; one alone is the winner. ``reason``: of an early end.
    """

    results: tuple[Result, ...]
    stacks: dict[str, int]
    reason: str | None = None


class CommandsUndone(Event, frozen=True, kw_only=True):
    """The last commands were taken back; ``commands`` are their ids, newest first."""

    n: int
    commands: tuple[str | None, ...]


class CommandsRedone(Event, frozen=True, kw_only=True):
    """Undone commands were given again; ``commands`` are their ids, in the order of giving."""

    n: int
    commands: tuple[str | None, ...]


EVENT_TYPES: dict[str, type[Event]] = {
    "announced/1": Announced,
    "opened/1": Opened,
    "cancelled/1": Cancelled,
    "rescheduled/1": Rescheduled,
    "registered/1": Registered,
    "unregistered/1": Unregistered,
    "deposited/1": Deposited,
    "started/1": Started,
    "clock-set/1": ClockSet,
    "hand-started/1": HandStarted,
    "stacks-counted/1": StacksCounted,
    "busted/1": Busted,
    "reinstated/1": Reinstated,
    "paid/1": Paid,
    "player-moved/1": PlayerMoved,
    "final-table-drawn/1": FinalTableDrawn,
    "finished/1": Finished,
    "undone/1": CommandsUndone,
    "redone/1": CommandsRedone,
}
"""The types of a round's stream, as records name them."""

_NAMES = {kind: name for name, kind in EVENT_TYPES.items()}
_DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in EVENT_TYPES.items()}


def encode_event(event: Event) -> tuple[str, bytes]:
    """The record type and the JSON data of an event."""
    return _NAMES[type(event)], msgspec.json.encode(event)


def decode_event(type_name: str, raw: bytes | msgspec.Raw) -> Event | UnknownEvent:
    """Read an event of a round's stream; raises `EventError` when a known type has data that do not fit."""
    decoder = _DECODERS.get(type_name)
    if decoder is None:
        return UnknownEvent(type_name, bytes(raw))
    try:
        return decoder.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EventError(f"{type_name}: {error}") from None
