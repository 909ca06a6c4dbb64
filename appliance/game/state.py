"""The state of a round: frozen values, made only by `round.fold`.

Frozen values cannot be in a circle, so the collector need not look for one (``gc=False``): a replayed evening makes
thousands of them. Only the links of a chain are left to it, for it also takes long chains apart piece by piece.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from msgspec import Struct

from appliance.game.play import Arrival, DealMade, HandForHand, HandSpan, Instruction, Penalty, TimeCall
from appliance.game.pointskey import PointsKey
from appliance.game.publications import Accepted
from appliance.game.righttime import RIGHT, Times
from appliance.game.ruleset import RuleSet
from appliance.game.rulings.events import RulingMade
from appliance.game.values import Amount, Count, Duration, Moment, Seat


class Phase(StrEnum):
    """Where a round stands (LG-2). A stopped clock or a break is still RUNNING; see `report.state_name`."""

    ANNOUNCED = "announced"
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    MOVED = "moved"


class Status(StrEnum):
    """What a participant is in the round."""

    REGISTERED = "registered"
    IN = "in"
    OUT = "out"
    EXCLUDED = "excluded"
    VOID = "void"


class Money(NamedTuple):
    """A deposit of ``amount`` CZK at ``at`` (UTC ms)."""

    at: Moment
    amount: Amount


class Entry(Struct, frozen=True, gc=False):
    """An entry of the structure (CK-1). A break carries the number and blinds of the level before it."""

    level: Count
    sb: Amount
    bb: Amount
    ante: Amount
    length_ms: Duration
    is_break: bool = False


class ClockState(Struct, frozen=True, gc=False):
    """The clock is state, not ticks: which entry, and when it ends or what is left of it.

    ``ends_at`` (UTC ms) while running, ``left_ms`` while stopped. In a break that was added by command
    ``interrupted_ms`` is what the level of ``entry`` has left and ``break_ms`` the break's full length. Read it
    through `clock.face`. ``held``: hand-for-hand play stopped it, not a command (CK-6).
    """

    entry: Count
    running: bool
    ends_at: Moment = 0
    left_ms: Duration = 0
    interrupted_ms: Duration | None = None
    break_ms: Duration = 0
    held: bool = False


class Player(Struct, frozen=True, gc=False):
    """A participant in the round. ``chips``: the last known stack, by the chips lent or by a count.

    ``elsewhere``: what was deposited in other tournaments within 24 hours before the registration (T-3).
    ``reserved``: the seat given at registration. ``paid``: CZK of the prize handed over. ``absent``: away from the
    table, still dealt in (S-8). ``locked``: not moved to even out tables. ``balanced``: how often they were (S-3).
    ``chip_up``: bonus chips of the first break (T-13), ``bonus_card`` of the bonus card (T-12). ``reentered``: in again
    after a bust (T-11). ``penalties``: the log of sanctions (T-15). ``accepted``: the rules and the game plan
    that were in force at the registration (LG-12).
    """

    participant: str
    status: Status
    registered_at: int
    deposits: tuple[Money, ...]
    chips: int
    elsewhere: tuple[Money, ...] = ()
    reserved: Seat | None = None
    seat: Seat | None = None
    paid: int = 0
    absent: bool = False
    locked: bool = False
    balanced: int = 0
    chip_up: int = 0
    bonus_card: int = 0
    reentered: bool = False
    penalties: tuple[Penalty, ...] = ()
    accepted: tuple[Accepted, ...] = ()

    @property
    def deposit(self) -> int:
        """All that was deposited in this round, CZK."""
        return sum(money.amount for money in self.deposits)


class Table(Struct, frozen=True, gc=False):
    """A table of the round and its hand in play.

    ``button``, ``sb`` and ``bb`` are seats; ``sb`` is None where the small blind is dead (S-7), both are None
    before the first hand. ``sb_seat`` and ``bb_seat`` are the positions of the last hand, from which the next
    ones follow; None: the next hand is the first after the button was placed.
    ``level`` and the blinds are those of the hand in play (CK-2). ``chips``: all chips at the table as far as
    they are known, from the chips lent or from a count; None when a move blurred it.
    ``arrivals``: seats taken during play whose player is new or waits (S-5). ``dealer`` and ``last_bb``: who had the
    button and who posted the big blind in the hand in play, None where nobody did. ``balanced``: a player left or came
    to even out tables since the last hand. ``coloured_up``: the largest denomination that was changed up here (CK-5).
    ``ruled``: the last ruling here, and the hand that was in play, or the last one, as it was made (I-13).
    """

    number: int
    seats: Mapping[int, str]
    level: int
    small_blind: int
    big_blind: int
    ante: int
    button: int | None = None
    sb: int | None = None
    bb: int | None = None
    sb_seat: int | None = None
    bb_seat: int | None = None
    hand: int = 0
    chips: int | None = None
    arrivals: Mapping[int, Arrival] = {}
    dealer: str | None = None
    last_bb: str | None = None
    balanced: bool = False
    coloured_up: int = 0
    time_call: TimeCall | None = None
    ruled: tuple[int, RulingMade] | None = None


class Elimination(Struct, frozen=True, gc=False):
    """Who went out and how (T-6, T-7). ``hand`` None: an elimination of its own.

    ``seat`` and ``chips`` are what the player had, for a reinstatement, and ``hand_then`` is the hand in play at their
    table. ``taken``: chips that left play with them, and come back with them (T-4).
    """

    participant: str
    at: int
    table: int | None
    hand: int | None
    stack: int | None
    by: str | None
    seat: Seat | None
    chips: int
    hand_then: int | None = None
    taken: int = 0


class Finish(Struct, frozen=True, gc=False):
    """The end of the round; ``stacks`` rank those who were still in (T-8), a lone winner among them."""

    at: int
    stacks: Mapping[str, int]
    reason: str | None = None


class Round(Struct, frozen=True, gc=False, kw_only=True):
    """A round as it stands. Everything the announcement promised is copied here and never changes.

    ``pool``: all deposits, CZK; ``paid``: all prizes handed over. ``chips``: all chips lent, and still in play at the
    finish (T-4). ``left``: how many players are in. ``draws``: how many draws after the start were made from the seed.
    ``withdrawn``: from when to when those were registered whose registration was taken back; a guarantee counts them
    (T-9).
    ``breaking``: tables in the order in which they are broken (S-4). ``chip_set``: denominations, smallest first.
    ``locked_seats``: seats nobody is drawn to. ``instructions``: by participant. ``hand_spans``: the hands that were
    rounds of hand-for-hand play, of all its periods. ``chip_up_given``: the bonus stacks of the first break were
    handed out (T-13). ``rulings``: the commissioner's, as they were made (I-13). ``times``: what the venue knows of its
    records' times, for whoever decides; no record of the round tells it.
    """

    id: str
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
    table_numbers: tuple[int, ...]
    late_registration: bool
    reentry: bool
    guarantee: int | None
    chip_up: int | None
    bonus_card: int | None
    ante_by: Literal["player", "bb"]
    seed: int | None
    breaking: tuple[int, ...] = ()
    chip_set: tuple[int, ...] = ()
    phase: Phase = Phase.ANNOUNCED
    players: Mapping[str, Player] = {}
    tables: Mapping[int, Table] = {}
    clock: ClockState | None = None
    eliminations: tuple[Elimination, ...] = ()
    finish: Finish | None = None
    pool: int = 0
    chips: int = 0
    left: int = 0
    draws: int = 0
    withdrawn: tuple[tuple[int, int], ...] = ()
    locked_seats: tuple[Seat, ...] = ()
    instructions: Mapping[str, Instruction] = {}
    hand_for_hand: HandForHand | None = None
    hand_spans: tuple[HandSpan, ...] = ()
    chip_up_given: bool = False
    deal: DealMade | None = None
    paid: int = 0
    reason: str | None = None
    rulings: tuple[RulingMade, ...] = ()
    times: Times = RIGHT


class Step(Struct, frozen=True, eq=False):
    """An accepted command that can be undone: the round before it, and its clock right after it.

    ``clock_moved``: the command changed the clock, so an undo sets it back as well. ``set_aside``: what the
    command did could not be folded here, or came after something that could not. ``previous``: the step before it;
    ``depth``: how many there are with it.
    """

    cause: str | None
    at: int
    before: Round
    clock_after: ClockState | None
    clock_moved: bool
    set_aside: bool
    previous: Step | None
    depth: int


class Undone(Struct, frozen=True, eq=False):
    """An undone command that can be given again: its step and the round after it, and what was undone before it."""

    step: Step
    after: Round
    previous: Undone | None
    depth: int


class Ledger(Struct, frozen=True, gc=False, eq=False):
    """The round with its history: ``done`` is what an undo takes back first, ``undone`` what a redo gives first.

    Both are chains, so that a command costs the same however many there were.
    """

    round: Round | None = None
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

    @property
    def in_doubt(self) -> bool:
        """Whether the last command could not be folded, or came after one that could not; an undo ends the doubt."""
        return self.done is not None and self.done.set_aside
