"""The kiosk's own program finds its director, follows it to another host, and carries nothing of the search."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.apps.demo_season import PLAYERS
from tests.link.island import Mosquitto
from tests.system.houses import House

HOSTS = ["127.0.0.1", "127.0.0.2"]


def searches_of(pid: int) -> list[int]:
    """The children of a program."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


class Venue:
    """A house whose door finds its director at one of two hosts."""

    def __init__(self, folder: Path) -> None:
        self.house = House(folder / "house", "mosquitto")
        self.port = self.house.brokers["venue"].endpoint.port
        self.door = self.house.folder / "door"
        lan = f"[lan]\nfind = 'hosts'\nhosts = {json.dumps(HOSTS)}\nport = {self.port}\nsecure = false\n"
        self.house.configure("door", more=lan)
        self.folder = folder

    def moved_to(self, host: str, *devices: str) -> None:
        """Write down for these that their broker is at another address; the door is told nothing."""
        for device in devices:
            self.house.configure(device, more=f"[broker]\nhost = '{host}'\nport = {self.port}\n")

    def copied(self) -> bool:
        """Whether the door holds the round, as far as the director does."""
        if not (self.door / "journal").exists():
            return False
        with self.house.journal("door") as journal:
            return journal.newest("round/R1") is not None and self.house.same_round("door")

    def close(self) -> None:
        self.house.close()


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[Venue]:
    one = Venue(tmp_path)
    yield one
    one.close()


def test_a_kiosk_finds_its_director_and_follows_it_to_another_host(venue: Venue) -> None:
    house = venue.house
    house.start("door", "director")
    house.wait_for("the copy", venue.copied)
    door = house.programs["door"].pid
    house.wait_for("nobody looks any more", lambda: not searches_of(door))

    house.stop("director")
    house.kill("venue-broker")
    house.wait_for("somebody looks", lambda: searches_of(door))
    venue.moved_to("127.0.0.2", "director", "floor")
    other = Mosquitto(venue.folder / "other", "127.0.0.2", venue.port)
    try:
        house.start("director")
        with house.floor() as floor:
            floor.must("open")
            floor.must("register", participant=PLAYERS[0].number, identity_checked=True)
            house.wait_for("what happened there", venue.copied)
        house.wait_for("nobody looks any more", lambda: not searches_of(door))
    finally:
        house.stop("door")
        other.kill()


def test_a_kiosk_that_looks_ends_when_it_is_asked_to(venue: Venue) -> None:
    house = venue.house
    house.start("door")
    [search] = house.wait_for("somebody looks", lambda: searches_of(house.programs["door"].pid))
    house.stop("door")
    house.wait_for("the search is gone, too", lambda: not Path(f"/proc/{search}").exists())


def test_a_kiosk_that_is_killed_while_it_looks_leaves_nobody_looking(venue: Venue) -> None:
    house = venue.house
    house.start("door")
    [search] = house.wait_for("somebody looks", lambda: searches_of(house.programs["door"].pid))
    house.programs["door"].signal(signal.SIGKILL)
    house.kill("door")
    house.wait_for("the search is gone, too", lambda: not Path(f"/proc/{search}").exists())


LOADS = """
import json, sys, threading, time
from pathlib import Path
from appliance.config import load
from appliance.station import Station
from appliance.workplace import Workplace
files = [Path(file) for file in sys.argv[1:]]
station = Station(Workplace(load(*files), files))
station.start()
until = time.monotonic() + 60
while not station.snapshot.director and time.monotonic() < until:
    time.sleep(0.02)
while "seeker" in {thread.name for thread in threading.enumerate()} and time.monotonic() < until:
    time.sleep(0.02)
print(json.dumps({
    "director": station.snapshot.director,
    "threads": [thread.name for thread in threading.enumerate()],
    "modules": [name for name in sys.modules if name.partition(".")[0] in ("zeroconf", "ifaddr", "asyncio")],
    "finding": [name for name in ("appliance.finding", "appliance.link.seek") if name in sys.modules],
}))
station.stop()
station.join(10)
"""


@pytest.mark.parametrize("found", ["fixed", "hosts"])
def test_a_kiosk_with_a_director_carries_nothing_of_the_search(venue: Venue, found: str) -> None:
    house = venue.house
    house.start("director")
    if found == "fixed":
        house.configure("door")
    program = [sys.executable, "-c", LOADS, *house.files("door")]
    told = json.loads(subprocess.run(program, capture_output=True, check=True, timeout=120).stdout)
    assert told["director"] is True
    assert told["modules"] == []
    assert "seeker" not in told["threads"]
    assert bool(told["finding"]) == (found == "hosts")
