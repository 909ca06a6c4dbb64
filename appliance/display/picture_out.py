"""Pictures written to files, whole or not at all.

They are encoded in memory and written by Python: SDL says nothing of a disk that is full.
"""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.display import parts

if TYPE_CHECKING:
    from pygame.surface import Surface


def next_number(folder: Path, name: str) -> int:
    """The number of the next picture `NAME-NN.png`: after all that are there, also those of an earlier start. Where the
    folder cannot be read, 1: writing says why."""
    try:
        there = [each.stem.rpartition("-") for each in folder.glob("*.png")]
    except OSError:
        return 1
    return 1 + max((int(number) for of, _, number in there if of == name and number.isdecimal()), default=0)


def write_png(picture: Surface, path: Path) -> None:
    """Write a picture to ``path``. Raises `OSError`."""
    encoded = BytesIO()
    try:
        parts.image.save(picture, encoded, "picture.png")
    except parts.base.error as error:
        raise OSError(str(error)) from None
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    try:
        part.write_bytes(encoded.getbuffer())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
