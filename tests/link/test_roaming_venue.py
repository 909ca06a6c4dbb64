"""A venue on networks of its own: certificates, multicast DNS, directors with brokers of their own, real programs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from appliance.config import dump
from appliance.journal import Journal
from appliance.orphan import die_with_parent
from appliance.workplace import Workplace
from tests.link.harness import wait_for
from tests.link.island import Island
from tests.link.society import VENUE, Society, meet


class Town:
    """Two hosts and a cable: a director's, and a door's kiosk beside a spare director."""

    def __init__(self, folder: Path, find: str, **lan: object) -> None:
        self.society = Society(folder / "devices", find=find, hosts=("10.78.0.1", "10.78.0.2"), **lan)
        self.here, self.there = Island(), Island()
        self.here.cable(self.there, "10.78.0.1", "10.78.0.2")
        self.places = {name: self.society.place(name) for name in ("director", "spare", "door")}
        meet(*self.places.values())
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, host: Island, program: str, *words: str) -> None:
        place = self.places[name]
        command = host.command(sys.executable, "-m", "appliance", program, str(self._file(place)), *words)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent()
            )

    def kill(self, name: str) -> None:
        self.running[name].kill()
        self.running.pop(name).wait()

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def epoch(self, name: str) -> str:
        """In which epoch the venue's stream goes on, by a device's journal."""
        file = self.places[name].data / "journal"
        if not file.exists():
            return ""
        with Journal(file, read_only=True) as journal:
            newest = journal.newest(f"venue/{VENUE}")
            return newest.epoch if newest else ""

    def close(self) -> None:
        for program in self.running.values():
            program.terminate()
        for program in self.running.values():
            program.wait(30)
        self.here.close()
        self.there.close()

    def _file(self, place: Workplace) -> Path:
        name = place.config.device.name
        config = msgspec.structs.replace(
            place.config,
            devices={each: one.public for each, one in self.places.items()},
            device=msgspec.structs.replace(place.config.device, role="door" if name == "door" else "director"),
            readers=(),
            screen=msgspec.structs.replace(place.config.screen, headless=True, fullscreen=False, width=640, height=360),
        )
        file = place.data / "device.toml"
        file.write_text(dump(config, changed_only=True))
        return file


@pytest.fixture(params=["zeroconf", "hosts"])
def town(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Town]:
    one = Town(tmp_path, request.param)
    yield one
    one.close()


def test_a_venue_finds_together_goes_on_with_another_director_and_makes_the_old_one_fall_silent(town: Town) -> None:
    town.start("door", town.here, "kiosk")
    town.start("director", town.there, "director")
    wait_for(lambda: town.epoch("director") and town.epoch("door") == town.epoch("director"), town.said("door"))

    town.kill("director")
    copy = str(town.places["door"].data / "journal")
    town.start("spare", town.here, "director", "--take-over", "000001", "--copy", copy)
    wait_for(lambda: town.epoch("spare") > town.epoch("director"), "the spare directs")
    wait_for(lambda: town.epoch("door") == town.epoch("spare"), "and the door has gone there")

    town.start("director", town.there, "director")
    assert town.running["director"].wait(60) == 3, town.said("director")
    assert town.running["spare"].poll() is None and town.running["door"].poll() is None


def test_a_director_that_was_only_cut_off_falls_silent_once_the_cable_is_back(town: Town) -> None:
    town.start("director", town.there, "director")
    town.start("door", town.here, "kiosk")
    wait_for(lambda: town.epoch("director") and town.epoch("door") == town.epoch("director"), town.said("door"))

    town.there.plug(False)
    copy = str(town.places["door"].data / "journal")
    town.start("spare", town.here, "director", "--take-over", "000001", "--copy", copy)
    wait_for(lambda: town.epoch("spare") > town.epoch("director"), "the spare directs")
    assert town.running["director"].poll() is None

    town.there.plug(True)
    assert town.running["director"].wait(60) == 3, town.said("director")
    wait_for(lambda: town.epoch("door") == town.epoch("spare"), "the door has gone there")
    assert town.running["spare"].poll() is None and town.running["door"].poll() is None
