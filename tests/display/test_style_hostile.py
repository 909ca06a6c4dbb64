"""Whatever a style's file, its fonts and its pictures are: they are told, and the screen starts and stays."""

from __future__ import annotations

import logging
import os
import shutil
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.apps.config import run as run_config
from appliance.apps.kiosk_attention import told
from appliance.config import Config, ConfigError, Device, Screen, load
from appliance.display import parts
from appliance.display.fonts import FONT_DIR, Faces, FontBook, FontsMissing, unfit
from appliance.display.layout import draw_list
from appliance.display.ops import DrawList
from appliance.display.picturefile import PictureError, looked_at
from appliance.display.render import paint
from appliance.display.style import StyleError, at_start, read
from appliance.display.theme import DARK
from appliance.display.view import TableView
from appliance.health import configuration
from appliance.i18n import Translator

DEEP = "[" * 3000
BAD = {
    "empty font": ('[fonts]\nregular = "empty"', "fonts.regular: empty: "),
    "no name of a font": ('[fonts]\nregular = "a\\u0000b.ttf"', "fonts.regular: "),
    "pipe for a font": ('[fonts]\nregular = "pipe"', "pipe: no font can be read from it: not a plain file"),
    "device for a font": ('[fonts]\nregular = "/dev/zero"', "/dev/zero: no font can be read from it: not a plain file"),
    "folder for a font": ('[fonts]\nregular = "."', ".: no font can be read from it: a folder"),
    "number of many digits": ("seconds = " + "9" * 5000, "a number of too many digits"),
    "number of many hex digits": ("seconds = 0x" + "f" * 9000, "seconds: "),
    "long name": (f'theme = "{"x" * 9000}"', "theme: "),
    "deep lists": (f"x = {DEEP}", "too deep"),
    "deep tables": ("colours" + ".a" * 20_000 + " = 1", "dots in a line"),
    "odd keys": ('[colours]\n"1" = 3\n"²" = 4\n"a.5" = 6', "colours"),
}  # fmt: skip


def folder_with(folder: Path, text: str) -> Path:
    (folder / "empty").write_bytes(b"")
    if not (folder / "pipe").exists():
        os.mkfifo(folder / "pipe")
    (folder / "house.toml").write_text(text)
    return folder / "house.toml"


@pytest.mark.parametrize("what", BAD)
def test_whatever_cannot_serve_is_told_and_the_screen_starts(tmp_path: Path, what: str) -> None:
    text, why = BAD[what]
    file = folder_with(tmp_path, text)
    with pytest.raises(StyleError) as caught:
        read(file)
    assert why in str(caught.value)
    assert len(str(caught.value)) < 400
    assert at_start(Screen(style=str(file))).theme == DARK
    assert at_start(Screen(style=str(file))).fonts().width("1", 20, bold=True) > 0


@pytest.mark.parametrize("name", ["a\\u0000b.png", "pipe", "/dev/zero", ".", "empty", "x" * 5000])
def test_what_is_no_plain_file_is_no_picture(tmp_path: Path, name: str) -> None:
    style = read(folder_with(tmp_path, f'logo = "{name}"\nsponsors = ["{name}"]'))
    assert style.house.logo is None
    assert len(style.problems) == 2


def test_a_style_file_that_is_a_pipe_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "house.toml")
    with pytest.raises(StyleError, match="not a plain file"):
        read(tmp_path / "house.toml")
    with pytest.raises(StyleError, match="no name of a file"):
        read(Path("a\0b"))


ODD_NAMES = st.sampled_from(["empty", "pipe", "good.ttf", "house.toml", "a\0b", "", ".", "/dev/zero", "x" * 300, "no"])
VALUES = st.recursive(
    st.one_of(
        st.integers(), st.floats(), st.booleans(), st.text(max_size=8), st.datetimes(), st.times(), ODD_NAMES
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
    max_leaves=8,
)  # fmt: skip
COLOURS = st.dictionaries(
    st.sampled_from(["time", "felt", "accent", "1", "a.5"]), st.one_of(VALUES, st.just("#ffffff")), max_size=4
)
FONTS = st.fixed_dictionaries({}, optional={"regular": ODD_NAMES, "bold": ODD_NAMES, "x": VALUES})
TABLES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.one_of(st.text(), VALUES),
        "theme": st.one_of(st.sampled_from(["dark", "light", "contrast"]), VALUES),
        "logo": st.one_of(ODD_NAMES, VALUES),
        "sponsors": st.one_of(st.lists(ODD_NAMES, max_size=14), VALUES),
        "seconds": st.one_of(st.integers(), VALUES),
        "fonts": st.one_of(FONTS, VALUES),
        "colours": st.one_of(COLOURS, VALUES),
        "x": VALUES,
    },
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=TABLES)
def test_a_style_of_any_types_is_read_or_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, values: dict[str, object]
) -> None:
    file = folder_with(tmp_path, "")
    shutil.copy(FONT_DIR / "DejaVuSans.ttf", tmp_path / "good.ttf")
    with monkeypatch.context() as patched:
        patched.setattr(tomllib, "loads", lambda *_, **__: values)
        held(file)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
