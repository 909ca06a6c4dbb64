"""What happened in a round, as frozen facts that carry outcomes: folding them asks no rule.

Every type has a version. What a person could not have asked for cannot have happened: numbers, times and names
are bounded as in commands, so that no record, whoever signed it, makes a state that cannot be shown.
`decode_event` ignores unknown fields and keeps unknown types as `UnknownEvent`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from appliance.game.codec import Codec
from appliance.game.event import Event, Seed, Word
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
    Waiting,
)
from appliance.game.pointskey import PointsKey
from appliance.game.publications import Accepted
from appliance.game.ruleset import RuleSet
from appliance.game.rulings.events import RulingMade
from appliance.game.state import ClockState, Entry, Money
from appliance.game.values import (
    Amount,
    Count,
    Moment,
    Ordinal,
    Participant,
    PositiveAmount,
    RoundId,
    Seat,
    SeatNumber,
    Share,
    TableNumber,
    Text,
    Total,
    VenueId,
)


class Announced(Event, frozen=True, kw_only=True):
    """The round was announced: a snapshot of all that was promised. Times in UTC ms, money in CZK."""

    round: RoundId
    venue: VenueId
    starts_at: Moment
    profile: Annotated[str, Meta(max_length=64)]
    rules: RuleSet
    rules_hash: str
    structure: Annotated[tuple[Entry, ...], Meta(min_length=1, max_length=1000)]
    shares: Annotated[tuple[Share, ...], Meta(min_length=1, max_length=1000)]
    key: PointsKey
    deposit: Amount
    seats_per_table: Annotated[int, Meta(ge=2, le=10)]
    capacity: Count
    tables: Annotated[tuple[TableNumber, ...], Meta(min_length=1)]
    late_registration: bool = False
    reentry: bool = False
    guarantee: Amount | None = None
    chip_up: Amount | None = None
    bonus_card: Amount | None = None
    ante_by: Literal["player", "bb"] = "player"
    seed: Seed | None = None
    breaking: tuple[TableNumber, ...] = ()
    chip_set: tuple[PositiveAmount, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.tables)) != len(self.tables) or self.capacity > len(self.tables) * self.seats_per_table:
            raise ValueError("tables: a number is there twice, or they do not seat everybody")
        if not any(share.strip("0.") for share in self.shares):
            raise ValueError("shares: nothing is shared")


class Opened(Event, frozen=True, kw_only=True):
    """Registrations are taken from now on."""

    reason: Text | None = None


class Cancelled(Event, frozen=True, kw_only=True):
    """The round was cancelled; ``returned`` is what each participant got back, CZK."""

    returned: dict[Participant, Total]
    reason: Text | None = None


class Rescheduled(Event, frozen=True, kw_only=True):
    """The round was moved to another time (UTC ms); registrations stay."""

    starts_at: Moment
    reason: Text | None = None


class Registered(Event, frozen=True, kw_only=True):
    """A participant registered. ``seat``: where a late entrant sits; ``reserved``: a seat fixed for the draw.

    ``draw``: the number of the draw the seat came from, None if it was given. ``accepted``: the versions of the rules
    and the game plan that were in force (LG-12).
    """

    participant: Participant
    deposit: Amount
    chips: Total
    elsewhere: tuple[Money, ...] = ()
    reserved: Seat | None = None
    seat: Seat | None = None
    draw: Ordinal | None = None
    accepted: Annotated[tuple[Accepted, ...], Meta(max_length=2)] = ()


class Unregistered(Event, frozen=True, kw_only=True):
    """A registration was taken back; ``returned`` CZK."""

    participant: Participant
    returned: Total


class Deposited(Event, frozen=True, kw_only=True):
    """A deposit was raised by ``amount`` CZK; ``chips`` were lent for it."""

    participant: Participant
    amount: Amount
    chips: Total


class Started(Event, frozen=True, kw_only=True):
    """The round started: who sits where, the buttons by table, and the cards that drew the first one.

    ``cards``: seat → card at the table that drew; empty when the button was given.
    """

    seed: Seed
    seats: dict[Participant, Seat]
    buttons: dict[TableNumber, SeatNumber]
    clock: ClockState
    cards: dict[SeatNumber, Word] = {}


class ClockSet(Event, frozen=True, kw_only=True):
    """The clock was changed by the command named ``by``; ``clock`` is how it stands at the event's time."""

    by: Word
    clock: ClockState


