"""A kiosk whose display is off, comes, dies and comes back takes cards all the while (DESIGN §2: a state, no crash)."""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance.apps.demo_season import FLOOR, PLAYERS, VENUE, Person
from tests.system.hands import Hand, command
from tests.system.houses import House

SOCKETS = Path("/tmp/.X11-unix")


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an X server that is not there."""
    own = 1000 + os.getpid() % 20_000 * 2  # two tests at once must not both find the same one free
    number = next(n for n in itertools.count(own) if not (SOCKETS / f"X{n}").exists())
    monkeypatch.setenv("DISPLAY", f":{number}")
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    return f":{number}"


@contextmanager
def x_server(display: str) -> Iterator[None]:
    """It is there meanwhile, and dies then as it does in a crash."""
    with subprocess.Popen(
        ["Xvfb", display, "-screen", "0", "800x600x24", "-nolisten", "tcp"], stderr=subprocess.DEVNULL
    ) as server:
        try:
            yield
        finally:
            server.kill()
            server.wait()
            number = display.removeprefix(":")
            for left in (SOCKETS / f"X{number}", Path(f"/tmp/.X{number}-lock")):
                left.unlink(missing_ok=True)


@pytest.fixture
def house(open_house: Callable[..., House], display: str) -> House:
    """An evening that is open at the door, whose kiosk has a screen of its own configured and none plugged in."""
    made = open_house()
    _, file = made.files("door")
    text = Path(file).read_text()
    Path(file).write_text(text.replace("headless = true\n", "").replace("fullscreen = false", "fullscreen = true"))
    made.start("director", "door")
    made.wait_for("the door's reader", lambda: made.is_ready("door"))
    hand = Hand(made, "floor")
    assert hand.ask(command({"do": "open"})).ok
    hand.close()
    copied(made)
    return made


def copied(house: House) -> None:
    house.wait_for("the door's reader", lambda: house.is_ready("door"))
    house.wait_for("the door's copy", lambda: house.same_round("door") and house.same_stream(f"league/{VENUE}", "door"))


def registers(house: House, person: Person) -> None:
    house.tap("door", person.uid)
    house.tap("door", FLOOR.uid)
    house.wait_for("the registration", lambda: person.number in registered(house))


def registered(house: House) -> list[str]:
    records = house.stream("director", "round/R1")
    return [record["data"]["participant"] for record in records if record["type"] == "registered/1"]


def windows(house: House) -> int:
    return house.programs["door"].said().count("the window is open, 800x600 pixels")


def test_a_door_registers_whatever_becomes_of_its_display(house: House, display: str) -> None:
    door = house.programs["door"]
    assert "going on without" in door.said()
    registers(house, PLAYERS[0])
    assert house.picture("door").stat().st_size > 0
    with x_server(display):
        house.wait_for("the window", lambda: windows(house) == 1)
        registers(house, PLAYERS[1])
    assert door.wait() == 1
    assert "the X server is gone" in door.said()
    house.start("door")  # as systemd does
    copied(house)
    registers(house, PLAYERS[2])
    with x_server(display):
        house.wait_for("the window again", lambda: windows(house) == 2)
        registers(house, PLAYERS[3])
        house.stop("door")
    assert registered(house) == [person.number for person in PLAYERS[:4]]


def test_a_door_without_a_display_ends_at_once_when_asked_to(house: House) -> None:
    registers(house, PLAYERS[0])
    house.stop("door")
