"""How a device of a picture is: ``tableside screen --state`` (CONTRACT)."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from appliance.display.notice import FloorCalled, PrinterStands
from appliance.display.scene import Scene
from appliance.display.view import HandsRefused
from appliance.plaintext import fault

_PLAIN: dict[str, Callable[[Scene], Scene]] = {
    "director-offline": lambda scene: _linked(scene, director=False, director_lost_at=scene.at_ms),
    "director-unheard": lambda scene: _linked(scene, director=False),
    "reader-offline": lambda scene: _linked(scene, reader=False),
    "one-copy": lambda scene: _linked(scene, one_copy=True),
    "printer-out": lambda scene: _told(scene, PrinterStands("paper-out")),
    "hands-kept": lambda scene: _linked(scene, director=False, director_lost_at=scene.at_ms, kept=(27, 29)),
    "entries-wait": lambda scene: _linked(scene, lone=3),
    "time-doubted": lambda scene: _linked(scene, time_doubted=True),
    "table-elsewhere": lambda scene: _linked(scene, elsewhere="spare-1"),
    "hands-refused": lambda scene: _linked(scene, refused=(HandsRefused(3, 27, 29, "stale"),)),
    "printer-offline": lambda scene: _told(scene, PrinterStands("offline")),
}
STATES = (*_PLAIN, "reader-missing=NAME", "floor-called=N", "time-called=N")


class StateError(ValueError):
    """A state that there is none of; the text says which there are."""


def in_state(scene: Scene, states: str, table: int | None) -> Scene:
    """The scene of a device that is so, at a table or elsewhere. Raises `StateError`."""
    for state in states.split(","):
        name, _, value = state.partition("=")
        if state in _PLAIN:
            scene = _PLAIN[state](scene)
        elif name == "reader-missing" and 0 < len(value) <= 40 and fault(value) is None:
            scene = _linked(scene, missing=(*scene.link.missing, value))
        elif name in ("floor-called", "time-called") and re.fullmatch(r"[1-9][0-9]{0,2}", value):
            scene = _called(scene, int(value), table, time=name == "time-called")
        else:
            raise StateError(f"--state {state[:40]}: {', '.join(STATES)}")
    return scene


def _linked(scene: Scene, **how: object) -> Scene:
    return replace(scene, link=replace(scene.link, **how))


def _told(scene: Scene, notice: FloorCalled | PrinterStands) -> Scene:
    return replace(scene, told=(*scene.told, notice))


def _called(scene: Scene, caller: int, table: int | None, *, time: bool) -> Scene:
    """A table's own screen says that it has called; all others, which table has."""
    if caller == table:
        return replace(scene, asked="time" if time else "floor")
    return _told(scene, FloorCalled(caller, "time" if time else "floor"))
