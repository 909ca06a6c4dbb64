"""The house of a chaos evening: hosts with a clock, a disk and cables each, and the programs that run on them."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates
from appliance.certificates import Authority
from appliance.fencing import FENCED
from appliance.hw.control import ask as ask_reader
from appliance.identity import AUTHORITY, CERTIFICATE, load_or_make, public_hex
from appliance.link.broker import find_program
from chaos import league, nets
from chaos.clocks import WallClock, library
from chaos.people import COMMISSIONER, VENUE
from chaos.proxy import Proxy, Route

T = TypeVar("T")

VENUE_BROKER, LEAGUE_BROKER = "venue-broker", "league-broker"
_LAN_PORT, _LEAGUE_PORT = 1883, 1884
_ROAM_PORT, _PROXY_PORT = 8883, 9883
_AGAIN_S = 0.7
"""How soon a program that ended is started again, as a service manager does."""
_DISK_MB = {"league": 64, "director": 24}
_BROKER_CONF = """\
listener {port} {address}
allow_anonymous true
persistence false
set_tcp_nodelay true
message_size_limit 1048576
max_queued_messages 1000
log_dest stderr
user root
"""


class Lan(NamedTuple):
    """How devices find each other: a broker on a host of its own, or with whoever directs; whether by TLS."""

    roams: bool
    secure: bool


class Ended(NamedTuple):
    """A program ended although nobody killed it."""

    name: str
    code: int
    at: float


class Program:
    """A program in the process it has now; its output is kept in one log over all its lives."""

    def __init__(self, name: str, host: Host, command: list[str], log: Path, environment: Mapping[str, str]) -> None:
        self.name, self.host = name, host
        self._command, self._log = command, log
        self._environment = {**os.environ, **host.clock.environment, **environment}
        self.start_at: float | None = None
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again."""
        self.start_at = None
        with self._log.open("ab") as log:
            log.write(f"--- {time.strftime('%H:%M:%S')} started\n".encode())
            self.process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=self._environment,
                start_new_session=True, preexec_fn=self.host.inside(),
            )  # fmt: skip

    def kill(self, again_s: float) -> None:
        """kill -9; it is started again after so long."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.start_at = time.monotonic() + again_s

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self.process is not None:
            self.process.send_signal(number)

    def look(self) -> int | None:
        """Start it again if it is time; its exit code if it has just ended by itself."""
        if self.start_at is not None and time.monotonic() >= self.start_at:
            self.start()
        if self.process is None or (code := self.process.poll()) is None:
            return None
        self.process, self.start_at = None, time.monotonic() + _AGAIN_S
        return code


class Host(nets.Host):
    """A host with its clock, its disk and its way to the broker."""

    def __init__(self, name: str, folder: Path, disk: Path, shim: Path, ahead_s: int) -> None:
        super().__init__(name)
        self.clock = WallClock(folder / f"{name}.clock", shim, ahead_s)
        self.disk = disk
        self.disk.mkdir(parents=True)
        nets.small_disk(self.disk, _DISK_MB.get(name, 12))
        self.full_from = self.full_until = 0.0

    def fill(self) -> None:
        """Leave no room on its disk."""
        self.full_from, self.full_until = time.monotonic(), float("inf")
        with (self.disk / "filler").open("ab") as filler, contextlib.suppress(OSError):
            for size in (65536, 512):
                with contextlib.suppress(OSError):
                    while True:
                        os.write(filler.fileno(), b"x" * size)

    def free(self) -> None:
        """Make room again."""
        (self.disk / "filler").unlink(missing_ok=True)
        self.full_until = time.monotonic()

    def was_full(self, at: float) -> bool:
        """Whether its disk was full around this moment."""
        return self.full_from <= at <= self.full_until + 5.0


class House:
    """The venue and the league in ``folder``."""

    def __init__(self, folder: Path, tables: int, speed: int, seed: int, lan: Lan, ahead_s: Callable[[], int]) -> None:
        self.folder, self.tables, self._speed, self.lan = folder, tables, speed, lan
        self.directs = "director"
        """The host that directs."""
        self.gone: set[str] = set()
        """Hosts that are gone for good."""
        self.kiosks = ("door", *(f"table-{number}" for number in range(1, tables + 1)))
        self.ended: list[Ended] = []
        self.league_key = ""
        self.each_tick: Callable[[], None] = lambda: None
        self.programs: dict[str, Program] = {}
        for part in ("logs", "shots"):
            (folder / part).mkdir(parents=True)
        self._short = Path(tempfile.mkdtemp(prefix="chaos-"))  # a socket's path may have 107 bytes, no more
        nets.small_disk(self._short, 8)
        self.disks = self._short / "disks"
        self.off: set[str] = set()
        """Hosts without power."""
        self.hosts: dict[str, Host] = {}
        self.proxy = Proxy(seed)
        self._build(library(folder), ahead_s)
        self.proxy.start()

    # -- what is there -----------------------------------------------------------------------------------

    def data(self, device: str) -> Path:
        """A device's folder."""
        return self.home_of(device).disk / device

    def directors_data(self) -> Path:
        """The folder of whoever directs, as director."""
        own = self.data(self.directs)
        return own if self.directs == "director" else own / "director"

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

    @property
    def devices(self) -> tuple[str, ...]:
        """Those with a key and a journal."""
        return ("director", "uplink", "floor", *self.kiosks)

    @property
    def floor_socket(self) -> Path:
        """Where the floor's device listens to us."""
        return self._short / "floor"

    # -- life --------------------------------------------------------------------------------------------

    def open(self, announced: Mapping[str, Any], players: int) -> None:
        """Make the league, write the configuration, start everything."""
        for name in self.devices:
            self.data(name).mkdir()
        (self.hosts["league"].disk / "league").mkdir()
        if self.lan.secure:
            self._enrol()
        data = {name: self.data(name) for name in self.devices}
        self.league_key = league.make(
            self.hosts["league"].disk / "league", data, self.folder / "cards", announced, players
        )
        keys = {name: public_hex(load_or_make(where / "device.key")) for name, where in data.items()}
        self._write_site(self.league_key, keys)
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
                return [child for pid in directors for child in children(pid) if _runs(child, "mosquitto")]

    def keep(self) -> None:
        """Copy the disks, which end with this program, into the folder."""
        shutil.copytree(self.disks, self.folder / "disks", ignore=_no_sockets)

    # -- people ------------------------------------------------------------------------------------------

    def reader(self, kiosk: str, line: str) -> bool:
        """Do something at a kiosk's simulated reader; whether it was there."""
        try:
            return ask_reader(self._reader(kiosk), line, timeout=1.0) == "ok"
        except (OSError, ValueError):
            return False

    # -- inside ------------------------------------------------------------------------------------------

    def _build(self, shim: Path, ahead_s: Callable[[], int]) -> None:
        kiosks = {name: f"1.{number}" for number, name in enumerate(self.kiosks, 1)}
        self._may_direct = {"director": "0.3", **kiosks}
        addresses = {**self._may_direct, "floor": "0.5"}
        if not self.lan.roams:
            addresses["broker"] = "0.2"
        for name in (*addresses, "league"):
            self.hosts[name] = Host(name, self.folder, self.disks / name, shim, ahead_s())
        lan, wan = nets.bridge("lan"), nets.bridge("wan")
        for name, address in addresses.items():
            nets.connect(self.hosts[name], lan, f"10.77.{address}")
        for name, address in {**self._may_direct, "league": "0.2"}.items():
            nets.connect(self.hosts[name], wan, f"10.78.{address}")
        self._route("league", "league", "127.0.0.1", _LEAGUE_PORT, ("10.78.0.2", 1883))
        for name in self._may_direct:
            self._route("uplink", name, "127.0.0.1", _LEAGUE_PORT, ("10.78.0.2", 1883))
        for name in addresses:
            if not self.lan.roams:
                self._route(name, name, "127.0.0.1", _LAN_PORT, ("10.77.0.2", 1883))
            elif name != "director":
                for address in self._may_direct.values():
                    self._route(name, name, f"127.1.{address}", _PROXY_PORT, (f"10.77.{address}", _ROAM_PORT))

    def _route(self, name: str, where: str, address: str, port: int, to: tuple[str, int]) -> None:
        """What a host takes for a broker: the proxy, on its own loopback."""
        host = self.hosts[where]
        with host.within():
            listener = socket.create_server((address, port))

        def fresh() -> socket.socket:
            with host.within():
                return socket.socket()

        self.proxy.add(Route(name, listener, fresh, to))

    def _program(self, name: str) -> Program:
        command, environment = self._command(name)
        log = self.folder / "logs" / f"{name}.log"
        self.programs[name] = Program(name, self.host_of(name), command, log, environment)
        return self.programs[name]

    def _command(self, name: str) -> tuple[list[str], dict[str, str]]:
        python, tableside = [sys.executable, "-m"], [sys.executable, "-m", "appliance"]
        files = [str(self.folder / "site.toml"), str(self.folder / f"{name}.toml")]
        match name:
            case "venue-broker":
                return self._broker(name, "10.77.0.2"), {}
            case "league-broker":
                return self._broker(name, "10.78.0.2"), {}
            case "ingest":
                to = f"mqtt://127.0.0.1:{_LEAGUE_PORT}"
                return [*tableside, "league", "ingest", "--broker", to], self.league_environment
            case "floor":
                self._device(name, "door", "")
                return [*python, "chaos.floor", *files, str(self.floor_socket)], {}
            case "director":
                self._device(name, "director", self._directly())
                return [*tableside, "director", *files], {}
            case "uplink":
                self._device(name, "director", "")
                return [*tableside, "uplink", *files, "--journal", str(self.data("director") / "journal")], {}
            case _:
                self._device(name, *self._kiosk(name))
                return [*tableside, "kiosk", *files], {}

    @property
    def league_environment(self) -> dict[str, str]:
        """What the league's programs need."""
        return league.environment(self.hosts["league"].disk / "league")

    def _broker(self, name: str, address: str) -> list[str]:
        program = find_program("mosquitto")
        if program is None:
            raise FileNotFoundError("mosquitto is not installed")
        file = self.folder / f"{name}.conf"
        file.write_text(_BROKER_CONF.format(port=1883, address=address))
        return [str(program), "-c", str(file)]

    def _kiosk(self, name: str) -> tuple[str, str]:
        role, _, table = name.partition("-")
        number = f"table = {table}\n" if table else ""
        reader = f'driver = "simulated"\nsocket = "{self._reader(name)}"\nwallet = "{self.folder}/cards"\n'
        (self.data(name) / "director.toml").write_text(self._directly())
        screen = "width = 640\nheight = 360\nfullscreen = false\nheadless = true\n"
        screen += f'shots = "{self.folder / "shots"}"\n'
        return role, f"{number}[reader]\n{reader}[screen]\n{screen}"

    def _directly(self) -> str:
        """What a director sees of the network: the others' addresses themselves, and the port of its own broker."""
        if not self.lan.roams:
            return ""
        hosts = ", ".join(f'"10.77.{address}"' for address in self._may_direct.values())
        return f"[lan]\nhosts = [{hosts}]\nport = {_ROAM_PORT}\n"

    def _enrol(self) -> None:
        """Give every device a certificate of the league's, as `tableside enrol` does."""
        key = Ed25519PrivateKey.generate()
        authority = Authority(key, certificates.make_authority(key, "Liga"))
        for name in self.devices:
            public = load_or_make(self.data(name) / "device.key").public_key()
            issued = certificates.issue(authority, VENUE, name, public)
            (self.data(name) / CERTIFICATE).write_bytes(certificates.pem(issued))
            (self.data(name) / AUTHORITY).write_bytes(certificates.pem(authority.certificate))

    def _lan_section(self) -> str:
        if not self.lan.roams:
            return f'[broker]\nhost = "127.0.0.1"\nport = {_LAN_PORT}\n'
        hosts = ", ".join(f'"127.1.{address}"' for address in self._may_direct.values())
        secure = "true" if self.lan.secure else "false"
        return f'[lan]\nfind = "hosts"\nhosts = [{hosts}]\nport = {_PROXY_PORT}\nsecure = {secure}\n'

    def _device(self, name: str, role: str, more: str) -> None:
        (self.folder / f"{name}.toml").write_text(
            f'[device]\nname = "{name}"\nrole = "{role}"\ndata = "{self.data(name)}"\n{more}'
        )

    def _reader(self, kiosk: str) -> Path:
        return self._short / kiosk

    def _write_site(self, league_public: str, keys: Mapping[str, str]) -> None:
        (self.folder / "site.toml").write_text(
            f'[venue]\nid = "{VENUE}"\nname = "Klub U Zmatku"\n'
            f"{self._lan_section()}"
            f'[league]\npublic_key = "{league_public}"\n'
            f'[league.broker]\nhost = "127.0.0.1"\nport = {_LEAGUE_PORT}\n'
            f"[rehearsal]\nspeed = {self._speed}\n"
            "[devices]\n" + "".join(f'{name} = "{key}"\n' for name, key in keys.items())
        )


def processes(text: str) -> list[int]:
    """The programs with this in their command line, but us."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if text.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
    return found


def children(pid: int) -> list[int]:
    """The processes that one has started."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def _runs(pid: int, program: str) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip() == program
    return False


def _no_sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if (Path(folder) / name).is_socket() or name == "filler"]


@contextlib.contextmanager
def opened(house: House, announced: Mapping[str, Any], players: int) -> Iterator[House]:
    """The house, as long as the evening lasts."""
    try:
        house.open(announced, players)
        yield house
    finally:
        house.close()


COMMISSIONERS_CARD = f"card {COMMISSIONER.uid}"
