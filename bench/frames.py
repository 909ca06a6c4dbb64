"""A table's frames on a window of 1920×1080: ``python -m bench.frames``, under an X server, tells them as JSON.

In turns, milliseconds each: a bare fill of the whole window and its way to the server; a whole frame of the product,
from the view to the glass; and a second's update, as the kiosk makes it: the last list with another second on its
clock. The table is in the middle of an evening: ten seats, the longest of names, blinds of thousands.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from appliance.display import parts
from appliance.display.canvas import Sections
from appliance.display.layout import draw_list
from appliance.display.view import Blinds, Board, Face, Field, Prize, Seat, Status, TableView
from appliance.display.window import Window
from appliance.i18n import Translator

SIZE = (1920, 1080)
ROUNDS = 60
LANGUAGE = "cs"
NAMES = (
    "Bartoloměj P.",
    "Maxmilián-Kryšpín Ž.",
    "Jan N.",
    "Kateřina Š.",
    "000000000123",
    "Vratislav Ř.",
    "Anežka Č.",
    "Oldřich Ď.",
    "Ludmila Ť.",
    "Zdeněk Ů.",
)


def table(second: int) -> TableView:
    """The table so many seconds into its level."""
    left = 1200 - 1 - second % 1100
    now = datetime(2026, 3, 6, 20, 0, tzinfo=UTC) + timedelta(minutes=20)
    face = Face(
        level=7,
        blinds=Blinds(sb=3_000, bb=6_000, ante=6_000, ante_from_bb=True),
        remaining_s=left,
        span_s=1200,
        next_blinds=Blinds(sb=4_000, bb=8_000, ante=8_000, ante_from_bb=True),
        next_break_in_s=left + 1200,
        next_break_at=now + timedelta(minutes=35),
    )
    board = Board(
        phase="running",
        status=Status(),
        now=now,
        venue="Restaurace U Zlatého lva, Žďár nad Sázavou",
        face=face,
        field=Field(left=24, entries=57, average=104_166, chips_in_play=2_500_000),
        prizes=tuple(Prize(place=place, amount=12_000 // place) for place in range(1, 7)),
        capacity=60,
    )
    seats = tuple(
        Seat(number=n, who=who, button=n == 3, small_blind=n == 4, big_blind=n == 5) for n, who in enumerate(NAMES, 1)
    )
    return TableView(board=board, table=2, hand=41, seats=seats)


class Glass:
    """The product's window, shown as the kiosk shows it."""

    def __init__(self) -> None:
        self.window = Window(SIZE)
        self._words = Translator(LANGUAGE)
        self._sections = Sections()
        self._second = 0

    def bare(self) -> None:
        """All pixels in one colour, and to the server."""
        parts.display.get_surface().fill((20, 20, self._second % 200))
        parts.display.update()

    def whole(self) -> None:
        """As after the window was covered: everything is laid out and painted."""
        self.window._shown = None
        self._show(self._second)

    def second(self) -> None:
        """What a running clock changes."""
        self._second += 1
        canvas, face = self._sections.latest, table(self._second).board.face
        assert canvas is not None
        assert face is not None
        self.window.show(canvas.at(face.remaining_s))

    def _show(self, second: int) -> None:
        view = table(second)
        ops = draw_list(view, SIZE, self._words, self.window.fonts, sections=self._sections)
        self.window.show(ops)


def main() -> int:
    """Measure, and print lists of milliseconds."""
    glass = Glass()
    taken: dict[str, list[float]] = {"bare": [], "whole": [], "second": []}
    for round in range(-3, ROUNDS):
        for name in taken:
            if name == "second":
                glass.whole()
            spent = _milliseconds(getattr(glass, name))
            if round >= 0:
                taken[name].append(spent)
        glass.window.pump()
    print(json.dumps(taken))
    return 0


def _milliseconds(work: Callable[[], None]) -> float:
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1e6


if __name__ == "__main__":
    sys.exit(main())
