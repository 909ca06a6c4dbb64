"""View → draw list: a pure function of view, size, language and theme (and the fonts' measures)."""

from __future__ import annotations

from appliance.display.canvas import Canvas, Sections
from appliance.display.fonts import Measure
from appliance.display.house import PLAIN, House
from appliance.display.layout_adopt import draw_spare_screen
from appliance.display.layout_device import draw_attention_screen, draw_starting_screen
from appliance.display.layout_door import draw_door_screen
from appliance.display.layout_floor import draw_floor_screen
from appliance.display.layout_table import draw_table_screen
from appliance.display.layout_wall import draw_clock_screen
from appliance.display.ops import DrawList
from appliance.display.screensize import check_size
from appliance.display.theme import DARK, Theme
from appliance.display.view import (
    AttentionView,
    ClockView,
    DoorView,
    FloorView,
    SpareView,
    StartingView,
    TableView,
    View,
)
from appliance.display.wander import REACH, wandered
from appliance.i18n import Translator


def draw_list(
    view: View,
    size: tuple[int, int],
    tr: Translator,
    measure: Measure,
    theme: Theme = DARK,
    sections: Sections | None = None,
    house: House = PLAIN,
) -> DrawList:
    """Lay a view out for a screen of ``size`` pixels. Raises `ValueError` for one too small to read.

    ``sections``, kept by whoever draws a screen again and again, saves the work of what has not changed; the list
    is the same without.
    """
    check_size(size)
    c = Canvas(size, tr, theme, measure, sections, house, shift(view, size, house))
    match view:
        case TableView():
            draw_table_screen(c, view)
        case ClockView():
            draw_clock_screen(c, view)
        case DoorView():
            draw_door_screen(c, view)
        case FloorView():
            draw_floor_screen(c, view)
        case StartingView():
            draw_starting_screen(c, view)
        case AttentionView():
            draw_attention_screen(c, view)
        case SpareView():
            draw_spare_screen(c, view)
    return c.done()


def shift(view: View, size: tuple[int, int], house: House) -> tuple[int, int]:
    """How far right and down of its place a view is drawn, against burning in; a touch is that far off too."""
    if not house.wanders or isinstance(view, StartingView | AttentionView | SpareView):
        return 0, 0
    reach = min(max(size) / 1920, min(size) / 1080) * REACH
    return wandered(view.board.now, int(reach))
