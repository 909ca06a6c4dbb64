"""Transitions: what was is never lost, what is new is read from the first frame, and the time never moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from msgspec.structs import replace

from appliance.display import prompt as p
from appliance.display.effect import eased, is_time
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.motion import transition
from appliance.display.mover import FRAME_S, Mover
from appliance.display.ops import Box, DrawList, Round, Text, changed
from appliance.display.raster import Painter
from appliance.display.render import paint
from appliance.display.theme import DARK
from appliance.display.view import Blinds, PromptView, Seat, TableView, View
from appliance.i18n import Translator
from tests.display.test_window import pixels

SIZE = (640, 360)
SHARES = (0.0, 0.2, 0.5, 0.9, 1.0)
REGISTERED = PromptView(prompt=p.Registered("000101", 500, 20_000), who="Jan N.", chips=20_000)


@pytest.fixture
def laid_out(fonts: FontBook) -> Callable[[View], DrawList]:
    return lambda view: draw_list(view, SIZE, Translator("cs"), fonts)


def texts(ops: DrawList) -> list[str]:
    return sorted(op.text for op in ops if isinstance(op, Text))


def times(ops: DrawList) -> list[object]:
    return [op for op in ops if is_time(op)]


def next_hand(view: TableView) -> TableView:
    """The button and both blinds a seat further."""

    def with_marks_of(seat: Seat, before: Seat) -> Seat:
        return replace(seat, button=before.button, small_blind=before.small_blind, big_blind=before.big_blind)

    seats = view.seats
    moved = tuple(with_marks_of(seat, before) for seat, before in zip(seats, (seats[-1], *seats[:-1]), strict=True))
    return replace(view, seats=moved, hand=view.hand + 1)


def test_any_two_screens_follow_each_other_with_all_texts_and_times_in_place(
    make_view: Callable[[int], View], laid_out: Callable[[View], DrawList]
) -> None:
    lists = [laid_out(make_view(seed)) for seed in range(60)]
    rng, moved = random.Random(1), 0
    for _ in range(120):
        before, after = rng.sample(lists, 2)
        way = transition(before, after, SIZE, DARK, turned=rng.random() < 0.3)
        if way is None:
            continue
        moved += 1
        assert way.at(after, 1.0) is after
        assert way.length_s <= 0.35
        for share in SHARES:
            ops = way.at(after, share)
            assert texts(ops) == texts(after)
            assert times(ops) == times(after)
    assert moved > 50


def test_what_is_painted_of_each_step_gives_the_pixels_of_a_full_drawing(
    make_view: Callable[[int], View], evening: TableView, laid_out: Callable[[View], DrawList], fonts: FontBook
) -> None:
    views = [make_view(seed) for seed in range(30)]
    views[::3] = [
        evening,
        next_hand(evening),
        replace(evening, prompt=REGISTERED),
        next_hand(next_hand(evening)),
    ] * 2 + [evening] * 2
    picture = paint(laid_out(views[0]), SIZE, fonts)
    painter, shown, steps = Painter(fonts, 2 * SIZE[0] * SIZE[1], backdrop=True), laid_out(views[0]), 0
    for view in views[1:]:
        after = laid_out(view)
        way = transition(shown, after, SIZE, DARK)
        for ops in (way.at(after, share) for share in SHARES) if way else (after,):
            for box in changed(shown, ops):
                if (part := box.clip(Box(0, 0, *SIZE))).w and part.h:
                    painter.paint(picture, ops, part)
            assert pixels(picture) == pixels(paint(ops, SIZE, fonts))
            shown, steps = ops, steps + 1
    assert steps > 40


def test_the_button_and_the_blinds_glide_to_their_seats_past_the_time(
    evening: TableView, laid_out: Callable[[View], DrawList]
) -> None:
    before, after = laid_out(evening), laid_out(next_hand(evening))
    way = transition(before, after, SIZE, DARK)
    assert way is not None

    def place(ops: DrawList, label: str) -> Box:
        return next(op.box for op in ops if isinstance(op, Text) and op.text == label)

    for label in ("D", "SB", "BB"):
        assert place(way.at(after, 0.0), label) == place(before, label)
        assert place(way.at(after, 1.0), label) == place(after, label) != place(before, label)
    half = place(way.at(after, 0.3), "BB")
    assert half not in (place(before, "BB"), place(after, "BB"))


def test_a_disc_that_would_cross_the_time_goes_to_its_place_at_once() -> None:
    felt = Round(Box(0, 0, 600, 340), 170, (0, 60, 40))
    digit = Text(Box(290, 0, 90, 420), Box(290, 0, 90, 420), "5", 350, True, (255, 255, 255))

    def disc(x: int, y: int) -> DrawList:
        return (
            Round(Box(x, y, 20, 20), 10, (250, 250, 250)),
            Text(Box(x + 5, y + 3, 10, 14), Box(x + 2, y, 16, 20), "D", 12, True, (0, 0, 0)),
        )

    along = transition((felt, *disc(100, 30), digit), (felt, *disc(250, 20), digit), SIZE, DARK)
    assert along is not None
    assert transition((felt, *disc(100, 160), digit), (felt, *disc(500, 165), digit), SIZE, DARK) is None


def test_an_answer_settles_into_its_place_with_its_text_there_at_once(
    evening: TableView, laid_out: Callable[[View], DrawList]
) -> None:
    before, after = laid_out(evening), laid_out(replace(evening, prompt=REGISTERED))
    way = transition(before, after, SIZE, DARK)
    assert way is not None
    first = way.at(after, 0.0)
    assert texts(first) == texts(after)
    title = Translator("cs").gettext("Registered")
    there, here = (next(op for op in ops if isinstance(op, Text) and op.text == title) for ops in (first, after))
    assert 0 < there.box.y - here.box.y <= 6
    assert there.box.y - here.box.y == there.room.y - here.room.y


def test_new_blinds_are_underlined_for_a_moment_and_a_new_second_moves_nothing(
    evening: TableView, laid_out: Callable[[View], DrawList]
) -> None:
    face = evening.board.face
    assert face is not None
    ticked = replace(face, remaining_s=face.remaining_s - 1)
    higher = replace(face, level=face.level + 1, blinds=Blinds(sb=400, bb=800), remaining_s=1200)
    before, second, level = (
        laid_out(replace(evening, board=replace(evening.board, face=f))) for f in (face, ticked, higher)
    )
    assert transition(before, second, SIZE, DARK) is None
    way = transition(before, level, SIZE, DARK)
    assert way is not None
    lines = [len(way.at(level, share)) - len(level) for share in SHARES]
    assert lines == [0, 1, 1, 1, 0]


def test_a_seat_that_is_left_turns_its_colour_and_loses_its_name_at_once(
    evening: TableView, laid_out: Callable[[View], DrawList]
) -> None:
    left = next(seat for seat in evening.seats if seat.who)
    seats = tuple(replace(seat, who=None) if seat is left else seat for seat in evening.seats)
    before, after = laid_out(evening), laid_out(replace(evening, seats=seats))
    way = transition(before, after, SIZE, DARK)
    assert way is not None
    colors = [[op.color for op in way.at(after, share) if isinstance(op, Round)] for share in SHARES]
    assert colors[0] != colors[2] != colors[4]
    assert left.who not in texts(way.at(after, 0.0))


def test_a_page_slides_in_but_no_bar_and_no_time() -> None:
    def line(text: str, y: int, room: int = 80) -> Text:
        return Text(Box(20, y, 60, 20), Box(20, y, room, 20), text, 16, False, (255, 255, 255))

    bar, longer = (Round(Box(20, 100, width, 4), 0, (200, 180, 90)) for width in (100, 101))
    before = (line("Adam", 10), line("20:41", 40), bar)
    after = (line("Zdeněk", 10), line("20:42", 40), longer)
    way = transition(before, after, SIZE, DARK, turned=True)
    assert way is not None
    name, clock, grown = way.at(after, 0.0)
    assert name.box.x > 20
    assert (clock, grown) == after[1:]
    assert transition(before, after, SIZE, DARK) is None


def test_easing_starts_fast_and_ends_in_place() -> None:
    way = [eased(n / 20) for n in range(21)]
    assert (way[0], way[-1]) == (0.0, 1.0)
    steps = [after - before for before, after in pairwise(way)]
    assert steps == sorted(steps, reverse=True)


def test_what_happens_during_a_transition_is_never_queued(
    evening: TableView, laid_out: Callable[[View], DrawList]
) -> None:
    mover, view, now = Mover(DARK), evening, 100.0
    mover.follow(laid_out(view), SIZE, now, happened=True, turned=False)
    assert not mover.moving  # nothing was there before
    for _ in range(20):  # a hand every frame
        view = next_hand(view)
        mover.follow(laid_out(view), SIZE, now, happened=True, turned=False)
        assert texts(mover.frame(now)) == texts(laid_out(view))
        now += FRAME_S
    now += 0.4  # a slow machine's next frame
    assert mover.frame(now) == laid_out(view)
    assert not mover.moving


def test_a_second_passes_during_a_transition_and_shows_at_once(
    evening: TableView, laid_out: Callable[[View], DrawList]
) -> None:
    mover = Mover(DARK)
    mover.follow(laid_out(evening), SIZE, 0.0, happened=True, turned=False)
    moved = next_hand(evening)
    assert mover.first(laid_out(moved)) != laid_out(moved)
    mover.follow(laid_out(moved), SIZE, 1.0, happened=True, turned=False)
    assert mover.frame(1.0) != laid_out(moved)
    assert moved.board.face is not None
    face = replace(moved.board.face, remaining_s=moved.board.face.remaining_s - 1)
    ticked = laid_out(replace(moved, board=replace(moved.board, face=face)))
    mover.follow(ticked, SIZE, 1.1, happened=False, turned=False)
    assert mover.moving
    assert times(mover.frame(1.1)) == times(ticked)
    assert mover.frame(1.1) != ticked
    assert mover.frame(1.5) == ticked


def test_motion_can_be_switched_off_and_a_new_size_starts_in_its_place(
    evening: TableView, laid_out: Callable[[View], DrawList], fonts: FontBook
) -> None:
    still = Mover(DARK, on=False)
    for view in (evening, next_hand(evening)):
        still.follow(laid_out(view), SIZE, 0.0, happened=True, turned=True)
        assert not still.moving
        assert still.first(laid_out(view)) == still.frame(0.0) == laid_out(view)
    mover = Mover(DARK)
    mover.follow(laid_out(evening), SIZE, 0.0, happened=True, turned=False)
    larger = draw_list(next_hand(evening), (1280, 720), Translator("cs"), fonts)
    mover.follow(larger, (1280, 720), 0.0, happened=True, turned=False)
    assert not mover.moving
    assert mover.frame(0.0) == larger
