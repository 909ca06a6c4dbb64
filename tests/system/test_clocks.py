"""Ten screens agree on what is left of a level, whatever their wall clocks say and whoever directs (DESIGN §5)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.apps.demo_season import FLOOR, PLAYERS
from appliance.identity import load_or_make
from appliance.orphan import die_with_parent
from chaos.clocks import WallClock, library
from tests.system.hands import Hand, command
from tests.system.houses import House, NeverHappened, Program

AGREE_MS = 50
HOUR, YEAR = 3600, 31_536_000
WALLS = {
    "table-1": 0, "table-2": HOUR, "table-3": -HOUR, "table-4": -50 * YEAR, "table-5": 3 * 86_400, "table-6": -17 * 60,
    "table-7": 2, "table-8": -3 * HOUR, "table-9": HOUR // 2, "door": -7 * YEAR,
}  # fmt: skip


class Screens:
    """The venue: its director, and ten kiosks, each a process with a wall clock of its own."""

    def __init__(self, house: House, folder: Path) -> None:
        shim = library(folder)
        self.house = house
        self.walls = {
            name: WallClock(folder / f"{name}.clock", shim, ahead)
            for name, ahead in {**WALLS, "director": -56 * YEAR}.items()
        }
        for name in WALLS:
            house.data(name)
            house.keys[name] = load_or_make(house.data(name) / "device.key")
        house._write_site(1, None)
        for made in ("anchor.json", "time-trusted"):  # by the clock of this process, when the house was laid out
            (house.data("director") / made).unlink(missing_ok=True)
        direct = [sys.executable, "-m", "appliance", "director", *house.files("director")]
        house.programs["director"] = Program(
            "director", direct, folder / "director.log", self.walls["director"].environment
        )
        self.kiosks = {name: self._kiosk(name, folder) for name in WALLS}

    def _kiosk(self, name: str, folder: Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.system.clock_teller", *self.house.files(name)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(folder / f"{name}.err").open("w"), text=True,
            env={**os.environ, **self.walls[name].environment}, preexec_fn=die_with_parent(),
        )  # fmt: skip

    def close(self) -> None:
        for kiosk in self.kiosks.values():
            assert kiosk.stdin is not None and kiosk.stdout is not None
            kiosk.stdin.close()
            kiosk.wait(20)
            kiosk.stdout.close()

    def say(self, name: str, line: str) -> None:
        pipe = self.kiosks[name].stdin
        assert pipe is not None
        pipe.write(line + "\n")
        pipe.flush()

    def hear(self, name: str) -> dict[str, Any]:
        pipe = self.kiosks[name].stdout
        assert pipe is not None
        line = pipe.readline()
        assert line, f"{name} has ended"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def look(self) -> dict[str, dict[str, Any]]:
        """What all show at one instant, a moment from now."""
        target = time.monotonic_ns() + 50_000_000
        for name in self.kiosks:
            self.say(name, f"at {target}")
        return {name: {**self.hear(name), "mono_ms": target / 1e6} for name in self.kiosks}

    def all_show(self, what: str, holds: Callable[[dict[str, Any]], object]) -> dict[str, dict[str, Any]]:
        last: dict[str, dict[str, Any]] = {}

        def found() -> bool:
            last.update(self.look())
            return all(each["ready"] and holds(each) for each in last.values())

        try:
            self.house.wait_for(what, found)
        except NeverHappened as error:
            raise NeverHappened(f"{error}\n{last}") from None
        return last

    def agree(self, when: str, seen: dict[str, dict[str, Any]] | None = None) -> dict[str, dict[str, Any]]:
        seen = seen or self.look()
        left = {name: each["left_ms"] for name, each in seen.items()}
        assert max(left.values()) - min(left.values()) <= AGREE_MS, (when, left)
        assert all(each["shown_s"] == each["stamped_s"] for each in seen.values()), (when, seen)
        return seen

    def goes_on(self, before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> None:
        """No screen has jumped: what is left has shrunk by what has passed."""
        for name, then in before.items():
            now = after[name]
            passed = now["mono_ms"] - then["mono_ms"]
            assert abs(then["left_ms"] - now["left_ms"] - passed) <= AGREE_MS, (name, then, now)


@pytest.fixture
def screens(open_house: Callable[..., House], tmp_path: Path) -> Iterator[Screens]:
    screens = Screens(open_house(), tmp_path)
    yield screens
    screens.close()


def test_CK_1_ten_screens_agree_whatever_their_wall_clocks_say_and_whoever_directs(screens: Screens) -> None:
    house, hand = screens.house, Hand(screens.house, "floor")
    for body in (
        {"do": "open"},
        *({"do": "register", "participant": p.number, "identity_checked": True} for p in PLAYERS[:10]),
        {"do": "start"},
    ):
        reply = hand.ask(command(body))
        assert reply.ok, (body, reply)
    first = screens.agree("at first", screens.all_show("the clock", lambda each: each["running"]))
    walls = [each["wall"] for each in first.values()]
    assert max(walls) - min(walls) > 50 * YEAR  # they do differ
    pong = hand.ping()
    truth = {each["at"] - each["mono_ms"] for each in first.values()}
    assert max(abs(offset - (pong.at - pong.mono)) for offset in truth) <= AGREE_MS
    hand.close()

    screens.walls["table-1"].step(7 * 60)
    screens.walls["table-2"].step(-11 * HOUR)
    screens.walls["director"].step(20 * 60)
    stepped = screens.agree("after steps")
    assert stepped["table-1"]["wall"] - first["table-1"]["wall"] > 7 * 60
    screens.goes_on(first, stepped)

    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=die_with_parent()) for _ in range(3)
    ]
    try:
        for _ in range(3):
            screens.goes_on(first, screens.agree("under load"))
    finally:
        for each in busy:
            each.kill()
            each.wait()

    house.kill("director")
    screens.goes_on(first, screens.agree("without a director"))
    house.start("director")
    again = screens.all_show("the director again", lambda each: each["director"])
    screens.goes_on(first, screens.agree("after its restart", again))

    house.kill("director")
    screens.all_show("it to be missed", lambda each: not each["director"])
    screens.say("table-8", f"direct {FLOOR.number}")
    assert screens.hear("table-8")["begun"]
    taken = screens.all_show("another director", lambda each: each["directs"] == "table-8")
    screens.goes_on(first, screens.agree("after a takeover", taken))
    screens.walls["table-8"].step(-HOUR)
    screens.goes_on(first, screens.agree("after a step of its host"))
