"""A card as it lies on the table: its rank and its suit, which has a shape of its own and not only a colour."""

from __future__ import annotations

from appliance.display.canvas import Canvas
from appliance.display.ops import Box

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RATIO = 70
"""A card's width in hundredths of its height."""


def card_width(height: int) -> int:
    """How wide a card of this height is."""
    return max(1, height * _RATIO // 100)


def card_height(width: int) -> int:
    """How high a card of this width is."""
    return max(1, width * 100 // _RATIO)


def suit_text(suit: str) -> str:
    """The sign of a suit."""
    return _SUITS[suit]


def draw_card(c: Canvas, box: Box, card: str) -> None:
    """A card's face, its back where nobody told which it is."""
    theme, edge = c.theme, max(1, box.w // 40)
    if card == "??":
        c.framed(box, box.w // 9, theme.card, theme.shadow, edge)
        c.rounded(box.inset(box.w // 9), box.w // 14, theme.card_back)
        c.rounded(box.inset(box.w // 5), box.w // 14, theme.card_back_light)
        return
    rank, suit = ("10" if card[0] == "T" else card[0]), card[1]
    color = {"s": theme.spades, "h": theme.hearts, "d": theme.diamonds, "c": theme.clubs}[suit]
    c.framed(box, box.w // 9, theme.card, theme.shadow, edge)
    upper, lower = box.inset(box.w // 14, box.h // 20).rows(53, 47)
    c.text(upper, rank, box.h * 62 // 100, color, bold=True)
    c.text(lower, _SUITS[suit], box.h * 56 // 100, color, bold=True)


def draw_slot(c: Canvas, box: Box) -> None:
    """Where a card of the board will lie."""
    c.framed(box, box.w // 9, c.theme.felt, c.theme.felt_line, max(1, box.w // 50))
