"""What happened at a cash table, as frozen facts that carry outcomes: folding them asks no rule. Amounts in chips."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from appliance.game.cash.state import Entry, Post, Settings, Standing
from appliance.game.codec import Codec
from appliance.game.event import Event, Seed, Word
from appliance.game.events import CommandsRedone, CommandsUndone
from appliance.game.ruleset import RuleSet
from appliance.game.values import Amount, Ordinal, Participant, PositiveAmount, RoundId, SeatNumber, Total


class Opened(Event, frozen=True, kw_only=True):
    """The table was opened: stakes and rules, copied whole. ``seed``: of the draws for the button."""

    session: RoundId
    profile: Word
    rules: RuleSet
    rules_hash: Word
    settings: Settings
    seed: Seed


class Joined(Event, frozen=True, kw_only=True):
    """Last on the waiting list now."""

    participant: Participant


class Called(Event, frozen=True, kw_only=True):
    """A seat is held for this one of the waiting list."""

    participant: Participant


class ListLeft(Event, frozen=True, kw_only=True):
    """Off the waiting list: the seat offered was declined, or the player left it."""

    participant: Participant
    why: Literal["declined", "left"]


class SatDown(Event, frozen=True, kw_only=True):
    """A seat was taken with a buy-in; ``standing``: what is owed before the first hand. Off the list, if on it."""

    participant: Participant
    seat: SeatNumber
    chips: PositiveAmount
    standing: Standing
    entry: Entry = "big-blind"


class EntryChosen(Event, frozen=True, kw_only=True):
    """How one who is not in comes in."""

    participant: Participant
    entry: Entry


class SeatChanged(Event, frozen=True, kw_only=True):
    """Another seat, and what is owed there."""

    participant: Participant
    seat: SeatNumber
    standing: Standing


class AddedOn(Event, frozen=True, kw_only=True):
    """Chips bought on top."""

    participant: Participant
    chips: PositiveAmount


class Left(Event, frozen=True, kw_only=True):
    """The seat was given up and the stack cashed out."""

    participant: Participant
    chips: Total


class AbsentMarked(Event, frozen=True, kw_only=True):
    """Away, the seat kept; a choice how to come in is taken back."""

    participant: Participant


class PresentMarked(Event, frozen=True, kw_only=True):
    """Back."""

    participant: Participant


class HandStarted(Event, frozen=True, kw_only=True):
    """A hand was dealt: positions as in `CashTable`, seats from the small blind on, and who puts in what.

    Who is dealt in owes nothing any more. ``standings``: of those who missed a blind by this hand, seated or gone.
    ``cards`` and ``draw``: where the button was drawn; the number without cards: where it was placed by hand.
    """

    hand: Ordinal
    button: SeatNumber
    sb: SeatNumber | None
    bb: SeatNumber
    sb_seat: SeatNumber
    bb_seat: SeatNumber
    order: Annotated[tuple[SeatNumber, ...], Meta(min_length=2, max_length=10)]
    posts: Annotated[tuple[Post, ...], Meta(max_length=10)]
    standings: dict[Participant, Standing] = {}
    cards: dict[SeatNumber, Word] = {}
    draw: Ordinal | None = None


class HandEnded(Event, frozen=True, kw_only=True):
    """A hand's result: the stacks that changed, and what the house took.

    ``told``: what the followed hand has of those whose stack it has otherwise (`contradicted`).
    """

    hand: Ordinal
    stacks: dict[Participant, Total]
    rake: Amount = 0
    told: dict[Participant, Total] = {}


class StacksCounted(Event, frozen=True, kw_only=True):
    """A count between hands."""

    stacks: dict[Participant, Total]


class RabbitHunted(Event, frozen=True, kw_only=True):
    """The cards to come were shown on this one's wish and with all consents; they tipped the dealer."""

    participant: Participant
    tip: PositiveAmount


class Closed(Event, frozen=True, kw_only=True):
    """The session is over; what everybody who still sat there cashed out."""

    stacks: dict[Participant, Total]


CASH_EVENT_TYPES: dict[str, type[Event]] = {
    "cash-opened/1": Opened,
    "cash-list-joined/1": Joined,
    "cash-list-called/1": Called,
    "cash-list-left/1": ListLeft,
    "cash-sat-down/1": SatDown,
    "cash-entry-chosen/1": EntryChosen,
    "cash-seat-changed/1": SeatChanged,
    "cash-added-on/1": AddedOn,
    "cash-left/1": Left,
    "cash-absent-marked/1": AbsentMarked,
    "cash-present-marked/1": PresentMarked,
    "cash-hand-started/1": HandStarted,
    "cash-hand-ended/1": HandEnded,
    "cash-stacks-counted/1": StacksCounted,
    "cash-rabbit-hunted/1": RabbitHunted,
    "cash-closed/1": Closed,
    "cash-undone/1": CommandsUndone,
    "cash-redone/1": CommandsRedone,
}
"""The types of a cash session in its table's stream, as records name them."""

_CODEC: Codec[Event] = Codec(CASH_EVENT_TYPES)
encode_cash_event = _CODEC.encode
decode_cash_event = _CODEC.decode
