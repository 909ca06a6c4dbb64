"""The public page in a browser while the demo is played: places come by themselves, as the director wrote them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from appliance import audit, record
from appliance.apps.demo_season import PLAYERS, ROUND
from appliance.game.events import Busted, decode_event
from appliance.journal import Journal
from tests.league.test_browser import browser

__all__ = ["browser"]

NAMES = {person.number: f"{person.first_name} {person.surname}" for person in PLAYERS if person.published}
BUSTS = 3


class Demo:
    """One that plays in the background; what it says is read as it comes."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._said: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-m", "appliance", "demo", "--headless", "--speed", "150", "--out", str(out)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ, start_new_session=True,
        )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.append(line)

    def address(self) -> str:
        """Where its league's pages are."""
        until = time.monotonic() + 120
        while not (found := re.search(r"the league's pages: (\S+)/\n", "".join(self._said))):
            assert time.monotonic() < until and self._process.poll() is None, self._said
            time.sleep(0.1)
        return found[1]

    def out(self) -> list[str]:
        """Who has lost by the director's journal, first ones first; undone ones too."""
        with Journal(self._out / "house" / "director" / "journal", read_only=True) as journal:
            records = [record.decode(raw) for _, raw in audit.every_record(journal)]
        events = (decode_event(each.type, each.data) for each in records if each.stream == f"round/{ROUND}")
        return [event.participant for event in events if isinstance(event, Busted)]

    def close(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    made = Demo(tmp_path / "out")
    yield made
    made.close()


@pytest.mark.xdist_group("demo")
def test_the_rounds_page_goes_on_by_itself_while_the_demo_is_played(demo: Demo, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740}, locale="cs-CZ")
    page.goto(f"{demo.address()}/")
    page.locator(f'a[href$="/rounds/{ROUND}/"]').first.click()
    expect(page.locator("[data-live-now]")).to_be_visible(timeout=120_000)
    page.evaluate("window.sameAsBefore = true")
    seen: set[str] = set()
    until = time.monotonic() + 180
    while len(seen) < BUSTS:
        assert time.monotonic() < until, seen
        for number in demo.out():
            if number not in seen:
                row = page.locator(f'[data-row="{number}"]')
                if row.count():  # it may have been undone: the demo takes one back
                    expect(row).to_contain_text(NAMES.get(number, number))
                    seen.add(number)
        time.sleep(0.2)
    out, left = page.evaluate(
        "[document.querySelectorAll('[data-row]').length, +[...document.querySelectorAll('dl.facts dt')]"
        ".find(dt => dt.innerText == 'Ve hře').nextElementSibling.innerText]"
    )
    assert out + left == len(PLAYERS)
    assert page.evaluate("window.sameAsBefore") is True, "it was never loaded again"
    page.close()
