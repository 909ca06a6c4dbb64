"""Pictures of files, read when they are first shown and kept only as large as they are shown."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from appliance.display import parts
from appliance.display.ops import Picture, Source
from appliance.display.picturefile import PictureError, bytes_of, looked_in

if TYPE_CHECKING:
    from pygame.surface import Surface

_NOTHING = (1, 1)


class Pictures:
    """Makes them for one window. A file that cannot be shown is left out: the log hears of it once."""

    def __init__(self) -> None:
        self._left_out: set[str] = set()

    def scaled(self, op: Picture) -> Surface:
        """The picture in its size on the screen, its colours multiplied with what shows through already."""
        try:
            if op.source.file not in self._left_out:
                return parts.transform.smoothscale(unpacked(op.source), op.box[2:])
        except (PictureError, parts.base.error, ValueError) as error:
            self._left_out.add(op.source.file)
            import logging  # late, for it takes a twentieth of the time to the first frame

            logging.getLogger(__name__).warning("%s is left out: %s", op.source.file, error)
        return parts.surface.Surface(_NOTHING, parts.constants.SRCALPHA, 32)


def unpacked(source: Source) -> Surface:
    """All of a picture. Raises `PictureError` also for a file that is not what it was when the style was read."""
    data = bytes_of(source.file)
    if looked_in(source.file, data) != source:
        raise PictureError("it has changed since the screen was started")
    try:
        found = parts.image.load(BytesIO(data), source.file)
    except (parts.base.error, ValueError, MemoryError) as error:
        raise PictureError(f"damaged, or of a kind that is not shown here: {error}") from None
    if found.get_size() != (source.w, source.h):
        raise PictureError("damaged: it is not as large as it says")
    plain = parts.surface.Surface(found.get_size(), parts.constants.SRCALPHA, 32)
    plain.blit(found, (0, 0))
    return plain if source.whole else plain.premul_alpha()