class HandStarted(Event, frozen=True, kw_only=True):
    """A table's next hand (S-7, CK-2): its number, button and blinds; seats are None where dead.

    ``sb_seat`` and ``bb_seat`` are the positions, dead or not. ``cards``: the draw of a new table's button.
    ``waiting``: seats that are not dealt in. ``together``: the round of hands it is in hand-for-hand play (CK-6).
    """

    table: TableNumber
    hand: Ordinal
    button: SeatNumber
    sb: SeatNumber | None
    bb: SeatNumber | None
    sb_seat: SeatNumber | None
    bb_seat: SeatNumber | None
    level: Count
    small_blind: Amount
    big_blind: Amount
    ante: Amount = 0
    cards: dict[SeatNumber, Word] = {}
    draw: Ordinal | None = None
    waiting: Waiting = {}
    together: Ordinal | None = None


class StacksCounted(Event, frozen=True, kw_only=True):
    """Chips were counted at a table; ``total`` is all of the table's, None when not everybody was counted."""

    table: TableNumber
    stacks: dict[Participant, Amount]
    total: Total | None


class Busted(Event, frozen=True, kw_only=True):
    """A participant is out; ``hand`` None: an elimination of its own (T-7). ``happened``: when, where it was told later
    (UTC ms)."""

    participant: Participant
    table: TableNumber | None = None
    hand: Ordinal | None = None
    stack: Amount | None = None
    by: Participant | None = None
    happened: Moment | None = None


class Reinstated(Event, frozen=True, kw_only=True):
    """A bust player is back in, with ``chips`` at ``seat``; later places move.

    ``returned``: how many of the chips had left play with them and come into play again (T-4).
    """

    participant: Participant
    seat: Seat
    chips: Total
    draw: Ordinal | None = None
    returned: Total = 0


class Paid(Event, frozen=True, kw_only=True):
    """``amount`` CZK of a prize was handed over."""

    participant: Participant
    amount: Amount


class FinalTableDrawn(Event, frozen=True, kw_only=True):
    """All who remain sit at one table; ``cards``: participant → card where cards seated them (S-6)."""

    table: TableNumber
    seats: dict[SeatNumber, Participant]
    button: SeatNumber
    draw: Ordinal
    cards: dict[Participant, Word] = {}


class Result(Struct, frozen=True):
    """A place of the round: the better number of a shared one, its prize in CZK and points in halves."""

    place: Ordinal
    participant: Participant
    prize: Total
    points_half: Count


class Finished(Event, frozen=True, kw_only=True):
    """The round is over: final places, prizes and points, best first.

    ``stacks``: the chips of those who were still in; one alone is the winner. ``reason``: of an early end.
    """

    results: tuple[Result, ...]
    stacks: dict[Participant, Total]
    reason: Text | None = None


MOST_NAMED = 1000
"""So many ids fit into a record; an evening may have more commands, and all of them can be undone at once."""


class CommandsUndone(Event, frozen=True, kw_only=True):
    """The last ``n`` commands were taken back; ``commands`` are their ids, newest first, `MOST_NAMED` at most."""

    n: Ordinal
    commands: tuple[str | None, ...]


class CommandsRedone(Event, frozen=True, kw_only=True):
    """``n`` undone commands were given again; ``commands`` are their ids in that order, `MOST_NAMED` at most."""

    n: Ordinal
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
    "absent-marked/1": AbsentMarked,
    "present-marked/1": PresentMarked,
    "sat-out/1": SatOut,
    "player-locked/1": PlayerLocked,
    "seat-locked/1": SeatLocked,
    "table-broken/1": TableBroken,
    "taken-out/1": TakenOut,
    "hand-for-hand-set/1": HandForHandSet,
    "chip-up-given/1": ChipUpGiven,
    "bonus-card-used/1": BonusCardUsed,
    "reentered/1": Reentered,
    "sanctioned/1": Sanctioned,
    "ruling-made/1": RulingMade,
    "coloured-up/1": ColouredUp,
    "deal-agreed/1": DealAgreed,
    "voided/1": Voided,
    "time-called/1": TimeCalled,
    "time-call-ended/1": TimeCallEnded,
    "undone/1": CommandsUndone,
    "redone/1": CommandsRedone,
}
"""The types of a round's stream, as records name them."""

_CODEC: Codec[Event] = Codec(EVENT_TYPES)
encode_event = _CODEC.encode
decode_event = _CODEC.decode
