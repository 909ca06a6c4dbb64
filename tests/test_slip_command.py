"""``tableside slip``: a slip as text, as a picture, and on a printer."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from appliance.cli import main
from appliance.hw.emulation.escpos_paper import Paper


def test_slip_is_shown_as_text_with_what_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["slip", "seat", "name=Jan Novák", "table=3", "seat=9", "--columns", "32"]) == 0
    text = capsys.readouterr().out
    for what in ("Jan Novák", "Stůl 3", "Místo 9", "[QR ts:1:r-2026-07:3:9:CPL-004217]"):
        assert what in text


@pytest.mark.parametrize("lang", ["cs", "en"])
@pytest.mark.parametrize("kind", ["seat", "deposit", "move", "payout", "test"])
def test_every_slip_makes_a_picture_as_wide_as_its_columns(kind: str, lang: str, tmp_path: Path) -> None:
    output = tmp_path / "slip.png"
    assert main(["slip", kind, "--lang", lang, "--columns", "48", "-o", str(output)]) == 0
    with Image.open(output) as picture:
        assert picture.width == 48 * 12 + 2 * 24
        assert picture.convert("L").getextrema() == (0, 255)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["seat", "tabel=3"], "tabel=3"),
        (["seat", "table"], "table"),
        (["seat", "table=x"], "table"),
        (["seat", "table=0"], "table"),
        (["seat", "at=2026-01-01T10:00:00"], "zone"),
        (["seat", "at=yesterday"], "yesterday"),
        (["move", "dealt_in=soon"], "dealt_in"),
        (["deposit", "amount=-1"], "amount"),
        (["test", "--print"], "printer.driver"),
        (["test", "-o", "/"], "no ordinary file"),
        (["test", "--config", "/there/is/none.toml"], "none.toml"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["slip", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("tableside slip: ")
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_slip_is_printed_on_the_configured_printer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper, site = tmp_path / "paper", tmp_path / "site.toml"
    paper.touch()
    site.write_text(f'[printer]\ndriver = "file"\nprofile = "TM-T20II"\nport = "{paper}"\nlanguage = "en"\n')
    assert main(["slip", "test", "--config", str(site), "--print"]) == 0
    assert capsys.readouterr().out == "printer: online\nprinted: test\n"
    printed = Paper()
    printed.feed(paper.read_bytes())
    assert "Test of the printer" in printed.text()
    assert "ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ" in printed.text()
    assert printed.unknown == []
