"""Where a house's pictures go: its logo before the title of every screen, its sponsors where nobody needs the room."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.ops import Box, Source
from appliance.display.view import Board

LOGO_GAP = 24
"""Space after the logo, in lengths of the design."""

_STRIP, _STRIP_GAP, _LEAST_BOX = 150, 24, 480
"""Height of the sponsors' place, the space above it, and the least height of what it is cut off from."""

_SHARE = 20
"""Per cent of its box that the sponsors' place takes at most."""

_PLATE = 4
"""How many times wider than high the sponsors' place is at most."""


def logo_box(c: Canvas, head: Box, free: int) -> Box:
    """The logo's place in a header that has ``free`` pixels to spare; without width where there is no room for it.

    It never takes room from the words: it becomes smaller, and from half the header's height on is left out.
    """
    logo = c.house.logo
    if logo is None:
        return Box(head.x, head.y, 0, head.h)
    width = min(head.h * logo.w // logo.h, free - c.u(LOGO_GAP), head.w // 5)
    if width * logo.h < head.h * logo.w // 2:
        return Box(head.x, head.y, 0, head.h)
    return Box(head.x, head.y, width, head.h)


def draw_logo(c: Canvas, box: Box) -> Box:
    """Draw it there; return the box with the space after it."""
    if c.house.logo is None or not box.w:
        return box
    c.picture(box, c.house.logo, "left")
    return Box(box.x, box.y, box.w + c.u(LOGO_GAP), box.h)


def sponsored(c: Canvas, box: Box, board: Board) -> Box:
    """Show the sponsor whose turn it is at the bottom of a box; return what is left of it.

    All of it without sponsors, or where the box is too low to share.
    """
    sponsors = c.house.sponsors
    if not sponsors or box.h < c.u(_LEAST_BOX):
        return box
    height, gap = min(c.u(_STRIP), box.h * _SHARE // 100), c.u(_STRIP_GAP)
    strip = Box(box.x, box.bottom - height, box.w, height)
    c.part(_draw_sponsor, strip, sponsors[board.turn // c.house.turns % len(sponsors)])
    return Box(box.x, box.y, box.w, box.h - height - gap)


def _draw_sponsor(c: Canvas, box: Box, source: Source) -> None:
    """In the middle of its place, on a plate where something shows through the picture."""
    width = min(box.w, _PLATE * box.h)
    plate = Box(box.cx - width // 2, box.y, width, box.h)
    if source.whole:
        c.picture(plate, source)
        return
    c.rounded(plate, c.u(20), c.theme.picture_ground)
    c.picture(plate.inset(c.u(24), c.u(16)), source)
