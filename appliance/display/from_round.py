"""State → view: what a screen shows of a round at a moment. Pure.

Of the display only the files named ``from_…`` know the game.
"""

from __future__ import annotations

from typing import Literal, TypeVar

from msgspec.structs import replace

from appliance.display.from_call import call, next_second_ms
from appliance.display.from_clock import blinds_of, clock_face, levels_of, offered_face, offered_levels
from appliance.display.from_hand import at_table, hand_view, pad_view, with_players
from appliance.display.from_moves import moves
from appliance.display.from_notices import room_notices, table_notices
from appliance.display.from_prompt import prompt_view
from appliance.display.from_rules import offered_rules, published, rules_of
from appliance.display.from_season import (
    announcement_of,
    crowded,
    final_table,
    next_turn_ms,
    next_word_ms,
    offered_today,
    standings_of,
    turn_of,
    turns,
)
from appliance.display.scene import Link, Scene, Venue, short_name
from appliance.display.view import (
    Board,
    ClockView,
    DoorView,
    Field,
    FloorView,
    Going,
    Phase,
    Prize,
    Result,
    Seat,
    Status,
    TableView,
)
from appliance.game import clock as clocks
from appliance.game import state
from appliance.game.apply import BEFORE_START
from appliance.game.bonus import settled
from appliance.game.play import Arrival
from appliance.game.points import points_text
from appliance.game.prizes import prizes_by_place
from appliance.game.results import results
from appliance.game.ruleset import PROFILES
from appliance.game.timekeeping import goes_on

__all__ = [
    "Link", "Scene", "Venue", "clock_view", "door_view", "later", "next_change_ms", "scene_change_ms", "short_name",
    "table_view",
]  # fmt: skip

_WAITS: dict[Arrival | None, Literal["button", "choice"]] = {Arrival.WAITS: "button", Arrival.SITS_OUT: "choice"}


def table_view(scene: Scene, number: int) -> TableView:
    """What the screen of table ``number`` shows."""
    scene = _settled(scene)
    round = scene.round
    table = round.tables.get(number) if round else None
    board = _board(scene)
    blinds = None  # a hand further behind than the level that just changed (CK-2) is one that nobody tracks
    if round is not None and table is not None and table.hand and board.face and board.face.level == table.level + 1:
        blinds = blinds_of(table.small_blind, table.big_blind, table.ante, round)
    tracked = hand_view(scene.hand, round, number)
    seats = _seats(scene, round, table)
    view = TableView(
        board=board,
        table=number,
        hand=table.hand if table else 0,
        seats=with_players(seats, scene.hand, scene.who) if tracked else seats,
        hand_blinds=blinds,
        prompt=prompt_view(scene, at_table(scene.hand, table.seats if table else {})),
        notices=(*scene.told, *table_notices(round, scene.at_ms, number)),
        moves=moves(round, scene.at_ms, scene.who, number),
        call=call(round, scene.at_ms, scene.who, number),
        asked=scene.asked,
        tracked=tracked,
        pad=pad_view(
            scene.pad, scene.keys, scene.hand, scene.who, told=scene.link.director, there=table.seats if table else {}
        ),
    )
    return _turning(view, scene)


def clock_view(scene: Scene) -> ClockView:
    """What a clock wall shows."""
    scene = _settled(scene)
    notices = (*scene.told, *room_notices(scene.round, scene.at_ms))
    told = moves(scene.round, scene.at_ms, scene.who)
    return _turning(ClockView(board=_board(scene), notices=notices, moves=told), scene)


def door_view(scene: Scene) -> DoorView:
    """What the screen at the door shows."""
    scene = _settled(scene)
    notices = (*scene.told, *room_notices(scene.round, scene.at_ms))
    told = moves(scene.round, scene.at_ms, scene.who)
    return DoorView(board=_board(scene), prompt=prompt_view(scene), notices=notices, moves=told)


def _settled(scene: Scene) -> Scene:
    """The scene with what has become due by itself, before a record tells it: the first break's chips (T-13)."""
    round = scene.round and settled(scene.round, scene.at_ms)
    return scene if round is scene.round else replace(scene, round=round)


Ticking = TypeVar("Ticking", bound=TableView | ClockView | DoorView | FloorView)


