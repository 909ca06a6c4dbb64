"""A venue for measurements: mosquitto, a director and a kiosk, each a program of its own, on an evening made ready."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import kinds
from appliance import record as rec
from appliance.apps.children import Children
from appliance.config import load
from appliance.engine import Engine, Order
from appliance.game.commands import (
    decode_command,
)
from appliance.game.roster import CardPolicy, Roster, RosterEntry, encode_roster_event
from appliance.game.state import Round
from appliance.identity import load_or_make, public_hex
from appliance.journal import Draft, Journal, JournalError
from appliance.link.broker import Broker, start_broker
from appliance.workplace import Workplace

VENUE = "bench"
VENUE_NAME = "Herna U Měřidla"
ROUND = "R1"
DEPOSIT = 375
COMMISSIONER = "000001"
COMMISSIONER_UID = "04000000000001"
_PATIENCE_S = 30.0


def number_of(player: int) -> str:
    """The registration number of the n-th player."""
    return f"{100 + player:06}"


def uid_of(player: int) -> str:
    """The UID on the n-th player's card."""
    return f"04{100 + player:012X}"


def name_of(player: int) -> str:
    """The n-th player's name; a hundred differ, on screens ("Řehoř Š.") as well."""
    return f"{_FIRST[player % 10]} {_LAST[player // 10 % 10]}"


_FIRST = ["Řehoř", "Žofie", "Ctibor", "Ludmila", "Matěj", "Dorota", "Jáchym", "Eliška", "Zdeněk", "Běla"]
_LAST = ["Šťastný", "Ďurišová", "Čapek", "Křížek", "Hůlková", "Tůmová", "Vaňátko", "Ježková", "Němec", "Říha"]


