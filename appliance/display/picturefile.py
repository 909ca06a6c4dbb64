"""Whether a file is a picture that a screen can show, and how large: read from its head, before it is unpacked.

PNG (ISO/IEC 15948) and JPEG (ITU-T T.81). What a small file can claim to unpack to is bounded here, so that none can
fill the memory of a table's computer; a file that was cut off or damaged is found by its own check sums.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from appliance.display.ops import Source
from appliance.filebytes import Unreadable, read_bytes

MOST_BYTES = 4 * 1024 * 1024
MOST_PIXELS = 4_000_000
MOST_SIDE = 8192
"""Of a file, and of the picture in it: twice a television's own 1920×1080 is more than any place for it has."""

_PNG = b"\x89PNG\r\n\x1a\n"
_CLEAR = (4, 6)
"""Kinds of colour of a PNG that have an alpha channel."""

_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
"""Starts of a frame that every decoder knows: baseline, extended, progressive."""

_MOST_SCANS = 100
"""Of a progressive JPEG; common are ten. Each goes over the whole picture, and a few bytes are enough for one."""

_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers of a JPEG without a length."""


class PictureError(ValueError):
    """A file that is no picture for a screen; the text says why, without the file's name."""


def looked_at(file: str) -> Source:
    """The picture of a file. Raises `PictureError`."""
    return looked_in(file, bytes_of(file))


def bytes_of(file: str) -> bytes:
    """What is in it, within bounds. Raises `PictureError`."""
    try:
        return read_bytes(Path(file), MOST_BYTES)
    except Unreadable as error:
        raise PictureError(str(error)) from None


def looked_in(file: str, data: bytes) -> Source:
    """The picture of a file with these bytes. Raises `PictureError`."""
    if data.startswith(_PNG):
        width, height, whole = _png(data)
    elif data.startswith(b"\xff\xd8"):
        width, height, whole = (*_jpeg(data), True)
    else:
        raise PictureError("neither a PNG nor a JPEG picture")
    if not (width and height):
        raise PictureError("a picture without pixels")
    if width * height > MOST_PIXELS or max(width, height) > MOST_SIDE:
        raise PictureError(f"{width}×{height} pixels: at most {MOST_PIXELS:,} in all, {MOST_SIDE} a side")
    return Source(file, width, height, whole)


def _png(data: bytes) -> tuple[int, int, bool]:
    """Width, height, and whether nothing shows through."""
    width = height = 0
    whole, kinds = True, []
    for kind, body in _chunks(data):
        kinds.append(kind)
        if kind == b"IHDR" and len(body) == 13:
            width, height, _, colors = struct.unpack(">IIBB", body[:10])
            whole = colors not in _CLEAR
        elif kind == b"tRNS":
            whole = False
        elif kind == b"acTL":
            raise PictureError("an animated picture: a screen shows still ones")
    if kinds[:1] != [b"IHDR"] or kinds[-1:] != [b"IEND"] or b"IDAT" not in kinds:
        raise PictureError("cut off or damaged")
    return width, height, whole


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        check = data[at + 8 + length : at + 12 + length]
        if check != struct.pack(">I", zlib.crc32(kind + body)):
            raise PictureError("cut off or damaged")
        yield kind, body
        if kind == b"IEND":
            return
        at += 12 + length


def _jpeg(data: bytes) -> tuple[int, int]:
    if b"\xff\xd9" not in data[-64:]:
        raise PictureError("cut off or damaged")
    if data.count(b"\xff\xda") > _MOST_SCANS:
        raise PictureError("a JPEG that is put together of too many scans")
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in _BARE:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if marker in _FRAMES and at + 9 <= len(data):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        if marker == 0xDA or length < 2:
            break
        at += 2 + length
    raise PictureError("a kind of JPEG that is not shown here, or damaged")
