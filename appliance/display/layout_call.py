"""Whose time runs: a band above the table that is read across it."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.hand_text import with_seat
from appliance.display.ops import Box
from appliance.display.view import Asked, Call, TableView
from appliance.i18n import Translator

_HEIGHT, _LOW, _GAP, _SIZE, _SIDE = 112, 66, 14, 80, 36
"""Height of the band, where there is room and where there is little, and the space below it, size of its letters, space
beside them, in lengths of the design."""


def call_text(call: Call, tr: Translator) -> str:
    """Say a call in a language."""
    who = with_seat(call.who, call.seat, tr)
    if call.phase == "thinking":
        return tr.gettext("Time: {who}, {seconds} s", who=who, seconds=call.remaining_s)
    if call.phase == "counting":
        return tr.gettext("Count: {who}, {seconds} s", who=who, seconds=call.remaining_s)
    if call.ends == "fold":
        return tr.gettext("Time is up: {who}, fold", who=who)
    return tr.gettext("Time is up: {who}, check or fold", who=who)


def seat_of_call(view: TableView) -> int | None:
    """The seat of whoever's time runs, so that it can be lit; None without a call."""
    if view.call is None or view.call.seat is not None:
        return view.call.seat if view.call else None
    return next((seat.number for seat in view.seats if seat.who == view.call.who), None)


def call_and_body(
    c: Canvas, body: Box, call: Call | None, asked: Asked | None = None, *, low: bool = False
) -> tuple[Box, Box]:
    """Where the call goes, at the top, and what of the body is left below it. ``low``: no more than has to be."""
    if call is None and asked is None:
        return body, body
    height = c.u(_LOW if low else _HEIGHT)
    return Box(body.x, body.y, body.w, height), body.below(height + c.u(_GAP))


def draw_call(c: Canvas, box: Box, call: Call | None, asked: Asked | None = None) -> None:
    """Write the call into its band, in another colour once it is counted; without one, that the floor is called."""
    if call is None:
        if asked is not None:
            said = c.tr.gettext("Time asked for") if asked == "time" else c.tr.gettext("The floor is called")
            c.rounded(box, box.h // 2, c.theme.wait)
            c.text(box.inset(c.u(_SIDE), 0), said, c.u(_SIZE), c.theme.on_tone, bold=True)
        return
    c.rounded(box, box.h // 2, c.theme.wait if call.phase == "thinking" else c.theme.bad)
    c.text(box.inset(c.u(_SIDE), 0), call_text(call, c.tr), c.u(_SIZE), c.theme.on_tone, bold=True)
