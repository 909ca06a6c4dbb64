"""What a person may ask of a round: one frozen struct a command, named by ``do``.

`decode_command` is strict: an unknown field, a wrong type or an amount out of bounds is a `CommandError` that
names the field. Whether the rules allow a command is for `round.decide` to say.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from appliance.game.command import Command, Elsewhere, check_times
from appliance.game.play_commands import (
    Absent,
    Balance,
    BonusCard,
    BreakTable,
    ChipUp,
    ColourUp,
    Deal,
    FinalTable,
    HandForHand,
    Lock,
    Move,
    Present,
    Reenter,
    Ruling,
    Sanction,
    SitOut,
    TimeCall,
    TimeEnd,
    Void,
)
from appliance.game.pointskey import PointsKey
from appliance.game.publications import Accepted
from appliance.game.reading import read_command
from appliance.game.values import (
    Amount,
    Moment,
    Participant,
    PositiveAmount,
    Seat,
    SeatNumber,
    Share,
    TableNumber,
    Text,
    VenueId,
    parse_time,
)


class StructureEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry of the announced structure (CK-1): a level with blinds in chips, or a break; in minutes."""

    sb: Amount | None = None
    bb: PositiveAmount | None = None
    ante: Amount = 0
    minutes: Annotated[int, Meta(ge=1, le=1440)] | None = None
    pause: Annotated[int, Meta(ge=1, le=1440)] | None = msgspec.field(default=None, name="break")

    def __post_init__(self) -> None:
        level = (self.sb, self.bb, self.minutes)
        if self.pause is None and None in level:
            raise ValueError("a level has sb, bb and minutes")
        if self.pause is not None and (level != (None, None, None) or self.ante):
            raise ValueError("a break has nothing but its minutes")


EntryNumber = Annotated[int, Meta(ge=1, le=200)]
"""An entry of the structure, counted from 1, breaks included."""


class Announce(Command, tag="announce", frozen=True, kw_only=True):
    """Announce the round (LG-2): the record of what was promised, copied whole into the round."""

    venue: VenueId
    starts_at: str
    profile: Annotated[str, Meta(max_length=64)]
    deposit: Amount
    shares: Annotated[tuple[Share, ...], Meta(max_length=90)]
    seats_per_table: Annotated[int, Meta(ge=2, le=10)]
    levels: Annotated[tuple[StructureEntry, ...], Meta(min_length=1, max_length=200)]
    seed: Annotated[int, Meta(ge=0)] | None = None
    capacity: Annotated[int, Meta(ge=1, le=1000)] = 90
    late_registration: bool = False
    reentry: bool = False
    guarantee: Amount | None = None
    chip_up: Amount | None = None
    bonus_card: Amount | None = None
    points_key: PointsKey | None = None
    tables: Annotated[tuple[TableNumber, ...], Meta(min_length=1, max_length=90)] | None = None
    ante_by: Literal["player", "bb"] = "player"
    breaking: Annotated[tuple[TableNumber, ...], Meta(max_length=90)] | None = None
    chip_set: Annotated[tuple[PositiveAmount, ...], Meta(max_length=20)] = ()

    def __post_init__(self) -> None:
        parse_time(self.starts_at)
        if self.seed is not None and self.seed >= 2**63:
            raise ValueError("seed: at most 9223372036854775807")
        if all(entry.pause is not None for entry in self.levels):
            raise ValueError("levels: there is no level among them")
        if any(not share.strip("0.") for share in self.shares):
            raise ValueError("shares: a share is more than nothing")
        for name, numbers in (("tables", self.tables), ("breaking", self.breaking), ("chip_set", self.chip_set)):
            if numbers is not None and len(set(numbers)) != len(numbers):
                raise ValueError(f"{name}: a number is there twice")


class Open(Command, tag="open", frozen=True, kw_only=True):
    """Open the door: registrations are taken from now on."""

    reason: Text | None = None


class Cancel(Command, tag="cancel", frozen=True, kw_only=True):
    """Cancel the round (LG-2): no points, deposits go back."""

    reason: Text | None = None


class Reschedule(Command, tag="reschedule", frozen=True, kw_only=True):
    """Move the round to another date (LG-2)."""

    starts_at: str
    reason: Text | None = None

    def __post_init__(self) -> None:
        parse_time(self.starts_at)


class Register(Command, tag="register", frozen=True, kw_only=True):
    """Register a participant with the announced deposit (T-2, T-3).

    ``deposits_24h`` is what they deposited elsewhere in the last 24 hours: a sum in CZK, or times with sums.
    ``accepted``: the versions of the rules and the game plan that are in force (LG-12). The director puts in what the
    league has told it, whatever the command says.
    """

    participant: Participant
    identity_checked: bool
    deposits_24h: Elsewhere = 0
    seat: Seat | None = None
    accepted: Annotated[tuple[Accepted, ...], Meta(max_length=2)] = ()

    def __post_init__(self) -> None:
        check_times(self.deposits_24h)


class Deposit(Command, tag="deposit", frozen=True, kw_only=True):
    """Raise the deposit by ``amount`` CZK (T-3). ``seen``: what the person saw deposited before."""

    participant: Participant
    amount: PositiveAmount
    seen: Amount | None = None


