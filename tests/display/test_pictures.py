"""The pictures of the documentation show the screens as they are, within a tolerance for other font renderers.

After a change of looks: ``TABLESIDE_REDRAW=1 pytest tests/display/test_pictures.py``, look at them, commit them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.display import parts
from appliance.display import prompt as p
from appliance.display.render import render
from appliance.display.view import Blinds, DoorView, PlanTable, PromptView, TableView, View

PICTURES = Path(__file__).parents[2] / "docs" / "img"
SMALL = (160, 90)


def views(evening: TableView, tracked: TableView) -> dict[str, View]:
    board = evening.board
    assert board.face is not None
    assert board.field is not None
    first = replace(board.face, level=1, blinds=Blinds(sb=25, bb=50), running=False, remaining_s=1200)
    opened = replace(
        board,
        phase="open",
        now=board.now.replace(hour=18, minute=24),
        starts_in_s=2160,
        face=first,
        field=replace(board.field, left=12, entries=12),
    )
    paused = replace(board, phase="paused", face=replace(board.face, running=False, next_break_at=None))
    plan = tuple(PlanTable(number=n, seats=9, taken=(1, 2, 4, 5, 8)) for n in (1, 2, 3))
    seat = PromptView(prompt=p.YourSeat("000103", 2, 7), who="Kateřina Š.", plan=plan)
    return {
        "table": evening,
        "tracked": tracked,
        "paused": replace(evening, board=paused),
        "door": DoorView(board=opened),
        "seat": DoorView(board=board, prompt=seat),
    }


def small(file: Path) -> bytes:
    """The picture at the size of a stamp: letters become grey, places and colours stay."""
    picture = parts.image.load(str(file))
    plain = parts.surface.Surface(picture.get_size(), 0, 32)
    plain.blit(picture, (0, 0))
    return parts.image.tobytes(parts.transform.smoothscale(plain, SMALL), "RGB")


@pytest.mark.parametrize("name", ["table", "tracked", "paused", "door", "seat"])
def test_pictures_of_the_documentation_are_up_to_date(
    evening: TableView, tracked: TableView, tmp_path: Path, name: str
) -> None:
    kept = PICTURES / f"{name}.png"
    drawn = kept if os.environ.get("TABLESIDE_REDRAW") else tmp_path / "now.png"
    render(views(evening, tracked)[name], (1280, 720), "cs", drawn)
    differences = [abs(a - b) for a, b in zip(small(kept), small(drawn), strict=True)]
    assert sum(differences) / len(differences) < 1.5
    assert max(differences) < 80
