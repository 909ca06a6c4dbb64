"""What happened inside the hands of a table, as frozen facts that carry outcomes.

Positions are those of the hand: clockwise, 0 the small blind, heads-up the big blind. Amounts in chips.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from appliance.game.codec import Codec
from appliance.game.event import Event, Word
from appliance.game.hand import facts as f
from appliance.game.hand.out_of_turn import OutOfTurn
from appliance.game.hand.posting import PLAYERS_MOST
from appliance.game.ruleset import RuleSet
from appliance.game.rulings.events import RulingMade
from appliance.game.values import (
    MAX_AMOUNT,
    Amount,
    Ordinal,
    Participant,
    PositiveAmount,
    RoundId,
    SeatNumber,
    TableNumber,
    Total,
)

AnyFact = (
    f.Posted | f.Dealt | f.BoardDealt | f.Folded | f.Killed | f.Checked | f.Called | f.Bet | f.Raised | f.Forfeited
    | f.Restricted | f.Returned | f.Shown | f.Mucked | f.Awarded
)  # fmt: skip
Facts = Annotated[tuple[AnyFact, ...], Meta(max_length=1000)]
"""Facts of a hand, in order."""


class InHand(Struct, frozen=True, gc=False, omit_defaults=True):
    """Who was dealt in, where they sit and with how many chips they began; ``absent``: away as it began (S-8)."""

    participant: Participant
    seat: SeatNumber
    stack: PositiveAmount
    absent: bool = False


Players = Annotated[tuple[InHand, ...], Meta(min_length=2, max_length=PLAYERS_MOST)]
"""By position."""

Lives = Annotated[tuple[Annotated[int, Meta(ge=-MAX_AMOUNT, le=MAX_AMOUNT)], ...], Meta(max_length=PLAYERS_MOST)]
Deads = Annotated[tuple[Amount, ...], Meta(max_length=PLAYERS_MOST)]
"""By position, or nothing: the two blinds and no dead chips."""


class HandBegun(Event, frozen=True, kw_only=True):
    """The round's hand is tracked from here on: who is in it, by position, and what was posted (``facts``).

    ``small_blind`` None: it is dead (S-7). ``unit``: the smallest chip in play (H-14). ``rules``: the round's, whole.
    At a cash table ``round`` is the session; ``live`` and ``dead`` are what each position posts there instead of the
    two blinds: straddles and posts to come in, the latter negative as in PHH, and what lies in the pot (C-2 to C-6).
    """

    round: RoundId
    venue: Word
    table: TableNumber
    hand: Ordinal
    button: SeatNumber
    players: Players
    small_blind: Amount | None
    big_blind: PositiveAmount
    ante: Amount = 0
    ante_by: Literal["player", "bb"] = "player"
    unit: PositiveAmount = 1
    live: Lives = ()
    dead: Deads = ()
    rules: RuleSet
    facts: Facts = ()


class HandPlayed(Event, frozen=True, kw_only=True):
    """What one action led to, its consequences included. ``reason``: the code of why a declaration was bound to it."""

    facts: Annotated[Facts, Meta(min_length=1)]
    reason: Word | None = None


class ActedOutOfTurn(Event, frozen=True, kw_only=True):
    """A player acted before the turn came; what it is until then, and what was said and pushed (H-9).

    A fold is played at once. Who was ``skipped`` may no longer change it.
    """

    acted: OutOfTurn


class PlayerBack(Event, frozen=True, kw_only=True):
    """Who was absent as the hand began is back: their cards go no longer by themselves (S-8)."""

    position: Annotated[int, Meta(ge=0, lt=PLAYERS_MOST)]


class StacksCorrected(Event, frozen=True, kw_only=True):
    """Somebody counted during the hand: the stacks it began with, and the smallest chip in play with them.

    It is no step of the hand's: an undo keeps it.
    """

    hand: Ordinal
    stacks: Annotated[dict[Participant, PositiveAmount], Meta(min_length=1, max_length=PLAYERS_MOST)]
    unit: PositiveAmount = 1


class HandEnded(Event, frozen=True, kw_only=True):
    """The hand is over: everybody's stack, and who has none. ``counted``: told by a person, not by the actions."""

    hand: Ordinal
    stacks: dict[Participant, Total]
    busted: tuple[Participant, ...] = ()
    counted: bool = False


class HandDropped(Event, frozen=True, kw_only=True):
    """The hand is no longer tracked; nobody said how it ended."""

    hand: Ordinal


class ActionUndone(Event, frozen=True, kw_only=True):
    """The last command of the hand, of this id, was taken back."""

    command: Annotated[str, Meta(max_length=64)] | None


TABLE_EVENT_TYPES: dict[str, type[Event]] = {
    "hand-begun/1": HandBegun,
    "hand-played/1": HandPlayed,
    "out-of-turn/1": ActedOutOfTurn,
    "player-back/1": PlayerBack,
    "stacks-corrected/1": StacksCorrected,
    "hand-ended/1": HandEnded,
    "hand-dropped/1": HandDropped,
    "action-undone/1": ActionUndone,
    "ruling-made/1": RulingMade,
}
"""The types of a table's stream, as records name them, beside the notes that a hand of the round was taken up."""

_CODEC: Codec[Event] = Codec(TABLE_EVENT_TYPES)
encode_table_event = _CODEC.encode
decode_table_event = _CODEC.decode
