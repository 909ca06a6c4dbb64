"""The public page counts the clock that a table shows, at a venue that is far off and runs six times as fast."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

from appliance.apps.demo_season import PLAYERS
from appliance.orphan import die_with_parent
from tests.system.hands import Hand, command
from tests.system.houses import House
from tests.system.leagues import EVENING

SPEED = 6
BEGINS_MS = round(EVENING.timestamp() * 1000) - 120_000
AGREE_MS = 1000


class Table:
    """A table's kiosk, which says what it shows (`tests.system.clock_teller`)."""

    def __init__(self, house: House) -> None:
        log = (house.folder / "logs" / "teller.log").open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.system.clock_teller", *house.files("table-1")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=die_with_parent(),
        )  # fmt: skip

    def shows(self) -> dict[str, Any]:
        """What it shows at ``mono``, in seconds of CLOCK_MONOTONIC, a moment from now."""
        assert self._process.stdin is not None and self._process.stdout is not None
        target = time.monotonic_ns() + 20_000_000
        self._process.stdin.write(f"at {target}\n")
        self._process.stdin.flush()
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return told | {"mono": target / 1e9}

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Page:
    """A round's public page, read as its script reads it."""

    def __init__(self, house: House) -> None:
        base = house.wait_for("the pages", lambda: re.findall(r"serving (http\S+)", house.programs["web"].said()))[0]
        self._url = f"{base.rstrip('/')}/en/rounds/R1/"

    def read(self) -> str:
        with urllib.request.urlopen(self._url, timeout=10) as answer:
            return str(answer.read().decode())

    def clock(self) -> dict[str, Any] | None:
        found = re.search(r'data-clock="([^"]+)"', self.read())
        return None if found is None else json.loads(unescape(found[1]))

    def left_ms(self, mono: float) -> float:
        """What is left of the level at a reading of CLOCK_MONOTONIC, by the server's time as a browser knows it."""
        clock = self.clock()
        assert clock is not None and clock["running"]
        now = (time.time() - time.monotonic() + mono) * 1000
        by = clock["by"]
        left: float = clock["ends_at"] - (by["ms"] + (now - by["at"]) * by["pace"])
        return left


def test_CK_1_the_public_page_shows_the_tables_own_clock_and_says_when_the_venue_is_gone(
    open_house: Callable[..., House], season: Path
) -> None:
    house = open_house(league=season, speed=SPEED, start_ms=BEGINS_MS)
    house.start("ingest", "director", "uplink", "web")
    table, page = Table(house), Page(house)
    try:
        hand = Hand(house, "floor")
        hand.ping()
        house.wait_for("the roster", lambda: PLAYERS[0].number in house.roster("director").entries)
        assert hand.ask(command({"do": "open"})).ok
        for person in PLAYERS[:4]:
            assert hand.ask(command({"do": "register", "participant": person.number, "identity_checked": True})).ok
        assert hand.ask(command({"do": "start"})).ok
        hand.close()
        house.wait_for("the table's clock", lambda: table.shows()["ready"])
        house.wait_for("the public clock", lambda: (page.clock() or {}).get("by", {}).get("pace") == SPEED)

        def agree() -> bool:
            shown = table.shows()
            return abs(shown["left_ms"] - page.left_ms(shown["mono"])) <= AGREE_MS

        for _ in range(3):
            assert agree()
            time.sleep(0.3)
        assert "data-live-now" in page.read()
        house.kill("uplink")
        house.wait_for("the page to say so", lambda: "the venue is not connected" in page.read())
        assert page.clock() is None and "data-live-now" not in page.read()
        house.start("uplink")
        house.wait_for("it to be back", lambda: page.clock() is not None and "data-live-now" in page.read())
        assert agree()
    finally:
        table.close()
