"""What is said of results wherever they are shown: points, and that their key is not confirmed."""

from __future__ import annotations

from appliance.display.canvas import Canvas, Words
from appliance.display.theme import Color
from appliance.display.view import Board, Result
from appliance.i18n import Translator

_FLAG_SIZE = 32
"""Size of the note on the points, in lengths of the design."""


def key_note(tr: Translator, board: Board) -> str:
    """What is said beside points whose key the league has not confirmed (P); empty when there is nothing to flag."""
    if board.key_confirmed or all(result.points is None for result in board.results):
        return ""
    return tr.gettext("Points by an unconfirmed key")


def key_flag(c: Canvas, board: Board, color: Color) -> list[Words]:
    """The same as words to be written in a block."""
    note = key_note(c.tr, board)
    return [Words(note, c.u(_FLAG_SIZE), color)] if note else []


def points_text(tr: Translator, result: Result) -> str:
    """A result's points with their unit; empty where there are none."""
    return tr.gettext("{points} pts", points=tr.decimal(result.points)) if result.points is not None else ""
