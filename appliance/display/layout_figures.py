"""The figures below the clock: next level and break, players, stacks, prizes."""

from __future__ import annotations

from appliance.display.canvas import LEAST_SIZE, Canvas
from appliance.display.layout_board import DASH, ante_text, blinds_text
from appliance.display.ops import Box
from appliance.display.view import Board, Face, Field, Prize
from appliance.i18n import NBSP, Translator

_LEAST_FIGURE = 14 * LEAST_SIZE
"""Pixels a figure needs for its label to be whole at the smallest legible size."""

_PRIZES = 4
"""So many prizes are told below the first one, the last of them a count where there are more."""

Figure = tuple[str, str, str]
"""Label, value, and a smaller line below."""


def figures(c: Canvas, board: Board, *, prizes: bool = True) -> list[Figure]:
    """The figures below the clock, most asked for first; ``prizes``: with those."""
    tr, face = c.tr, board.face
    if board.phase == "finished" and board.results:
        return []  # the results say it all
    if board.phase in ("announced", "open"):
        return _before_start_figures(tr, board)
    shown: list[Figure] = []
    if board.phase in ("running", "paused") and face is not None:
        if not face.on_break:  # the clock itself says then what follows
            shown.append(_next_level(tr, face))
        shown.append(_next_break(tr, face))
    if board.field is not None:
        shown += _field_figures(tr, board.field, face if board.phase != "finished" else None)
    if board.prizes and prizes:
        shown.append(_prizes(tr, board.prizes))
    return shown


def _before_start_figures(tr: Translator, board: Board) -> list[Figure]:
    shown: list[Figure] = []
    if board.field is not None:
        places = free_places(tr, board.capacity - board.field.entries)
        shown.append((tr.gettext("Registered"), tr.number(board.field.entries), places))
    chips = tr.ngettext("{n} chip", "{n} chips", board.stack) if board.stack else ""
    shown.append((tr.gettext("Deposit"), tr.crowns(board.deposit), chips))
    return [*shown, *shares_figure(tr, board)]


def shares_figure(tr: Translator, board: Board) -> list[Figure]:
    """What part of the prizes the places are promised; none where it is not announced."""
    if not board.shares:
        return []
    first, *others = (f"{tr.decimal(share)}{NBSP}%" for share in board.shares)
    label = tr.ngettext("Prize", "Prizes for {n} places", len(board.shares))
    return [(label, first, _in_one_line(others))]


def _field_figures(tr: Translator, field: Field, face: Face | None) -> list[Figure]:
    if face is None:
        return [(tr.gettext("Players"), tr.number(field.entries), "")]
    players = f"{tr.number(field.left)}{NBSP}/{NBSP}{tr.number(field.entries)}"
    chips = tr.ngettext("{n} chip in play", "{n} chips in play", field.chips_in_play) if field.chips_in_play else ""
    shown = [(tr.gettext("Players"), players, chips)]
    if field.average:
        stack = big_blinds(tr, field.average, face.blinds.bb)
        shown.append((tr.gettext("Average stack"), tr.number(field.average), stack))
    return shown


def _next_level(tr: Translator, face: Face) -> Figure:
    label = tr.gettext("Next level")
    if face.next_blinds is None:
        return label, DASH, tr.gettext("last level")
    note = ante_text(tr, face.next_blinds)
    if face.next_is_break:
        note = " · ".join(filter(None, (tr.gettext("after the break"), note)))
    return label, blinds_text(tr, face.next_blinds), note


def _next_break(tr: Translator, face: Face) -> Figure:
    if face.on_break:
        end = tr.clock(face.break_ends_at) if face.break_ends_at else DASH
        return tr.gettext("Play resumes"), end, in_minutes(tr, face.remaining_s)
    label = tr.gettext("Next break")
    if face.next_break_in_s is None:
        return label, DASH, tr.gettext("no further break")
    if face.next_break_at is None:
        return label, DASH, tr.gettext("{time} of play left", time=minutes_text(tr, face.next_break_in_s))
    return label, tr.clock(face.next_break_at), in_minutes(tr, face.next_break_in_s)


