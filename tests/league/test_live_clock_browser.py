"""The clock of a round's page in a real browser: it goes as fast as the venue's, and stands while the venue is away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Page, expect

from appliance.game.round import INITIAL
from appliance.link import envelope, topics
from appliance.link.broker import find_broker, start_broker
from appliance.link.envelope import State
from league.standings.results import Folded, fold_on
from tests.league.processes import League, Uplink
from tests.league.scribe import Scribe, evening
from tests.league.test_browser import browser
from tests.league.test_desk import VENUE
from tests.league.test_live import Evening

__all__ = ["browser"]

PACE = 6


def ends_at(stream: Scribe, upto: int) -> int:
    """When the level ends that is played after so many records, by the venue's clock."""
    records = ((stream.epoch, n, raw) for n, raw in enumerate(stream.raws[:upto], 1))
    round = fold_on(Folded(INITIAL), records).ledger.round
    assert round is not None
    assert round.clock is not None
    return round.clock.ends_at


@pytest.fixture
def playing(league: League, tmp_path: Path, director_key: Ed25519PrivateKey) -> Iterator[Evening]:
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        league.start("ingest", "--broker", f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}", until="connected")
        uplink = Uplink(broker)
        found = Evening(league, uplink, evening(director_key))
        found.play(found.busts[2])
        found.serve()
        yield found
        uplink.client.stop()


def says(playing: Evening, at: int | None, online: bool = True) -> None:
    state = State("uplink", online, at=at, pace=PACE, again_s=60)
    assert playing.uplink.client.publish(topics.up(VENUE, "state"), envelope.encode(state))


def left_s(page: Page) -> tuple[float, int]:
    """What the page shows, in seconds, and when."""
    minutes, seconds = page.locator("[data-clock-left]").inner_text().split(":")
    return time.monotonic(), int(minutes) * 60 + int(seconds)


def test_CK_1_a_pages_clock_goes_as_fast_as_the_venues_and_stands_while_it_is_away(
    playing: Evening, browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_context(viewport={"width": 360, "height": 800}).new_page()
    says(playing, ends_at(playing.stream, playing.busts[2]) - 600_000)
    said = time.monotonic()
    page.goto(f"{playing.base}/en/rounds/R1/")
    expect(page.locator("[data-clock*='\"pace\": 6']")).to_have_count(1)
    expect(page.locator(".live-now")).to_be_visible()
    for _ in range(3):
        at, left = left_s(page)
        assert abs(600 - (at - said) * PACE - left) < 2 * PACE
        time.sleep(0.5)
    says(playing, None, online=False)
    expect(page.get_by_text("the venue is not connected")).to_be_visible()
    expect(page.locator("[data-clock]")).to_have_count(0)
    expect(page.locator(".live-now")).to_be_hidden()
    expect(page.locator(".live-still")).to_be_visible()
    stood = left_s(page)[1]
    page.screenshot(path=tmp_path / "away.png", full_page=True)
    time.sleep(0.6)
    assert left_s(page)[1] == stood
    says(playing, None)
    expect(page.locator("[data-clock]")).to_have_count(1)
    at, left = left_s(page)
    assert abs(600 - (at - said) * PACE - left) < 2 * PACE
