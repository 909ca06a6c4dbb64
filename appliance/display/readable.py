"""What is written on what, and how much it must stand out: the time and blinds most of all.

A test walks the draw lists of many screens and holds that no text lies on a ground that is not named here, so a theme
that passes is readable on every screen there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from appliance.display.theme import Theme, contrast

LARGE, SMALL = 7.0, 4.5
"""Contrast ratios of WCAG 2.2: enhanced (1.4.6) for time and blinds, minimum (1.4.3) for all else."""

_FELTS = ("felt", "felt_light", "felt_break", "felt_break_light")
_GROUNDS = ("ground_top", "ground_bottom")
_BOARDS = (*_GROUNDS, "panel", "plate")

WRITTEN_ON: dict[str, tuple[str, ...]] = {
    "time": (*_FELTS, *_GROUNDS, "rail"),
    "time_stopped": (*_FELTS, *_GROUNDS, "rail", "plate", "plate_empty"),
    "blinds": (*_FELTS, *_BOARDS),
    "ink": (*_BOARDS, "plate_empty", "key"),
    "muted": (*_BOARDS, "plate_empty"),
    "accent": (*_BOARDS, *_FELTS),
    "good": _BOARDS,
    "wait": (*_BOARDS, "plate_empty"),
    "bad": (*_BOARDS, "plate_empty"),
    "felt_ink": (*_FELTS, *_GROUNDS, "rail"),
    "felt_muted": (*_FELTS, *_GROUNDS, "rail", "plate_empty"),
    "on_accent": ("accent",),
    "on_tone": ("good", "wait", "bad", "muted"),
    "on_button": ("button",),
    "on_small_blind": ("small_blind",),
    "on_big_blind": ("big_blind",),
    "spades": ("card",),
    "hearts": ("card",),
    "diamonds": ("card",),
    "clubs": ("card",),
}
"""The grounds that each ink is written on, by the names of a theme; a table's lines are thinner than any letter's."""

_MOST = frozenset({"time", "time_stopped", "blinds"})


class Pale(NamedTuple):
    """An ink that does not stand out from a ground: the ratio it has, and the one it needs."""

    ink: str
    ground: str
    has: float
    needs: float


def pale(theme: Theme, small: float = SMALL) -> Iterator[Pale]:
    """Everything that could not be read; ``small``: what other texts than time and blinds need."""
    for ink, grounds in WRITTEN_ON.items():
        needs = LARGE if ink in _MOST else small
        for ground in grounds:
            has = contrast(getattr(theme, ink), getattr(theme, ground))
            if has < needs:
                yield Pale(ink, ground, has, needs)
