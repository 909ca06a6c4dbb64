"""The floor menu → view: its words in the screen's language, under the board of the round."""

from __future__ import annotations

from appliance.display.view import Board, FloorView
from appliance.display.view_floor import MenuLine, MenuView
from appliance.floor.lines import Line, Shown
from appliance.floor.said import say
from appliance.i18n import Translator


def floor_view(board: Board, shown: Shown, who: str, top: bool, tr: Translator) -> FloorView:
    """A page of the menu that ``who`` has opened; ``top``: going back leaves it."""
    menu = MenuView(
        title=say(shown.title, tr),
        who=who,
        top=top,
        question=say(shown.question, tr),
        lines=tuple(_line(line, tr) for line in shown.lines),
        hint=say(shown.hint, tr),
        number=say(shown.number, tr),
        digits=shown.digits,
        editing=shown.editing,
        busy=shown.busy,
        good=shown.good,
    )
    return FloorView(board=board, menu=menu)


def _line(line: Line, tr: Translator) -> MenuLine:
    return MenuLine(
        text=say(line.text, tr),
        item=line.item,
        detail=say(line.detail, tr),
        why_not=say(line.reason, tr),
        refused=not line.enabled,
        selected=line.selected,
        danger=line.tone == "danger",
        back=line.tone == "back",
    )
