"""A league evening's programs as processes that a test may kill, starve and start again.

`House` is one venue: a broker, a director, kiosks with simulated readers, and, where it has one, the league with its
ingest and the uplink. The programs are the product's own, started by their command lines and told apart by name.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from appliance import audit, kinds
from appliance.apps import demo_cards, send
from appliance.apps.demo_season import BLOCKED, FLOOR, PLAYERS, VENUE
from appliance.config import load
from appliance.engine import Engine
from appliance.game.commands import (
    decode_command,
)
from appliance.game.roster import CardPolicy, Roster, RoundOffered, Tier, encode_roster_event
from appliance.game.state import Ledger, Round
from appliance.hw.control import ask as ask_reader
from appliance.identity import load_or_make, public_hex
from appliance.journal import Draft, Journal
from appliance.link.broker import Broker, BrokerKind, start_broker
from appliance.link.envelope import Reply
from appliance.orphan import die_with_parent
from appliance.record import Head
from appliance.station import Station
from appliance.workplace import Workplace
from tests.system.leagues import (
    MoreCards,
    announced,
    commissioners_card,
    device_keys,
    entry,
)

PATIENCE_S = 40.0
"""How long a test waits for what must come: a limit to give up at, never a measure."""

T = TypeVar("T")


class NeverHappened(AssertionError):
    """What a test waited for did not come; the message ends with what the programs said last."""


class Program:
    """One program of the house, in the process it has now. Its output is kept in one log over all its lives."""

    def __init__(self, name: str, command: list[str], log: Path, env: Mapping[str, str]) -> None:
        self.name = name
        self.log = log
        self.command = command
        self._env = {**os.environ, **env}
        self.start()

    def start(self) -> None:
        """Start it, or start it again."""
        with self.log.open("ab") as log:
            self._born = log.tell()
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=self._env,
                start_new_session=True, preexec_fn=die_with_parent(),
            )  # fmt: skip

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> int | None:
        """Its exit code, None while it runs."""
        return self._process.poll()

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        """kill -9, and wait until it is gone."""
        self._process.kill()
        self._process.wait()

    def wait(self) -> int:
        """Its exit code, once it has ended; fails, and kills it, if it does not."""
        try:
            return self._process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()
            raise NeverHappened(f"{self.name} did not end when asked to") from None

    def said(self) -> str:
        """All it has written."""
        return self.log.read_text(errors="replace")

    def says(self) -> str:
        """What it has written since it was started last."""
        return self.log.read_bytes()[self._born :].decode(errors="replace")


class House:
    """A venue in ``folder``. Programs are in ``programs`` by name; `floor` speaks for the commissioner."""

    def __init__(
        self,
        folder: Path,
        kind: BrokerKind,
        *,
        speed: int = 1,
        start_ms: int | None = None,
        league: Path | None = None,
        one_broker: bool = False,
        tracked: Sequence[str] = (),
        least: Tier = "uid",
        cards: MoreCards | None = None,
        tonight: Mapping[str, Any] | None = None,
        site: str = "",
    ) -> None:
        """``league``: a folder made by `make_league`, to be copied; without one the league's word lies ready in the
        director's journal. ``one_broker``: it serves venue and league. ``tracked``: tables of which every action is
        keyed in. ``least``: what cards must prove; ``cards``: further ones. ``tonight``: the round's announcement;
        ``site``: what the venue's file says besides."""
        self.folder = folder
        self.kind = kind
        self._tracked = frozenset(tracked)
        self._tonight = dict(tonight) if tonight is not None else announced()
        self._site = site
        self.programs: dict[str, Program] = {}
        self.brokers: dict[str, Broker] = {}
        self._expected_dead: set[str] = set()
        if league is not None:
            shutil.copytree(league, folder, dirs_exist_ok=True)
        (folder / "logs").mkdir(parents=True, exist_ok=True)
        (folder / "shots").mkdir(exist_ok=True)
        self._league_env = {"TABLESIDE_LEAGUE_DIR": str(folder / "league"), "TABLESIDE_LEAGUE_SECRET_KEY": "test"}
        self.keys = device_keys(folder)
        public, self._more = commissioners_card(folder, cards)
        self.policy = CardPolicy(league=demo_cards.LEAGUE, key=public, least=least)
        self.league_key = load_or_make(folder / "league.key")
        self._league_public = (
            (folder / "league.public").read_text() if league is not None else public_hex(self.league_key)
        )
        self.open_broker("venue")
        if one_broker:
            self.brokers["league"] = self.brokers["venue"]
        elif league is not None:
            self.open_broker("league")
        self._write_site(speed, start_ms)
        if league is None:
            self._lay_out_league_stream()

    # -- programs ----------------------------------------------------------------------------------------

    def open_broker(self, name: str) -> None:
        """Start a broker; the second time where it was before."""
        before = self.brokers.get(name)
        port = before.endpoint.port if before else None
        self.brokers[name] = start_broker(self.kind, self.folder / f"broker-{name}", port)

    def start(self, *names: str) -> None:
        """Start programs by name: director, uplink, ingest, web, door, table-1, table-2; also those killed before."""
        for name in names:
            self._expected_dead.discard(name)
            if name in self.programs:
                self.programs[name].start()
            else:
                command = [sys.executable, "-m", "appliance", *self._command(name)]
                log = self.folder / "logs" / f"{name}.log"
                self.programs[name] = Program(name, command, log, self._league_env)

    def kill(self, *names: str) -> None:
        """kill -9 programs and brokers (``venue-broker``, ``league-broker``)."""
        for name in names:
            if name.endswith("-broker"):
                self.brokers[name.removesuffix("-broker")].kill()
            else:
                self._expected_dead.add(name)
                self.programs[name].kill()

    def revive(self, *names: str) -> None:
        """Start again what was killed."""
        for name in names:
            if name.endswith("-broker"):
                self.open_broker(name.removesuffix("-broker"))
            else:
                self.start(name)

    def stop(self, *names: str, number: signal.Signals = signal.SIGTERM, times: int = 1) -> None:
        """Ask programs to end; they must end well. The last of many ``times`` may come when Python listens no more."""
        self._expected_dead |= set(names)
        for name in names:
            for _ in range(times):
                self.programs[name].signal(number)
        for name in names:
            code = self.programs[name].wait()
            said = self.programs[name].said()[-2000:]
            assert code == 0 or (times > 1 and code == -number), f"{name} ended with {code}:\n{said}"

    def check(self) -> None:
        """Fail if a program has ended that nobody killed."""
        for name, program in self.programs.items():
            if name not in self._expected_dead and program.ended is not None:
                raise AssertionError(f"{name} ended with {program.ended}:\n{program.said()[-3000:]}")

    def close(self) -> None:
        """End everything, by force where need be."""
        running = [program for program in self.programs.values() if program.ended is None]
        for program in running:
            program.signal(signal.SIGTERM)
        for program in running:
            with contextlib.suppress(NeverHappened):
                program.wait()
        self._end_directors()
        for broker in self.brokers.values():
            broker.stop()

    def kill_director_of(self, kiosk: str) -> None:
        """kill -9 the director and the uplink that a kiosk has started: they are nobody's children once it is gone."""
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                line = (process / "cmdline").read_bytes().split(b"\0")
                below = any(word.startswith(f"{self.folder / kiosk}/".encode()) for word in line)
                if below and line[3:4] in ([b"director"], [b"uplink"]):
                    os.kill(int(process.name), signal.SIGKILL)

    def _end_directors(self) -> None:
        for note in self.folder.glob("*/directing.json"):
            self.kill_director_of(note.parent.name)

    def wait_for(self, what: str, found: Callable[[], T], seconds: float = PATIENCE_S) -> T:
        """The first true value; fails when it does not come, or when a program ends meanwhile."""
        deadline = time.monotonic() + seconds
        while not (value := found()):
            self.check()
            if time.monotonic() > deadline:
                raise NeverHappened(f"waited {seconds:.0f} s for {what}\n{self._last_words()}")
            time.sleep(0.02)
        return value

    # -- people ------------------------------------------------------------------------------------------

    def tap(self, kiosk: str, uid: str) -> None:
        """Hold a card against a kiosk's reader: the commissioner's is genuine, of any other nothing but its number is
        read. Raises OSError while the kiosk is not there."""
        line = f"tap card {uid}" if uid == FLOOR.uid else f"tap {uid}"
        answer = ask_reader(self._socket(kiosk), line)
        assert answer == "ok", answer

    def drive(self, kiosk: str, line: str, socket: Path | None = None) -> None:
        """Do something at a kiosk's simulated reader: ``tap card NAME``, ``unplug`` …"""
        answer = ask_reader(socket or self._socket(kiosk), line)
        assert answer == "ok", answer

    def press(self, kiosk: str, *keys: str) -> None:
        """Press keys of a kiosk's keyboard, by the names they have there."""
        for key in keys:
            answer = ask_reader(self._socket(kiosk), f"key {key}")
            assert answer == "ok", answer

    def picture(self, kiosk: str) -> Path:
        """What a kiosk shows now."""
        shots = self.folder / "shots"
        known = set(shots.glob(f"{kiosk}-??.png"))
        self.programs[kiosk].signal(signal.SIGUSR1)
        return self.wait_for("a picture", lambda: set(shots.glob(f"{kiosk}-??.png")) - known).pop()

    def reader_is_up(self, kiosk: str) -> bool:
        """Whether a kiosk's simulated reader takes cards."""
        try:
            return ask_reader(self._socket(kiosk), "state") == "online"
        except OSError:
            return False

    def is_ready(self, kiosk: str) -> bool:
        """Whether a kiosk takes cards and has its way to the director: before, it tells people to tap again."""
        return self.reader_is_up(kiosk) and "connected to the broker" in self.programs[kiosk].says()

    @contextlib.contextmanager
    def floor(self) -> Iterator[Floor]:
        """The commissioner's own device, in this process."""
        station = Station(self.workplace("floor"))
        station.start()
        try:
            yield Floor(self, station)
        finally:
            station.stop()
            station.join(10)
        assert station.failure is None

    # -- files -------------------------------------------------------------------------------------------

    def data(self, name: str) -> Path:
        """A device's folder."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder

    def workplace(self, name: str) -> Workplace:
        """A device's files, key and configuration, for use in this process."""
        files = [Path(file) for file in self.files(name)]
        return Workplace(load(*files), files)

    @contextlib.contextmanager
    def journal(self, name: str, file: str = "journal") -> Iterator[Journal]:
        """A device's journal as it is now, for reading."""
        with Journal(self.data(name) / file, read_only=True) as journal:
            yield journal

    def same_round(self, *names: str) -> bool:
        """Whether these devices hold tonight's round as far as the director does."""
        return self.same_stream("round/R1", *names)

    def same_stream(self, stream: str, *names: str) -> bool:
        """Whether these devices hold a stream as far as the director does."""
        return len({self._newest(name, stream) for name in ("director", *names)}) == 1

    def _newest(self, name: str, stream: str) -> Head | None:
        if not (self.data(name) / "journal").exists():
            return None
        with self.journal(name) as journal:
            return journal.newest(stream)

    def records(self, name: str, file: str = "journal") -> dict[tuple[str, str], list[bytes]]:
        """What a device holds: the records' bytes by stream and epoch."""
        with self.journal(name, file) as journal:
            held: dict[tuple[str, str], list[bytes]] = {}
            for record, raw in audit.every_record(journal):
                held.setdefault((record.stream, record.epoch), []).append(raw)
            return held

    def stream(self, name: str, stream: str) -> list[dict[str, Any]]:
        """A stream of a device's journal, read."""
        return [json.loads(raw) for (of, _), raws in self.records(name).items() if of == stream for raw in raws]

    def ledger(self, name: str, round_id: str) -> Ledger:
        """A round folded from a device's journal."""
        with self.journal(name) as journal:
            ledger: Ledger = Engine(journal, kinds.KINDS, lambda: 0).state(f"round/{round_id}")
            return ledger

    def roster(self, name: str) -> Roster:
        """The roster folded from a device's journal."""
        with self.journal(name) as journal:
            roster: Roster = Engine(journal, kinds.KINDS, lambda: 0).state(f"league/{VENUE}")
            return roster

    def league_rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the league's database answers."""
        with contextlib.closing(
            sqlite3.connect(f"file:{self.folder}/league/league.sqlite3?mode=ro", uri=True, timeout=20)
        ) as database:
            return database.execute(query).fetchall()

    def league_records(self) -> dict[tuple[str, str], list[bytes]]:
        """The league's raw table, in the order of sequence numbers."""
        held: dict[tuple[str, str], list[bytes]] = {}
        for stream, epoch, raw in self.league_rows("SELECT stream, epoch, raw FROM ingest_rawrecord ORDER BY id"):
            held.setdefault((stream, epoch), []).append(bytes(raw))
        for raws in held.values():
            raws.sort(key=lambda raw: int(json.loads(raw)["seq"]))
        return held

    def files(self, name: str) -> tuple[str, str]:
        """The configuration files of a device."""
        file = self.data(name) / "device.toml"
        if not file.exists():
            self.configure(name)
        return str(self.folder / "site.toml"), str(file)

    def configure(self, name: str, reader: str = "", more: str = "") -> None:
        """Write a device's file; ``reader`` replaces the simulated one's section, ``more`` follows all."""
        role = name if name in ("door", "director") else "table" if name.startswith("table-") else "door"
        table = name.partition("-")[2] or "1"
        tracking = "actions" if name in self._tracked else "hands"
        reader = reader or f'driver = "simulated"\nsocket = "{self._socket(name)}"\nwallet = "{self.folder}/cards"'
        (self.data(name) / "device.toml").write_text(
            f'[device]\nname = "{name}"\nrole = "{role}"\ntable = {table}\n'
            f'tracking = "{tracking}"\ndata = "{self.data(name)}"\n'
            f"[reader]\n{reader}\n"
            f'[screen]\nwidth = 640\nheight = 360\nfullscreen = false\nheadless = true\nshots = "{self.folder}/shots"\n'
            f"{more}"
        )

    # -- inside ------------------------------------------------------------------------------------------

    def _command(self, name: str) -> list[str]:
        match name:
            case "director":
                return ["director", *self.files(name)]
            case "uplink":
                return ["uplink", *self.files(name), "--journal", str(self.data("director") / "journal")]
            case "ingest":
                return ["league", "ingest", "--broker", f"mqtt://127.0.0.1:{self.brokers['league'].endpoint.port}"]
            case "web":
                return ["league", "serve", "--port", "0"]
            case _:
                return ["kiosk", *self.files(name)]

    def _socket(self, kiosk: str) -> Path:
        return self.data(kiosk) / "reader"

    def _write_site(self, speed: int, start_ms: int | None) -> None:
        league = self.brokers.get("league", self.brokers["venue"]).endpoint.port
        start = f"start_ms = {start_ms}" if start_ms is not None else ""
        (self.folder / "site.toml").write_text(
            f'[venue]\nid = "{VENUE}"\nname = "Klub U Žabáka"\n'
            f"[broker]\nport = {self.brokers['venue'].endpoint.port}\n"
            f'[league]\npublic_key = "{self._league_public}"\n[league.broker]\nport = {league}\n'
            f"[rehearsal]\nspeed = {speed}\n{start}\n"
            "[devices]\n" + "".join(f'{name} = "{public_hex(key)}"\n' for name, key in self.keys.items()) + self._site
        )

    def _lay_out_league_stream(self) -> None:
        """Put the league's stream where the uplink would have brought it: roster and tonight's round."""
        stream = f"league/{VENUE}"
        offer = RoundOffered(announcement=decode_command(self._tonight))
        events = [self.policy, *map(entry, (*PLAYERS, FLOOR, BLOCKED)), *self._more, offer]
        with Journal(self.folder / "league.journal", device="league", key=self.league_key) as league:
            with league.begin() as transaction:
                epoch = transaction.open_epoch(stream, "season", 1).epoch
                drafts = [Draft(name, msgspec.Raw(data)) for name, data in map(encode_roster_event, events)]
                transaction.append(stream, epoch, drafts, 1)
                transaction.commit()
            with self.workplace("director").journal() as journal:
                journal.absorb(stream, epoch, league.read(stream, epoch))

    def _last_words(self) -> str:
        return "\n".join(f"--- {name}\n{program.said()[-600:]}" for name, program in self.programs.items())


class Floor:
    """Commands with the answers that a person would see."""

    def __init__(self, house: House, station: Station) -> None:
        self.house = house
        self.station = station

    def command(self, do: str, **fields: Any) -> Reply:
        """Give a command and wait for what becomes of it."""
        command = decode_command({"do": do, "round": "R1", **fields})
        return send.ask(self.station, command, FLOOR.number)

    def must(self, do: str, **fields: Any) -> Reply:
        """Give a command that must be carried out."""
        reply = self.command(do, **fields)
        assert reply.ok, (do, fields, reply)
        return reply

    @property
    def round(self) -> Round | None:
        """The round as this device knows it."""
        return next((r for r in self.station.snapshot.rounds if r.id == "R1"), None)

    def wait(self, what: str, holds: Callable[[Round], bool]) -> Round:
        """Wait until the own copy shows something."""
        return self.house.wait_for(what, lambda: ((r := self.round) is not None and holds(r) and r) or None)
