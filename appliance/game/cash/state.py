"""The state of a cash session: one table's evening, frozen values made only by `fold`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from msgspec import Struct

from appliance.game.ruleset import RuleSet
from appliance.game.values import Amount, Count, Moment, Participant, PositiveAmount, SeatNumber, Total


class Standing(StrEnum):
    """What a player owes before being dealt in; for one who left: as what they would come back to their seat.

    IN: nothing. NEW: waits for the big blind or posts one, live (C-2). OWES_SMALL: a dead small blind (C-3).
    MISSED: carries the *missed blind* marker: waits for the big blind, or pays a dead small and a live big one (C-4).
    """

    IN = "in"
    NEW = "new"
    OWES_SMALL = "owes-small"
    MISSED = "missed-blind"


Entry = Literal["big-blind", "post", "button"]
"""How one who is not in comes in: waits for the big blind, posts, buys the button."""

PostKind = Literal["small", "big", "post", "dead", "button", "straddle"]
"""Small and big blind; a newcomer's or returner's post; a dead small blind alone; the bought button; a straddle."""

MovementKind = Literal["buy-in", "add-on", "cash-out", "tip"]


class Post(NamedTuple):
    """What a seat puts in before the cards, in chips, as far as its stack goes: ``live`` counts towards the bet."""

    seat: SeatNumber
    kind: PostKind
    live: Total
    dead: Amount = 0


class Settings(Struct, frozen=True, gc=False, kw_only=True):
    """What a table is opened with. Amounts in chips; a chip is worth ``chip_value`` CZK.

    ``rake_maximum``: of one hand; 0 in the league's rooms. ``straddles``: how many a hand at most; None: as many as
    sit up to the button (C-6).
    """

    small_blind: PositiveAmount
    big_blind: PositiveAmount
    seats: SeatNumber
    buy_in_minimum: PositiveAmount
    buy_in_maximum: PositiveAmount
    chip_value: PositiveAmount = 1
    rake_maximum: Amount = 0
    straddles: Count | None = None


class Player(Struct, frozen=True, gc=False):
    """Who sits or sat at the table. ``seat`` None: left; ``last_seat`` is then the one given up.

    ``stack``: chips in front, as of the last result or count. ``bought`` and ``cashed``: chips in and out, all evening.
    ``entry``: how they want to come in while they are not. ``absent``: away, the seat kept.
    """

    participant: str
    seat: int | None
    stack: int
    standing: Standing
    entry: Entry = "big-blind"
    absent: bool = False
    last_seat: int | None = None
    bought: int = 0
    cashed: int = 0

    @property
    def result(self) -> int:
        """Chips won (positive) or lost."""
        return self.stack + self.cashed - self.bought


class Waiter(Struct, frozen=True, gc=False):
    """A place on the waiting list, since ``at`` (UTC ms); ``called``: since when a seat is held for them."""

    participant: str
    at: int
    called: int | None = None


class HandInPlay(Struct, frozen=True, gc=False):
    """The hand that was dealt last: ``order`` are its seats from the small blind on, the button last.

    ``tips``: chips that players of the hand have tipped since it began, by seat; they are off their stacks already.
    """

    order: tuple[int, ...]
    posts: tuple[Post, ...]
    tips: Mapping[int, int] = {}


class Movement(Struct, frozen=True, gc=False):
    """A line of the session's log: chips that came to the table or left it, at ``at`` (UTC ms)."""

    at: Moment
    participant: Participant
    kind: MovementKind
    chips: Amount


class Differing(Struct, frozen=True, gc=False):
    """A hand whose result, given at ``at`` (UTC ms), is not what was followed of it: both, of those it is about."""

    at: Moment
    hand: int
    told: Mapping[str, int]
    given: Mapping[str, int]


class CashTable(Struct, frozen=True, gc=False, kw_only=True):
    """A cash session as it stands.

    ``button``, ``sb`` and ``bb`` are the seats of the last hand, None where a blind was dead; ``sb_seat`` and
    ``bb_seat`` its positions, from which the next ones follow (`button`). ``hand``: the hand in play, None between
    hands. ``number``: of the last hand; ``draws``: how often the button was drawn. ``chips_in``, ``chips_out`` and
    ``rake`` of the whole evening: what is on the table is the first less the others.
    """

    id: str
    profile: str
    rules: RuleSet
    rules_hash: str
    settings: Settings
    seed: int
    opened_at: int
    players: Mapping[str, Player] = {}
    waiting: tuple[Waiter, ...] = ()
    button: int | None = None
    sb: int | None = None
    bb: int | None = None
    sb_seat: int | None = None
    bb_seat: int | None = None
    hand: HandInPlay | None = None
    number: int = 0
    draws: int = 0
    chips_in: int = 0
    chips_out: int = 0
    rake: int = 0
    movements: tuple[Movement, ...] = ()
    differing: tuple[Differing, ...] = ()
    closed_at: Moment | None = None

    @property
    def chips(self) -> int:
        """Chips on the table."""
        return self.chips_in - self.chips_out - self.rake

    def seated(self) -> dict[int, Player]:
        """The players by seat, in the order of the seats."""
        sitting = [(player.seat, player) for player in self.players.values() if player.seat is not None]
        return dict(sorted(sitting, key=lambda item: item[0]))

    def sitting(self, participant: str) -> Player | None:
        """The player, if they have a seat."""
        player = self.players.get(participant)
        return player if player is not None and player.seat is not None else None

    def holds_cards(self, player: Player) -> bool:
        """Whether the player was dealt into the hand in play."""
        return self.hand is not None and player.seat in self.hand.order


class Step(Struct, frozen=True, eq=False):
    """An accepted command that can be undone, and the table before it; ``depth``: how many there are with it."""

    cause: str | None
    before: CashTable
    set_aside: bool
    previous: Step | None
    depth: int


class Undone(Struct, frozen=True, eq=False):
    """An undone command that can be given again: its step, the table after it, and what was undone before it."""

    step: Step
    after: CashTable
    previous: Undone | None
    depth: int


class CashLedger(Struct, frozen=True, gc=False, eq=False):
    """The session with its history; ``done`` is undone first, ``undone`` given again first."""

    table: CashTable | None = None
    done: Step | None = None
    undone: Undone | None = None

    @property
    def undoable(self) -> int:
        """How many commands can be undone."""
        return self.done.depth if self.done else 0

    @property
    def redoable(self) -> int:
        """How many undone commands can be given again."""
        return self.undone.depth if self.undone else 0
