"""A kiosk that was off does not know the evening's time: no clock leaps, whoever has it direct (DESIGN §5, CK-1)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from appliance.apps.demo_season import FLOOR, PLAYERS
from appliance.orphan import die_with_parent
from chaos.clocks import WallClock, library
from tests.system.hands import Hand, command
from tests.system.houses import House
from tests.system.test_restarts import REBOOTED

YEAR = 31_536_000
NEAR_MS = 300
"""What passes between two looks is known from the monotonic clock; the rest is stamps' milliseconds, and a ping's."""


class Kiosk:
    """A kiosk's process with a wall clock of its own, which may be pulled and switched on again."""

    def __init__(self, house: House, name: str) -> None:
        self.house, self.name, self._shim = house, name, library(house.folder)
        self._process: subprocess.Popen[str] | None = None

    def switch_on(self, ahead_s: int = 0) -> None:
        wall = WallClock(self.house.folder / f"{self.name}.clock", self._shim, ahead_s)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.system.clock_teller", *self.house.files(self.name)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, **wall.environment}, preexec_fn=die_with_parent(),
        )  # fmt: skip

    def pull_the_plug(self) -> None:
        """Its program ends, and what was noted is of another boot of the kernel."""
        self.end()
        for file in ("anchor.json", "offset.json"):
            reboot(self.house.data(self.name) / file)

    def ask(self, line: str) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        return answer

    def look(self) -> dict[str, Any]:
        target = time.monotonic_ns() + 5_000_000
        return {**self.ask(f"at {target}"), "mono_ms": target / 1e6}

    def shows(self, what: str, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        last: dict[str, Any] = {}

        def found() -> bool:
            last.update(self.look())
            return "left_ms" in last and bool(holds(last))

        self.house.wait_for(f"{what} at {self.name}", found)
        return last

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def reboot(file: Path) -> None:
    file.write_text(json.dumps({**json.loads(file.read_bytes()), "boot": REBOOTED}))


@contextmanager
def evening(house: House, *names: str) -> Iterator[list[Kiosk]]:
    """A round that runs, on the screens of these kiosks, and no director any more."""
    house.start("director")
    with_clock = [Kiosk(house, name) for name in names]
    try:
        for kiosk in with_clock:
            kiosk.switch_on()
        hand = Hand(house, "floor")
        for body in (
            {"do": "open"},
            *({"do": "register", "participant": p.number, "identity_checked": True} for p in PLAYERS[:10]),
            {"do": "start"},
        ):
            assert hand.ask(command(body)).ok, body
        hand.close()
        for kiosk in with_clock:
            kiosk.shows("the clock", lambda seen: seen["director"] and seen["running"])
        house.wait_for("the copies", lambda: house.same_round(*names))
        house.kill("director")
        for kiosk in with_clock:
            kiosk.shows("that nobody directs", lambda seen: not seen["director"])
        yield with_clock
    finally:
        for kiosk in with_clock:
            kiosk.end()


@pytest.mark.parametrize("ahead_s", [YEAR, -600, -50 * YEAR])
def test_CK_1_a_kiosk_that_was_off_takes_over_at_the_time_of_a_screen_that_was_not(
    open_house: Callable[..., House], ahead_s: int
) -> None:
    with evening(house := open_house(), "door", "table-1") as (door, table):
        door.pull_the_plug()
        door.switch_on(ahead_s)
        rebooted, before = door.shows("the clock", lambda seen: True), table.look()
        assert 0 <= rebooted["left_ms"] - before["left_ms"] < 15_000  # where it last knew: it counts nothing by itself
        time.sleep(1)
        assert door.look()["left_ms"] == pytest.approx(rebooted["left_ms"], abs=NEAR_MS)
        assert door.ask(f"direct {FLOOR.number}")["begun"]
        seen = [each.shows("it to direct", lambda seen: seen["directs"] == "door") for each in (door, table)]
        door.shows("the director's time", lambda seen: seen["ready"])
        seen = [each.shows("a clock that stands", lambda seen: not seen["running"]) for each in (door, table)]
        [pause] = [r for r in house.stream("door", "round/R1") if r["type"] == "clock-set/1"]
        counted = pause["at"] - before["at"]
        for each in seen:
            assert before["left_ms"] - each["left_ms"] == pytest.approx(counted, abs=NEAR_MS)
            assert abs(each["at"] - before["at"] - (each["mono_ms"] - before["mono_ms"])) < NEAR_MS
        assert 0 < counted < seen[0]["mono_ms"] - before["mono_ms"]
        house.kill_director_of("door")


@pytest.mark.parametrize("ahead_s", [1200, -600])
def test_CK_1_where_the_whole_house_was_off_clocks_stand_where_they_were_last_known_to(
    open_house: Callable[..., House], ahead_s: int
) -> None:
    with evening(house := open_house(), "door", "table-1") as (door, table):
        before = door.look()
        table.pull_the_plug()
        door.pull_the_plug()
        door.switch_on(ahead_s)
        off = door.shows("the clock", lambda seen: True)
        assert 0 <= off["left_ms"] - before["left_ms"] < 15_000
        assert door.ask(f"direct {FLOOR.number}")["begun"]
        after = door.shows("it to direct", lambda seen: seen["directs"] == "door" and not seen["running"])
        assert after["left_ms"] == pytest.approx(off["left_ms"], abs=NEAR_MS)
        assert -NEAR_MS < after["at"] - off["at"] < 60_000
        house.kill_director_of("door")


def test_CK_3_a_director_whose_note_of_the_time_was_torn_by_the_power_cut_stands_where_it_wrote_last(
    open_house: Callable[..., House],
) -> None:
    with evening(house := open_house(), "door") as (door,):
        door.end()
        folder = house.data("director")
        (folder / "heartbeat.json").write_bytes(b"")
        anchor = json.loads((folder / "anchor.json").read_bytes())
        later = {**anchor, "boot": REBOOTED}
        (folder / "anchor.json").write_text(json.dumps(later))
        house.start("director")
        house.wait_for(
            "the clock to stand",
            lambda: (r := house.ledger("director", "R1").round) and r.clock and not r.clock.running,
        )
        [pause] = [r for r in house.stream("director", "round/R1") if r["type"] == "clock-set/1"]
        start = [r for r in house.stream("director", "round/R1") if r["type"] != "clock-set/1"][-1]
        assert pause["at"] - start["at"] < 1000
