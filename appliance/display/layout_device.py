"""Screens of the device itself: starting up, and needing a person."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.icons import badge
from appliance.display.ops import Box
from appliance.display.view import AttentionView, StartingView


def draw_starting_screen(c: Canvas, view: StartingView) -> None:
    """The first frame."""
    box = c.safe
    c.ground()
    name = Box(box.x, box.cy - c.u(150), box.w, c.u(200))
    c.text(name, "Tableside", c.u(150), c.theme.ink, bold=True)
    suits = Box(box.x, name.y - c.u(110), box.w, c.u(100))
    c.text(suits, "♠  ♥  ♦  ♣", c.u(64), c.theme.accent)
    said = Box(box.x, name.bottom + c.u(10), box.w, c.u(80))
    c.text(said, c.tr.gettext("Starting…"), c.u(52), c.theme.muted)
    foot = Box(box.x, box.bottom - c.u(50), box.w, c.u(50))
    c.text(foot, " · ".join(filter(None, (view.device, view.version))), c.u(30), c.theme.muted)


def draw_attention_screen(c: Canvas, view: AttentionView) -> None:
    """What is wrong and what to do about it."""
    c.ground()
    box = c.safe.inset(c.u(20))
    c.framed(box, c.u(36), c.theme.panel, c.theme.wait, c.u(6))
    inner = box.inset(c.u(60), c.u(50))
    side = min(c.u(220), inner.h // 4)
    badge(c, Box(inner.cx - side // 2, inner.y, side, side), "attention", c.theme.wait, c.theme.on_tone)
    problem = Box(inner.x, inner.y + side + c.u(24), inner.w, inner.h * 30 // 100)
    c.paragraph(problem, view.problem, c.u(84), c.theme.ink, bold=True)
    foot_h = c.u(50)
    remedy = Box(inner.x, problem.bottom + c.u(16), inner.w, inner.bottom - problem.bottom - foot_h - c.u(24))
    c.paragraph(remedy, view.remedy, c.u(54), c.theme.ink)
    foot = Box(inner.x, inner.bottom - foot_h, inner.w, foot_h)
    c.text(foot, " · ".join(filter(None, (view.device, view.code))), c.u(30), c.theme.muted)
