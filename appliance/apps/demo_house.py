"""The demo's house: two brokers, the league, a director with its uplink, a door, two tables and a clock on the wall."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from appliance.apps import demo_cards
from appliance.apps.children import Children
from appliance.apps.demo_cards import CardOffice
from appliance.apps.demo_season import BLOCKED, FLOOR, FORGED, FORGED_CARD, PLAYERS, TABLES, VENUE, season_file
from appliance.config import load
from appliance.hw.control import ask
from appliance.identity import load_or_make, public_hex
from appliance.journal import Journal, JournalError
from appliance.link.broker import Broker, BrokerKind, find_program, start_broker
from appliance.takeover import end_directors
from appliance.workplace import Workplace

TRACKED = "table-2"
"""The table at which every action is keyed in."""
KIOSKS = ("door", *(f"table-{number}" for number in TABLES))
CLOCK = "wall"
"""The screen without a reader."""
LAPTOP = "laptop"
"""A device for whoever watches and wants to say something, too: `tableside send`."""
_DEVICES = ("director", "uplink", "floor", LAPTOP, *KIOSKS, CLOCK)
_WINDOW = (960, 540)
_PLACES = {"door": "0,0", "table-1": "960,0", "table-2": "0,570", CLOCK: "960,570"}  # where SDL may place them
_PICTURE_WAIT_S = 10.0
_REACH_S = 0.2  # what was just answered here is on its way to the other kiosks


class DemoFailed(RuntimeError):
    """The evening did not go as it must; the message says what was waited for."""


class House:
    """All programs of the demo. Leaving the context stops them all."""

    def __init__(self, folder: Path, *, headless: bool, speed: int, evening: datetime) -> None:
        self.folder = folder
        self.url = ""
        self._headless = headless
        self._speed = speed
        self._evening = evening
        self._brokers: list[Broker] = []
        (folder / "logs").mkdir(parents=True)
        (folder / "pictures").mkdir()
        (folder / "shots").mkdir()
        self._office = CardOffice(folder / "cards")
        self._children = Children(folder / "logs")
        self._sockets = tempfile.TemporaryDirectory(prefix="tableside-")  # a socket's path may have 107 bytes, no more
        self._pictures = 0
        self._league_env = {"TABLESIDE_LEAGUE_DIR": str(folder / "league")}

    def __enter__(self) -> House:
        return self

    def __exit__(self, *_: object) -> None:
        self._children.stop()
        end_directors(self.folder)
        for broker in self._brokers:
            broker.stop()
        self._sockets.cleanup()

    def open_league(self, starts_at: datetime) -> None:
        """Make the league's database, import the season, offer the round, serve the pages."""
        (self.folder / "league").mkdir()
        keys = {name: public_hex(load_or_make(self._device_folder(name) / "device.key")) for name in _DEVICES}
        self._issue_cards()
        file = self.folder / "season.json"
        file.write_text(json.dumps(season_file(keys, starts_at), ensure_ascii=False, indent=1))
        card_key = ("card_key", demo_cards.LEAGUE, self._office.public)
        for command in (
            ("migrate",),
            ("import_season", str(file)),
            card_key,
            ("publish_roster",),
            ("offer_round", "--all"),
        ):
            self._league(*command)
        broker = self._broker("league", "nats", "mosquitto")
        self._write_site(keys, broker)
        self._start("league-ingest", "league", "ingest", "--broker", f"mqtt://127.0.0.1:{broker.endpoint.port}")
        self._start("league-web", "league", "serve", "--port", "0")
        self.wait_for("the league's pages", self._find_url)

    def _issue_cards(self) -> None:
        """Make everybody's card as the issuing desk does, one forged one beside them, and the kiosks' keys."""
        people = (*PLAYERS, FLOOR, BLOCKED)
        self._office.issue((person.uid, person.number) for person in people)
        self._office.keep(self._office.clone(FORGED.uid), FORGED_CARD)
        until = round(self._evening.timestamp() * 1000) + 36 * 3_600_000
        for name in KIOSKS:
            self._office.seal_for(name, self._device_folder(name), [person.uid for person in people], until)

    def open_venue(self) -> None:
        """Start the director, its uplink, the door, the tables and the clock on the wall."""
        self._start("director", "director", *self._config("director", "director"))
        journal = self._device_folder("director") / "journal"
        self._start("uplink", "uplink", *self._config("uplink", "director"), "--journal", str(journal))
        for name in KIOSKS:
            role = "door" if name == "door" else "table"
            tracking = 'tracking = "actions"\n' if name == TRACKED else ""
            reader = f'driver = "simulated"\nsocket = "{self._socket(name)}"\nwallet = "{self._office.folder}"\n'
            more = f"{tracking}[[reader]]\n{reader}{self._screen()}"
            self._start(name, "kiosk", *self._config(name, role, more))
        self._start(CLOCK, "kiosk", *self._config(CLOCK, "clock", self._screen()))

    def floor(self) -> Workplace:
        """Where the commissioner's commands come from: a device of its own, in this process."""
        return Workplace(load(*(Path(file) for file in self._config("floor", "door"))))

    def laptop(self) -> tuple[str, str]:
        """Configuration files of a device with which somebody else may command."""
        return self._config(LAPTOP, "door")

    def tap(self, kiosk: str, line: str) -> str:
        """Drive a kiosk's simulated reader: ``tap card NAME``, ``unreadable``, ``unplug`` … Returns its answer."""
        return ask(self._socket(kiosk), line)

    def reader_is_up(self, kiosk: str) -> bool:
        """Whether a kiosk's reader sees cards; it does not while the kiosk is still starting."""
        try:
            return self.tap(kiosk, "state") == "online"
        except OSError:
            return False

    def knows_all(self, kiosk: str) -> bool:
        """Whether a kiosk's copy holds all that the director has of the league's word and of the rounds."""
        try:
            with self._journal(kiosk) as copy, self._journal("director") as director:
                wanted = [head for head in director.heads() if head.stream.startswith(("league/", "round/"))]
                return bool(wanted) and all(copy.head(head.stream, head.epoch) == head for head in wanted)
        except JournalError:  # not made yet
            return False

    def _journal(self, device: str) -> Journal:
        return Journal(self._device_folder(device) / "journal", read_only=True)

    def picture(self, stage: str, *kiosks: str) -> None:
        """Keep a screenshot of kiosks, named after the stage of the evening."""
        time.sleep(_REACH_S)
        for kiosk in kiosks:
            known = self._shots(kiosk)
            self._children.signal(kiosk, signal.SIGUSR1)
            deadline = time.monotonic() + _PICTURE_WAIT_S
            while not (fresh := self._shots(kiosk) - known):
                if time.monotonic() > deadline:
                    raise DemoFailed(f"waited {_PICTURE_WAIT_S:.0f} s for a picture of {kiosk}")
                self._children.check()
                time.sleep(0.02)
            self._pictures += 1
            fresh.pop().replace(self.folder / "pictures" / f"{self._pictures:02}-{stage}-{kiosk}.png")

    def _shots(self, kiosk: str) -> set[Path]:
        return set((self.folder / "shots").glob(f"{kiosk}-??.png"))

    def fetch(self, path: str) -> Any:
        """A JSON answer of the league's read API."""
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)

    def wait_for(self, what: str, found: Callable[[], Any], seconds: float = 30.0) -> Any:
        """Wait until something is there; raises `DemoFailed`, or `ChildFailed` if a program has ended meanwhile."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if value := found():
                return value
            self._children.check()
            time.sleep(0.02)
        raise DemoFailed(f"waited {seconds:.0f} s for {what}; logs are in {self.folder / 'logs'}")

    # -- inside ------------------------------------------------------------------------------------------

    def _broker(self, name: str, *wanted: BrokerKind) -> Broker:
        kind = next((kind for kind in wanted if find_program(kind)), wanted[0])
        self._brokers.append(start_broker(kind, self.folder / f"broker-{name}"))
        return self._brokers[-1]

    def _start(self, name: str, *arguments: str) -> None:
        env = {**self._league_env, "SDL_VIDEO_WINDOW_POS": _PLACES.get(name, "")}
        self._children.start(name, [sys.executable, "-m", "appliance", *arguments], env)

    def _league(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "appliance", "league", *arguments]
        self._children.run(f"league-{arguments[0]}", command, self._league_env)

    def _find_url(self) -> bool:
        for line in (self.folder / "logs" / "league-web.log").read_text().splitlines():
            if line.startswith("serving http"):
                self.url = line.removeprefix("serving ").strip().rstrip("/")
        return bool(self.url)

    def _write_site(self, keys: Mapping[str, str], league: Broker) -> None:
        venue = self._broker("venue", "mosquitto", "nats")
        self._league("league_key")
        league_key = (self.folder / "logs" / "league-league_key.log").read_text().split()[-1]
        lines = [
            f'[venue]\nid = "{VENUE}"\nname = "Klub U Žabáka"\nlanguage = "cs"',
            f"[broker]\nport = {venue.endpoint.port}",
            f'[league]\npublic_key = "{league_key}"\n[league.broker]\nport = {league.endpoint.port}',
            f"[rehearsal]\nspeed = {self._speed}\nstart_ms = {round(self._evening.timestamp() * 1000)}",
            "[devices]\n" + "\n".join(f'{name} = "{key}"' for name, key in keys.items()),
        ]
        (self.folder / "site.toml").write_text("\n".join(lines) + "\n")

    def _config(self, name: str, role: str, more: str = "") -> tuple[str, str]:
        table = name.partition("-")[2] or "1"
        file = self._device_folder(name) / "device.toml"
        data = self._device_folder(name)
        file.write_text(f'[device]\nname = "{name}"\nrole = "{role}"\ntable = {table}\ndata = "{data}"\n{more}')
        return str(self.folder / "site.toml"), str(file)

    def _screen(self) -> str:
        width, height = (1280, 720) if self._headless else _WINDOW
        return (
            f"[screen]\nwidth = {width}\nheight = {height}\nfullscreen = false\n"
            f'headless = {str(self._headless).lower()}\nshots = "{self.folder / "shots"}"\n'
        )

    def _socket(self, kiosk: str) -> Path:
        return Path(self._sockets.name) / kiosk

    def _device_folder(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder
