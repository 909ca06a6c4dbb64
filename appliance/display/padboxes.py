"""Where each of the dealer's keys lies on the glass: the same boxes are drawn and touched."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.ops import Box
from appliance.display.view import PadView

_Rows = tuple[tuple[str, ...], ...]

_DIGITS: _Rows = (("7", "8", "9", "back"), ("4", "5", "6", "plus"), ("1", "2", "3", "00"), ("0", "push"))
_RANKS: _Rows = (("A", "K", "Q", "J"), ("T", "9", "8", "7"), ("6", "5", "4", "3"), ("2", "back"), ("s", "h", "d", "c"))
_CHOICES: _Rows = (
    ("next",),
    ("done",),
    ("fold", "check-call"),
    ("all-in", "raise"),
    ("show", "muck"),
    ("win", "cards"),
)
_REST = ("unclear", "uncounted", "seat", "cards", "dead", "player-back", "muck", "show", "undo", "drop", "menu")
"""What has no place of its own; two side by side, three where there are many rows."""

_HIGH = {"next": 2, "done": 1}
"""Rows that may be higher than the others, by their first key."""

_GAP, _MOST, _READOUT = 10, 130, 104
"""Between two keys, the height of a key at most, and of the place for what was typed, in lengths of the design."""

_TARGET = 12
"""A key is at least this part of the screen's short side wide and high, where the screen has room for them all."""

_COLUMN = 450
"""Width of the keys beside the table, in lengths of the design."""


def beside(c: Canvas) -> bool:
    """Whether the keys lie beside the table; else below it."""
    return c.screen.w * 100 >= c.screen.h * 125


def pad_width(c: Canvas) -> int:
    """How wide the keys beside the table are."""
    return max(c.u(_COLUMN), 4 * _least(c) + 3 * c.u(_GAP))


def pad_height(c: Canvas, pad: PadView) -> int:
    """How high the keys below the table are: as with all of them, so that the table stays where it is."""
    key = max(c.u(92), _least(c))
    return _readout_height(c) + 5 * key + 6 * c.u(_GAP)


def _least(c: Canvas) -> int:
    return -(-min(c.screen.w, c.screen.h) // _TARGET)


def _readout_height(c: Canvas) -> int:
    return max(c.u(_READOUT), _least(c))


def readout_box(c: Canvas, box: Box) -> Box:
    """Where it stands what was typed, and why a key was refused."""
    return Box(box.x, box.y, box.w, min(_readout_height(c), box.h // 4))


def key_boxes(c: Canvas, box: Box, pad: PadView) -> list[tuple[str, Box]]:
    """The keys of the pad with their boxes; a key that makes no sense now has none."""
    free = box.below(readout_box(c, box).h + c.u(_GAP))
    if beside(c):
        return _in_rows(c, free, _rows(pad), pad.keys)
    left, right = free.columns(1, 1, gap=c.u(_GAP))
    grid = [row for row in _rows(pad) if row in _DIGITS or row in _RANKS]
    others = [row for row in _rows(pad) if row not in grid]
    if not grid and len(others) <= 3:
        return _in_rows(c, free, others, pad.keys)
    if not grid:
        grid, others = others[: -(-len(others) // 2)], others[-(-len(others) // 2) :]
    return [*_in_rows(c, left, grid, pad.keys), *_in_rows(c, right, others, pad.keys)]


def _rows(pad: PadView) -> list[tuple[str, ...]]:
    """The rows that have a key; those of digits and ranks keep the place of each key, the others close up."""
    keys = set(pad.keys)
    blocks = _RANKS if pad.mode == "cards" else _DIGITS
    rows = [row for row in blocks if keys.intersection(row) - {"back"}]
    placed = {key for row in rows for key in row}
    for row in _CHOICES:
        shown = tuple(key for key in row if key in keys and key not in placed)
        if shown and shown != ("cards",):
            rows.append(shown)
            placed.update(shown)
    rest = [key for key in (*_REST, "back") if key in keys and key not in placed]
    count = -(-len(rest) // (3 if len(rows) > 4 else 2))
    per_row = -(-len(rest) // count) if count else 0
    return [*rows, *(tuple(rest[n : n + per_row]) for n in range(0, len(rest), per_row or 1))]


def _in_rows(c: Canvas, box: Box, rows: list[tuple[str, ...]], keys: tuple[str, ...]) -> list[tuple[str, Box]]:
    """The keys in rows from the top, all rows equally high but those of the most important keys."""
    gap = c.u(_GAP)
    weights = [_HIGH.get(row[0], 0) + 2 for row in rows]
    units = sum(weights)
    if not units:
        return []
    unit = min((box.h - gap * (len(rows) - 1)) / units, max(c.u(_MOST), _least(c)) / 2)
    placed: list[tuple[str, Box]] = []
    y = float(box.y)
    for row, weight in zip(rows, weights, strict=True):
        room = Box(box.x, round(y), box.w, max(1, round(y + unit * weight) - round(y)))
        placed += [
            (key, cell) for key, cell in zip(row, room.columns(*[1] * len(row), gap=gap), strict=True) if key in keys
        ]
        y += unit * weight + gap
    return placed
