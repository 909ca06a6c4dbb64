"""The screen of a device without a place: its name, the code that lets it in, and what to do with them."""

from __future__ import annotations

from appliance.display.canvas import Canvas, Words
from appliance.display.fonts import Measure
from appliance.display.house import House
from appliance.display.ops import Box, DrawList
from appliance.display.theme import Theme
from appliance.display.view import SpareView, VenueSeen
from appliance.i18n import N_, Translator

_GROUP = 2
_MOST_VENUES = 4
_BECOMES = {"door": N_("The door"), "clock": N_("The clock on the wall")}


def spare_list(
    view: SpareView, size: tuple[int, int], tr: Translator, measure: Measure, theme: Theme, house: House
) -> DrawList:
    """As `layout.draw_list` gives it: a device without a place needs none of the other layouts."""
    c = Canvas(size, tr, theme, measure, None, house)
    draw_spare_screen(c, view)
    return c.done()


def draw_spare_screen(c: Canvas, view: SpareView) -> None:
    """Name and code, largest the code; below them what to do, and which venues there are."""
    theme = c.theme
    c.ground()
    foot_h = c.u(46)
    frame = Box(c.safe.x, c.safe.y, c.safe.w, c.safe.h - foot_h - c.u(14))
    edge = theme.bad if view.wrong else theme.good if view.pending or view.role else theme.wait
    c.framed(frame, c.u(36), theme.panel, edge, c.u(8))
    inner = frame.inset(c.u(60), c.u(36))
    if view.role:
        _draw_adopted(c, inner, view)
    else:
        _draw_code(c, inner, view)
    foot = Box(c.safe.x, c.safe.bottom - foot_h, c.safe.w, foot_h)
    c.text(foot, " · ".join(filter(None, ("Tableside", view.version))), c.u(34), theme.muted)


def _draw_adopted(c: Canvas, box: Box, view: SpareView) -> None:
    theme, tr = c.theme, c.tr
    top, what, below = box.rows(26, 44, 30)
    becomes = tr.gettext("Table {table}", table=view.table) if view.role == "table" else tr.gettext(_BECOMES[view.role])
    c.text(top, tr.gettext("This device has its place:"), c.u(64), theme.muted, bold=True)
    c.text(what, becomes, c.u(190), theme.ink, bold=True)
    c.paragraph(below, f"{tr.gettext('Starting…')} {tr.gettext('Please leave it switched on.')}", c.u(54), theme.muted)


def _draw_code(c: Canvas, box: Box, view: SpareView) -> None:
    theme, tr = c.theme, c.tr
    top, name, said, code, to_do, venues = box.rows(8, 16, 9, 29, 24, 14)
    c.text(top, tr.gettext("This device has no place yet. Its name:"), c.u(46), theme.muted, bold=True)
    c.text(name, view.device, c.u(120), theme.ink, bold=True)
    if view.wrong:
        c.text(said, tr.gettext("That was another code. This one counts now:"), c.u(48), theme.bad, bold=True)
    elif not view.pending:
        c.text(said, tr.gettext("The code that lets it in:"), c.u(46), theme.muted, bold=True)
    if view.pending:
        waits = tr.gettext("The code was right. The director is writing it down…")
        c.paragraph(code, waits, c.u(72), theme.good, bold=True)
    else:
        c.text(code, grouped(view.code), c.u(230), theme.accent, bold=True)
        c.block(to_do, [Words(tr.gettext(_TO_DO), c.u(48), theme.ink)])
    c.block(venues, [Words(line, c.u(42), theme.bad if bad else theme.muted) for line, bad in _venues(c, view.venues)])


_TO_DO = N_(
    "A commissioner holds their card to any kiosk here and chooses Devices, Let a device in, this name, and what the "
    "device becomes; then they type this code."
)


def grouped(code: str) -> str:
    """A code as it is read out: by twos."""
    return "  ".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def _venues(c: Canvas, venues: tuple[VenueSeen, ...]) -> list[tuple[str, bool]]:
    """Which venues there are, and which of them does not let this device in, and why."""
    tr = c.tr
    if not venues:
        return [(tr.gettext("Looking for the director of a venue on the network…"), False)]
    open_to = ", ".join(venue.name for venue in venues[:_MOST_VENUES] if not venue.refused)
    lines = [(tr.gettext("Venue: {venues}", venues=open_to), False)] if open_to else []
    refused = [venue for venue in venues if venue.refused][:2]
    return lines + [(f"{venue.name}: {tr.refusal(venue.refused)}", True) for venue in refused]
