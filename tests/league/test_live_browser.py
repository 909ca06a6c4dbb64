"""A round's page in a real browser while the round is played: it goes on by itself, and says when it cannot."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, expect

from appliance.game.round import INITIAL
from appliance.link.broker import find_broker, start_broker
from league.standings.results import Folded, fold_on
from tests.league.processes import League, Uplink
from tests.league.scribe import Scribe, evening_script, play
from tests.league.test_browser import browser
from tests.league.test_live import Evening

__all__ = ["browser"]

SIZES = {"phone": 360, "desk": 1280}
STAMP = re.compile(r'"at": "([^"]+)"')


def evening_now(key: Ed25519PrivateKey, left: timedelta) -> Scribe:
    """The evening of the test data, one of whose levels has so much left just now."""
    lines = evening_script()
    third = [n for n, line in enumerate(lines) if '"bust"' in line][2]
    begun = play(Scribe("round/R1", "director", key), lines[: third + 1])
    round = fold_on(Folded(INITIAL), ((begun.epoch, n, raw) for n, raw in enumerate(begun.raws, 1))).ledger.round
    assert round is not None
    assert round.clock is not None
    later = datetime.now().astimezone() + left - datetime.fromtimestamp(round.clock.ends_at / 1000, UTC)

    def moved(found: re.Match[str]) -> str:
        return f'"at": "{(datetime.fromisoformat(found[1]) + later).isoformat(timespec="seconds")}"'

    return play(Scribe("round/R1", "director", key), [STAMP.sub(moved, line) for line in lines])


@pytest.fixture
def playing(league: League, tmp_path: Path, director_key: Ed25519PrivateKey) -> Iterator[Evening]:
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        league.start("ingest", "--broker", f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}", until="connected")
        uplink = Uplink(broker)
        found = Evening(league, uplink, evening_now(director_key, timedelta(seconds=25)))
        found.play(found.busts[2])
        found.serve()
        yield found
        uplink.client.stop()


def test_a_rounds_page_goes_on_by_itself_and_says_when_it_cannot(
    playing: Evening, browser: Browser, tmp_path: Path
) -> None:
    pages = {}
    complaints: list[str] = []
    for size, width in SIZES.items():
        context = browser.new_context(viewport={"width": width, "height": 800}, locale="de-DE")
        pages[size] = page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{playing.base}/{'en/' if size == 'desk' else ''}rounds/R1/")
        expect(page.locator("tbody tr[data-row]")).to_have_count(3)
        expect(page.locator("[data-live-status]")).to_be_visible()
        page.screenshot(path=tmp_path / f"{size}-live.png", full_page=True)
    desk, phone = pages["desk"], pages["phone"]
    # the level ends with no word from anybody
    level = int(desk.locator("[data-clock-label]").inner_text().removeprefix("Level "))
    expect(desk.locator("[data-clock-label]")).to_have_text(f"Level {level + 1}", timeout=60_000)
    expect(desk.locator("[data-clock-left]")).to_have_text(re.compile("^(20:00|19:..)$"))
    expect(phone.locator("[data-clock-label]")).to_have_text(f"{level + 1}. úroveň")
    playing.play(playing.busts[3])
    for page in pages.values():
        expect(page.locator("tbody tr[data-row]")).to_have_count(4)
        expect(page.locator("tr.fresh")).to_have_count(1)
    desk.screenshot(path=tmp_path / "desk-bust.png", full_page=True)
    playing.server.send_signal(signal.SIGKILL)
    playing.server.wait()
    expect(phone.get_by_text("Spojení je přerušené.")).to_be_visible()
    expect(desk.get_by_text("The connection is gone.")).to_be_visible()
    phone.screenshot(path=tmp_path / "phone-gone.png", full_page=True)
    desk.screenshot(path=tmp_path / "desk-gone.png", full_page=True)
    playing.play(playing.busts[4])
    playing.serve(int(playing.base.rsplit(":", 1)[1]))
    for page in pages.values():
        expect(page.locator("tbody tr[data-row]")).to_have_count(5)
        expect(page.locator("[data-live-off]")).to_be_hidden()
        assert page.viewport_size is not None
        assert int(page.locator("html").evaluate("html => html.scrollWidth")) <= page.viewport_size["width"]
    playing.play(len(playing.stream.raws))
    expect(desk.get_by_role("heading", name="Results")).to_be_visible()
    expect(desk.locator("[data-clock]")).to_have_count(0)
    desk.screenshot(path=tmp_path / "desk-over.png", full_page=True)
    assert complaints == []


def test_without_a_script_the_page_is_whole_and_can_be_loaded_again(
    playing: Evening, browser: Browser, tmp_path: Path
) -> None:
    for n, (language, width, words) in enumerate((("", 360, "Načíst znovu"), ("en/", 1280, "Load again"))):
        context = browser.new_context(viewport={"width": width, "height": 800}, java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{playing.base}/{language}rounds/R1/")
        page.screenshot(path=tmp_path / f"still-{width}.png", full_page=True)
        expect(page.locator("tbody tr[data-row]")).to_have_count(3 + n)
        expect(page.locator(".clock")).to_be_visible()
        assert page.locator("meta[http-equiv=refresh]").count() == 1
        playing.play(playing.busts[3 + n])
        time.sleep(2.1)  # a page is kept so long at most
        page.get_by_role("link", name=words).click()
        expect(page.locator("tbody tr[data-row]")).to_have_count(4 + n)


def test_a_round_that_begins_stands_among_those_under_way(
    league: League, browser: Browser, tmp_path: Path, director_key: Ed25519PrivateKey
) -> None:
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        league.start("ingest", "--broker", f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}", until="connected")
        uplink = Uplink(broker)
        evening = Evening(league, uplink, evening_now(director_key, timedelta(seconds=25)))
        evening.play(2)
        evening.serve()
        page = browser.new_context(viewport={"width": 360, "height": 800}, locale="de-DE").new_page()
        page.goto(f"{evening.base}/en/")
        expect(page.locator("[data-coming] .rounds a")).to_have_count(1)
        evening.play(evening.busts[2])
        expect(page.locator("[data-live] .rounds a")).to_have_count(1)
        expect(page.locator("[data-coming] .rounds a")).to_have_count(0)
        page.screenshot(path=tmp_path / "home.png", full_page=True)
        uplink.client.stop()


TRIES = """
window.tries = [];
window.EventSource = class {
  constructor() { window.tries.push(Date.now()); setTimeout(() => this.onerror && this.onerror(), 1); }
  addEventListener() {}
  close() { this.onerror = null; }
};
"""
"""A browser's streams while the server is away: each try fails at once, and its time is noted."""


def test_a_screen_tries_as_often_as_a_phone_and_not_all_of_them_at_one_moment(league: League, browser: Browser) -> None:
    _, line = league.start("serve", "--port", "0", until="serving")
    base = re.findall(r"http://\S+", line)[0].rstrip("/")
    tries: dict[str, list[list[float]]] = {}
    for address in ("/tv/", "/"):
        for _ in range(2):
            page = browser.new_context().new_page()
            page.clock.install()
            page.add_init_script(TRIES)
            page.goto(f"{base}{address}")
            page.clock.run_for(10 * 60_000)
            times = page.evaluate("window.tries")
            tries.setdefault(address, []).append([b - a for a, b in pairwise(times)])
            page.close()
    for gaps in tries["/tv/"] + [each[:25] for each in tries["/"]]:
        assert len(gaps) > 20
        assert max(gaps) <= 5_100
    for each in tries["/"]:
        assert 5_100 < max(each) <= 30_100
    for one, other in tries.values():
        assert one[:5] != other[:5]
