"""Where everything of a chaos evening lies and listens: folders, addresses, configuration files, command lines."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import certificates
from appliance.certificates import Authority
from appliance.identity import AUTHORITY, CERTIFICATE, load_or_make
from appliance.link.broker import find_program
from chaos import league
from chaos.people import VENUE

VENUE_BROKER, LEAGUE_BROKER = "venue-broker", "league-broker"
LAN_PORT, LEAGUE_PORT = 1883, 1884
ROAM_PORT, PROXY_PORT, NEW_PORT = 8883, 9883, 8884
SPARE = "spare"
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


class Plan:
    """Of a house in ``folder``; what needs short paths (a socket's may have 107 bytes) is in ``short``."""

    def __init__(
        self, folder: Path, short: Path, tables: int, speed: int, lan: Lan, tracked: Collection[int] = ()
    ) -> None:
        self.folder, self.lan = folder, lan
        self.disks = short / "disks"
        self.kiosks = ("door", *(f"table-{number}" for number in range(1, tables + 1)))
        self.may_direct = {"director": "0.3"} | {name: f"1.{number}" for number, name in enumerate(self.kiosks, 1)}
        self.may_direct |= {SPARE: "0.6"} if lan.roams else {}
        """Hosts that have the league's side, too; by name, the end of their address."""
        self.addresses = {**self.may_direct, "floor": "0.5"} | ({} if lan.roams else {"broker": "0.2"})
        """All hosts of the venue."""
        self.stand_in = ""
        """The kiosk whose place the spare device has taken."""
        self._short, self._speed, self._tracked = short, speed, tracked

    @property
    def devices(self) -> tuple[str, ...]:
        """Those with a key and a journal."""
        return ("director", "uplink", "floor", *self.kiosks)

    def data(self, device: str) -> Path:
        """A device's folder, on its host's disk."""
        device = SPARE if device == self.stand_in else device
        return self.disks / ("director" if device == "uplink" else device) / device

    @property
    def league_folder(self) -> Path:
        """The league's."""
        return self.disks / "league" / "league"

    @property
    def floor_socket(self) -> Path:
        """Where the floor's device listens to us."""
        return self._short / "floor"

    def reader(self, kiosk: str) -> Path:
        """Where a kiosk's simulated reader listens."""
        return self._short / (SPARE if kiosk == self.stand_in else kiosk)

    @property
    def spare_screen(self) -> Path:
        """Where the spare device's screen can be read."""
        return self._short / "spare.json"

    def command(self, name: str) -> tuple[list[str], dict[str, str]]:
        """A program's command line and environment; writes what it reads."""
        python, tableside = [sys.executable, "-m"], [sys.executable, "-m", "appliance"]
        files = [str(self.folder / "site.toml"), str(self.folder / f"{name}.toml")]
        match name:
            case "venue-broker":
                return self._broker(name, "10.77.0.2"), {}
            case "league-broker":
                return self._broker(name, "10.78.0.2"), {}
            case "ingest":
                to = f"mqtt://127.0.0.1:{LEAGUE_PORT}"
                return [*tableside, "league", "ingest", "--broker", to], league.environment(self.league_folder)
            case "floor":
                self._device(name, "door", "")
                return [*python, "chaos.floor", *files, str(self.floor_socket)], {}
            case "director":
                self._device(name, "director", self._directly())
                return [*tableside, "director", *files], {}
            case "uplink":
                self._device(name, "director", "")
                return [*tableside, "uplink", *files, "--journal", str(self.data("director") / "journal")], {}
            case "spare":
                return [*python, "chaos.spare", str(self.spare_screen), str(self._spare())], {}
            case _:
                self._device(name, *self._kiosk(name))
                return [*tableside, "kiosk", *files], {}

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
        if table and int(table) in self._tracked:
            number += 'tracking = "actions"\n'
        (self.data(name) / "director.toml").write_text(self._directly())
        return role, f"{number}{self._hardware(name)}"

    def _hardware(self, name: str) -> str:
        reader = f'driver = "simulated"\nsocket = "{self.reader(name)}"\nwallet = "{self.folder}/cards"\n'
        screen = "width = 640\nheight = 360\nfullscreen = false\nheadless = true\n"
        return f'[reader]\n{reader}[screen]\n{screen}shots = "{self.folder / "shots"}"\n'

    def _spare(self) -> Path:
        """All that a spare device knows lies beside what it will be told."""
        file, secure = self.data(SPARE) / "device.toml", "true" if self.lan.secure else "false"
        lan = f'{self._directly()}find = "hosts"\nsecure = {secure}\nnewcomers = {NEW_PORT}\n'
        file.write_text(f'[device]\nrole = "spare"\ndata = "{self.data(SPARE)}"\n{lan}{self._hardware(SPARE)}')
        return file

    def _directly(self) -> str:
        """What a director sees of the network: the others' addresses themselves, and the port of its own broker."""
        if not self.lan.roams:
            return ""
        hosts = ", ".join(f'"10.77.{address}"' for address in self.may_direct.values())
        return f"[lan]\nhosts = [{hosts}]\nport = {ROAM_PORT}\n"

    def enrol(self) -> None:
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
            return f'[broker]\nhost = "127.0.0.1"\nport = {LAN_PORT}\n'
        hosts = ", ".join(f'"127.1.{address}"' for address in self.may_direct.values())
        secure = "true" if self.lan.secure else "false"
        lan = f'[lan]\nfind = "hosts"\nhosts = [{hosts}]\nport = {PROXY_PORT}\n'
        return f"{lan}secure = {secure}\nnewcomers = {NEW_PORT}\n"

    def _device(self, name: str, role: str, more: str) -> None:
        (self.folder / f"{name}.toml").write_text(
            f'[device]\nname = "{name}"\nrole = "{role}"\ndata = "{self.data(name)}"\n{more}'
        )

    def write_site(self, league_public: str, keys: Mapping[str, str]) -> None:
        """The file that all devices read."""
        (self.folder / "site.toml").write_text(
            f'[venue]\nid = "{VENUE}"\nname = "Klub U Zmatku"\n'
            f"{self._lan_section()}"
            f'[league]\npublic_key = "{league_public}"\n'
            f'[league.broker]\nhost = "127.0.0.1"\nport = {LEAGUE_PORT}\n'
            f"[rehearsal]\nspeed = {self._speed}\n"
            "[devices]\n" + "".join(f'{name} = "{key}"\n' for name, key in keys.items())
        )
