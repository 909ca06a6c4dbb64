"""State → view: what a screen shows of a round at a moment. Pure.

Of the display only the files named ``from_…`` know the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal, TypeVar
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.from_call import call, next_second_ms, seat_of_many
from appliance.display.from_hand import at_table, hand_view, pad_view, with_players
from appliance.display.from_moves import moves
from appliance.display.from_notices import room_notices, table_notices
from appliance.display.notice import Notice
from appliance.display.view import (
    Asked,
    Blinds,
    Board,
    ClockView,
    DoorView,
    Face,
    Field,
    Phase,
    PlanTable,
    Prize,
    PromptView,
    Result,
    Seat,
    Status,
    TableView,
)
from appliance.game import clock as clocks
from appliance.game import state
from appliance.game.bonus import settled
from appliance.game.clock import ClockFace
from appliance.game.commands import (
    Announce,
)
from appliance.game.play import Arrival
from appliance.game.points import points_text
from appliance.game.prizes import prizes_by_place
from appliance.game.results import results
from appliance.game.roster import Roster
from appliance.game.ruleset import PROFILES
from appliance.game.seating import occupied_tables
from appliance.game.tablestream.state import TableHands
from appliance.game.timekeeping import goes_on
from appliance.game.values import parse_time
from appliance.pad import Pad

_WAITS: dict[Arrival | None, Literal["button", "choice"]] = {Arrival.WAITS: "button", Arrival.SITS_OUT: "choice"}
_MIDNIGHT = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_FIRST_MS = (datetime.min.replace(tzinfo=UTC) + timedelta(days=2) - _MIDNIGHT) // _MILLISECOND
_LAST_MS = (datetime.max.replace(tzinfo=UTC) - timedelta(days=2) - _MIDNIGHT) // _MILLISECOND


class Venue(msgspec.Struct, frozen=True):
    """Where the screen stands: the venue's name as people say it, and its time zone."""

    name: str
    zone: tzinfo = msgspec.field(default_factory=lambda: ZoneInfo("Europe/Prague"))

    def at(self, at_ms: int) -> datetime:
        """UTC milliseconds as a time of day here; what no calendar has is the nearest day that it has."""
        at_ms = min(max(at_ms, _FIRST_MS), _LAST_MS)
        return (_MIDNIGHT + timedelta(milliseconds=at_ms)).astimezone(self.zone)


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """The state of this device: how far its screen can be believed.

    Is the director there (else since when not, UTC ms), does the reader work, is the evening on one disk only?
    """

    director: bool = True
    director_lost_at: int | None = None
    reader: bool = True
    missing: tuple[str, ...] = ()
    one_copy: bool = False


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """All that a view of this venue is made from, at ``at_ms`` (UTC, the director's time).

    ``hand``: what this table's stream tells, where its hands are tracked; ``pad`` and ``keys``: the dealer's keys,
    where they are touched. ``told``: what else the room should know, of its devices and tables.
    ``touch``: fingers reach the screen. ``asked``: what this table has called the floor for.
    """

    round: state.Round | None
    roster: Roster
    link: Link
    venue: Venue
    at_ms: int
    prompt: p.Prompt | None = None
    hand: TableHands | None = None
    pad: Pad | None = None
    keys: tuple[str, ...] = ()
    told: tuple[Notice, ...] = ()
    touch: bool = False
    asked: Asked | None = None

    def who(self, participant: str) -> str:
        """How a screen names a participant."""
        entry = self.roster.by_number(participant)
        return short_name(entry.name) if entry and entry.name else participant


def short_name(name: str) -> str:
    """First name and initial: "Ing. Kateřina Šťastná, Ph.D." is "Kateřina Š."."""
    parts = [part for part in name.split(",")[0].split() if not part.endswith(".")]
    if len(parts) < 2:
        return parts[0] if parts else name.strip()
    return f"{parts[0]} {parts[-1][0]}."


