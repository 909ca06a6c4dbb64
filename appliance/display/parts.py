"""The parts of pygame that a kiosk needs, loaded without the rest.

``import pygame`` brings in sound, joysticks and all codecs: 33 ms of processor time and 7 MB that a table never uses
(measured on pygame-ce 2.5.8; these parts alone: 4 ms). Its submodules are complete in themselves, so the package
is entered as a bare name first, unless somebody imported the whole of it before.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygame import image


def _enter_bare_package() -> None:
    if "pygame" in sys.modules:
        return
    found = importlib.util.find_spec("pygame")
    if found is None or found.submodule_search_locations is None:
        raise ImportError("pygame-ce is not installed: pip install tableside", name="pygame")
    package = ModuleType("pygame")
    package.__path__ = list(found.submodule_search_locations)
    package.__spec__ = found
    sys.modules["pygame"] = package
    names = ModuleType("pygame.colordict")
    names.THECOLORS = {}  # type: ignore[attr-defined]
    sys.modules["pygame.colordict"] = names  # colours are numbers here, not 660 names


_enter_bare_package()

from pygame import base, constants, display, draw, event, font, key, mouse, surface, transform  # noqa: E402

__all__ = ["base", "constants", "display", "draw", "event", "font", "image", "key", "mouse", "surface", "transform"]


def __getattr__(name: str) -> Any:
    """Pictures' files and their codecs only when one is read or written: a megabyte."""
    if name != "image":
        raise AttributeError(name)
    from pygame import image

    globals()["image"] = image
    return image
