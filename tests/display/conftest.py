"""Views to draw: an ordinary evening, and many made of the longest names and the largest numbers."""

from __future__ import annotations

import datetime as dt
import os
import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from appliance.cards.outcome import MEANINGS
from appliance.display import prompt as p
from appliance.display.fonts import FontBook
from appliance.display.notice import (
    Balance,
    BelowMinimum,
    BonusStack,
    ChipsDiffer,
    ColourUpDue,
    FloorCalled,
    GuaranteeVoid,
    LonePlayer,
    Notice,
    PrinterStands,
    TableShort,
    WaitsForTables,
)
from appliance.display.view import (
    AttentionView,
    Blinds,
    Board,
    Call,
    ClockView,
    DoorView,
    Face,
    Field,
    Move,
    PadView,
    PlanTable,
    Prize,
    PromptView,
    Result,
    Seat,
    StartingView,
    Status,
    TableView,
    View,
)
from appliance.display.view_rules import RulesInForce
from appliance.floor.catalogue import BY_ID
from appliance.floor.said import Said, Several
from tests.display.floor_views import floor_view
from tests.display.season_views import announcement, levels, standings
from tests.display.tracked_views import EVENING_HAND, KEYS, PADS, tracked_hand

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

ZONE = dt.timezone(dt.timedelta(hours=1))
NAMES = (
    "Bartoloměj P.",
    "Bartoloměj Příšerně-Žluťoučký",
    "Maxmilián-Kryšpín Ž.",
    "Jan N.",
    "Kateřina Š.",
    "000000000123",
    "Wolfeschlegelsteinhausenbergerdorff W.",
    "Ö.",
)
VENUES = ("Brno", "Restaurace U Příšerně žluťoučkého koně, Žďár nad Sázavou", "zabreh")
RULES = RulesInForce(
    profile="tda-2024-zkrácená-pro-malé-herny", version="3f2ac1d0", late=True, reentry=True, think_s=86_400, count_s=100
)
TODAY = 1_799_000_000_000
PROMPTS: tuple[p.Prompt, ...] = (
    p.CheckIdentity("000101", 500),
    p.Waiting("000101"),
    p.Waiting(),
    p.Registered("000101", 500, 20_000, one_copy=True),
    p.Registered("000101", 50, 1),
    p.AlreadyRegistered("000101"),
    p.YourSeat("000101", 12, 10),
    p.YourResult("000101", 1, 45_000),
    p.YourResult("000101", 90, 0),
    *(p.CardRefused(code.value, MEANINGS[code].hand_in) for code in MEANINGS),
    p.CheckIdentity("000101", 500, weak=True),
    p.YourSeat("000101", 12, 10, weak=True),
    p.EnterPin("000900"),
    p.EnterPin("000900", typed=12, left=1, turned=7),
    p.PinRefused("000900", "locked", 15),
    p.PinRefused("000900", "none"),
    p.TopUp("000101", 450, 18_000, 450),
    p.ToppedUp("000101", 450, 18_000),
    p.Done(Several((Said(BY_ID["bust"].label), "Maxmilián N."), " · ")),
    p.UnreadableCard(),
    p.WrongEvening(1_800_000_000_000),
    p.WrongEvening(TODAY),
    p.WrongEvening(),
    p.Refused("deposit-limit", {"limit": 500, "left": 60}, "000101"),
    p.Refused("deposit-limit", {"limit": 500, "left": None, "reason": "no-allowance"}, "000101"),
    p.Refused("something-new"),
    p.NoAnswer("000101"),
    p.CommissionerAccepted("000900"),
)

NOTICES: tuple[Notice, ...] = (
    Balance(from_table=998, to_table=999),
    TableShort(short=8),
    LonePlayer(),
    ChipsDiffer(counted=999_999_999, expected=10**9),
    ColourUpDue(denomination=100_000, to=1_000_000),
    BonusStack(chips=1_250_000),
    WaitsForTables(tables=tuple(range(90, 100))),
    BelowMinimum(registered=3, minimum=10),
    GuaranteeVoid(guarantee=12_345_678, minimum=10),
    FloorCalled(table=99, about="floor"),
    FloorCalled(table=99, about="time"),
    PrinterStands("paper-out"),
    PrinterStands("offline"),
)


def at(hour: int, minute: int, day: int = 15) -> dt.datetime:
    return dt.datetime(2027, 1, day, hour, minute, tzinfo=ZONE)


def plan(rng: random.Random, tables: int) -> tuple[PlanTable, ...]:
    return tuple(
        PlanTable(number=n, seats=10, taken=tuple(rng.sample(range(1, 11), rng.randint(0, 10))))
        for n in range(1, tables + 1)
    )


