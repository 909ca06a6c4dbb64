"""What a screen shows, as frozen values: no words, no pixels.

Numbers stay numbers and names are names; the layout says them in the screen's language. Times of day are aware
``datetime`` values in the venue's zone, durations whole seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from appliance.display.notice import Notice
from appliance.display.prompt import Prompt
from appliance.display.view_floor import MenuView
from appliance.display.view_rules import Published, RulesInForce
from appliance.display.view_season import Announcement, Standings

TURN_S = 15
"""How long a page or a picture stays before the next one takes its turn."""

Phase = Literal["none", "announced", "open", "running", "paused", "finished", "cancelled", "moved"]
"""The round's state of the text interface; ``none``: no round at this venue."""


Going = Literal["runs", "stands", "before", "over"]
"""What play does: it goes on by a clock that runs or stands, has not begun, or is over."""


class HandsRefused(msgspec.Struct, frozen=True):
    """Hands ``hand`` to ``last`` of a table were played without the director, which refused them or has them otherwise;
    ``why`` is the code. For the floor."""

    table: int
    hand: int
    last: int
    why: str


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """How far this screen can be believed. A screen never lies: what is wrong here is always shown.

    ``reader``: cards are read here; ``missing``: the names of readers that do not work beside others that do.
    ``kept``: the first and the last hand played here without the director. ``lone``: so many entries that only an old
    director had wait for a decision. ``elsewhere``: the device that is this table now. ``time_doubted``: nobody
    vouches for the time. ``play``: what the table does meanwhile, by which people are told what to do.
    ``revoked``: the league has withdrawn this device; ``shut_out``: who directs and does not let it in. ``stopped``:
    some of the evening's records are not taken here.
    """

    director: bool = True
    director_lost_at: datetime | None = None
    reader: bool = True
    missing: tuple[str, ...] = ()
    one_copy: bool = False
    kept: tuple[int, int] | None = None
    refused: tuple[HandsRefused, ...] = ()
    lone: int = 0
    elsewhere: str = ""
    time_doubted: bool = False
    revoked: bool = False
    shut_out: str = ""
    stopped: bool = False
    play: Going = "runs"

    @property
    def never_heard(self) -> bool:
        """Whether this device has not heard of the director since it was switched on."""
        return not self.director and self.director_lost_at is None


class Blinds(msgspec.Struct, frozen=True, kw_only=True):
    """Chips; ``ante_from_bb``: the big blind pays it for the table (CK-1)."""

    sb: int
    bb: int
    ante: int = 0
    ante_from_bb: bool = False


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """The tournament clock. In a break ``level`` is the one just played and the time that of the break (CK-1).

    Times of day are known only while the clock runs; ``next_break_in_s`` is playing time. ``resumes_s``: what the
    level has left that a break interrupts, which then goes on (CK-3); ``next_blinds`` are its own.
    """

    level: int
    blinds: Blinds
    remaining_s: int
    span_s: int
    running: bool = True
    on_break: bool = False
    next_is_break: bool = False
    next_blinds: Blinds | None = None
    next_break_in_s: int | None = None
    next_break_at: datetime | None = None
    break_ends_at: datetime | None = None
    resumes_s: int | None = None

    @property
    def following(self) -> int:
        """The number of the level that follows, or goes on after the break."""
        return self.level if self.resumes_s is not None else self.level + 1


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """Who is in: ``average`` chips a player, 0 before the start."""

    left: int
    entries: int
    average: int = 0
    chips_in_play: int = 0


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """A paid place and its amount in CZK."""

    place: int
    amount: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the results; ``points`` a decimal string."""

    place: int
    who: str
    prize: int
    points: str | None = None


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of the table and what lies before it; ``who`` None: empty.

    ``waits``: not dealt in until the button has passed, as the seat has it or by the player's own choice (S-5).
    """

    number: int
    who: str | None = None
    absent: bool = False
    waits: Literal["button", "choice"] | None = None
    button: bool = False
    small_blind: bool = False
    big_blind: bool = False


