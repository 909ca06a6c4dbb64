"""The rules in force, and where all of them can be read (LG-12)."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas, Words
from appliance.display.listing import Heading, draw_heading, panel
from appliance.display.ops import Box
from appliance.display.view_rules import RulesInForce
from appliance.i18n import NBSP, Translator

_ROW = 84
"""Height of a line at most, in lengths of the design."""


def draw_rules(c: Canvas, box: Box, rules: RulesInForce) -> None:
    """Whose rules, what players ask most, and that registering accepts it all."""
    tr, theme = c.tr, c.theme
    room = draw_heading(c, panel(c, box), Heading(tr.gettext("Rules in force")))
    lines = _lines(tr, rules)
    version = tr.gettext("version {version}", version=rules.version)
    read = [
        Words(tr.gettext("The full text is with the commissioner and on the league's pages."), c.u(38), theme.muted),
        Words(tr.gettext("By registering you accept the rules."), c.u(38), theme.accent, True),
        Words(f"{rules.profile}, {version}", c.u(26), theme.muted),
    ]
    row = min(c.u(_ROW), room.h * 64 // 100 // len(lines))
    for n, (label, value) in enumerate(lines):
        line = Box(room.x, room.y + n * row, room.w, row)
        if n:
            c.rounded(Box(line.x, line.y, line.w, max(1, c.u(2))), 0, theme.panel_edge)
        _line(c, line, label, value)
    c.block(room.below(len(lines) * row + c.u(16)), read, align="left")


def _line(c: Canvas, row: Box, label: str, value: str) -> None:
    size = max(LEAST_SIZE, c.u(42))
    left = Box(row.x, row.y, min(row.w * 55 // 100, c.measure.width(label, size, False) + 2), row.h)
    c.text(left, label, c.u(42), c.theme.muted, align="left")
    free = Box(left.right + c.u(20), row.y, row.right - left.right - c.u(20), row.h)
    c.text(free, value, c.u(48), c.theme.ink, bold=True, align="right")


def _named(tr: Translator, profile: str) -> str:
    """Whose rules they are, in words."""
    match profile:
        case "cpl-2017":
            return tr.gettext("Czech Poker League 2017")
        case "cpl":
            return tr.gettext("Czech Poker League")
        case "casino-2012":
            return tr.gettext("Casino tournaments 2012")
        case "tda-2024":
            return tr.gettext("TDA 2024")
        case _:
            return profile


def _lines(tr: Translator, rules: RulesInForce) -> list[tuple[str, str]]:
    seconds = f"{tr.number(rules.think_s)}{NBSP}+{NBSP}{tr.number(rules.count_s)}{NBSP}s"
    late = tr.gettext("until the end of the first break") if rules.late else tr.gettext("only before the start")
    return [
        (tr.gettext("Rules"), _named(tr, rules.profile)),
        (tr.gettext("Registration"), late),
        (tr.gettext("Re-entry"), tr.gettext("once") if rules.reentry else tr.gettext("none")),
        (tr.gettext("Time call"), seconds),
    ]