def prompt_view(prompt: p.Prompt, rng: random.Random) -> PromptView:
    return PromptView(
        prompt=prompt,
        who=rng.choice(NAMES) if getattr(prompt, "participant", None) else None,
        chips=20_000,
        next_round_at=at(19, 0, 22) if getattr(prompt, "starts_at", None) else None,
        next_round_today=getattr(prompt, "starts_at", None) == TODAY,
        plan=plan(rng, rng.choice((1, 2, 12))),
    )


def _blinds(rng: random.Random) -> Blinds:
    sb = rng.choice((25, 200, 1_250_000, 12_500_000))
    return Blinds(sb=sb, bb=2 * sb, ante=rng.choice((0, 50, 2_500_000)), ante_from_bb=rng.random() < 0.5)


def _face(rng: random.Random) -> Face:
    on_break = rng.random() < 0.3
    running = rng.random() < 0.7
    return Face(
        level=rng.choice((1, 5, 38)),
        blinds=_blinds(rng),
        remaining_s=rng.choice((0, 5, 754, 3600 * 11 + 1234)),
        span_s=rng.choice((0, 1200, 86_400)),
        running=running,
        on_break=on_break,
        next_is_break=rng.random() < 0.3,
        next_blinds=_blinds(rng) if rng.random() < 0.8 else None,
        next_break_in_s=rng.choice((None, 61, 40_000)),
        next_break_at=at(21, 5) if running and rng.random() < 0.7 else None,
        break_ends_at=at(21, 25) if on_break and running else None,
    )


def _board(rng: random.Random) -> Board:
    phase = rng.choice(("none", "announced", "open", "running", "running", "paused", "finished", "cancelled", "moved"))
    entries = rng.choice((0, 3, 18, 90))
    results = tuple(
        Result(place=n, who=rng.choice(NAMES), prize=max(0, 45_000 - 5000 * n), points=rng.choice(("1130", "97.5")))
        for n in range(1, entries + 1)
    )
    return Board(
        phase=phase,
        status=Status(
            director=rng.random() < 0.6,
            director_lost_at=at(20, 38) if rng.random() < 0.5 else None,
            reader=rng.random() < 0.7,
            one_copy=rng.random() < 0.3,
        ),
        now=at(20, 41),
        venue=rng.choice(VENUES),
        starts_at=rng.choice((at(19, 0), at(19, 0, 28))),
        starts_in_s=rng.choice((-1, 2160, 40_000, 1_000_000)),
        face=_face(rng),
        field=Field(left=entries, entries=entries, average=rng.choice((0, 19_285, 12_345_678)), chips_in_play=10**9),
        prizes=tuple(Prize(place=n, amount=1_234_567) for n in range(1, rng.choice((1, 3, 4, 10)) + 1)),
        results=results,
        capacity=90,
        deposit=rng.choice((50, 500)),
        stack=20_000,
        shares=rng.choice((("100",), ("50", "30", "20"), ("33.333333",) * 9)),
        key_confirmed=rng.random() < 0.5,
        final=rng.random() < 0.3,
        levels=levels(rng, _blinds),
        rules=RULES if entries % 2 else None,
        standings=standings(rng, NAMES),
        announcement=announcement(rng),
        turn=rng.randrange(1000),
    )


def _notices(rng: random.Random) -> tuple[Notice, ...]:
    return tuple(rng.sample(NOTICES, rng.choice((0, 0, 1, 2, 4))))


def _seats(rng: random.Random) -> tuple[Seat, ...]:
    count = rng.choice((2, 6, 9, 10))
    button, sb, bb = (rng.randint(1, count) for _ in range(3))
    return tuple(
        Seat(
            number=n,
            who=rng.choice((*NAMES, None)),
            absent=rng.random() < 0.2,
            waits=rng.choice((None, None, "button", "choice")),
            button=n == button,
            small_blind=n == sb,
            big_blind=n == bb,
        )
        for n in range(1, count + 1)
    )


def _moves(rng: random.Random, board: Board) -> tuple[Move, ...]:
    if board.phase not in ("running", "paused"):
        return ()
    return tuple(
        Move(
            who=rng.choice(NAMES),
            source=rng.choice(((3, 4), (999, 10), None)),
            target=rng.choice(((1, 7), (998, 10))),
            deals_in=rng.choice(("next-hand", "after-button", "big-blind")),
        )
        for _ in range(rng.choice((0, 0, 1, 2, 9, 40)))
    )


def _tracked_table(rng: random.Random) -> TableView:
    view = _table(rng)
    board = replace(view.board, phase=rng.choice(("running", "paused")))
    pad = rng.choice((None, *PADS))
    return replace(view, board=board, tracked=tracked_hand(rng, view.seats), pad=pad)