def later(view: Ticking, scene: Scene) -> Ticking | None:
    """A view of the same scene a little later, when only its clock has moved; None when more may have.

    More may have with a new minute, a new level or break, and when the announced start has come.
    """
    board, round, face = view.board, scene.round, view.board.face
    now = scene.clock_at(scene.at_ms)
    if round is None or face is None or (now.minute, now.hour) != (board.now.minute, board.now.hour):
        return None
    ticked = clock_face(scene, round)
    if (ticked.level, ticked.on_break, ticked.running) != (face.level, face.on_break, face.running):
        return None
    said = announcement_of(scene)
    turn = turn_of(scene) if turns(board, scene) or crowded(view) else 0
    to_start = None
    if board.starts_in_s is not None:
        to_start = -(-(round.starts_at - scene.right_ms) // 1000)
        if to_start <= 0:
            return None
    ticked_board = replace(board, now=now, face=ticked, starts_in_s=to_start, announcement=said, turn=turn)
    carried = replace(view, board=ticked_board)
    if isinstance(carried, TableView) and carried.call is not None:
        return replace(carried, call=call(round, scene.at_ms, scene.who, carried.table))
    return carried


Crowding = TypeVar("Crowding", bound=TableView | ClockView)


def _turning(view: Crowding, scene: Scene) -> Crowding:
    return replace(view, board=replace(view.board, turn=turn_of(scene))) if crowded(view) else view


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


def _to_start_ms(scene: Scene) -> int:
    """Where the director's time is not the right one: to the next second until the start; 0: none is shown."""
    round = scene.round
    if round is None or round.phase in (state.Phase.FINISHED, state.Phase.CANCELLED, state.Phase.RUNNING):
        return 0
    return (round.starts_at - scene.right_ms - 1) % 1000 + 1 if round.starts_at > scene.right_ms else 0


def scene_change_ms(scene: Scene) -> int:
    """In how many milliseconds a screen of the scene looks different by itself: 1 to 60,000."""
    wait = next_change_ms(scene.round, scene.at_ms)
    if scene.times.spells:
        wait = min(wait, next_change_ms(None, scene.right_ms), _to_start_ms(scene) or wait)
    if (word := next_word_ms(scene)) is not None:
        wait = min(wait, word)
    if wait > (turn := next_turn_ms(scene)) and turns(_board(_settled(scene)), scene):
        wait = turn
    return wait


def _board(scene: Scene) -> Board:
    """What all screens show of the scene; what the league told stands beside any round."""
    board = _board_without_round(scene) if scene.round is None else _board_of(scene, scene.round)
    board = replace(
        board, standings=standings_of(scene), announcement=announcement_of(scene), editions=published(scene)
    )
    return replace(board, turn=turn_of(scene)) if turns(board, scene) else board


def _board_of(scene: Scene, round: state.Round) -> Board:
    at = scene.venue.at
    phase = _phase(round)
    running = phase in ("running", "paused", "finished")
    return Board(
        phase=phase,
        status=_status(scene),
        now=scene.clock_at(scene.at_ms),
        venue=scene.venue.name,
        starts_at=at(round.starts_at),
        starts_in_s=None if running else -(-(round.starts_at - scene.right_ms) // 1000),
        face=clock_face(scene, round),
        field=Field(
            left=round.left if running else len(round.players),
            entries=len(round.players),
            average=round.chips // round.left if running and round.left else 0,
            chips_in_play=round.chips if running else 0,
        ),
        prizes=_prizes(round) if running else (),
        results=_results(scene, round) if phase == "finished" or final_table(round) else (),
        capacity=round.capacity,
        deposit=round.deposit,
        stack=round.deposit * round.rules.chips_per_crown,
        shares=round.shares,
        key_confirmed=round.key.confirmed,
        final=final_table(round),
        levels=levels_of(round),
        rules=rules_of(round, scene.at_ms),
    )


def _board_without_round(scene: Scene) -> Board:
    """Before the director has announced it, the league's offer for today says what will be on."""
    now = scene.clock_at(scene.at_ms)
    status = _status(scene)
    offered = offered_today(scene)
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
        starts_in_s=-(-(starts_at - scene.right_ms) // 1000),
        face=offered_face(offer),
        field=Field(left=0, entries=0),
        capacity=offer.capacity,
        deposit=offer.deposit,
        stack=offer.deposit * profile.chips_per_crown if profile else 0,
        shares=offer.shares,
        levels=offered_levels(offer),
        rules=offered_rules(offer),
    )


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
        director_lost_at=scene.clock_at(lost) if lost is not None else None,
        reader=link.reader,
        missing=link.missing,
        one_copy=link.one_copy,
        kept=link.kept,
        refused=link.refused,
        lone=link.lone,
        elsewhere=link.elsewhere,
        time_doubted=link.time_doubted,
        revoked=link.revoked,
        shut_out=link.shut_out,
        stopped=link.stopped,
        play=_going(scene),
    )


def _going(scene: Scene) -> Going:
    """What play does, as far as this device knows."""
    if scene.round is None or scene.round.phase in BEFORE_START:
        return "before"
    if scene.round.phase is not state.Phase.RUNNING:
        return "over"
    return "runs" if clocks.face(scene.round, scene.at_ms).running else "stands"


def _prizes(round: state.Round) -> tuple[Prize, ...]:
    """What the places pay; after a deal not those of the players who made it: theirs no longer go by place (T-10)."""
    void = state.Status.VOID
    dealt = sum(round.players[who].status is not void for who in round.deal.amounts) if round.deal else 0
    by_place = enumerate(prizes_by_place(round), start=1)
    return tuple(Prize(place=place, amount=amount) for place, amount in by_place if amount and place > dealt)


def _results(scene: Scene, round: state.Round) -> tuple[Result, ...]:
    """The places that are known; points are told only once all are."""
    over = round.phase is state.Phase.FINISHED
    return tuple(
        Result(
            place=line.place,
            who=scene.who(line.participant),
            prize=line.prize,
            points=points_text(line.points_half) if over else None,
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