def test_a_style_of_any_bytes_is_read_or_told(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(data)
    held(file)


def held(file: Path) -> None:
    try:
        read(file)
    except StyleError as error:
        assert str(error).startswith(f"{file}: ")
    assert at_start(Screen(style=str(file))).fonts().width("1", 20, bold=True) > 0


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"\xff\xd8\xff\xc0"]), data=st.binary())
def test_a_picture_or_font_of_any_bytes_is_told(tmp_path: Path, start: bytes, data: bytes) -> None:
    file = tmp_path / "any"
    file.write_bytes(start + data)
    with pytest.raises(PictureError):
        looked_at(str(file))
    assert unfit(file) is not None


@pytest.mark.parametrize("text", [f"x = {DEEP}", "x = " + "9" * 5000, "[screen]\noverscan = 0x" + "f" * 9000])
def test_a_device_file_that_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "device.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"device\.toml: "):
        load(file)
    assert told([file]).config == replace(Config(), device=Device(name=""))


def test_a_device_file_that_is_a_pipe_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "device.toml")
    with pytest.raises(ConfigError, match="not a plain file"):
        load(tmp_path / "device.toml")
    assert told([tmp_path / "device.toml"]).lang is None


@pytest.mark.parametrize("text", [BAD["empty font"][0], 'logo = "a\\u0000b.png"', f"x = {DEEP}", 'logo = "pipe"'])
def test_config_check_and_doctor_tell_it_as_they_do_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    style, device = folder_with(tmp_path, text), tmp_path / "device.toml"
    device.write_text(f'[device]\ndata = "{tmp_path}"\n[screen]\nstyle = "{style}"\n')

    class Args:
        action, files, changed, lang, json = "check", [device], False, "en", False

    assert run_config(Args()) == 2  # type: ignore[arg-type]
    assert f"{device}: screen.style: {style}: " in capsys.readouterr().err
    assert [one for one in configuration.check(load(device)) if one.params.get("place") == "screen.style"]
    assert not [one for one in configuration.check(Config()) if one.params.get("place") == "screen.style"]


def own(folder: Path) -> Faces:
    for name in ("f.ttf", "b.ttf"):
        shutil.copy(FONT_DIR / "DejaVuSerif.ttf", folder / name)
    return Faces(folder / "f.ttf", folder / "b.ttf")


def spoil(file: Path, how: str) -> None:
    if how == "removed":
        file.unlink()
    elif how == "emptied":
        file.write_bytes(b"")
    elif how == "cut off":
        os.truncate(file, 1000)
    else:
        with file.open("r+b") as stream:
            stream.write(b"\x5a" * file.stat().st_size)


def drawn(ops: DrawList, size: tuple[int, int], book: FontBook) -> bytes:
    return parts.image.tobytes(paint(ops, size, book), "RGB")


@pytest.mark.parametrize("how", ["removed", "emptied", "cut off", "written over"])
def test_a_font_that_goes_bad_while_it_is_in_use_changes_nothing(evening: TableView, tmp_path: Path, how: str) -> None:
    faces = own(tmp_path)
    book, well = (
        FontBook(faces=faces),
        FontBook(faces=Faces(FONT_DIR / "DejaVuSerif.ttf", FONT_DIR / "DejaVuSerif.ttf")),
    )
    for face in faces:
        spoil(face, how)
    for size in ((1280, 720), (800, 480), (1920, 1080)):
        ops = draw_list(evening, size, Translator("cs"), book)
        assert ops == draw_list(evening, size, Translator("cs"), well)
        assert drawn(ops, size, book) == drawn(ops, size, well)


def test_a_font_that_went_bad_before_it_was_opened_gives_way_to_the_built_in_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    faces = own(tmp_path)
    spoil(faces.bold, "removed")
    with caplog.at_level(logging.WARNING):
        book = FontBook(faces=faces)
    assert book.width("Stůl", 40, bold=True) == FontBook().width("Stůl", 40, bold=True)
    assert len([one for one in caplog.records if "b.ttf" in one.getMessage()]) == 1


def test_a_font_without_a_size_or_letter_gives_way_while_it_is_in_use(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    book, plain = FontBook(faces=own(tmp_path)), FontBook()
    book._fonts[book._faces.bold] = Broken()  # type: ignore[assignment]
    with caplog.at_level(logging.WARNING):
        for text in ("Stůl", "Hra"):
            assert book.width(text, 40, bold=True) == plain.width(text, 40, bold=True)
    assert len([one for one in caplog.records if "b.ttf" in one.getMessage()]) == 1


class Broken:
    """A font that can be opened, and used for nothing."""

    point_size = 1

    def __getattr__(self, name: str) -> object:
        raise parts.base.error("no such letter")


def test_the_built_in_fonts_are_needed_at_the_start_alone(evening: TableView, tmp_path: Path) -> None:
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        shutil.copy(FONT_DIR / name, tmp_path / name)
    book = FontBook(tmp_path)
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        (tmp_path / name).unlink()
    paint(draw_list(evening, (800, 480), Translator("cs"), book), (800, 480), book)
    (tmp_path / "DejaVuSans.ttf").write_bytes(b"")
    (tmp_path / "DejaVuSans-Bold.ttf").write_bytes(b"")
    with pytest.raises(FontsMissing):
        FontBook(tmp_path)
