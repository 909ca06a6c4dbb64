"""Time and blinds have their share of every table's screen and wall, whatever else is said on it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from appliance.display.canvas import Canvas
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.layout_board import blinds_text
from appliance.display.layout_pin import draws_pin
from appliance.display.notice import Ruled
from appliance.display.ops import Text
from appliance.display.theme import DARK
from appliance.display.view import Call, ClockView, Move, Status, TableView, View
from appliance.display.view_season import Announcement
from appliance.i18n import LANGUAGES, Translator, duration
from tests.display.test_layout_fits import SIZES, VIEWS, random_size

ALONE, BESIDE_HAND, BESIDE_KEYS = (18, 7), (9, 3), (6, 2)
"""Per cent of the screen's height for the letters of time and blinds: the clock alone on its felt, beside a tracked
hand, and beside a hand and the dealer's keys."""


class Shares(NamedTuple):
    """What the time and the blinds have of the screen's height, and what they have to have, in per cent."""

    time: float
    blinds: float
    least: tuple[int, int]

    @property
    def enough(self) -> bool:
        return self.time >= self.least[0] and self.blinds >= self.least[1]


def longer(text: str, usual: str, fonts: FontBook) -> float:
    """How much wider than usual a text is."""
    return max(1.0, fonts.width(text, 100, bold=True) / fonts.width(usual, 100, bold=True))


def shares(view: TableView | ClockView, size: tuple[int, int], lang: str, fonts: FontBook) -> Shares | None:
    """Of a round in play; longer texts than "12:34" and "10 000 / 20 000" are as much smaller."""
    face = view.board.face
    if face is None or view.board.phase not in ("running", "paused"):
        return None
    least = ALONE
    if isinstance(view, TableView):
        if view.prompt is not None and draws_pin(view.prompt):
            return None
        if view.pad is not None:
            least = BESIDE_KEYS
        elif view.tracked is not None:
            least = BESIDE_HAND
    tr = Translator(lang)
    high = Canvas(size, tr, DARK, fonts).u(1080)
    time = duration(face.remaining_s)
    blinds = blinds_text(tr, face.next_blinds or face.blinds if face.on_break else face.blinds)
    texts = [op for op in draw_list(view, size, tr, fonts) if isinstance(op, Text)]
    digits = max(op.size for op in texts if len(op.text) == 1 and op.text in time)
    chips = max(op.size for op in texts if op.text == blinds)
    return Shares(
        digits * 100 / high * longer(time, "12:34", fonts),
        chips * 100 / high * longer(blinds, "10 000 / 20 000", fonts),
        least,
    )


def shown(make_view: Callable[[int], View], seeds: range) -> Iterator[tuple[int, TableView | ClockView]]:
    for seed in seeds:
        view = make_view(seed)
        if isinstance(view, TableView | ClockView):
            yield seed, view


@pytest.mark.parametrize("chunk", range(0, VIEWS, 20))
def test_time_and_blinds_have_their_share_whatever_else_is_said(
    make_view: Callable[[int], View], fonts: FontBook, chunk: int
) -> None:
    for seed, view in shown(make_view, range(chunk, chunk + 20)):
        rng = random.Random(seed)
        size = rng.choice((random_size(rng), random_size(rng), rng.choice(SIZES)))
        found = shares(view, size, rng.choice(LANGUAGES), fonts)
        assert found is None or found.enough, (found, size, seed)


def crowded(evening: TableView) -> TableView:
    """A call whose time has run out, a move, a ruling, a word of the league, and neither director nor reader."""
    board = replace(
        evening.board,
        status=Status(director=False, director_lost_at=evening.board.now, reader=False),
        announcement=Announcement(text="Po přestávce se podává guláš.", by="league", fresh=False),
    )
    return replace(
        evening,
        board=board,
        call=Call(who="Bartoloměj P.", phase="over", remaining_s=0, ends="check-or-fold"),
        moves=(Move(who="Dorota H.", source=(1, 8), target=(1, 3)),),
        notices=(Ruled("I-1", 1, "redeal"),),
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("final", [True, False])
def test_five_bands_leave_the_time_its_place(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str, final: bool
) -> None:
    view = crowded(evening)
    view = replace(view, board=replace(view.board, final=final))
    for each in (view, ClockView(board=view.board, notices=view.notices, moves=view.moves)):
        found = shares(each, size, lang, fonts)
        assert found is not None
        assert found.enough, (found, size)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_in_a_crowd_what_is_wrong_stands_in_one_line_and_the_rest_takes_turns(
    evening: TableView, fonts: FontBook, lang: str
) -> None:
    seen = []
    for turn in range(2):
        view = crowded(evening)
        view = replace(view, board=replace(view.board, turn=turn))
        texts = [op for op in draw_list(view, (1280, 720), Translator(lang), fonts) if isinstance(op, Text)]
        said = [op.text for op in texts]
        offline, reader = {"cs": ("Řídicí", "Čtečka"), "en": ("Director", "Reader")}[lang]
        assert any(offline in text and reader in text for text in said), said
        assert any("Bartoloměj P." in text for text in said)
        assert any("Dorota H." in text for text in said)
        seen.append(("Po přestávce se podává guláš." in said, any("I-1" in text for text in said)))
    assert seen == [(True, False), (False, True)]
