"""How large a screen must and may be; alone here because a kiosk asks before its first frame, without the layouts."""

from __future__ import annotations

LEAST_SCREEN = (320, 240)
MOST_SCREEN = (7680, 7680)
"""Screens outside these, either way up, are not drawn on."""


def check_size(size: tuple[int, int]) -> None:
    """Raise `ValueError` for a screen that is too small to read, or larger than any."""
    long, short = max(size), min(size)
    if short < min(LEAST_SCREEN) or long < max(LEAST_SCREEN):
        raise ValueError(f"a screen has at least {LEAST_SCREEN[0]}x{LEAST_SCREEN[1]} pixels")
    if long > max(MOST_SCREEN):
        raise ValueError(f"a screen has at most {MOST_SCREEN[0]} pixels a side")
