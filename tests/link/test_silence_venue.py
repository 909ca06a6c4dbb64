"""A director's cable is pulled, and somebody takes over at once: real programs, each on a host of its own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from appliance.apps.demo_season import PLAYERS
from appliance.config import League, dump
from appliance.forks import stranded
from appliance.game.roster import encode_roster_event
from appliance.journal import Draft, Journal
from appliance.orphan import die_with_parent
from appliance.readerconfig import ReaderConfig
from appliance.record import Head, decode
from tests.link.harness import wait_for
from tests.link.island import Island, key_of, public_of
from tests.link.society import VENUE, Society, meet
from tests.system.leagues import entry

MAIN = f"venue/{VENUE}"
KIOSKS = ("door", "hall")


class Town:
    """A switch and four hosts: the director's, those of two kiosks, and one where another director can be started."""

    def __init__(self, folder: Path, find: str) -> None:
        self.folder = folder
        self.names = ("director", *KIOSKS, "spare")
        self.hosts = {name: Island() for name in self.names}
        self.middle = Island()
        addresses = self.middle.switch(*self.hosts.values())
        society = Society(folder / "devices", find=find, hosts=addresses)
        self.places = {name: society.place(name) for name in self.names}
        meet(*self.places.values())
        self._lay_out_league_stream()
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *words: str) -> None:
        program = "kiosk" if name in KIOSKS else "director"
        tableside = self.hosts[name].command(sys.executable, "-m", "appliance", program, str(self._file(name)), *words)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                tableside, stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent()
            )

    def stop(self, name: str) -> None:
        self.running[name].terminate()
        assert self.running.pop(name).wait(30) == 0, self.said(name)

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def heads(self, name: str) -> list[Head]:
        """The heads of the venue's stream in a device's journal."""
        file = self.places[name].data / "journal"
        if not file.exists():
            return []
        with Journal(file, read_only=True) as journal:
            heads = (journal.head(MAIN, epoch) for epoch in journal.epochs(MAIN))
            return [head for head in heads if head is not None]

    def takeover(self, name: str) -> dict[str, Any]:
        """The note of the takeover, as a device has it."""
        with Journal(self.places[name].data / "journal", read_only=True) as journal:
            [epoch] = journal.epochs(MAIN)[-1:]
            records = [decode(raw) for raw, _ in journal.read(MAIN, epoch, 0)]
        [note] = [record for record in records if record.type == "takeover/1"]
        told: dict[str, Any] = msgspec.json.decode(bytes(note.data))
        return told

    def stranded(self, name: str) -> list[tuple[Head, int]]:
        with Journal(self.places[name].data / "journal", read_only=True) as journal:
            return list(stranded(journal, MAIN))

    def note(self, kiosk: str) -> None:
        """Something happens at a kiosk that its director writes down: a card that nobody knows."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.places[kiosk].data / "reader"))
            line.sendall(b"tap 04AABBCCDDEE80\n")
            assert line.recv(100) == b"ok\n"

    def close(self) -> None:
        for program in self.running.values():
            program.terminate()
        for program in self.running.values():
            program.wait(30)
        for host in (*self.hosts.values(), self.middle):
            host.close()

    def _lay_out_league_stream(self) -> None:
        """A roster in the director's journal: as long as it is empty no card is said to be unknown."""
        stream, (name, data) = f"league/{VENUE}", encode_roster_event(entry(PLAYERS[0]))
        with Journal(self.folder / "league.journal", device="league", key=key_of("league")) as league:
            with league.begin() as transaction:
                epoch = transaction.open_epoch(stream, "season", 1).epoch
                transaction.append(stream, epoch, [Draft(name, msgspec.Raw(data))], 1)
                transaction.commit()
            with self.places["director"].journal() as journal:
                journal.know_writer("league", public_of("league"))
                journal.absorb(stream, epoch, league.read(stream, epoch))

    def _file(self, name: str) -> Path:
        place = self.places[name]
        config = place.config
        is_kiosk = name in KIOSKS
        reader = ReaderConfig(driver="simulated", socket=str(place.data / "reader"), wallet=str(self.folder))
        config = msgspec.structs.replace(
            config,
            league=League(public_key=public_of("league")),
            devices={each: one.public for each, one in self.places.items()},
            device=msgspec.structs.replace(config.device, role="door" if is_kiosk else "director"),
            readers=(reader,) if is_kiosk else (),
            screen=msgspec.structs.replace(config.screen, headless=True, fullscreen=False, width=640, height=360),
        )
        file = place.data / "device.toml"
        file.write_text(dump(config, changed_only=True))
        return file


@pytest.fixture(params=["zeroconf", "hosts"])
def town(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Town]:
    one = Town(tmp_path, request.param)
    yield one
    one.close()


def ready(town: Town) -> Path:
    """A director with both kiosks, and what happened at the door on all three disks. Returns an older copy."""
    town.start("director")
    for kiosk in KIOSKS:
        town.start(kiosk)
        wait_for(lambda kiosk=kiosk: town.heads(kiosk) and town.heads(kiosk) == town.heads("director"), "the copy")
    town.stop("hall")
    stale = town.folder / "stale"
    shutil.copy(town.places["hall"].data / "journal", stale)
    town.start("hall")
    wait_for((town.places["door"].data / "reader").exists, "the reader")
    before = town.heads("door")
    town.note("door")
    for kiosk in KIOSKS:
        wait_for(lambda kiosk=kiosk: before != town.heads(kiosk) == town.heads("director"), "what was acknowledged")
    return stale


def take_over(town: Town, stale: Path) -> None:
    """With the older copy, before any kiosk can have missed the director by itself."""
    town.start("spare", "--take-over", "000001", "--copy", str(stale), "--expect", ",".join(KIOSKS))
    wait_for(lambda: len(town.heads("spare")) == 2, "the spare directs")


def test_who_takes_over_from_a_director_whose_cable_was_pulled_hears_all_that_hang_at_it(town: Town) -> None:
    stale = ready(town)
    town.hosts["director"].plug(False)
    time.sleep(1.5)
    take_over(town, stale)
    assert set(KIOSKS) == set(town.takeover("spare")["from"]), town.said("door")
    assert town.takeover("spare")["unheard"] == []
    assert town.heads("spare")[:-1] == town.heads("director")
    for kiosk in KIOSKS:
        wait_for(lambda kiosk=kiosk: town.heads(kiosk) == town.heads("spare"), "and the kiosks are there")

    town.hosts["director"].plug(True)
    assert town.running["director"].wait(60) == 3, town.said("director")
    assert town.stranded("spare") == []


@pytest.mark.parametrize("town", ["zeroconf"], indirect=True)
def test_what_nobody_within_reach_had_is_kept_apart_once_it_comes_and_its_device_was_named(town: Town) -> None:
    stale = ready(town)
    town.stop("hall")
    shutil.copy(stale, town.places["hall"].data / "journal")  # now the door alone has it, besides the director
    acknowledged = town.heads("door")
    for name in ("director", "door"):
        town.hosts[name].plug(False)
    town.start("hall")
    take_over(town, stale)
    assert (town.takeover("spare")["from"], town.takeover("spare")["unheard"]) == (["hall"], ["door"])

    town.hosts["door"].plug(True)
    wait_for(lambda: town.heads("door")[-1:] == town.heads("spare")[-1:], "the door is there")
    wait_for(lambda: [head for head, _ in town.stranded("spare")] == acknowledged, "what it had is there, apart")
    town.hosts["director"].plug(True)
    assert town.running["director"].wait(60) == 3, town.said("director")
