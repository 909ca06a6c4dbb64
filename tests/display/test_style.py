"""A house's style: what it may say, and that nothing in it can take a screen away."""

from __future__ import annotations

import logging
import struct
import zlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance.apps import doctor
from appliance.apps.config import run as run_config
from appliance.config import Config, Screen, load
from appliance.display import parts
from appliance.display.fonts import CAP_HEIGHT, CZECH, FONT_DIR, Faces, FontBook, cap_height, opened
from appliance.display.house import House
from appliance.display.layout import draw_list
from appliance.display.ops import Box, DrawList, Picture, Round, Source, Text
from appliance.display.picturefile import MOST_BYTES, PictureError, looked_at
from appliance.display.raster import Painter
from appliance.display.render import paint
from appliance.display.style import Style, StyleError, at_start, read
from appliance.display.theme import DARK, contrast
from appliance.display.themes import CONTRAST, LIGHT
from appliance.display.view import AttentionView, ClockView, DoorView, StartingView, TableView, View
from appliance.display.window import Window
from appliance.i18n import Translator

SIZES = ((1920, 1080), (1280, 720), (800, 480), (1080, 1920), (320, 240))


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, *, colors: int = 6, between: bytes = b"") -> bytes:
    """A picture in one colour; ``colors`` 2 without and 6 with an alpha channel."""
    pixel = {2: b"\xc0\x30\x20", 6: b"\xc0\x30\x20\x80"}[colors]
    rows = zlib.compress((b"\0" + pixel * width) * height)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colors, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + between + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def huge_png() -> bytes:
    """A hundred bytes that say they are 60000 × 60000 pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")


BROKEN = {
    "missing": (None, "No such file"),
    "empty": (b"", "neither a PNG nor a JPEG"),
    "text": (b"GIF89a and so on", "neither a PNG nor a JPEG"),
    "cut off": (png(40, 20)[:-30], "cut off or damaged"),
    "damaged": (png(40, 20).replace(b"IDATx", b"IDATy"), "cut off or damaged"),
    "bomb": (huge_png(), "60000×60000 pixels"),
    "no pixels": (png(0, 20), "without pixels"),
    "animated": (png(40, 20, between=chunk(b"acTL", b"\0" * 8)), "animated"),
    "large": (b"\x89PNG\r\n\x1a\n" + b"\0" * MOST_BYTES, "larger than 4 MB"),
    "head of a JPEG": (b"\xff\xd8\xff\xe0", "cut off or damaged"),
    "no frame in a JPEG": (b"\xff\xd8\xff\xda\x00\x02\xff\xd9", "a kind of JPEG"),
}


def styled(folder: Path, text: str, theme: str = "") -> Style:
    file = folder / "house.toml"
    file.write_text(text)
    return read(file, theme)


def house(folder: Path, sponsors: int = 3) -> House:
    (folder / "logo.png").write_bytes(png(300, 100))
    names = [f"sponsor-{n}.png" for n in range(sponsors)]
    for n, name in enumerate(names):
        (folder / name).write_bytes(png(640, 200 + n, colors=2 if n == 0 else 6))
    return styled(folder, f'logo = "logo.png"\nsponsors = {names}'.replace("'", '"')).house


def pictures(ops: DrawList) -> list[Picture]:
    return [op for op in ops if isinstance(op, Picture)]


def test_an_empty_file_is_the_dark_theme(tmp_path: Path) -> None:
    assert styled(tmp_path, "") == Style(theme=DARK, house=House(turns=2))


def test_colours_go_over_those_of_the_theme_that_is_named(tmp_path: Path) -> None:
    style = styled(tmp_path, 'theme = "light"\n[colours]\naccent = "#7a1020"')
    assert style.theme == replace(LIGHT, accent=(0x7A, 0x10, 0x20))


def test_a_screen_with_another_theme_than_the_house_has_none_of_its_colours(tmp_path: Path) -> None:
    text = 'theme = "light"\n[colours]\naccent = "#7a1020"'
    assert styled(tmp_path, text, "contrast").theme == CONTRAST
    assert styled(tmp_path, text, "light").theme.accent == (0x7A, 0x10, 0x20)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a =", "Invalid value"),
        ("colour = 1", "there is no setting `colour`"),
        ('theme = "pink"', "theme: 'pink': expected 'contrast' or 'dark' or 'light'"),
        ("seconds = 3", "seconds: 3: expected at least 15"),
        ('sponsors = "a.png"', "sponsors: 'a.png': expected"),
        (f"sponsors = {['a.png'] * 13}", "sponsors: "),
        ('[colours]\nacent = "#ffffff"', "colours.acent: there is no colour of this name"),
        ('[colours]\naccent = "red"', "colours.accent: 'red': expected a colour as #rrggbb"),
        ('[colours]\ntime = "#808080"', "colours.time: time on felt has a contrast of 3.2:1, it needs 7:1"),
        ('[colours]\nfelt_light = "#5aa080"', "felt_light: time on felt_light has a contrast of 3.0:1, it needs 7:1"),
        ('[colours]\nmuted = "#506058"', "colours.muted: muted on ground_top has a contrast of 2.9:1, it needs 4.5:1"),
        ('theme = "contrast"\n[colours]\nmuted = "#909090"', "it needs 7:1"),
        ('fonts = { regular = "none.ttf" }', "fonts.regular: none.ttf: no font can be read from it"),
        ('fonts = { regular = "house.toml" }', "fonts.regular: house.toml: "),
        ('fonts = { bold = "none.ttf" }', "fonts: "),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_with_its_name_the_key_and_the_reason(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(StyleError) as caught:
        styled(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'house.toml'}: ")
    assert told in str(caught.value)


@pytest.mark.parametrize("what", ["missing", "folder", "bytes", "large"])
def test_what_is_no_style_file_at_all_is_told(tmp_path: Path, what: str) -> None:
    file = tmp_path / "house.toml"
    if what == "folder":
        file.mkdir()
    elif what != "missing":
        file.write_bytes(b"\xff\xfe" if what == "bytes" else b"#" * 70_000)
    with pytest.raises(StyleError, match=r"house\.toml: "):
        read(file)


@pytest.mark.parametrize("what", BROKEN)
def test_a_picture_that_cannot_be_shown_is_left_out_and_told(tmp_path: Path, what: str) -> None:
    data, why = BROKEN[what]
    if data is not None:
        (tmp_path / "bad.png").write_bytes(data)
    (tmp_path / "good.png").write_bytes(png(40, 20))
    style = styled(tmp_path, 'logo = "bad.png"\nsponsors = ["good.png", "bad.png"]')
    assert style.house.logo is None
    assert [Path(each.file).name for each in style.house.sponsors] == ["good.png"]
    logo, sponsor = style.problems
    assert "house.toml: logo: bad.png: " in logo
    assert why in logo
    assert "sponsors, number 2: bad.png: " in sponsor


def test_sizes_are_known_without_unpacking(tmp_path: Path) -> None:
    jpeg, plain, clear = tmp_path / "a.jpg", tmp_path / "b.png", tmp_path / "c.png"
    parts.image.save(parts.surface.Surface((37, 21)), str(jpeg))
    plain.write_bytes(png(64, 20, colors=2))
    clear.write_bytes(png(30, 10))
    assert looked_at(str(jpeg)) == Source(str(jpeg), 37, 21, True)
    assert looked_at(str(plain)) == Source(str(plain), 64, 20, True)
    assert looked_at(str(clear)) == Source(str(clear), 30, 10, False)


def test_a_jpeg_of_which_the_end_is_missing_is_no_picture(tmp_path: Path) -> None:
    file = tmp_path / "a.jpg"
    parts.image.save(parts.surface.Surface((370, 210)), str(file))
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(PictureError, match="cut off"):
        looked_at(str(file))


def test_a_bad_style_never_stops_an_evening(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('theme = "light"\n[colours]\ntime = "#808080"')
    style = at_start(Screen(style=str(file)))
    assert style.theme == DARK
    assert "colours.time" in style.problems[0]
    assert "the built-in style is shown instead" in style.problems[0]
    assert at_start(Screen(style=str(file), theme="contrast")).theme == CONTRAST
    assert at_start(Screen()).problems == ()


def test_config_check_and_doctor_tell_what_is_wrong_with_the_style(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    style, device = tmp_path / "house.toml", tmp_path / "device.toml"
    style.write_text('[colours]\ntime = "#808080"')
    device.write_text(f'[device]\ndata = "{tmp_path}"\n[screen]\nstyle = "{style}"\n')

    class Args:
        action, files, changed, lang, json = "check", [device], False, "en", False

    assert run_config(Args()) == 2  # type: ignore[arg-type]
    told = capsys.readouterr().err
    assert f"{device}: screen.style: {style}: colours.time: time on felt has a contrast of 3.2:1" in told
    found = [each for each in doctor.configuration.check(load(device)) if each.params.get("place") == "screen.style"]
    assert [each.standing for each in found] == ["issue"]
    style.write_text('logo = "none.png"')
    found = [each for each in doctor.configuration.check(load(device)) if each.params.get("place") == "screen.style"]
    assert "logo: none.png: No such file" in str(found[0].params["why"])
    assert not [each for each in doctor.configuration.check(Config()) if each.params.get("place") == "screen.style"]


def test_a_font_of_the_house_is_measured_and_drawn_with(tmp_path: Path) -> None:
    serif = Faces(FONT_DIR / "DejaVuSerif.ttf", FONT_DIR / "DejaVuSerif-Bold.ttf")
    style = styled(tmp_path, f'fonts = {{ regular = "{serif.regular}", bold = "{serif.bold}" }}')
    assert style.faces == serif
    fonts, plain = style.fonts(), FontBook()
    assert fonts.width("12:34", 80, True) != plain.width("12:34", 80, True)
    assert fonts.cap_height(True) == pytest.approx(0.729, abs=0.02)


def test_the_height_of_capitals_is_that_of_the_font() -> None:
    assert cap_height(opened(FONT_DIR / "DejaVuSans.ttf")) == pytest.approx(CAP_HEIGHT, abs=0.006)


def test_letters_that_a_font_lacks_are_written_in_the_built_in_one_on_the_same_line() -> None:
    mono = FONT_DIR / "DejaVuSansMono.ttf"
    fonts, plain = FontBook(faces=Faces(mono, mono)), FontBook()
    fonts._has = lambda letter, bold: letter != "♠"  # type: ignore[assignment]
    text = "Ž ♠"
    assert fonts.width(text, 40, False) == plain.width(text, 40, False)
    assert fonts.drop(text, 40, False) + plain.ascent(40, False) == fonts.ascent(40, False)
    drawn = fonts.font(40, False, text).render(text, True, (255, 255, 255))
    assert fonts.drop(text, 40, False) + drawn.get_height() <= fonts.height(40, False)
    assert fonts.font(40, False, CZECH) is fonts.font(40, False)
    assert fonts.drop(CZECH, 40, False) >= 0


@pytest.mark.parametrize("size", SIZES)
def test_the_logo_stands_before_the_title_and_takes_no_room_from_it(
    evening: TableView, fonts: FontBook, tmp_path: Path, size: tuple[int, int]
) -> None:
    ours = house(tmp_path)
    views: tuple[View, ...] = (evening, ClockView(board=evening.board), DoorView(board=evening.board))
    for view in views:
        with_logo = draw_list(view, size, Translator("cs"), fonts, house=House(logo=ours.logo))
        without = draw_list(view, size, Translator("cs"), fonts)
        (logo,) = pictures(with_logo)
        title = next(op for op in with_logo if isinstance(op, Text) and op.text in ("Stůl 1", "Zábřeh"))
        before = next(op for op in without if isinstance(op, Text) and op.text == title.text)
        assert logo.box.right < title.box.x
        assert (title.size, title.text) == (before.size, before.text)
        assert abs(logo.box.w / logo.box.h - 3) < 0.3


def test_a_long_title_leaves_no_room_for_a_logo(evening: TableView, fonts: FontBook, tmp_path: Path) -> None:
    board = replace(evening.board, venue="Restaurace U Příšerně žluťoučkého koně, Žďár nad Sázavou, velký sál")
    ops = draw_list(DoorView(board=board), (800, 480), Translator("cs"), fonts, house=House(logo=house(tmp_path).logo))
    assert not pictures(ops)
    assert ops == draw_list(DoorView(board=board), (800, 480), Translator("cs"), fonts)


def test_sponsors_take_turns_on_the_clock_wall(evening: TableView, fonts: FontBook, tmp_path: Path) -> None:
    ours = replace(house(tmp_path), logo=None)
    shown = []
    for turn in range(9):
        view = ClockView(board=replace(evening.board, turn=turn))
        (picture,) = pictures(draw_list(view, (1920, 1080), Translator("cs"), fonts, house=ours))
        shown.append(ours.sponsors.index(picture.source))
    assert shown == [0, 0, 1, 1, 2, 2, 0, 0, 1]


def test_sponsors_are_shown_where_nobody_needs_the_room_and_never_at_a_table_in_play(
    evening: TableView, tracked: TableView, fonts: FontBook, tmp_path: Path
) -> None:
    ours = house(tmp_path)

    def shown(view: View) -> set[str]:
        ops = draw_list(view, (1920, 1080), Translator("cs"), fonts, house=ours)
        return {Path(op.source.file).stem for op in pictures(ops)}

    opened = replace(evening.board, phase="open", starts_in_s=2160)
    assert shown(ClockView(board=evening.board)) == {"logo", "sponsor-0"}
    assert shown(DoorView(board=opened)) == {"logo", "sponsor-0"}
    assert shown(evening) == shown(tracked) == {"logo"}
    assert shown(StartingView(device="t1")) == shown(AttentionView(device="t1", problem="", remedy="")) == set()


@pytest.mark.parametrize("seed", range(60))
def test_nothing_is_drawn_over_a_picture_and_none_leaves_the_screen(
    make_view: object, fonts: FontBook, tmp_path: Path, seed: int
) -> None:
    size = SIZES[seed % len(SIZES)]
    ops = draw_list(make_view(seed), size, Translator("cs"), fonts, house=house(tmp_path))  # type: ignore[operator]
    for n, op in enumerate(ops):
        if isinstance(op, Picture):
            assert Box(0, 0, *size).holds(op.box)
            assert not [over for over in ops[n + 1 :] if over.box.meets(op.box)]


def test_what_shows_through_a_sponsors_picture_is_a_plate_that_dark_ink_stands_out_from(
    evening: TableView, fonts: FontBook, tmp_path: Path
) -> None:
    ours = house(tmp_path)
    for turn, plate in ((0, False), (2, True)):
        view = ClockView(board=replace(evening.board, turn=turn))
        ops = draw_list(view, (1920, 1080), Translator("cs"), fonts, house=replace(ours, logo=None))
        n = next(n for n, op in enumerate(ops) if isinstance(op, Picture))
        under = ops[n - 1]
        assert (isinstance(under, Round) and under.color == DARK.picture_ground) is plate
    assert contrast(DARK.picture_ground, (0, 0, 0)) > 15


def test_a_picture_is_painted_in_its_own_colours_and_what_is_below_shows_through(
    fonts: FontBook, tmp_path: Path
) -> None:
    whole, clear = tmp_path / "whole.png", tmp_path / "clear.png"
    whole.write_bytes(png(40, 20, colors=2))
    clear.write_bytes(png(40, 20, colors=6))
    ops = (
        Round(Box(0, 0, 100, 40), 0, (0, 0, 100)),
        Picture(Box(0, 0, 50, 25), looked_at(str(whole))),
        Picture(Box(50, 0, 50, 25), looked_at(str(clear))),
    )
    picture = paint(ops, (100, 40), fonts)
    assert picture.get_at((25, 12))[:3] == (192, 48, 32)
    red, green, blue, _ = picture.get_at((75, 12))
    assert abs(red - 96) <= 2
    assert abs(green - 24) <= 2
    assert abs(blue - 66) <= 2


def test_a_picture_that_went_bad_since_is_left_out_and_the_log_hears_of_it_once(
    evening: TableView, fonts: FontBook, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ours = house(tmp_path)
    (tmp_path / "logo.png").write_bytes(b"nonsense")
    painter = Painter(fonts, cache_bytes=10_000_000)
    target = parts.surface.Surface((1280, 720), 0, 32)
    ops = draw_list(evening, (1280, 720), Translator("cs"), fonts, house=ours)
    with caplog.at_level(logging.WARNING):
        for x in range(0, 1280, 160):
            painter.paint(target, ops, Box(x, 0, 160, 720))
    assert len([record for record in caplog.records if "logo.png" in record.getMessage()]) == 1


def test_pictures_cost_no_more_memory_than_their_pixels_on_the_screen(
    evening: TableView, fonts: FontBook, tmp_path: Path
) -> None:
    ours, painter = house(tmp_path), Painter(fonts, cache_bytes=20_000_000)
    target = parts.surface.Surface((1280, 720), 0, 32)
    boxes = {}
    for turn in range(6):
        view = ClockView(board=replace(evening.board, turn=turn))
        plain = draw_list(view, (1280, 720), Translator("cs"), fonts, house=replace(ours, logo=None, sponsors=()))
        painter.paint(target, plain, Box(0, 0, 1280, 720))
    for turn in range(6):
        view = ClockView(board=replace(evening.board, turn=turn))
        ops = draw_list(view, (1280, 720), Translator("cs"), fonts, house=ours)
        painter.paint(target, tuple(op for op in ops if not isinstance(op, Picture)), Box(0, 0, 1280, 720))
        boxes |= {op.source: op.box for op in pictures(ops)}
    without = painter.kept_bytes
    for turn in range(6):
        view = ClockView(board=replace(evening.board, turn=turn))
        ops = draw_list(view, (1280, 720), Translator("cs"), fonts, house=ours)
        painter.paint(target, ops, Box(0, 0, 1280, 720))
    assert len(boxes) == 4
    assert painter.kept_bytes - without == sum(4 * box.w * box.h for box in boxes.values())


def test_a_sponsors_turn_draws_only_its_place(evening: TableView, fonts: FontBook, tmp_path: Path) -> None:
    ours = house(tmp_path)
    window = Window((1280, 720), driver="dummy", fonts=fonts)
    try:
        for turn in range(0, 8, 2):
            view = ClockView(board=replace(evening.board, turn=turn))
            ops = draw_list(view, (1280, 720), Translator("cs"), fonts, house=ours)
            boxes = window.show(ops)
            shown = parts.image.tobytes(parts.display.get_surface(), "RGB")
            assert shown == parts.image.tobytes(paint(ops, (1280, 720), fonts), "RGB")
            if turn:
                assert sum(box.w * box.h for box in boxes) < 1280 * 720 / 8
    finally:
        window.close()


def test_the_example_of_the_documentation_is_a_style_that_can_be_used() -> None:
    style = read(Path(__file__).parents[2] / "docs" / "house-style" / "house.toml")
    assert style.problems == ()
    assert style.house.logo is not None
    assert len(style.house.sponsors) == 2
    assert {sponsor.whole for sponsor in style.house.sponsors} == {True, False}
