"""No letter is lost and no name is a command, on every printer that python-escpos knows."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.hw.emulation.escpos_paper import Code, Cutting, Paper, Picture, Printed
from appliance.hw.picture import Pen
from appliance.hw.press import CZECH, OBEYED, Press, ProfileError, profiles, tame
from appliance.slips.layout import TextRow, lay_out
from appliance.slips.slip import Cut, Pair, Qr, Rule, Slip, Text

DISPLAYS = ("AF-240", "OCD-100", "OCD-300")
"""Customer displays, which python-escpos lists among the printers."""


def pages_of(profile: str) -> dict[int, str]:
    """The profile's own numbers of code pages, with Python's names for them."""
    from escpos.capabilities import CAPABILITIES, get_profile

    encodings = CAPABILITIES["encodings"]
    pages = get_profile(profile).get_code_pages()
    return {int(slot): encodings[name].get("python_encode", "ascii") for name, slot in pages.items()}


def printed(press: Press, slip: Slip, profile: str) -> Paper:
    paper = Paper(pages_of(profile))
    paper.feed(b"".join(press.encode(slip)))
    assert paper.waiting == 0
    return paper


def letters_alone() -> Slip:
    return Slip("x", (*(Text(letter) for letter in CZECH), Cut()), "")


@pytest.mark.parametrize("profile", profiles())
def test_every_czech_letter_is_printed_by_every_profile(profile: str) -> None:
    press = Press(profile)
    paper = printed(press, letters_alone(), profile)
    assert paper.unknown == []
    letters = [item.text for item in paper.items if isinstance(item, Printed) and item.text]
    pictures = [item for item in paper.items if isinstance(item, Picture)]
    if press.page:
        assert "".join(letters) == CZECH
    else:
        assert letters == []
        assert len(pictures) >= len(CZECH)
        assert all(any(picture.dots) for picture in pictures[: len(CZECH)])


@pytest.mark.parametrize("profile", profiles())
def test_no_question_mark_stands_in_for_a_letter(profile: str) -> None:
    text = "Bartoloměj Příšerně-Žluťoučký – „Ďáblík“ € ♠ 王 Łódź Ñandú ß"
    press = Press(profile)
    slip = Slip("x", (*(Text(word) for word in text.split()), Rule(), Rule(dotted=True), Qr("ts:1"), Cut()), "")
    paper = printed(press, slip, profile)
    assert paper.unknown == []
    assert "?" not in paper.text()
    assert "\ufffd" not in paper.text()
    for row in lay_out(slip, press.columns):
        if isinstance(row, TextRow) and press.prints(row.text):
            assert row.text in paper.text()


@pytest.mark.parametrize("profile", profiles())
def test_row_is_never_wider_than_the_paper(profile: str) -> None:
    from escpos.capabilities import get_profile

    press = Press(profile)
    pixels = get_profile(profile).profile_data["media"].get("width", {}).get("pixels")
    paper = printed(press, Slip("x", (Text("Ž王" * 60), Cut()), ""), profile)
    for item in paper.items:
        if isinstance(item, Picture) and isinstance(pixels, int):
            assert item.width <= pixels + 7


def test_letters_beyond_the_page_come_as_the_very_picture_of_the_row() -> None:
    press = Press("TM-T20II")
    paper = printed(press, Slip("x", (Text("Ž ♠ 王", size=2, bold=True), Cut()), ""), "TM-T20II")
    picture = next(item for item in paper.items if isinstance(item, Picture))
    drawn = Pen(press.columns).row(TextRow("Ž ♠ 王", 2, True, Text("").align))
    assert picture.image().tobytes() == drawn.tobytes()


def test_printer_without_pictures_by_rows_gets_them_by_columns() -> None:
    press = Press("TM-U220")
    paper = printed(press, letters_alone(), "TM-U220")
    assert any("ESC *" in command for command in paper.commands)
    assert not any("GS v" in command for command in paper.commands)


@pytest.mark.parametrize("profile", DISPLAYS)
def test_display_among_the_profiles_is_refused(profile: str) -> None:
    assert profile not in profiles()
    with pytest.raises(ProfileError):
        Press(profile)


def test_unknown_profile_is_refused_by_name() -> None:
    with pytest.raises(ProfileError, match="TM-NONE"):
        Press("TM-NONE")


@pytest.mark.parametrize("columns", [32, 42, 48])
def test_configured_columns_count_more_than_the_profile(columns: int) -> None:
    paper = printed(Press("default", columns), Slip("x", (Rule(), Cut()), ""), "default")
    assert len(paper.text().splitlines()[0]) == columns


names = st.text(max_size=60) | st.binary(max_size=40).map(lambda raw: raw.decode("latin-1"))


@settings(max_examples=150, deadline=None)
@given(names, st.sampled_from(["TM-T20II", "default", "simple", "POS-5890", "TM-U220"]))
def test_no_text_in_a_name_is_ever_a_command(name: str, profile: str) -> None:
    """The printer does exactly what it does for a harmless name, and every letter is where it belongs."""
    press = Press(profile)
    slip = Slip("x", (Text(name, size=2), Pair(name, name), Qr(name), Cut()), "")
    paper = printed(press, slip, profile)
    harmless = printed(press, Slip("x", (Text("♠"), Text("a"), Rule(), Qr("a"), Cut()), ""), profile)
    assert paper.unknown == []
    assert set(paper.commands) <= set(harmless.commands)
    cuts = [at for at, item in enumerate(paper.items) if isinstance(item, Cutting)]
    assert cuts in ([], [len(paper.items) - 1])
    assert len(cuts) == sum(isinstance(item, Cutting) for item in harmless.items)
    assert not OBEYED.search(b"".join(press.encode(slip)))


@given(st.binary(max_size=200))
def test_picture_holds_no_bytes_that_printers_obey_on_arrival(dots: bytes) -> None:
    tamed = tame(dots)
    assert not OBEYED.search(tamed)
    assert len(tamed) == len(dots)
    assert all(after == before or (before, after) == (0x10, 0x18) for before, after in zip(dots, tamed, strict=True))


@pytest.mark.parametrize(
    "evil", ["\x1b@", "\x1bp\x00\x19\xfa", "\x1dV\x00", "\x10\x14\x02\x01\x08", "\x1b", "\r\n\x0c"]
)
def test_known_commands_in_a_name_lose_their_teeth(evil: str) -> None:
    slip = Slip("x", (Text(f"Jan{evil}Novák"), Cut()), "")
    body = b"".join(Press("TM-T20II").encode(slip)[1:-1])
    assert not re.search(rb"\x1b[@p]|\x1dV|\x10|\r|\x0c", body)


def test_qr_code_of_a_printer_without_its_own_is_a_picture() -> None:
    slip = Slip("x", (Qr("ts:1:r:2:7:n"), Cut()), "")
    native = printed(Press("TM-T20II"), slip, "TM-T20II")
    drawn = printed(Press("POS-5890"), slip, "POS-5890")
    assert [item.data for item in native.items if isinstance(item, Code)] == ["ts:1:r:2:7:n"]
    assert any(isinstance(item, Picture) and item.height > 100 for item in drawn.items)


def test_printer_library_is_imported_only_when_a_printer_is_configured() -> None:
    code = (
        "import sys, appliance.hw.printer as p; from appliance.printerconfig import PrinterConfig;"
        "assert p.from_config(PrinterConfig()) is None;"
        "print([m for m in ('escpos', 'PIL', 'qrcode', 'serial', 'usb') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