def _table(rng: random.Random) -> TableView:
    board = _board(rng)
    return TableView(
        board=board,
        table=rng.choice((1, 99, 999)),
        hand=rng.choice((0, 17, 12_345)),
        seats=_seats(rng) if rng.random() < 0.9 else (),
        hand_blinds=_blinds(rng) if rng.random() < 0.3 else None,
        prompt=prompt_view(rng.choice(PROMPTS), rng) if rng.random() < 0.3 else None,
        notices=_notices(rng),
        moves=_moves(rng, board),
        call=_call(rng, board),
    )


def _call(rng: random.Random, board: Board) -> Call | None:
    if board.phase not in ("running", "paused") or rng.random() < 0.7:
        return None
    phase = rng.choice(("thinking", "counting", "over"))
    return Call(who=rng.choice(NAMES), phase=phase, remaining_s=rng.choice((0, 60)), ends="check-or-fold")


def _door(rng: random.Random) -> DoorView:
    prompt = prompt_view(rng.choice(PROMPTS), rng) if rng.random() < 0.6 else None
    board = _board(rng)
    return DoorView(board=board, prompt=prompt, notices=_notices(rng)[:2], moves=_moves(rng, board))


def generated_view(seed: int) -> View:
    """The same view for the same seed: mostly tables and doors, with everything at its longest now and then."""
    rng = random.Random(seed)
    if seed % 8 == 3:
        return floor_view(rng, _board(rng))
    kind = rng.choice(("table", "table", "tracked", "tracked", "door", "door", "clock", "starting", "attention"))
    match kind:
        case "table":
            return _table(rng)
        case "tracked":
            return _tracked_table(rng)
        case "door":
            return _door(rng)
        case "clock":
            return ClockView(board=_board(rng), notices=_notices(rng)[:2])
        case "starting":
            return StartingView(device=rng.choice(("t1", "a" * 32)), version="0.1.0")
        case _:
            return AttentionView(
                device="a" * 32,
                problem=rng.choice(
                    ("Disk plný", "Nejneobhospodařovávatelnější zařízení se nepodařilo spustit ani napotřetí")
                ),
                remedy=" ".join(["Zavolejte prosím technika a vyčkejte."] * rng.choice((1, 8))),
                code="disk-full",
            )


@pytest.fixture(scope="session")
def fonts() -> FontBook:
    return FontBook()


@pytest.fixture(scope="session")
def make_view() -> Callable[[int], View]:
    return generated_view


@pytest.fixture(scope="session")
def prompts() -> tuple[PromptView, ...]:
    rng = random.Random(5)
    return tuple(prompt_view(prompt, rng) for prompt in PROMPTS)


@pytest.fixture
def evening() -> TableView:
    """An ordinary moment of an evening at table 1."""
    face = Face(
        level=5,
        blinds=Blinds(sb=200, bb=400, ante=50),
        remaining_s=754,
        span_s=1200,
        next_blinds=Blinds(sb=250, bb=500, ante=50),
        next_break_in_s=1440,
        next_break_at=at(21, 5),
    )
    board = Board(
        phase="running",
        status=Status(),
        now=at(20, 41),
        venue="Zábřeh",
        starts_at=at(19, 0),
        starts_in_s=-6060,
        face=face,
        field=Field(left=14, entries=18, average=19_285, chips_in_play=270_000),
        prizes=(Prize(place=1, amount=3375), Prize(place=2, amount=2025), Prize(place=3, amount=1350)),
        capacity=90,
        deposit=375,
        stack=15_000,
        shares=("50", "30", "20"),
    )
    names = ("Jan N.", "Bartoloměj P.", "Kateřina Š.", "Tomáš H.", "Eva Ž.", None, "000107", "Václav M.", "Lucie D.")
    seats = tuple(
        Seat(number=n, who=who, button=n == 3, small_blind=n == 4, big_blind=n == 5)
        for n, who in enumerate(names, start=1)
    )
    return TableView(board=board, table=1, hand=17, seats=seats)


@pytest.fixture
def tracked(evening: TableView) -> TableView:
    """The same evening a little later: a hand on the turn, with a side pot, and the keys to touch."""
    touched = tuple(f"seat-{seat.number}" for seat in EVENING_HAND.seats)
    return replace(evening, tracked=EVENING_HAND, pad=PadView(keys=(*KEYS, *touched), typed="6400"))


@pytest.fixture
def finished_views(evening: TableView) -> Callable[..., tuple[View, ...]]:
    """The evening after its end, on every screen that shows points."""
    names = ("Jan N.", "Bartoloměj P.", "Kateřina Š.", *(f"{number:06}" for number in range(104, 119)))
    results = tuple(
        Result(place=place, who=who, prize=max(0, 4050 - 1350 * place), points=str(max(10, 135 - 5 * place)))
        for place, who in enumerate(names, start=1)
    )

    def finished_views(*, key_confirmed: bool) -> tuple[View, ...]:
        board = replace(evening.board, phase="finished", results=results, key_confirmed=key_confirmed)
        return replace(evening, board=board), ClockView(board=board), DoorView(board=board)

    return finished_views
