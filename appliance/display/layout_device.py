"""Screens of the device itself: starting up, and needing a person."""

from __future__ import annotations

from appliance.display.canvas import Canvas, Words
from appliance.display.fonts import Measure
from appliance.display.house import House
from appliance.display.icons import sign
from appliance.display.ops import Box, DrawList
from appliance.display.theme import Theme
from appliance.display.view import AttentionView, StartingView
from appliance.i18n import N_, Translator


def starting_list(
    view: StartingView, size: tuple[int, int], tr: Translator, measure: Measure, theme: Theme, house: House
) -> DrawList:
    """As `layout.draw_list` gives it, for the first frame: the layouts of all other screens take 80 ms to load."""
    c = Canvas(size, tr, theme, measure, None, house)
    draw_starting_screen(c, view)
    return c.done()


def attention_list(
    view: AttentionView, size: tuple[int, int], tr: Translator, measure: Measure, theme: Theme, house: House
) -> DrawList:
    """As `layout.draw_list` gives it, for a kiosk that may have come no further than its configuration."""
    c = Canvas(size, tr, theme, measure, None, house)
    draw_attention_screen(c, view)
    return c.done()


def draw_starting_screen(c: Canvas, view: StartingView) -> None:
    """The first frame: who this is, and that it takes a moment."""
    box, theme = c.safe, c.theme
    c.ground()
    foot = Box(box.x, box.bottom - c.u(60), box.w, c.u(60))
    upper, name, _, said, remedy = Box(box.x, box.y, box.w, foot.y - box.y).rows(30, 24, 6, 14, 26)
    c.text(Box(upper.x, upper.bottom - c.u(130), upper.w, c.u(120)), "♠  ♥  ♦  ♣", c.u(72), theme.accent)
    c.text(name, "Tableside", c.u(170), theme.ink, bold=True)
    c.text(said, c.tr.gettext("Starting…"), c.u(64), theme.ink, bold=True)
    below = Box(remedy.x, remedy.y, remedy.w, remedy.h * 60 // 100)
    c.paragraph(below, c.tr.gettext("Please leave it switched on."), c.u(46), theme.muted)
    c.text(foot, " · ".join(filter(None, (view.device, view.version))), c.u(34), theme.muted)


def draw_attention_screen(c: Canvas, view: AttentionView) -> None:
    """What is wrong and what to do about it."""
    theme, tr = c.theme, c.tr
    c.ground()
    box, edge, radius = c.safe, c.u(10), c.u(36)
    c.rounded(box, radius, theme.wait)
    if box.w * 100 >= box.h * 120:
        field = Box(box.x, box.y, min(box.w * 27 // 100, box.h * 70 // 100), box.h)
        panel = Box(field.right, box.y + edge, box.right - edge - field.right, box.h - 2 * edge)
    else:
        field = Box(box.x, box.y, box.w, box.h * 27 // 100)
        panel = Box(box.x + edge, field.bottom, box.w - 2 * edge, box.bottom - edge - field.bottom)
    size = min(field.w, field.h) * 110 // 100
    c.rounded(panel, radius - edge, theme.panel)
    sign(c, Box(field.cx - size // 2, field.cy - size // 2, size, size), "attention", theme.on_tone)
    inner = panel.inset(c.u(60), c.u(40))
    foot_h = c.u(50)
    top, problem, label, remedy = Box(inner.x, inner.y, inner.w, inner.h - foot_h - c.u(16)).rows(9, 41, 10, 40)
    speakers = [tr, *map(Translator, view.also)]
    heading, to_do = (
        " · ".join(speaker.gettext(text) for speaker in speakers)
        for text in (N_("This device needs somebody"), N_("What to do"))
    )
    c.text(top, heading, c.u(44), theme.wait, bold=True, align="left")
    problems, remedies = zip((view.problem, view.remedy), *view.also.values(), strict=True)
    c.block(problem, [Words(text, c.u(92), theme.ink, bold=True) for text in problems], align="left")
    c.text(label, to_do, c.u(44), theme.accent, bold=True, align="left")
    c.block(remedy, [Words(text, c.u(62), theme.ink) for text in remedies], align="left")
    foot = Box(inner.x, inner.bottom - foot_h, inner.w, foot_h)
    c.text(foot, " · ".join(filter(None, (view.device, view.version, view.code))), c.u(34), theme.muted, align="left")
