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
