"""Pictures of files, read when they are first shown and kept only as large as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from appliance.display import parts
from appliance.display.ops import Picture, Source
from appliance.display.picturefile import PictureError, looked_at

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
                return parts.transform.smoothscale(_read(op.source), op.box[2:])
        except (PictureError, OSError, parts.base.error, ValueError) as error:
            self._left_out.add(op.source.file)
            import logging  # late, for it takes a twentieth of the time to the first frame

            logging.getLogger(__name__).warning("%s is left out: %s", op.source.file, error)
        return parts.surface.Surface(_NOTHING, parts.constants.SRCALPHA, 32)


def _read(source: Source) -> Surface:
    """Raises `PictureError` for a file that is not the picture it was when the style was read."""
    if looked_at(source.file) != source:
        raise PictureError("it has changed since the screen was started")
    found = parts.image.load(source.file)
    plain = parts.surface.Surface(found.get_size(), parts.constants.SRCALPHA, 32)
    plain.blit(found, (0, 0))
    return plain if source.whole else plain.premul_alpha()
