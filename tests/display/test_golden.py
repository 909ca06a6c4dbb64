"""The golden pictures: every screen in both languages at three sizes, and what would not pass for the same.

After a change of looks: ``make pictures``, look at them, commit them.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageFilter

from appliance.display.ops import Op, Text
from appliance.display.raster import Painter
from appliance.display.theme import Color
from tests.display.golden_cases import CASES
from tests.display.golden_pictures import GOLDEN, difference, drawn, file_of, kept, listed, painted, redraw

PICTURES = [(name, lang, size) for name, case in CASES.items() for size in case.sizes for lang in case.langs]
MUTATED = [("table", "cs", "800x480"), ("door-check", "en", "1920x1080"), ("floor-list", "cs", "1280x720")]
FINE = [(name, "1920x1080") for name in ("table", "table-keys", "final-later", "break", "door")]
OTHERS = str.maketrans("0123456789", "8738168136")
"""For each digit one that looks much like it."""

READ_FROM_AFAR = 18
"""In golden pixels: in smaller letters a 3 may pass for an 8."""


@pytest.mark.parametrize(("name", "lang", "size"), PICTURES)
def test_a_screen_looks_as_it_did(tmp_path: Path, name: str, lang: str, size: str) -> None:
    file, picture = file_of(name, lang, size), drawn(CASES[name], lang, size)
    redraw(file, picture, fine=(name, size) in FINE)
    found = difference(Image.open(file), picture)
    if not found.small:
        picture.save(tmp_path / "now.png")
    assert found.small, f"{found}: look at {file} and {tmp_path / 'now.png'}; if it is to be so: make pictures"


def test_there_is_a_golden_picture_of_every_case_and_no_other_and_they_are_small() -> None:
    files = set(GOLDEN.rglob("*.png"))
    assert files == {file_of(*picture) for picture in PICTURES}
    assert sum(file.stat().st_size for file in files) < 12 * 2**20


def _drawn(name: str, lang: str, size: str) -> Image.Image:
    return drawn(CASES[name], lang, size)


class _Mutant:
    """A screen of which one operation is another."""

    def __init__(self, name: str, lang: str, size: str) -> None:
        shown, self.ops, fonts = listed(CASES[name], lang, size)
        self.theme, self._size = shown.style.theme, shown.size
        self._painter = Painter(fonts, 2**25)
        self.texts = [(n, op) for n, op in enumerate(self.ops) if isinstance(op, Text)]

    def seen(self, golden: Image.Image, number: int, op: Op) -> bool:
        """Whether it is noticed that an operation has become ``op``."""
        ops = (*self.ops[:number], op, *self.ops[number + 1 :])
        return not difference(golden, painted(self._painter, ops, self._size)).small

    def another(self, color: Color) -> Color:
        """The one of three colours of the theme that looks least like ``color``."""
        theme = self.theme
        return max((theme.ink, theme.accent, theme.muted), key=lambda one: math.dist(one, color))

    def factor(self, golden: Image.Image) -> int:
        """Pixels of the screen for one of the golden picture."""
        return self._size[0] // golden.width


@pytest.mark.parametrize("which", MUTATED, ids="-".join)
def test_a_text_moved_by_its_height_is_noticed(which: tuple[str, str, str]) -> None:
    mutant, golden = _Mutant(*which), kept(_drawn(*which))
    for number, text in mutant.texts:
        assert mutant.seen(golden, number, replace(text, box=text.box.moved(0, text.box.h))), text.text


@pytest.mark.parametrize("which", MUTATED, ids="-".join)
def test_a_text_that_is_missing_or_of_another_colour_is_noticed(which: tuple[str, str, str]) -> None:
    mutant, golden = _Mutant(*which), kept(_drawn(*which))
    for number, text in mutant.texts:
        assert mutant.seen(golden, number, replace(text, text="")), text.text
        other = mutant.another(text.color)
        if text.size >= READ_FROM_AFAR * mutant.factor(golden):
            assert mutant.seen(golden, number, replace(text, color=other)), text.text


@pytest.mark.parametrize("which", MUTATED, ids="-".join)
def test_another_digit_is_noticed(which: tuple[str, str, str]) -> None:
    mutant, golden = _Mutant(*which), kept(_drawn(*which))
    least = READ_FROM_AFAR * mutant.factor(golden)
    swapped = 0
    for number, text in mutant.texts:
        for at, letter in enumerate(text.text):
            if letter.isdigit() and text.size >= least:
                other = text.text[:at] + letter.translate(OTHERS) + text.text[at + 1 :]
                assert mutant.seen(golden, number, replace(text, text=other)), f"{text.text} {other}"
                swapped += 1
    assert swapped > 2


@pytest.mark.parametrize("which", MUTATED, ids="-".join)
def test_softer_edges_and_a_pixel_aside_are_another_renderer_and_pass(which: tuple[str, str, str]) -> None:
    picture = _drawn(*which)
    golden = kept(picture)
    assert difference(golden, picture.filter(ImageFilter.GaussianBlur(0.4))).small
    for right, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        assert difference(golden, ImageChops.offset(picture, right, down)).small
    assert not difference(golden, ImageChops.offset(picture, 0, 6)).small
