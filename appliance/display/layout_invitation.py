"""What the door asks of whoever comes in: to tap, to wait, or to see the commissioner because nothing works."""

from __future__ import annotations

from typing import Literal

from appliance.display.canvas import Canvas
from appliance.display.icons import badge, tap_invitation
from appliance.display.ops import Box
from appliance.display.view import Board
from appliance.i18n import Translator

Invitation = Literal["reader", "director", "starting", "announced", "open", "full", "late", "seat", "result", "next"]
"""Why nothing can be tapped or answered, or what a tap is good for now."""


def invitation(board: Board) -> Invitation:
    """What the door asks for as the round stands."""
    if not board.status.reader:
        return "reader"
    free = board.field is None or board.capacity > board.field.entries
    match board.phase:
        case "announced":
            return "announced"
        case "open":
            if not board.status.director:
                return "director"
            return "open" if free else "full"
        case "running" | "paused":
            takes = board.rules is not None and board.rules.late_now and free and board.status.director
            return "late" if takes else "seat"
        case "finished":
            return "result"
        case "none" if board.status.never_heard:
            return "starting"
        case _:
            return "next"


def draw_invitation(c: Canvas, box: Box, what: Invitation) -> None:
    """The drawing, two or three words that are read from the street, and what for."""
    theme = c.theme
    stands = what in ("reader", "director")
    c.framed(box, c.u(36), theme.felt, theme.bad if stands else theme.rail_light, c.u(8 if stands else 3))
    inner = box.inset(c.u(50), c.u(36))
    drawing = Box(inner.x, inner.y, inner.w, inner.h * 48 // 100)
    said = Box(inner.x, drawing.bottom + c.u(12), inner.w, inner.h * 28 // 100)
    note = Box(inner.x, said.bottom + c.u(8), inner.w, inner.bottom - said.bottom - c.u(8))
    if stands:
        badge(c, drawing, "reader" if what == "reader" else "apart", theme.bad, theme.on_tone)
    elif what in ("announced", "starting"):
        badge(c, drawing.inset(0, c.u(20)), "wait", theme.wait, theme.on_tone)
    else:
        tap_invitation(c, drawing, theme.plate, theme.felt_ink, theme.accent)
    title, why = _words(c.tr, what)
    c.paragraph(said, title, c.u(124), theme.felt_ink, bold=True)
    if c.fit(why, note.w, note.h, c.u(50)) >= c.u(40):
        c.text(note, why, c.u(50), theme.felt_muted)
    else:
        c.paragraph(note, why, c.u(50), theme.felt_muted)


def _words(tr: Translator, what: Invitation) -> tuple[str, str]:
    tap = tr.gettext("Tap your card")
    match what:
        case "reader":
            remedy = tr.gettext("Please see the commissioner, who plugs it in again.")
            return tr.gettext("The reader is offline"), remedy
        case "director":
            remedy = tr.gettext("Please wait a moment, or see the commissioner.")
            return tr.gettext("No registration just now"), remedy
        case "starting":
            remedy = tr.gettext(
                "If this lasts more than a minute: check the network cable, then call the commissioner."
            )
            return tr.gettext("Waiting for the director…"), remedy
        case "announced":
            return tr.gettext("Registration has not opened yet"), tr.gettext("Please come back to this screen later.")
        case "open":
            return tap, tr.gettext("to register for tonight")
        case "full":
            return tr.gettext("The round is full"), tr.gettext("If you are registered, tap your card.")
        case "late":
            return tap, tr.gettext("to register, or to see your seat")
        case "seat":
            return tap, tr.gettext("to see your seat")
        case "result":
            return tap, tr.gettext("to see your result")
        case "next":
            return tap, tr.gettext("to see when we play next")
