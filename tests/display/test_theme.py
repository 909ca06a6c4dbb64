"""Every theme is readable from afar, by weak eyes, and by people who see colours differently."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.ops import Box, Round, Stroke, Text
from appliance.display.readable import LARGE, SMALL, WRITTEN_ON, pale
from appliance.display.theme import DARK, Color, Theme, contrast
from appliance.display.themes import CONTRAST, LIGHT, THEMES
from appliance.display.view import TableView, View
from appliance.i18n import Translator
from tests.display.grounds import marked, named, written

SIZES = ((1920, 1080), (800, 480), (1080, 1920), (1280, 720))
SEEDS = range(120)

Matrix = tuple[tuple[float, float, float], ...]
BLINDNESS: dict[str, Matrix] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""On linear light. Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
Deficiency, IEEE TVCG 15 (6), 2009; severity 1.0.
"""


@pytest.mark.parametrize("name", THEMES)
def test_time_and_blinds_have_a_contrast_of_7_and_all_else_of_4_5(name: str) -> None:
    assert not list(pale(THEMES[name]))


def test_the_theme_of_high_contrast_has_7_for_every_text() -> None:
    assert not list(pale(CONTRAST, small=LARGE))


def test_time_and_blinds_are_held_to_more_than_other_texts() -> None:
    gray = Theme(**dict.fromkeys(Theme.__struct_fields__, (119, 119, 119)) | {"time": (200, 200, 200)})
    found = {(each.ink, each.ground): each for each in pale(gray)}
    assert found["time", "felt"].needs == LARGE == 7
    assert found["muted", "panel"].needs == SMALL == 4.5
    assert found["muted", "panel"].has == pytest.approx(1)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_text_lies_on_a_ground_that_contrast_is_not_computed_for(
    make_view: Callable[[int], View], fonts: FontBook, seed: int
) -> None:
    theme, lang = marked(), ("cs", "en")[seed % 2]
    ops = draw_list(make_view(seed), SIZES[seed % len(SIZES)], Translator(lang), fonts, theme)
    for text, _, color in written(ops, fonts, theme):
        (ink,), grounds = named(theme, text.color), named(theme, color)
        assert set(grounds) <= set(WRITTEN_ON.get(ink, ())), f"{text.text!r}: {ink} on {grounds}"


def test_the_walk_finds_what_a_text_lies_on(fonts: FontBook) -> None:
    below, pill, text = (10, 10, 10), (200, 200, 200), (0, 0, 0)
    lying = (
        Round(Box(0, 0, 400, 100), 0, below),
        Round(Box(0, 0, 200, 100), 50, pill),
        Text(Box(60, 20, 80, 60), Box(0, 0, 0, 0), "12:34", 40, True, text),
        Text(Box(160, 20, 80, 60), Box(0, 0, 0, 0), "12:34", 40, True, text),
    )
    seen = [(op.box.x, color) for op, _, color in written(lying, fonts, DARK)]
    assert {color for x, color in seen if x == 60} == {pill}
    assert {color for x, color in seen if x == 160} == {pill, below}


def linear(color: Color) -> list[float]:
    parts = (channel / 255 for channel in color)
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(light: list[float]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear sRGB light, D65."""
    red, green, blue = light
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(first: Color, second: Color, matrix: Matrix) -> float:
    """How different two colours are to somebody (CIE76; 2.3 is just noticeable)."""

    def seen(color: Color) -> tuple[float, float, float]:
        light = linear(color)
        mixed = (sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)
        return lab([min(1.0, max(0.0, part)) for part in mixed])

    return sum((a - b) ** 2 for a, b in zip(seen(first), seen(second), strict=True)) ** 0.5


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_button_and_blinds_differ_for_every_eye(name: str, blindness: str) -> None:
    theme = THEMES[name]
    for first, second in combinations((theme.button, theme.small_blind, theme.big_blind), 2):
        assert apart(first, second, BLINDNESS[blindness]) >= 20, (first, second)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_good_differs_from_bad_for_every_eye(name: str, blindness: str) -> None:
    theme = THEMES[name]
    assert apart(theme.good, theme.bad, BLINDNESS[blindness]) >= 12


@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST])
def test_button_and_blinds_carry_their_letters(evening: TableView, fonts: FontBook, theme: Theme) -> None:
    ops = draw_list(evening, (1280, 720), Translator("cs"), fonts, theme)
    marks = {theme.button: "D", theme.small_blind: "SB", theme.big_blind: "BB"}
    for n, op in enumerate(ops):
        if isinstance(op, Round) and op.color in marks and op.box.w == op.box.h:
            over = ops[n + 1]
            assert isinstance(over, Text)
            assert over.text == marks[op.color]


def middle(op: Round) -> Box:
    return op.box.inset(op.box.w // 5, op.box.h // 5)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tone_always_carries_a_sign_or_a_text(make_view: Callable[[int], View], fonts: FontBook, seed: int) -> None:
    theme = marked()
    tones = {theme.good, theme.wait, theme.bad}
    ops = draw_list(make_view(seed), SIZES[seed % len(SIZES)], Translator("cs"), fonts, theme)
    ground = ops[0].box  # smaller things are pieces of signs themselves
    for n, op in enumerate(ops):
        if isinstance(op, Round) and op.color in tones and 400 * op.box.w * op.box.h > ground.w * ground.h:
            told = [over for over in ops[n + 1 :] if isinstance(over, Text | Stroke | Round)]
            assert any(over.color not in tones and middle(op).meets(over.box) for over in told), op


@pytest.mark.parametrize("theme", [DARK, LIGHT, CONTRAST])
def test_suits_carry_their_signs(tracked: TableView, fonts: FontBook, theme: Theme) -> None:
    ops = draw_list(tracked, (1280, 720), Translator("cs"), fonts, theme)
    signs = {theme.spades: "♠", theme.hearts: "♥", theme.diamonds: "♦", theme.clubs: "♣"}
    shown = {op.text for op in ops if isinstance(op, Text) and op.color in signs}
    assert shown & set(signs.values())
    for op in ops:
        if isinstance(op, Text) and op.text in signs.values() and op.color in signs:
            assert op.text == signs[op.color]


def test_contrast_is_that_of_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