class Venue:
    """The programs of one venue in a folder; leaving the context stops them."""

    def __init__(self, folder: Path, kiosk: str, players: int, *others: str) -> None:
        """``kiosk``: the one that is measured; ``others``: further devices that belong to the venue."""
        self.folder = folder
        self.kiosk = kiosk
        self._players = players
        names = ("director", kiosk, *others)
        self._keys = {name: public_hex(load_or_make(self.home(name) / "device.key")) for name in names}
        self._league = Ed25519PrivateKey.generate()
        (folder / "logs").mkdir()
        self.children = Children(folder / "logs")
        self.broker = self.open_broker()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.children.stop()
        self.broker.stop()

    def open_broker(self) -> Broker:
        """Start the venue's broker, before all else."""
        return start_broker("mosquitto", self.folder / "broker")

    def place_of(self, name: str) -> Sequence[str]:
        """What a program's command line begins with, to be run where the device is."""
        return ()

    def prepare(self, commands: Iterable[dict[str, Any]], **announced: Any) -> tuple[Round, Roster]:
        """Put the league's roster and what these commands lead to into the director's journal; returns both.

        ``announced``: what the round's announcement says otherwise.
        """
        self._write_site()
        place = Workplace(load(*self.config("director", "director")))
        with place.journal() as journal:
            self._bring_roster(journal)
            announcement = {**self.announcement(place.time.now_ms()), **announced}
            engine = Engine(journal, kinds.KINDS, place.time.now_ms)
            for number, command in enumerate((announcement, *commands)):
                stream = f"round/{command['round']}"
                order = Order(rec.uuid7(number, os.urandom(10)), stream, decode_command(command))
                [told] = engine.execute([order])
                if not told.answer.ok:
                    raise RuntimeError(f"{command}: {told.answer.code} {told.answer.detail}")
            return engine.state(f"round/{ROUND}").round, engine.state(f"league/{VENUE}")

    def start_director(self) -> int:
        """Start it; returns its process id."""
        return self.children.start("director", self._program("director", "director"))

    def start_kiosk(
        self, role: str, more: str, *, by: tuple[str, ...] = ("-m", "appliance", "kiosk"), name: str = ""
    ) -> int:
        """Start a kiosk, unless named the one that is measured, by a command line of Python's; ``more`` is the rest of
        its configuration.
        """
        name = name or self.kiosk
        files = map(str, self.config(name, role, more))
        return self.children.start(name, [*self.place_of(name), sys.executable, *by, *files])

    def config(self, name: str, role: str, more: str = "") -> tuple[Path, Path]:
        """The configuration files of a device."""
        file = self.home(name) / "device.toml"
        file.write_text(f'[device]\nname = "{name}"\nrole = "{role}"\ndata = "{self.home(name)}"\n{more}')
        return self.folder / "site.toml", file

    def home(self, name: str) -> Path:
        """A device's folder."""
        home = self.folder / name
        home.mkdir(parents=True, exist_ok=True)
        return home

    def wait_for(self, what: str, found: Callable[[], Any]) -> Any:
        """Wait until something is there; raises TimeoutError."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            if value := found():
                return value
            self.children.check()
            time.sleep(0.02)
        raise TimeoutError(f"waited {_PATIENCE_S:.0f} s for {what}; logs are in {self.folder / 'logs'}")

    def is_copied(self, stream: str, kiosk: str = "") -> bool:
        """Whether a kiosk's copy of a stream is as long as the director's own."""
        heads = []
        for name in ("director", kiosk or self.kiosk):
            try:
                with Journal(self.home(name) / "journal", read_only=True) as journal:
                    heads.append(journal.newest(stream))
            except JournalError:  # not made yet
                return False
        return heads[0] is not None and heads[0] == heads[1]

    # -- inside ------------------------------------------------------------------------------------------

    def _program(self, name: str, role: str) -> list[str]:
        files = map(str, self.config(name, role))
        return [*self.place_of(name), sys.executable, "-m", "appliance", name, *files]

    def _write_site(self) -> None:
        devices = "\n".join(f'{name} = "{key}"' for name, key in self._keys.items())
        (self.folder / "site.toml").write_text(
            f'[venue]\nid = "{VENUE}"\nname = "{VENUE_NAME}"\nlanguage = "cs"\n'
            f'[broker]\nhost = "{self.broker.endpoint.host}"\nport = {self.broker.endpoint.port}\n'
            f'[league]\npublic_key = "{public_hex(self._league)}"\n[devices]\n{devices}\n'
        )

    def announcement(self, now_ms: int) -> dict[str, Any]:
        """Tonight's round, half an hour from now (UTC ms)."""
        starts = time.gmtime(now_ms / 1000 + 1800)
        return {
            "do": "announce", "round": ROUND, "venue": VENUE, "starts_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", starts),
            "profile": "cpl-2017", "deposit": DEPOSIT, "shares": ["50", "30", "20"], "seats_per_table": 9,
            "levels": [{"sb": 25 * n, "bb": 50 * n, "ante": 0, "minutes": 20} for n in range(1, 13)],
        }  # fmt: skip

    def _bring_roster(self, journal: Journal) -> None:
        """As the uplink would: the league's stream, signed by the league."""
        people = [(COMMISSIONER, COMMISSIONER_UID, "commissioner", "Alžběta Komisařová")]
        people += [(number_of(n), uid_of(n), "participant", name_of(n)) for n in range(self._players)]
        entries = [
            RosterEntry(participant=number, state="active", cards=(uid,), role=role, name=name)
            for number, uid, role, name in people
        ]
        policy, stream = CardPolicy(least="uid"), f"league/{VENUE}"
        with Journal(self.folder / "league.journal", device="league", key=self._league) as league:
            with league.begin() as transaction:
                epoch = transaction.open_epoch(stream, "begin", 1).epoch
                drafts = [
                    Draft(kind, rec.msgspec.Raw(data)) for kind, data in map(encode_roster_event, [policy, *entries])
                ]
                transaction.append(stream, epoch, drafts, 1)
                transaction.commit()
            journal.absorb(stream, epoch, league.read(stream, epoch))
