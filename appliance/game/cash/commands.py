"""What a person may ask of a cash session: one frozen struct a command, named by ``do``; amounts in chips."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from appliance.game.cash.state import Entry
from appliance.game.reading import read_command
from appliance.game.values import Amount, Participant, PositiveAmount, RoundId, SeatNumber

Players = Annotated[tuple[Participant, ...], Meta(max_length=10)]


class CashCommand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """The part all commands have: the id of the session they are meant for."""

    session: RoundId


class Open(CashCommand, tag="open", frozen=True, kw_only=True):
    """Open a table with these stakes; see `Settings`. ``seed``: for the draw of the button, drawn if not given."""

    small_blind: PositiveAmount
    big_blind: PositiveAmount
    seats: Annotated[int, Meta(ge=2, le=10)]
    buy_in_minimum: PositiveAmount
    buy_in_maximum: PositiveAmount
    profile: Annotated[str, Meta(max_length=64)] = "cash-2012"
    chip_value: PositiveAmount = 1
    rake_maximum: Amount = 0
    straddles: Annotated[int, Meta(ge=0, le=10)] | None = None
    seed: Annotated[int, Meta(ge=0)] | None = None

    def __post_init__(self) -> None:
        if self.seed is not None and self.seed >= 2**63:
            raise ValueError("seed: at most 9223372036854775807")


class Join(CashCommand, tag="join", frozen=True, kw_only=True):
    """Put on the waiting list (C-7)."""

    participant: Participant


class Call(CashCommand, tag="call", frozen=True, kw_only=True):
    """Call the first of the waiting list who was not called yet (C-7)."""


class Decline(CashCommand, tag="decline", frozen=True, kw_only=True):
    """One who was called does not take the seat, and is off the list (C-7)."""

    participant: Participant


class Unjoin(CashCommand, tag="unjoin", frozen=True, kw_only=True):
    """Off the waiting list by one's own wish (C-7)."""

    participant: Participant


class Sit(CashCommand, tag="sit", frozen=True, kw_only=True):
    """Take a free seat with a buy-in (C-1, C-2)."""

    participant: Participant
    seat: SeatNumber
    chips: PositiveAmount
    entry: Entry = "big-blind"


class Enter(CashCommand, tag="enter", frozen=True, kw_only=True):
    """How one who owes a blind comes in with the next hand (C-2, C-4, C-5)."""

    participant: Participant
    entry: Entry


class Change(CashCommand, tag="move", frozen=True, kw_only=True):
    """Take another free seat (C-1)."""

    participant: Participant
    seat: SeatNumber


class AddOn(CashCommand, tag="add_on", frozen=True, kw_only=True):
    """Buy more chips, up to the maximum of a buy-in (C-8)."""

    participant: Participant
    chips: PositiveAmount


class Leave(CashCommand, tag="leave", frozen=True, kw_only=True):
    """Give up the seat and cash out the whole stack (C-8); ``chips``: what was counted, to be compared."""

    participant: Participant
    chips: Amount | None = None


class Absent(CashCommand, tag="absent", frozen=True, kw_only=True):
    """Away from the table, the seat kept (C-4)."""

    participant: Participant


class Present(CashCommand, tag="present", frozen=True, kw_only=True):
    """Back at the table (C-4)."""

    participant: Participant


class NextHand(CashCommand, tag="next_hand", frozen=True, kw_only=True):
    """Deal the next hand. ``straddles``: who straddles, in order (C-6); ``button``: fixed where it would be drawn."""

    straddles: Players = ()
    button: SeatNumber | None = None


class Result(CashCommand, tag="result", frozen=True, kw_only=True):
    """The hand is over: stacks of those whose stack changed, and the rake (C-8)."""

    stacks: Annotated[dict[Participant, Amount], Meta(max_length=10)] = {}
    rake: Amount = 0


class Stacks(CashCommand, tag="stacks", frozen=True, kw_only=True):
    """A chip count between hands (C-8)."""

    stacks: Annotated[dict[Participant, Amount], Meta(min_length=1, max_length=10)]


class Rabbit(CashCommand, tag="rabbit", frozen=True, kw_only=True):
    """Ask to see the cards that would have come (C-6); ``tip``: chips for the dealer from who asks.

    ``active``: who is in the betting round; without it, everybody who was dealt in.
    """

    participant: Participant
    consents: Players
    active: Annotated[Players, Meta(min_length=1)] | None = None
    tip: PositiveAmount


class Close(CashCommand, tag="close", frozen=True, kw_only=True):
    """End the session: everybody cashes out (C-8)."""


class Undo(CashCommand, tag="undo", frozen=True, kw_only=True):
    """Take back the last ``n`` accepted commands; ``of`` is the id of the newest one the person saw."""

    n: Annotated[int, Meta(ge=1, le=100_000)] = 1
    of: Annotated[str, Meta(max_length=64)] | None = None


class Redo(CashCommand, tag="redo", frozen=True, kw_only=True):
    """Give the last ``n`` undone commands again; ``of`` is the id of the first of them."""

    n: Annotated[int, Meta(ge=1, le=100_000)] = 1
    of: Annotated[str, Meta(max_length=64)] | None = None


AnyCashCommand = (
    Open | Join | Call | Decline | Unjoin | Sit | Enter | Change | AddOn | Leave | Absent | Present | NextHand | Result
    | Stacks | Rabbit | Close | Undo | Redo
)  # fmt: skip


def decode_cash_command(source: bytes | str | dict[str, Any]) -> CashCommand:
    """Read a command from JSON text or from an object already read; raises `CommandError`."""
    command: CashCommand = read_command(source, AnyCashCommand)
    return command
