"""The house of a chaos evening: hosts with a clock, a disk and cables each, and the programs that run on them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import TypeVar

from appliance.adoption import name_of
from appliance.config import ADOPTED
from appliance.fencing import FENCED
from appliance.hw.control import ask as ask_reader
from appliance.identity import load_or_make, public_hex
from chaos import league, nets
from chaos.clocks import library
from chaos.people import COMMISSIONER
from chaos.plan import LEAGUE_BROKER, SPARE, VENUE_BROKER, Lan, Plan
from chaos.programs import Ended, Host, Program, children, no_sockets, processes, runs
from chaos.proxy import Proxy
from chaos.script import Script
from chaos.wiring import wired

T = TypeVar("T")


class House:
    """The venue and the league in ``folder``."""

    def __init__(
        self,
        folder: Path,
        tables: int,
        speed: int,
        seed: int,
        lan: Lan,
        ahead_s: Callable[[], int],
        tracked: Collection[int],
    ) -> None:
        self._short = Path(tempfile.mkdtemp(prefix="chaos-"))
        nets.small_disk(self._short, 8)
        self.folder, self.lan = folder, lan
        self.plan = Plan(folder, self._short, tables, speed, lan, tracked)
        self.disks, self.kiosks, self.devices = self.plan.disks, self.plan.kiosks, self.plan.devices
        self.directs = "director"
        """The host that directs."""
        self.gone: set[str] = set()
        """Hosts that are gone for good."""
        self.ended: list[Ended] = []
        self.league_key = self.spare_key = ""
        self.dead: Path | None = None
        """The folder of the kiosk whose place the spare device has taken."""
        self.each_tick: Callable[[], None] = lambda: None
        self.programs: dict[str, Program] = {}
        for part in ("logs", "shots"):
            (folder / part).mkdir(parents=True)
        self.off: set[str] = set()
        """Hosts without power."""
        self.proxy = Proxy(seed)
        self.hosts = wired(self.plan, library(folder), ahead_s, self.proxy)
        self.proxy.start()

    # -- what is there -----------------------------------------------------------------------------------

    def data(self, device: str) -> Path:
        """A device's folder."""
        return self.plan.data(device)

    def directors_data(self) -> Path:
        """The folder of whoever directs, as director."""
        own = self.data(self.directs)
        return own if self.directs == "director" else own / "director"

    @property
    def stand_in(self) -> str:
        """The kiosk whose place the spare device has; empty as long as there is none."""
        return self.plan.stand_in

    def is_directing(self, kiosk: str) -> bool:
        """Whether a kiosk has been told to direct."""
        return (self.data(kiosk) / "directing.json").exists()

    def host_of(self, program: str) -> Host:
        """Where a program runs; whoever directs has the uplink, too, and where devices roam the broker."""
        if program in ("director", "uplink") or (program == VENUE_BROKER and self.lan.roams):
            return self.hosts[self.directs]
        return self.hosts[{"ingest": "league", LEAGUE_BROKER: "league", VENUE_BROKER: "broker"}.get(program, program)]

    def home_of(self, device: str) -> Host:
        """The host that has a device's disk."""
        return self.hosts["director" if device == "uplink" else device]

    # -- life --------------------------------------------------------------------------------------------

    def open(self, script: Script, players: int) -> None:
        """Make the league, write the configuration, start everything."""
        for name in self.devices:
            self.data(name).mkdir()
        self.plan.league_folder.mkdir()
        if self.lan.secure:
            self.plan.enrol()
        data = {name: self.data(name) for name in self.devices}
        keys = {name: public_hex(load_or_make(where / "device.key")) for name, where in data.items()}
        if self.lan.roams:
            self.data(SPARE).mkdir()
            self.spare_key = public_hex(load_or_make(self.data(SPARE) / "device.key"))
            data[name_of(self.spare_key)] = self.data(SPARE)
        self.league_key = league.make(
            self.plan.league_folder, data, self.folder / "cards", script.announcement, players, script.elsewhere
        )
        self.plan.write_site(self.league_key, keys)
        for name in (
            *(() if self.lan.roams else (VENUE_BROKER,)),
            LEAGUE_BROKER,
            "ingest",
            "director",
            "uplink",
            "floor",
            *self.kiosks,
        ):
            self._program(name).start()

    def tick(self) -> None:
        """Start again what is to be; note what has ended by itself."""
        for name, program in self.programs.items():
            code = program.look()
            if code == FENCED and self.directs != "director":
                program.start_at = None  # followed, and all it had handed over
            elif code is not None:
                self.ended.append(Ended(name, code, time.monotonic()))
        self.each_tick()

    def wait_for(self, found: Callable[[], T], seconds: float, pause_s: float = 0.02) -> T | None:
        """The first true value; None if it does not come."""
        deadline = time.monotonic() + seconds
        while not (value := found()):
            self.tick()
            if time.monotonic() > deadline:
                return None
            time.sleep(pause_s)
        return value

    def meanwhile(self, act: Callable[[], T]) -> T:
        """The result of something that takes its time; the house lives on meanwhile."""
        with ThreadPoolExecutor(1) as pool:
            result = pool.submit(act)
            while not result.done():
                self.tick()
                wait([result], 0.02)
        return result.result()

    def bring_spare(self, kiosk: str) -> None:
        """A kiosk dies for good; the spare device is plugged in."""
        self.gone.add(kiosk)
        self.switch_off(kiosk)
        self.hosts[kiosk].plug(False)
        self.dead = self.data(kiosk)
        self._program(SPARE).start()

    def called(self, kiosk: str) -> str:
        """The name of the device that is this kiosk."""
        return self.let_in if kiosk == self.stand_in else kiosk

    @property
    def let_in(self) -> str:
        """The spare device's own name, once it has a place."""
        return name_of(self.spare_key) if self.stand_in else ""

    def spare_is_in(self) -> bool:
        """Whether the spare device has a place."""
        return (self.data(SPARE) / ADOPTED).exists()

    def take_in_spare(self, kiosk: str) -> None:
        """From now on the spare device is this kiosk, for people and for all that befalls it."""
        self.plan.stand_in = kiosk
        self.hosts[kiosk], self.programs[kiosk] = self.hosts.pop(SPARE), self.programs.pop(SPARE)
        self.hosts[kiosk].name = kiosk
        self.gone.discard(kiosk)
        self.off.discard(kiosk)

    def kill(self, name: str, again_s: float) -> None:
        """kill -9; it is started again after so long, what a kiosk started by the kiosk."""
        if self._elsewhere(name):
            self.send(name, signal.SIGKILL)
        elif self.host_of(name).name not in self.off:
            self.programs[name].kill(again_s)

    def send(self, name: str, number: signal.Signals) -> None:
        """Send a program a signal, if it runs."""
        if not self._elsewhere(name):
            self.programs[name].signal(number)
            return
        for pid in self._started_by_others(name):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def switch_off(self, host: str) -> None:
        """Pull a host's power: all its programs are gone."""
        self.off.add(host)
        for program in self._programs_of(host):
            program.kill(float("inf"))
        for pid in processes(f"{self.hosts[host].disk}/"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def switch_on(self, host: str) -> None:
        """Start its programs again, if it was off."""
        if host in self.off:
            self.off.discard(host)
            for program in self._programs_of(host):
                program.start()

    def cut_off(self, *hosts: str) -> None:
        """These see each other alone, until they `join` the others again."""
        for name in hosts:
            nets.move(self.hosts[name], "island")
            self.hosts[name].plug_far(False)

    def join(self, *hosts: str) -> None:
        """Put their cables back."""
        for name in hosts:
            nets.move(self.hosts[name], "lan")
            self.hosts[name].plug_far(True)

    def silence_league(self) -> None:
        """End what speaks for the league, for good."""
        ingest = self.programs["ingest"]
        if ingest.process is not None:
            ingest.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                ingest.process.wait(10)
        ingest.kill(float("inf"))

    def close(self) -> None:
        """End all programs."""
        self._signal_all(signal.SIGCONT)
        self._signal_all(signal.SIGTERM)
        for program in self.programs.values():
            if program.process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    program.process.wait(10)
                program.kill(float("inf"))
        self._signal_all(signal.SIGKILL)
        self.proxy.stop()

    def _signal_all(self, number: signal.Signals) -> None:
        for program in self.programs.values():
            program.signal(number)
        for pid in processes(f"{self.disks}/"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _programs_of(self, host: str) -> list[Program]:
        return [program for program in self.programs.values() if program.host.name == host]

    def _elsewhere(self, name: str) -> bool:
        """Whether a program was started by another of the house's programs, not by us."""
        if name == VENUE_BROKER and self.lan.roams:
            return True
        return name in ("director", "uplink") and self.directs != "director"

    def _started_by_others(self, name: str) -> list[int]:
        folder = self.directors_data()
        directors = processes(f"{folder}/device.toml") if self.directs != "director" else []
        if self.directs == "director" and (process := self.programs["director"].process) is not None:
            directors = [process.pid]
        match name:
            case "director":
                return directors
            case "uplink":
                return processes(f"{folder.with_name('uplink')}/device.toml")
            case _:
                return [child for pid in directors for child in children(pid) if runs(child, "mosquitto")]

    def keep(self) -> None:
        """Copy the disks, which end with this program, into the folder."""
        shutil.copytree(self.disks, self.folder / "disks", ignore=no_sockets)

    def remove(self) -> None:
        """Give the disks back."""
        subprocess.run(["umount", "--lazy", "--recursive", str(self._short)], check=True)
        self._short.rmdir()

    # -- people ------------------------------------------------------------------------------------------

    def reader(self, kiosk: str, line: str) -> bool:
        """Do something at a kiosk's simulated reader; whether it was there."""
        try:
            return ask_reader(self.plan.reader(kiosk), line, timeout=1.0) == "ok"
        except (OSError, ValueError):
            return False

    # -- inside ------------------------------------------------------------------------------------------

    def _program(self, name: str) -> Program:
        command, environment = self.plan.command(name)
        log = self.folder / "logs" / f"{name}.log"
        self.programs[name] = Program(name, self.host_of(name), command, log, environment)
        return self.programs[name]


@contextlib.contextmanager
def opened(house: House, script: Script, players: int) -> Iterator[House]:
    """The house, as long as the evening lasts."""
    try:
        house.open(script, players)
        yield house
    finally:
        house.close()


COMMISSIONERS_CARD = f"card {COMMISSIONER.uid}"