class LevelRow(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the announced structure (T-16): a level's number, blinds and length, or a break (``level`` None).

    ``left_s``: of a level that a break interrupts, what is left of it.
    """

    minutes: int
    level: int | None = None
    blinds: Blinds | None = None
    left_s: int | None = None


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """What every screen of a round has in common.

    ``starts_in_s`` counts down to the announced start, until play has begun. ``deposit`` in CZK and ``stack``, the
    chips lent for it (T-4), are those of the announcement. ``key_confirmed``: the league stands by the key the points
    follow; where it does not, every screen that shows points says so (P). ``final``: only the final table is left
    (S-6); ``results`` are then of those who are out, without points. ``turn`` counts up every `TURN_S` seconds: what
    has several pages, or pictures, takes turns by it.
    """

    phase: Phase
    status: Status
    now: datetime
    venue: str
    starts_at: datetime | None = None
    starts_in_s: int | None = None
    face: Face | None = None
    field: Field | None = None
    prizes: tuple[Prize, ...] = ()
    results: tuple[Result, ...] = ()
    capacity: int = 0
    deposit: int = 0
    stack: int = 0
    shares: tuple[str, ...] = ()
    key_confirmed: bool = True
    final: bool = False
    levels: tuple[LevelRow, ...] = ()
    rules: RulesInForce | None = None
    editions: tuple[Published, ...] = ()
    standings: Standings | None = None
    announcement: Announcement | None = None
    turn: int = 0


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody is to sit elsewhere: from and to a table and seat; ``deals_in`` as in an instruction (S-3 to S-6)."""

    who: str
    source: tuple[int, int] | None
    target: tuple[int, int]
    deals_in: Literal["next-hand", "after-button", "big-blind"] = "next-hand"


Asked = Literal["floor", "time"]
"""What a table has called the floor for: itself, or to start somebody's time (CK-4)."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call for time (CK-4): of whom, the phase and what is left of it, and how the hand ends when it is over.

    ``seat``: where they sit, if others at the table have the same name.
    """

    who: str
    phase: Literal["thinking", "counting", "over"]
    remaining_s: int
    ends: Literal["fold", "check-or-fold"]
    seat: int | None = None


class HandSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that was dealt in: chips behind and in front; ``cards`` those that lie open; ``won`` at the end.

    ``folded``: not in the hand any more, ``dead``: because the hand was declared dead, ``away``: because the player was
    absent. ``out``: it ended without chips.
    """

    number: int
    stack: int
    bet: int = 0
    folded: bool = False
    dead: bool = False
    away: bool = False
    all_in: bool = False
    out: bool = False
    cards: tuple[str, ...] = ()
    won: int = 0


class PotView(msgspec.Struct, frozen=True, kw_only=True):
    """A pot, the main one first; ``winners`` the seats it went to, empty before the award.

    ``strength``: of the winning hand, as `ranking.strength` has it; None where its cards are not known.
    """

    amount: int
    winners: tuple[int, ...] = ()
    strength: int | None = None


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """A tracked hand. Cards as ``Ks``, ``??`` one that nobody told; seats by their numbers.

    ``waits``: what the hand waits for; ``open``: after an all-in all cards are laid open (H-16); ``doubt``: this
    version cannot follow it, ``dropped``: it is only counted, nothing else is told. ``to_act`` is on turn, to act or
    to show. ``call``: chips to add, 0 where a check is free; ``raise_min`` and ``raise_max``:
    what a bet or raise may be *to* on this street, None where none is allowed; ``bet``: nobody has bet yet.
    ``show_order``: who has still to show. ``counted``: a person told the stacks, nobody the winners.
    """

    street: Literal["preflop", "flop", "turn", "river"] = "preflop"
    waits: Literal["action", "board", "show", "open", "winners", "nothing", "doubt", "dropped"] = "action"
    board: tuple[str, ...] = ()
    pots: tuple[PotView, ...] = ()
    seats: tuple[HandSeat, ...] = ()
    to_act: int | None = None
    call: int = 0
    bet: bool = False
    raise_min: int | None = None
    raise_max: int | None = None
    show_order: tuple[int, ...] = ()
    counted: bool = False


class ReadingView(msgspec.Struct, frozen=True, kw_only=True):
    """What the last declaration was read as, by a seat, and why: ``reason`` and ``detail`` of `hand.reasons`.

    ``amount``: of a call the chips added, of a bet or raise the total. ``waits``: out of turn, it counts later.
    """

    seat: int
    action: Literal["fold", "check", "call", "bet", "raise"]
    amount: int
    reason: str
    detail: Mapping[str, Any] = {}
    waits: bool = False


class PadView(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer's keys as they are drawn for touch, and what was typed so far.

    ``keys``: those that make sense now, by name. ``typed``: digits, chips parted by ``+``, or cards.
    ``pot``: the one whose winners are asked, from 0, and ``winners`` the seats touched for it so far.
    ``refused``: code and parameters of the last refusal. ``reading``: of the last declaration.
    """

    keys: tuple[str, ...] = ()
    mode: Literal["play", "cards", "winners", "menu"] = "play"
    typed: str = ""
    seat: int | None = None
    pot: int | None = None
    winners: tuple[int, ...] = ()
    refused: tuple[str, Mapping[str, Any]] | None = None
    reading: ReadingView | None = None


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table's screen. ``hand_blinds``: those of the hand in progress where the clock is already further (CK-2).

    ``moves``: who leaves the table and who comes to it. ``call``: whose time runs there. ``tracked``: the hand in
    play, or the one just over, where every action is told; ``pad``: the keys for it, where they are touched.
    """

    board: Board
    table: int
    hand: int = 0
    seats: tuple[Seat, ...] = ()
    hand_blinds: Blinds | None = None
    prompt: PromptView | None = None
    notices: tuple[Notice, ...] = ()
    moves: tuple[Move, ...] = ()
    call: Call | None = None
    asked: Asked | None = None
    tracked: HandView | None = None
    pad: PadView | None = None


class ClockView(msgspec.Struct, frozen=True, kw_only=True):
    """The clock wall: the round without a table of its own, and all ``moves``."""

    board: Board
    notices: tuple[Notice, ...] = ()
    moves: tuple[Move, ...] = ()


class PlanTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the room plan and which of its seats are taken."""

    number: int
    seats: int
    taken: tuple[int, ...] = ()


class PromptView(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt with what it needs looked up: the person's label, chips for the deposit, the plan of the room.

    ``seat``: the person's, if others at the table have the same name.
    ``pin_keys``: the digits of a PIN are touched here. ``next_round_today``: the round at ``next_round_at`` is
    today's, whose registration has not opened yet. ``lang``: the language of the person addressed, where the roster
    tells one; else the screen's. ``confirms``: the label of whoever waits behind a PIN.
    """

    prompt: Prompt
    who: str | None = None
    seat: int | None = None
    chips: int = 0
    next_round_at: datetime | None = None
    next_round_today: bool = False
    plan: tuple[PlanTable, ...] = ()
    pin_keys: bool = False
    lang: Literal["", "cs", "en"] = ""
    confirms: str | None = None


class DoorView(msgspec.Struct, frozen=True, kw_only=True):
    """The screen at the door: the invitation to tap, or what it says to the one who tapped; all ``moves``."""

    board: Board
    prompt: PromptView | None = None
    notices: tuple[Notice, ...] = ()
    moves: tuple[Move, ...] = ()


class FloorView(msgspec.Struct, frozen=True, kw_only=True):
    """The floor menu that a commissioner has opened on a kiosk, with the clock that goes on, and the time that runs."""

    board: Board
    menu: MenuView
    call: Call | None = None


class StartingView(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame: who this device is, before anything else is known."""

    device: str
    version: str = ""


class AttentionView(msgspec.Struct, frozen=True, kw_only=True):
    """The device needs a person. ``problem`` and ``remedy`` are texts in the screen's language; ``also`` has them in
    other languages, where nobody knows which one is read here.
    """

    device: str
    problem: str
    remedy: str
    code: str = ""
    version: str = ""
    also: dict[str, tuple[str, str]] = {}


class VenueSeen(msgspec.Struct, frozen=True):
    """A venue that a spare device has found: what it is called; ``refused``: why it does not let the device in, a code.

    ``shown``: its commissioners see the device in their menu.
    """

    name: str
    shown: bool = False
    refused: str = ""


class SpareView(msgspec.Struct, frozen=True, kw_only=True):
    """A device without a place: its name, the code that lets it in, and the venues that it has found.

    ``wrong``: somebody has typed another code. ``pending``: the right one was typed; ``role`` and ``table``: what the
    device becomes, once it is.
    """

    device: str
    code: str = ""
    venues: tuple[VenueSeen, ...] = ()
    wrong: bool = False
    pending: bool = False
    role: Literal["", "table", "door", "clock"] = ""
    table: int | None = None
    version: str = ""


View = TableView | ClockView | DoorView | FloorView | StartingView | AttentionView | SpareView