class Start(Command, tag="start", frozen=True, kw_only=True):
    """Start the round: seats and the first button are drawn, unless they are given here (S-1, S-2)."""

    seats: Annotated[dict[Participant, Seat], Meta(max_length=90)] = {}
    button: SeatNumber | None = None


class Pause(Command, tag="pause", frozen=True, kw_only=True):
    """Stop the clock (CK-3)."""


class Resume(Command, tag="resume", frozen=True, kw_only=True):
    """Let the clock run again (CK-3)."""


class NextLevel(Command, tag="next_level", frozen=True, kw_only=True):
    """Go to the next entry of the structure (CK-1). ``seen``: the entry that the person saw, from 1."""

    seen: EntryNumber | None = None


class PreviousLevel(Command, tag="previous_level", frozen=True, kw_only=True):
    """Go back one entry of the structure (CK-1). ``seen`` as for `NextLevel`."""

    seen: EntryNumber | None = None


class BeginBreak(Command, tag="begin_break", frozen=True, kw_only=True):
    """Add a break of so many minutes now (CK-3)."""

    minutes: Annotated[int, Meta(ge=1, le=1440)]


class EndBreak(Command, tag="end_break", frozen=True, kw_only=True):
    """End the break (CK-3)."""


class SetRemaining(Command, tag="set_remaining", frozen=True, kw_only=True):
    """Set what is left of the level or break, in seconds (CK-3). ``seen`` as for `NextLevel`."""

    seconds: Annotated[int, Meta(ge=0, le=86_400)]
    seen: EntryNumber | None = None


class NextHand(Command, tag="next_hand", frozen=True, kw_only=True):
    """The first riffle of a table's next hand (CK-2, S-7). ``seen``: the table's hand that the person saw, or 0.

    ``level``: the one that held when the hand began, where it is told later: neither below the last hand's nor above
    the one that holds now.
    """

    table: TableNumber
    seen: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    level: Annotated[int, Meta(ge=1, le=1000)] | None = None


class Stacks(Command, tag="stacks", frozen=True, kw_only=True):
    """A chip count at one table. ``hand``: what this one has left; no longer taken when a later one than the next has
    begun."""

    table: TableNumber
    stacks: Annotated[dict[Participant, Amount], Meta(min_length=1, max_length=90)]
    hand: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


class Bust(Command, tag="bust", frozen=True, kw_only=True):
    """A participant lost all chips (T-6, T-7); ``stack`` is what they had at the start of that hand.

    ``happened``: when they did, where it is told later (UTC ms).
    """

    participant: Participant
    table: TableNumber | None = None
    hand: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    stack: PositiveAmount | None = None
    by: Participant | None = None
    happened: Moment | None = None


class Busts(Command, tag="busts", frozen=True, kw_only=True):
    """Several participants lost all chips in the hand in play (T-6, T-7): all of them go out, or nobody does.

    ``stacks`` is what each had at the start of that hand.
    """

    stacks: Annotated[dict[Participant, PositiveAmount], Meta(min_length=2, max_length=90)]


class Undo(Command, tag="undo", frozen=True, kw_only=True):
    """Take back the last ``n`` accepted commands; ``of`` is the id of the newest one the person saw."""

    n: Annotated[int, Meta(ge=1, le=100_000)] = 1
    of: Annotated[str, Meta(max_length=64)] | None = None


class Redo(Command, tag="redo", frozen=True, kw_only=True):
    """Give the last ``n`` undone commands again; ``of`` is the id of the first of them."""

    n: Annotated[int, Meta(ge=1, le=100_000)] = 1
    of: Annotated[str, Meta(max_length=64)] | None = None


class Unregister(Command, tag="unregister", frozen=True, kw_only=True):
    """Take back a registration before the start; the deposit is returned."""

    participant: Participant


class Reinstate(Command, tag="reinstate", frozen=True, kw_only=True):
    """Bring a bust player back; later places move."""

    participant: Participant


class Pay(Command, tag="pay", frozen=True, kw_only=True):
    """A prize, or a part of it, was handed over (T-5). ``seen``: what the person saw paid before."""

    participant: Participant
    amount: PositiveAmount
    seen: Amount | None = None


class EndEarly(Command, tag="end_early", frozen=True, kw_only=True):
    """End for serious reasons; those who remain rank by their chips (T-8)."""

    reason: Text
    stacks: Annotated[dict[Participant, Amount], Meta(min_length=1, max_length=90)]


AnyCommand = (
    Announce | Open | Cancel | Reschedule | Register | Deposit | Start | Pause | Resume | NextLevel
    | PreviousLevel | BeginBreak | EndBreak | SetRemaining | NextHand | Stacks | Bust | Busts | Undo
    | Redo | Unregister | Reinstate | Pay | Move | FinalTable | EndEarly | SitOut | Absent | Present | Balance
    | BreakTable | HandForHand | ChipUp | BonusCard | Reenter | Sanction | ColourUp | Deal | Void | Lock | TimeCall
    | TimeEnd | Ruling
)  # fmt: skip


def name_of(command: Command) -> str:
    """The ``do`` of a command."""
    return str(type(command).__struct_config__.tag)


def decode_command(source: bytes | str | dict[str, Any]) -> Command:
    """Read a command from JSON text or from an object already read; raises `CommandError`."""
    command: Command = read_command(source, AnyCommand)
    return command


def encode_command(command: Command) -> bytes:
    """The command as JSON, as `decode_command` reads it."""
    return msgspec.json.encode(command)