def table_view(scene: Scene, number: int) -> TableView:
    """What the screen of table ``number`` shows."""
    scene = _settled(scene)
    round = scene.round
    table = round.tables.get(number) if round else None
    board = _board(scene)
    blinds = None  # a hand further behind than the level that just changed (CK-2) is one that nobody tracks
    if round is not None and table is not None and table.hand and board.face and board.face.level == table.level + 1:
        blinds = _blinds(table.small_blind, table.big_blind, table.ante, round)
    tracked = hand_view(scene.hand, round, number)
    seats = _seats(scene, round, table)
    return TableView(
        board=board,
        table=number,
        hand=table.hand if table else 0,
        seats=with_players(seats, scene.hand, scene.who) if tracked else seats,
        hand_blinds=blinds,
        prompt=_prompt(scene, at_table(scene.hand, table.seats if table else {})),
        notices=(*scene.told, *table_notices(round, scene.at_ms, number)),
        moves=moves(round, scene.at_ms, scene.who, number),
        call=call(round, scene.at_ms, scene.who, number),
        asked=scene.asked,
        tracked=tracked,
        pad=pad_view(
            scene.pad, scene.keys, scene.hand, scene.who, told=scene.link.director, there=table.seats if table else {}
        ),
    )


def clock_view(scene: Scene) -> ClockView:
    """What a clock wall shows."""
    scene = _settled(scene)
    return ClockView(board=_board(scene), notices=room_notices(scene.round, scene.at_ms))


def door_view(scene: Scene) -> DoorView:
    """What the screen at the door shows."""
    scene = _settled(scene)
    notices = (*scene.told, *room_notices(scene.round, scene.at_ms))
    told = moves(scene.round, scene.at_ms, scene.who)
    return DoorView(board=_board(scene), prompt=_prompt(scene), notices=notices, moves=told)


def _settled(scene: Scene) -> Scene:
    """The scene with what has become due by itself, before a record tells it: the first break's chips (T-13)."""
    round = scene.round and settled(scene.round, scene.at_ms)
    return scene if round is scene.round else replace(scene, round=round)


Ticking = TypeVar("Ticking", bound=TableView | ClockView | DoorView)


