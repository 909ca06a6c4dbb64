"""A phone that is being signed in, on the glass: the picture for its camera, or the digits that it has shown."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.ops import Box
from appliance.display.qrcode import draw_code
from appliance.display.view_floor import PairingView
from appliance.i18n import duration

_DIGITS, _LEFT = 140, 100
"""Letters of the digits and of the time that is left: smaller than the clock of the round."""


def draw_pairing(c: Canvas, box: Box, left: Box | None, pairing: PairingView) -> None:
    """Picture or digits in ``box``, with the address below, and the time that is left in ``left``."""
    theme = c.theme
    if pairing.code:
        c.framed(box, c.u(32), theme.panel, theme.accent, c.u(6))
        c.text(box.inset(c.u(40)), pairing.code, c.u(_DIGITS), theme.ink, bold=True)
    elif pairing.picture:
        address = box._replace(y=box.bottom - c.u(64), h=c.u(64))
        c.part(_draw_picture, box._replace(h=box.h - address.h), pairing.picture)
        c.text(address, pairing.address, c.u(46), theme.ink, bold=True)
    if left is not None:
        c.countdown(left, duration(pairing.left), c.u(_LEFT), theme.accent)


def _draw_picture(c: Canvas, box: Box, text: str) -> None:
    draw_code(c, box, text)
