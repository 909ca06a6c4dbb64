"""A kiosk that only shows seconds pass looks at nothing but its clock, and shows what a look would."""

from __future__ import annotations

import os

from appliance.apps.kiosk_screen import Screen
from appliance.config import Config, Device
from appliance.display.from_round import table_view
from appliance.display.from_tick import ticking
from appliance.display.ops import DrawList
from appliance.display.window import Window
from appliance.snapshot import Snapshot
from tests.display.test_later import SIZE, rounds

SCENE = next(s for scenes in rounds() for s in scenes if ticking(s, table_view(s, 1)) is not None)


class Station:
    """Tells of a round in play, and of nothing that happens."""

    def __init__(self) -> None:
        self.snapshot = Snapshot(rounds=(SCENE.round,), roster=SCENE.roster, director=True)
        self.at_ms = SCENE.at_ms

    def now_ms(self) -> int:
        return self.at_ms

    def painted(self, stamp: int) -> None:
        """No menu is open."""


def shown(screen: Screen) -> DrawList:
    screen._keep_up(1e9)
    return screen._mover.frame(1e9)  # whatever moved has come to rest


def test_every_second_shows_what_a_kiosk_started_then_shows() -> None:
    station, window = Station(), Window(SIZE, driver="dummy")
    wake, stir = os.pipe()
    config = Config(device=Device(table=1))
    screen = Screen(config, window, station, wake)  # type: ignore[arg-type]
    screen._look(0.0)
    ticks = 0
    for second in range(1, 70):
        station.at_ms = SCENE.at_ms + 1_000 * second
        ticked = screen._tick(second)
        if ticked is None:
            screen._look(second)
        ticks += ticked is not None
        fresh = Screen(config, window, station, wake)  # type: ignore[arg-type]
        fresh._look(0.0)
        assert shown(screen) == shown(fresh)
    assert ticks > 60
    station.snapshot = station.snapshot._replace(director=False)
    assert screen._tick(70.0) is None, "something happened"
    window.close()
    os.close(wake)
    os.close(stir)


def test_who_looks_between_two_seconds_sees_the_one_that_is_shown() -> None:
    station, window = Station(), Window(SIZE, driver="dummy")
    wake, stir = os.pipe()
    screen = Screen(Config(device=Device(table=1)), window, station, wake)  # type: ignore[arg-type]
    screen._look(0.0)
    screen._show(0.0)
    for second in range(1, 5):
        station.at_ms = SCENE.at_ms + 1_000 * second
        assert screen._tick(second) is not None
    on_glass = window._hand
    assert on_glass is not None
    screen._show(4.5)  # somebody moved a mouse
    assert window._shown == on_glass.shown
    assert screen._mover.frame(4.5) == on_glass.shown
    station.at_ms += 1_000
    assert screen._tick(5.0) is not None
    assert window._hand is not None
    assert window._hand.second == on_glass.second - 1
    window.close()
    os.close(wake)
    os.close(stir)
