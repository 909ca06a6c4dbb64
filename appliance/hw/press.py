"""A slip as the bytes of a receipt printer, by way of python-escpos and its list of printers.

One code page with all Czech letters is chosen from what the printer's profile has; a row with any letter beyond it is
sent as a picture. So no letter is ever replaced, least of all by a question mark. Text reaches the printer only
through `appliance.slips.layout`, which leaves no control character in it, and pictures are kept free of the bytes
that printers obey even in the middle of a picture.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
from typing import Any

from appliance.hw.ports import DriverMissing
from appliance.slips.layout import CutRow, QrRow, Row, RuleRow, TextRow, lay_out
from appliance.slips.slip import Align, Slip

CZECH = "áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ"
PREFERRED = ("CP852", "CP1250", "ISO_8859-2")
"""Pages with all Czech letters, the most common first; a profile may have others."""

NARROWEST = 24
"""Fewer columns than that in a profile are a mistake in it (one counts dots), or no roll of paper."""

INIT = b"\x1b@"
USA = b"\x1bR\x00"
NO_KANJI = b"\x1c."
"""Chinese printers read two bytes above 7F as one sign until told otherwise. Epson's have no such command."""

ALIGN = {Align.LEFT: "left", Align.CENTRE: "center", Align.RIGHT: "right"}

OBEYED = re.compile(rb"\x10(?=[\x04\x05\x14])")
"""DLE EOT, DLE ENQ and DLE DC4 are obeyed on arrival, even within a picture (ESC/POS real-time commands)."""


class ProfileError(ValueError):
    """The profile is unknown, or that of a device that prints no slips."""


class Press:
    """A printer's profile made ready. Raises `DriverMissing` without python-escpos, and `ProfileError`."""

    def __init__(self, profile: str = "default", columns: int = 0) -> None:
        escpos = _escpos()
        if profile not in escpos.capabilities.CAPABILITIES["profiles"]:
            raise ProfileError(f"there is no printer profile {profile[:40]!r}")
        self._new = escpos.printer.Dummy
        self._name = profile
        known = escpos.capabilities.get_profile(profile)
        data = known.profile_data
        features = data.get("features", {})
        if not (features.get("bitImageRaster") or features.get("bitImageColumn")):
            raise ProfileError(f"{profile} prints no pictures: it is not for slips")
        pixels = data.get("media", {}).get("width", {}).get("pixels")
        dots = pixels if isinstance(pixels, int) and pixels >= NARROWEST * 8 else 0
        self.columns = columns or self._columns(data, dots)
        self._raster = bool(features.get("bitImageRaster"))
        self._native_qr = bool(features.get("qrCode"))
        wide = min(12, dots // self.columns) if dots else 12
        picture = importlib.import_module("appliance.hw.picture")
        self._pen = picture.Pen(self.columns, (wide, 24 if self._raster else 16))
        encoder_of = escpos.magicencode.Encoder
        self._encoder = encoder_of(known.get_code_pages())
        self.page: str | None = self._choose()
        self._epson = str(data.get("vendor", "")).lower() == "epson"

    @staticmethod
    def _columns(data: dict[str, Any], dots: int) -> int:
        given = data.get("fonts", {}).get("0", {}).get("columns", 0)
        if isinstance(given, int) and given >= NARROWEST:
            return given
        return dots // 12 if dots else 42

    def _choose(self) -> str | None:
        """The page that everything is printed in; None where no page has all Czech letters."""
        pages: list[str] = list(self._encoder.codepages)
        ordered = [page for page in PREFERRED if page in pages] + [page for page in pages if page not in PREFERRED]
        for page in ordered:
            if all(self._encoder.can_encode(page, letter) for letter in CZECH):
                return page
        return None

    def prints(self, text: str) -> bool:
        """Whether the printer's own letters can say this."""
        if self.page is None:
            return text.isascii()
        return all(char.isascii() or self._encoder.can_encode(self.page, char) for char in text)

    def encode(self, slip: Slip) -> tuple[bytes, ...]:
        """What to send, in pieces: the printer is between two commands after each."""
        device = self._new(profile=self._name)
        pieces = [INIT + USA + (b"" if self._epson else NO_KANJI)]
        if self.page:
            device.charcode(self.page)
        for row in lay_out(slip, self.columns):
            self._put(device, row)
            pieces.append(device.output)
            device.clear()
        return tuple(pieces)

    def _put(self, device: Any, row: Row) -> None:
        match row:
            case TextRow() if self.prints(row.text):
                device.set(ALIGN[row.align], bold=row.bold, custom_size=True, width=row.size, height=row.size)
                self._letters(device, row.text)
            case RuleRow():
                device.set("left", bold=False, custom_size=True, width=1, height=1)
                char = "." if row.dotted else "─" if self.page and self.prints("─") else "-"
                self._letters(device, char * self.columns)
            case QrRow() if self._native_qr:
                device.set("center")
                device.qr(row.data, ec=1, size=6, native=True)
            case CutRow():
                device.set(bold=False, custom_size=True, width=1, height=1)
                device.cut()
            case _:
                self._picture(device, row)

    def _letters(self, device: Any, text: str) -> None:
        if self.page:
            device.text(text + "\n")
        else:
            device._raw(text.encode("ascii") + b"\n")

    def _picture(self, device: Any, row: Row) -> None:
        device.set("left", custom_size=True, width=1, height=1)
        image = self._pen.of(row)
        if self._raster:
            across = (image.width + 7) // 8
            dots = bytes(byte ^ 0xFF for byte in image.tobytes())
            if image.width % 8:  # the rest of the last byte is no paper
                rest = 0xFF00 >> image.width % 8 & 0xFF
                dots = b"".join(
                    dots[at : at + across - 1] + bytes([dots[at + across - 1] & rest])
                    for at in range(0, len(dots), across)
                )
            size = across.to_bytes(2, "little") + image.height.to_bytes(2, "little")
            device._raw(b"\x1dv0\x00" + size + tame(dots))
        else:
            scratch = self._new(profile=self._name)
            scratch.profile = _wide(scratch.profile)
            scratch.image(image, impl="bitImageColumn", high_density_vertical=False)
            device._raw(tame(scratch.output))


def tame(dots: bytes) -> bytes:
    """The picture with one dot more wherever its bytes would be obeyed as a command."""
    return OBEYED.sub(b"\x18", dots)


def _wide(profile: Any) -> Any:
    """The profile with a width that never makes python-escpos complain on standard output."""
    wide = type("Wide", (type(profile),), {})()
    wide.profile_data = {**profile.profile_data, "media": {"width": {"pixels": 10_000}}}
    return wide


def _escpos() -> Any:
    """The library, imported once it is needed: it takes a while, and leaves a folder behind at every start."""
    try:
        for name in ("capabilities", "magicencode", "printer"):
            importlib.import_module(f"escpos.{name}")
    except ImportError as error:
        raise DriverMissing(f"{error.name} is missing: pip install 'tableside[printer]'") from None
    escpos = importlib.import_module("escpos")
    if "ESCPOS_CAPABILITIES_PICKLE_DIR" not in os.environ:
        shutil.rmtree(escpos.capabilities.pickle_dir, ignore_errors=True)
    return escpos


def profiles() -> tuple[str, ...]:
    """Every profile a slip can be printed with. Raises `DriverMissing`."""
    known = []
    for name, data in _escpos().capabilities.CAPABILITIES["profiles"].items():
        features = data.get("features", {})
        if features.get("bitImageRaster") or features.get("bitImageColumn"):
            known.append(name)
    return tuple(sorted(known))
