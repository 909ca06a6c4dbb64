"""A house's style as data: a TOML file with its colours, fonts, logo and the pictures of its sponsors.

`read` takes a file that is sound, or says file, key and reason. A picture that cannot be shown is left out and told,
never an error; `at_start` makes one of the built-in themes do for a file that cannot serve: a style never stops an
evening.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from appliance.config import Screen
from appliance.configwords import plain
from appliance.display.fonts import FONT_DIR, Faces, FontBook, unfit
from appliance.display.house import PLAIN, House
from appliance.display.ops import Source
from appliance.display.picturefile import PictureError, looked_at
from appliance.display.readable import LARGE, SMALL, pale
from appliance.display.theme import Theme
from appliance.display.themes import THEMES
from appliance.display.view import TURN_S
from appliance.filebytes import Unreadable, read_bytes
from appliance.tomltext import TomlError, toml_values

MOST_STYLE_BYTES = 64 * 1024
MOST_SPONSORS = 12

Hex = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}$")]


class StyleError(ValueError):
    """A file that cannot serve as a style; the text names file, key and reason."""


class _Fonts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Files; without ``bold``, bold is written in the regular one."""

    regular: str
    bold: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scheme of a style's file. ``seconds``: how long each sponsor's picture stays."""

    name: str = ""
    theme: Literal["dark", "light", "contrast"] = "dark"
    logo: str = ""
    sponsors: Annotated[tuple[str, ...], msgspec.Meta(max_length=MOST_SPONSORS)] = ()
    seconds: Annotated[int, msgspec.Meta(ge=TURN_S, le=3600)] = 2 * TURN_S
    fonts: _Fonts | None = None
    colours: dict[str, Hex] = {}


class LeftOut(NamedTuple):
    """A picture that is not shown, and why; ``key`` as it stands in the file."""

    key: str
    file: str
    why: str

    def __str__(self) -> str:
        return f"{self.key}: {self.file}: {self.why}"


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """How a screen looks. ``problems``: what its file asked for and does not get, in words."""

    theme: Theme
    house: House = PLAIN
    faces: Faces | None = None
    problems: tuple[str, ...] = ()

    def fonts(self, directory: Path = FONT_DIR) -> FontBook:
        """The fonts to measure and to draw with. Raises `FontsMissing`."""
        return FontBook(directory, self.faces)


def read(file: Path, theme: str = "", *, unpack: bool = False) -> Style:
    """The style of a file. Raises `StyleError`.

    ``theme``: that of a screen that is to have another one than the house; its own colours are left as they are.
    ``unpack``: look at pictures whole, as a screen does when it first shows them, and not at their heads alone.
    """
    told = _converted(file)
    own = _theme(file, told.colours, told.theme)
    shown = dict(_pictures(told, file.parent, unpack=unpack))
    problems = tuple(f"{file}: {each}" for each in shown.values() if isinstance(each, LeftOut))
    found = {key: each for key, each in shown.items() if isinstance(each, Source)}
    return Style(
        theme=own if theme in ("", told.theme) else THEMES[theme],
        house=House(
            logo=found.pop("logo", None),
            sponsors=tuple(found.values()),
            turns=-(-told.seconds // TURN_S),
        ),
        faces=_faces(file, told.fonts),
        problems=problems,
    )


def at_start(screen: Screen) -> Style:
    """What a screen's configuration asks for, or as much of it as can be had."""
    try:
        style = read(Path(screen.style), screen.theme) if screen.style else Style(theme=THEMES[screen.theme or "dark"])
    except StyleError as error:
        style = Style(theme=THEMES[screen.theme or "dark"], problems=(f"{error}; the built-in style is shown instead",))
    return replace(style, house=replace(style.house, overscan=screen.overscan, wanders=True))


def _converted(file: Path) -> _File:
    values: dict[str, Any] = {}
    try:
        values = toml_values(read_bytes(file, MOST_STYLE_BYTES))
        return msgspec.convert(values, _File)
    except msgspec.ValidationError as error:
        raise StyleError(f"{file}: {plain(str(error), _File, values)}") from None
    except (Unreadable, TomlError) as error:
        raise StyleError(f"{file}: {error}") from None


def _theme(file: Path, colours: dict[str, str], base: str) -> Theme:
    theme = THEMES[base]
    for name, value in colours.items():
        if name not in Theme.__struct_fields__:
            raise StyleError(f"{file}: colours.{name}: there is no colour of this name")
        theme = replace(theme, **{name: tuple(bytes.fromhex(value[1:]))})
    small = LARGE if base == "contrast" else SMALL
    for each in pale(theme, small):
        changed = each.ink if each.ink in colours else each.ground
        raise StyleError(
            f"{file}: colours.{changed}: {each.ink} on {each.ground} has a contrast of {each.has:.1f}:1,"
            f" it needs {each.needs:g}:1"
        )
    return theme


def _pictures(told: _File, beside: Path, *, unpack: bool) -> Iterator[tuple[str, Source | LeftOut]]:
    """Those that are named, by the key they are named by."""
    keyed = [("logo", told.logo)] if told.logo else []
    keyed += [(f"sponsors, number {n}", name) for n, name in enumerate(told.sponsors, 1)]
    for key, name in keyed:
        try:
            source = looked_at(str(beside / name))
            if unpack:
                from appliance.display.pictures import unpacked  # late, for a kiosk's first frame needs no picture

                unpacked(source)
            yield key, source
        except PictureError as error:
            yield key, LeftOut(key, name, str(error))


def _faces(file: Path, fonts: _Fonts | None) -> Faces | None:
    if fonts is None:
        return None
    for key, name in (("regular", fonts.regular), ("bold", fonts.bold)):
        if (name or key == "regular") and (why := unfit(file.parent / name)) is not None:
            raise StyleError(f"{file}: fonts.{key}: {name}: {why}")
    return Faces(file.parent / fonts.regular, file.parent / (fonts.bold or fonts.regular))
