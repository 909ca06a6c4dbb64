"""One chaos evening from beginning to verdict."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from appliance.identity import load_or_make, public_hex
from appliance.journal import JournalError
from chaos import script as scripts
from chaos import verdict
from chaos.faults import Chaos, schedule
from chaos.house import House, opened
from chaos.partings import Broken
from chaos.people import VENUE
from chaos.plan import Lan
from chaos.play import Play

DIRECTS = "who directs"

SETTLE_S = 120.0
"""How long everything may take to arrive everywhere, once nothing fails any more."""


class Size(NamedTuple):
    """How large an evening is, and how wild."""

    players: int
    tables: int
    speed: int
    rate: float
    minutes: float
    lan: Lan
    hasty: bool = False
    """Whether people take over before the room has missed the director."""


class Evening:
    """``told`` is a line about it, once it has run."""

    def __init__(self, folder: Path, seed: int, size: Size, starts_at: str) -> None:
        self.told = "did not begin"
        self._folder, self._seed, self._size = folder, seed, size
        announced = scripts.announcement(seed, size.players, size.tables, starts_at, VENUE)
        self._script = scripts.write(seed, size.players, announced)
        self._faults = schedule(seed, len(self._script.steps), size.tables, size.rate)
        self._log = folder / "evening.log"

    def run(self) -> list[str]:
        """Play it, with faults, then let it settle and look at everything; the promises that were broken."""
        chance = random.Random(f"clocks {self._seed}")
        wrong = self._size.rate > 0
        house = House(
            self._folder, self._size.tables, self._size.speed, self._seed, self._size.lan,
            lambda: chance.randint(-3600, 3600) if wrong else 0, self._script.tracked,
        )  # fmt: skip
        chaos = Chaos(house, self._faults, self._say)
        house.each_tick = chaos.tick
        play = Play(house, self._script, chaos, self._seed, self._say)
        play.hasty = self._size.hasty or random.Random(f"hasty {self._seed}").random() < 0.5
        play.minutes = self._size.minutes
        broken: list[str] = []
        took = 0.0
        (self._folder / "faults.txt").write_text("".join(f"{fault}\n" for fault in self._faults))
        with opened(house, self._script, self._size.players):
            begun = time.monotonic()
            try:
                play.run()
            except Broken as error:
                broken.append(str(error))
            took = time.monotonic() - begun
            chaos.calm()
            settled = bool(broken) or house.wait_for(lambda: self._settled(house), SETTLE_S, 0.5)
            house.silence_league()  # else it may tell something new while the programs end
            settled = settled and (bool(broken) or house.wait_for(lambda: self._settled(house), SETTLE_S, 0.5))
            if not settled:
                broken.append(f"{SETTLE_S:.0f} s after the last fault it was not all everywhere")
        broken += self._look(house, play, whole=not broken)
        house.keep()
        house.remove()
        self.told = (
            f"{self._script.announcement['profile']}, {len(self._script.steps)} steps in {took:.0f} s, "
            f"{len(self._faults)} faults, {len(play.answered)} answers, {dict(play.counts)}, "
            f"network {dict(house.proxy.counts)}, slowest {play.slowest[0]:.1f} s ({play.slowest[1]})"
        )
        return broken

    def _say(self, line: str) -> None:
        with self._log.open("a") as log:
            log.write(f"{time.strftime('%H:%M:%S')} {line}\n")

    def _settled(self, house: House) -> bool:
        """Whether all copies are as long as each other, and the league has everything."""
        try:
            return not self._copies(house)
        except (OSError, JournalError):
            return False

    def _copies(self, house: House) -> list[str]:
        """Copies that are not the same, of all that are still there."""
        files = self._journals(house)
        holders = {name: verdict.held_by(file) for name, file in files.items()}
        league = verdict.raws(verdict.held_by_league(self._database(house)))
        old = holders.pop("director") if house.directs != "director" and "director" in holders else {}
        counting = {name: verdict.what_counts(held) for name, held in holders.items()}
        found = verdict.copies(counting, ("round/", "venue/", "table/", "league/"))
        both = {DIRECTS: counting[DIRECTS], "the league": verdict.what_counts(league)}
        found += verdict.copies(both, ("round/", "venue/", "table/"))
        return found + verdict.kept("the old director", old, "the new one", holders[DIRECTS])

    def _journals(self, house: House) -> dict[str, Path]:
        """Of all devices that are still there, and of whoever directs as such."""
        names = [name for name in ("director", "floor", *house.kiosks) if house.home_of(name).name not in house.gone]
        return {DIRECTS: house.directors_data() / "journal"} | {name: house.data(name) / "journal" for name in names}

    def _database(self, house: House) -> Path:
        return house.plan.league_folder / "league.sqlite3"

    def _look(self, house: House, play: Play, *, whole: bool) -> list[str]:
        """All that was promised; ``whole``: the script was played to its end."""
        database = self._database(house)
        found: list[str] = []
        journals = self._journals(house)
        for file in journals.values():
            found += _careful(partial(verdict.chains, file), str(file))
        keys = {name: public_hex(load_or_make(house.data(name) / "device.key")) for name in house.devices}
        keys["league"] = house.league_key
        if house.dead is not None:
            keys[house.stand_in] = public_hex(load_or_make(house.dead / "device.key"))
            keys[house.let_in] = house.spare_key
        league = verdict.held_by_league(database)
        found += verdict.league_chains(league, keys)
        found += _careful(lambda: self._copies(house), "copies")
        found += verdict.once(play.answered, verdict.what_counts(verdict.raws(league)))
        found += verdict.decided(play.apart, verdict.held_by(journals[DIRECTS]))
        found += verdict.under_tokens(verdict.held_by(journals[DIRECTS]))
        found += verdict.league_worries(database, house.let_in)
        unasked = [(e.name, e.code) for e in house.ended if not house.programs[e.name].host.was_full(e.at)]
        found += [f"{name} ended by itself with {code}, {n} times" for (name, code), n in Counter(unasked).items()]
        if whole:
            if house.directs != "director":
                journals.pop("director", None)  # followed: it goes no further
            ledgers = {name: verdict.folded(file) for name, file in journals.items()}
            found += verdict.outcomes(self._script.ledger, ledgers)
            told = {name: verdict.hands(file, self._script.tracked) for name, file in journals.items()}
            found += verdict.dealt(play.dealt, told)
            found += verdict.league_results(self._script.ledger, database)
        return found


def _careful(look: Callable[[], list[str]], what: str) -> list[str]:
    try:
        return look()
    except (OSError, JournalError) as error:
        return [f"{what}: {error}"]