def later(view: Ticking, scene: Scene) -> Ticking | None:
    """A view of the same scene a little later, when only its clock has moved; None when more may have.

    More may have with a new minute, a new level or break, and when the announced start has come.
    """
    board, round, face = view.board, scene.round, view.board.face
    now = scene.venue.at(scene.at_ms)
    if round is None or face is None or (now.minute, now.hour) != (board.now.minute, board.now.hour):
        return None
    ticked = _face(scene, round)
    if (ticked.level, ticked.on_break, ticked.running) != (face.level, face.on_break, face.running):
        return None
    to_start = None
    if board.starts_in_s is not None:
        to_start = -(-(round.starts_at - scene.at_ms) // 1000)
        if to_start <= 0:
            return None
    carried = replace(view, board=replace(board, now=now, face=ticked, starts_in_s=to_start))
    if isinstance(carried, TableView) and carried.call is not None:
        return replace(carried, call=call(round, scene.at_ms, scene.who, carried.table))
    return carried


def next_change_ms(round: state.Round | None, at_ms: int) -> int:
    """In how many milliseconds a screen of the round looks different by itself: 1 to 60,000."""
    minute = 60_000 - at_ms % 60_000
    if round is None or round.phase in (state.Phase.FINISHED, state.Phase.CANCELLED):
        return minute
    if round.phase is state.Phase.RUNNING:
        face = clocks.face(round, at_ms)
        second = (face.remaining_ms - 1) % 1000 + 1 if face.running and face.remaining_ms else minute
        return min(minute, second, next_second_ms(round, at_ms) or minute)
    to_start = round.starts_at - at_ms
    return min(minute, (to_start - 1) % 1000 + 1) if to_start > 0 else minute


def _board(scene: Scene) -> Board:
    round, at = scene.round, scene.venue.at
    if round is None:
        return _board_without_round(scene)
    phase = _phase(round)
    running = phase in ("running", "paused", "finished")
    return Board(
        phase=phase,
        status=_status(scene),
        now=at(scene.at_ms),
        venue=scene.venue.name,
        starts_at=at(round.starts_at),
        starts_in_s=None if running else -(-(round.starts_at - scene.at_ms) // 1000),
        face=_face(scene, round),
        field=Field(
            left=round.left if running else len(round.players),
            entries=len(round.players),
            average=round.chips // round.left if running and round.left else 0,
            chips_in_play=round.chips if running else 0,
        ),
        prizes=_prizes(round) if running else (),
        results=_results(scene, round) if phase == "finished" else (),
        capacity=round.capacity,
        deposit=round.deposit,
        stack=round.deposit * round.rules.chips_per_crown,
        shares=round.shares,
        key_confirmed=round.key.confirmed,
    )


def _board_without_round(scene: Scene) -> Board:
    """Before the director has announced it, the league's offer for today says what will be on."""
    now = scene.venue.at(scene.at_ms)
    status = _status(scene)
    offered = _offered_today(scene)
    if offered is None:
        return Board(phase="none", status=status, now=now, venue=scene.venue.name)
    starts_at, offer = offered
    profile = PROFILES.get(offer.profile)
    return Board(
        phase="announced",
        status=status,
        now=now,
        venue=scene.venue.name,
        starts_at=scene.venue.at(starts_at),
        starts_in_s=-(-(starts_at - scene.at_ms) // 1000),
        face=_first_face(offer),
        field=Field(left=0, entries=0),
        capacity=offer.capacity,
        deposit=offer.deposit,
        stack=offer.deposit * profile.chips_per_crown if profile else 0,
        shares=offer.shares,
    )


def _offered_today(scene: Scene) -> tuple[int, Announce] | None:
    """The first round that the league offers for today and when it starts (UTC ms)."""
    offers = [(parse_time(offer.starts_at), offer) for offer in scene.roster.offers.values()]
    today = [(at, offer) for at, offer in offers if _is_today(scene, at)]
    return min(today, key=lambda pair: pair[0], default=None)


def _is_today(scene: Scene, at_ms: int) -> bool:
    return scene.venue.at(at_ms).date() == scene.venue.at(scene.at_ms).date()


def _first_face(offer: Announce) -> Face | None:
    first = next((entry for entry in offer.levels if entry.pause is None), None)
    if first is None or first.sb is None or first.bb is None or first.minutes is None:
        return None
    seconds = first.minutes * 60
    blinds = Blinds(sb=first.sb, bb=first.bb, ante=first.ante, ante_from_bb=offer.ante_by == "bb")
    return Face(level=1, blinds=blinds, remaining_s=seconds, span_s=seconds, running=False)


def _phase(round: state.Round) -> Phase:
    match round.phase:
        case state.Phase.ANNOUNCED:
            return "announced"
        case state.Phase.OPEN:
            return "open"
        case state.Phase.RUNNING:
            return "running" if round.clock is None or goes_on(round.clock) else "paused"
        case state.Phase.FINISHED:
            return "finished"
        case state.Phase.CANCELLED:
            return "cancelled"
        case state.Phase.MOVED:
            return "moved"


def _status(scene: Scene) -> Status:
    link, lost = scene.link, scene.link.director_lost_at
    return Status(
        director=link.director,
        director_lost_at=scene.venue.at(lost) if lost is not None else None,
        reader=link.reader,
        missing=link.missing,
        one_copy=link.one_copy,
    )


def _blinds(sb: int, bb: int, ante: int, round: state.Round) -> Blinds:
    return Blinds(sb=sb, bb=bb, ante=ante, ante_from_bb=round.ante_by == "bb")


def _face(scene: Scene, round: state.Round) -> Face:
    at_ms, at = scene.at_ms, scene.venue.at
    face = clocks.face(round, at_ms)
    next_level = _next_level(round, face)
    to_break = face.next_break_in_ms
    return Face(
        level=face.level,
        blinds=_blinds(face.sb, face.bb, face.ante, round),
        remaining_s=-(-face.remaining_ms // 1000),
        span_s=face.level_ms // 1000,
        running=face.running,
        on_break=face.on_break,
        next_is_break=face.next_entry is not None and face.next_entry.is_break,
        next_blinds=_blinds(next_level.sb, next_level.bb, next_level.ante, round) if next_level else None,
        next_break_in_s=-(-to_break // 1000) if to_break is not None else None,
        next_break_at=at(at_ms + to_break) if to_break is not None and face.running else None,
        break_ends_at=at(face.ends_at) if face.on_break and face.ends_at is not None else None,
    )


def _next_level(round: state.Round, face: ClockFace) -> state.Entry | None:
    """The level that follows, beyond a break."""
    following = iter(round.structure)
    for entry in following:
        if entry is face.next_entry:
            return entry if not entry.is_break else next((e for e in following if not e.is_break), None)
    return None


def _prizes(round: state.Round) -> tuple[Prize, ...]:
    """What the places pay; after a deal not those of the players who made it: theirs no longer go by place (T-10)."""
    void = state.Status.VOID
    dealt = sum(round.players[who].status is not void for who in round.deal.amounts) if round.deal else 0
    by_place = enumerate(prizes_by_place(round), start=1)
    return tuple(Prize(place=place, amount=amount) for place, amount in by_place if amount and place > dealt)


def _results(scene: Scene, round: state.Round) -> tuple[Result, ...]:
    return tuple(
        Result(
            place=line.place,
            who=scene.who(line.participant),
            prize=line.prize,
            points=points_text(line.points_half),
        )
        for line in results(round)
    )


def _seats(scene: Scene, round: state.Round | None, table: state.Table | None) -> tuple[Seat, ...]:
    if round is None:
        return ()
    taken = table.seats if table else {}
    return tuple(
        Seat(
            number=number,
            who=scene.who(taken[number]) if number in taken else None,
            absent=number in taken and round.players[taken[number]].absent,
            waits=_WAITS.get(table.arrivals.get(number)) if table else None,
            button=table is not None and table.button == number,
            small_blind=table is not None and table.sb == number,
            big_blind=table is not None and table.bb == number,
        )
        for number in range(1, max([round.seats_per_table, *taken]) + 1)
    )


def _prompt(scene: Scene, there: Mapping[int, str] = {}) -> PromptView | None:
    """``there``: who sits at the table, or did in its last hand, by seat."""
    prompt, round = scene.prompt, scene.round
    if prompt is None:
        return None
    participant = getattr(prompt, "participant", None)
    chips = 0
    starts_at: int | None = None
    plan: tuple[PlanTable, ...] = ()
    match prompt:
        case p.CheckIdentity(deposit=deposit) if round is not None:
            chips = deposit * round.rules.chips_per_crown
        case p.WrongEvening(starts_at=starts_at):
            if starts_at is None and round is None and (offered := _offered_today(scene)):
                starts_at = offered[0]
        case p.YourSeat() if round is not None:
            plan = _plan(round)
    who = scene.who(participant) if participant else None
    return PromptView(
        prompt=prompt,
        who=who,
        seat=seat_of_many(participant, scene.who, there) if participant else None,
        chips=chips,
        next_round_at=scene.venue.at(starts_at) if starts_at is not None else None,
        next_round_today=starts_at is not None and _is_today(scene, starts_at),
        plan=plan,
        pin_keys=scene.touch and isinstance(prompt, p.EnterPin),
    )


def _plan(round: state.Round) -> tuple[PlanTable, ...]:
    return tuple(
        PlanTable(number=table.number, seats=max([round.seats_per_table, *table.seats]), taken=tuple(table.seats))
        for table in occupied_tables(round)
    )
