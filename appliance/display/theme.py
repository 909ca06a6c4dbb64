"""Colours as data. A theme is a value; nothing in the layouts names a colour of its own."""

from __future__ import annotations

import msgspec

Color = tuple[int, int, int]
"""Red, green, blue, 0-255, sRGB."""


class Theme(msgspec.Struct, frozen=True, kw_only=True):
    """The colours of a room, each named after what it is used for.

    ``shadow`` parts cards, buttons and the table from what is below them; ``picture_ground`` lies under pictures that
    are not whole rectangles.
    """

    ground_top: Color
    ground_bottom: Color
    shadow: Color
    panel: Color
    panel_edge: Color
    key: Color
    rail: Color
    rail_light: Color
    felt: Color
    felt_light: Color
    felt_break: Color
    felt_break_light: Color
    felt_line: Color
    felt_break_line: Color
    plate: Color
    plate_empty: Color
    plate_edge: Color
    ink: Color
    muted: Color
    felt_ink: Color
    felt_muted: Color
    time: Color
    time_stopped: Color
    blinds: Color
    accent: Color
    on_accent: Color
    good: Color
    wait: Color
    bad: Color
    on_tone: Color
    button: Color
    on_button: Color
    small_blind: Color
    on_small_blind: Color
    big_blind: Color
    on_big_blind: Color
    card: Color
    card_back: Color
    card_back_light: Color
    spades: Color
    hearts: Color
    diamonds: Color
    clubs: Color
    picture_ground: Color


DARK = Theme(
    ground_top=(10, 18, 16),
    ground_bottom=(15, 29, 25),
    shadow=(10, 18, 16),
    panel=(21, 37, 32),
    panel_edge=(38, 60, 52),
    key=(38, 60, 52),
    rail=(50, 36, 28),
    rail_light=(183, 142, 84),
    felt=(11, 58, 43),
    felt_light=(18, 78, 58),
    felt_break=(16, 48, 72),
    felt_break_light=(24, 64, 92),
    felt_line=(44, 106, 84),
    felt_break_line=(52, 96, 126),
    plate=(13, 22, 20),
    plate_empty=(16, 45, 37),
    plate_edge=(64, 92, 80),
    ink=(244, 240, 230),
    muted=(160, 184, 172),
    felt_ink=(244, 240, 230),
    felt_muted=(196, 220, 206),
    time=(255, 252, 244),
    time_stopped=(255, 214, 140),
    blinds=(250, 219, 150),
    accent=(236, 197, 122),
    on_accent=(28, 20, 8),
    good=(112, 214, 146),
    wait=(250, 204, 110),
    bad=(255, 138, 120),
    on_tone=(12, 20, 17),
    button=(250, 248, 240),
    on_button=(22, 22, 22),
    small_blind=(122, 196, 235),
    on_small_blind=(8, 24, 36),
    big_blind=(246, 186, 92),
    on_big_blind=(40, 22, 4),
    card=(252, 250, 244),
    card_back=(120, 26, 38),
    card_back_light=(162, 52, 62),
    spades=(16, 18, 22),
    hearts=(166, 16, 30),
    diamonds=(18, 70, 168),
    clubs=(10, 92, 44),
    picture_ground=(236, 231, 220),
)
"""Felt green on near black, brass for what matters; the default."""


def luminance(color: Color) -> float:
    """Relative luminance, 0 black to 1 white (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: Color, second: Color) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)
