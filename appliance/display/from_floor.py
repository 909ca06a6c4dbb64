"""The floor menu → view: its words in the screen's language, under the board of the round."""

from __future__ import annotations

from appliance.display.from_call import call
from appliance.display.from_round import clock_view
from appliance.display.scene import OpenMenu, Scene
from appliance.display.view import Call, FloorView
from appliance.display.view_floor import MenuLine, MenuView, PairingView
from appliance.floor.forms import Pairing
from appliance.floor.lines import Line
from appliance.floor.said import say
from appliance.game.refusal import Refusal
from appliance.i18n import Translator

NO_ANSWER = "no-answer"
"""The code of an answer that did not come (`appliance.link.commands`)."""


def floor_view(scene: Scene, menu: OpenMenu, tr: Translator) -> FloorView:
    """A page of the menu, and the clock above it."""
    shown = menu.page
    hint, lines = say(shown.hint, tr), tuple(_line(line, tr) for line in shown.lines)
    if shown.good is False and hint:  # why it was refused is what the page is about
        hint, lines = "", (MenuLine(text=hint), *lines)
    page = MenuView(
        title=say(shown.title, tr),
        who=menu.who,
        top=menu.top,
        question=say(shown.question, tr),
        lines=lines,
        hint=hint,
        number=say(shown.number, tr),
        keypad=menu.number,
        editing=shown.editing,
        warned=shown.warned,
        aloud=shown.aloud,
        busy=shown.busy,
        good=shown.good,
        pairing=None if shown.pairing is None else _pairing(shown.pairing),
        unsure=shown.good is False and isinstance(shown.hint, Refusal) and shown.hint.code == NO_ANSWER,
    )
    return FloorView(board=clock_view(scene).board, menu=page, call=_call(scene, menu.table))


def _call(scene: Scene, table: int | None) -> Call | None:
    """The time that runs at this table; at a door at any."""
    tables = list(scene.round.tables) if scene.round is not None and table is None else [table or 0]
    calls = (call(scene.round, scene.at_ms, scene.who, number) for number in tables)
    return next((found for found in calls if found is not None), None)


def _pairing(pairing: Pairing) -> PairingView:
    address = pairing.address.removeprefix("http://").rstrip("/")  # what a browser adds by itself
    return PairingView(pairing.picture, pairing.code, address, pairing.left)


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
        digit=line.digit,
        seat=line.seat,
        place=line.place,
        small=line.small,
    )
