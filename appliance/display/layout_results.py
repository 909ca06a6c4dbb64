"""What is said of results wherever they are shown: points, and that their key is not confirmed."""

from __future__ import annotations

from appliance.display.view import Board, Result
from appliance.i18n import Translator


def key_note(tr: Translator, board: Board) -> str:
    """What is said beside points whose key the league has not confirmed (P); empty when there is nothing to flag."""
    if board.key_confirmed or all(result.points is None for result in board.results):
        return ""
    return tr.gettext("Points by an unconfirmed key")


def points_text(tr: Translator, result: Result) -> str:
    """A result's points with their unit; empty where there are none."""
    return tr.gettext("{points} pts", points=tr.decimal(result.points)) if result.points is not None else ""