def minutes_text(tr: Translator, seconds: int) -> str:
    """A span in minutes, rounded up; from 100 minutes on in hours and minutes."""
    minutes = -(-seconds // 60)
    if minutes < 100:
        return tr.gettext("{minutes} min", minutes=minutes)
    hours, rest = divmod(minutes, 60)
    return tr.gettext("{hours}:{minutes:02} h", hours=hours, minutes=rest)


def in_minutes(tr: Translator, seconds: int) -> str:
    """How long until then."""
    return tr.gettext("in {time}", time=minutes_text(tr, seconds))


def free_places(tr: Translator, free: int) -> str:
    """How many may still register."""
    return tr.ngettext("{n} place free", "{n} places free", free) if free > 0 else tr.gettext("full")


def _prizes(tr: Translator, prizes: tuple[Prize, ...]) -> Figure:
    first, *others = prizes
    label = tr.ngettext("Prize", "Prizes for {n} places", len(prizes))
    if first.place > 1:  # those above were dealt otherwise (T-10)
        label = tr.gettext("Prizes from {place} place", place=tr.place(first.place))
    return label, tr.crowns(first.amount), _in_one_line([tr.number(prize.amount) for prize in others])


def _in_one_line(others: list[str]) -> str:
    """What the places below the first are paid, and of how many that is not said."""
    if len(others) > _PRIZES:
        others = [*others[: _PRIZES - 1], f"+{NBSP}{len(others) - _PRIZES + 1}"]
    return " · ".join(others)


def big_blinds(tr: Translator, chips: int, bb: int) -> str:
    """A stack in big blinds: whole ones, with a tenth below ten."""
    if bb <= 0:
        return ""
    tenths = (chips * 10 + bb // 2) // bb
    whole = tenths >= 100 or tenths % 10 == 0
    shown = tr.number(tenths // 10) if whole else tr.decimal(f"{tenths // 10}.{tenths % 10}")
    return f"{shown}{NBSP}BB"


def footer(c: Canvas, box: Box, shown: list[Figure], *, low: bool = False) -> None:
    """The figures side by side in a panel, in as many rows as the width asks for. ``low``: without their notes."""
    if not shown:
        return
    rows = footer_rows(c, box.w, len(shown))
    columns = -(-len(shown) // rows)
    gap = c.u(16)
    height = (box.h - gap * (rows - 1)) // rows
    for row in range(rows):
        cells = shown[row * columns : (row + 1) * columns]
        if not cells:
            break
        room = Box(box.x, box.y + row * (height + gap), box.w, height)
        weights = [
            min(max(len(value), len(note) * 6 // 10, len(label) * 6 // 10, 8), 18) for label, value, note in cells
        ]
        for cell, figure in zip(room.columns(*weights, gap=gap), cells, strict=True):
            _figure(c, cell, figure, low=low)


def footer_rows(c: Canvas, width: int, count: int) -> int:
    """How many rows of figures a footer of this width has."""
    return max(1, -(-count // figures_in_a_row(c, width)))


def figures_in_a_row(c: Canvas, width: int) -> int:
    """How many figures this width holds side by side."""
    return max(1, width // max(c.u(300), _LEAST_FIGURE))


def _figure(c: Canvas, box: Box, figure: Figure, *, low: bool) -> None:
    label, value, note = figure
    c.framed(box, c.u(20), c.theme.panel, c.theme.panel_edge, c.u(2))
    inner = box.inset(c.u(14), c.u(6))
    top, middle, bottom = inner.rows(*((37, 63, 0) if low else (27, 44, 29)))
    c.text(top, label, c.u(30), c.theme.muted)
    c.text(middle, value, c.u(56), c.theme.ink, bold=True)
    c.text(bottom, note, c.u(32), c.theme.muted)
