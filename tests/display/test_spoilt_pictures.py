"""Pictures whose heads are sound and that are of no use all the same are told before an evening, not left out in it."""

from __future__ import annotations

import logging
import struct
import zlib
from pathlib import Path

import pytest

from appliance.config import load
from appliance.display.fonts import FontBook
from appliance.display.layout import draw_list
from appliance.display.render import paint
from appliance.display.style import read
from appliance.display.view import TableView
from appliance.health import configuration
from appliance.i18n import Translator


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*, depth: int = 8, colors: int = 2, heads: int = 1, rows: bytes = b"\0" * 8000) -> bytes:
    """A picture of 40 × 20 whose head and sums are sound, whatever is in it."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 20, depth, colors, 0, 0, 0)) * heads
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows and zlib.compress(rows)) + chunk(b"IEND", b"")


def jpeg(*, scans: int = 1) -> bytes:
    """The head of a JPEG of 37 × 21 without its tables or anything to see."""
    frame = b"\xff\xc0\x00\x0b\x08\x00\x15\x00\x25\x01\x01\x11\x00"
    return b"\xff\xd8" + frame + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" * scans + b"\xff\xd9"


SPOILT = {
    "empty rows": png(rows=b""),
    "rows that end early": png(rows=b"\0" * 100),
    "no palette": png(colors=3),
    "colours of no kind": png(colors=5),
    "odd depth": png(depth=7),
    "two heads": png(heads=2),
    "no rows but a sum": png().replace(b"x\x9c", b"y\x9c"),
    "head of a JPEG": jpeg(),
    "scans": jpeg(scans=200),
}


@pytest.mark.parametrize("what", SPOILT)
def test_config_check_and_doctor_tell_of_every_picture_that_a_screen_leaves_out(
    evening: TableView, tmp_path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    style, device = tmp_path / "house.toml", tmp_path / "device.toml"
    (tmp_path / "bad").write_bytes(SPOILT[what])
    (tmp_path / "good").write_bytes(png())
    style.write_text('logo = "bad"\nsponsors = ["good", "bad"]')
    device.write_text(f'[device]\ndata = "{tmp_path}"\n[screen]\nstyle = "{style}"\n')
    told = [one.params["why"] for one in configuration.check(load(device)) if one.params.get("place") == "screen.style"]
    assert [str(why).startswith(f"{style}: ") for why in told] == [True, True]
    assert ["logo: bad: " in str(told[0]), "sponsors, number 2: bad: " in str(told[1])] == [True, True]
    shown = read(style)
    with caplog.at_level(logging.WARNING):
        ops = draw_list(evening, (1280, 720), Translator("cs"), FontBook(), house=shown.house)
        paint(ops, (1280, 720), FontBook())
    assert shown.problems or [one for one in caplog.records if "is left out" in one.getMessage()]
