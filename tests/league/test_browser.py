"""The public pages in a real browser, on a phone and on a desk, in both languages, with scripts off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Page, Request, sync_playwright

from appliance.link.broker import find_broker, start_broker
from tests.league.processes import League, Uplink, eventually, fetch
from tests.league.scribe import evening

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZES = {"phone": (390, 844), "desk": (1280, 800)}


@pytest.fixture
def browser() -> Iterator[Browser]:
    assert CHROMIUM.exists(), "Debian's chromium is missing: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def site(league: League, tmp_path: Path, director_key: Ed25519PrivateKey) -> str:
    """The address of a league that has received the evening."""
    with start_broker(find_broker(), tmp_path / "broker") as broker:
        url = f"mqtt://{broker.endpoint.host}:{broker.endpoint.port}"
        league.start("ingest", "--broker", url, until="ingest: connected")
        uplink = Uplink(broker)
        uplink.deliver(evening(director_key), 500)
        uplink.client.stop()
        _, line = league.start("serve", "--port", "0", until="serving")
        base = re.findall(r"http://\S+", line)[0]
        eventually(lambda: fetch(f"{base}api/1/rounds/R1.json")["state"], "finished")
    return base.rstrip("/")


def look(page: Page, address: str, path: Path) -> None:
    """Open a page, keep its picture, and see that it came whole and fits the width."""
    complaints: list[str] = []

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page before was left while its icon was on the way
            complaints.append(f"{request.url} {request.failure}")

    page.on("console", lambda message: complaints.append(message.text))
    page.on("requestfailed", failed)
    answer = page.goto(address)
    assert answer is not None
    assert answer.ok
    page.screenshot(path=path, full_page=True)
    assert complaints == []
    width = page.viewport_size["width"] if page.viewport_size else 0
    assert int(page.locator("html").evaluate("html => html.scrollWidth")) <= width


def test_a_visitor_finds_the_standings_and_the_round_in_both_languages(
    site: str, browser: Browser, tmp_path: Path
) -> None:
    for size, (width, height) in SIZES.items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=False, locale="de-DE"
        )
        page = context.new_page()
        look(page, f"{site}/", tmp_path / f"{size}-home.png")
        assert page.locator("h1").inner_text() == "Kalendář kol"
        page.get_by_role("link", name="1. kolo").click()
        first = page.locator("tbody tr").first.inner_text()
        assert first.split() == ["1.", "Vít", "Svoboda", "000118", "3", "425", "Kč", "130"]
        page.get_by_role("link", name="English").click()
        assert page.get_by_role("heading", name="Results").is_visible()
        assert "CZK 3,425" in page.locator("tbody tr").first.inner_text()
        page.get_by_role("link", name="Standings").click()
        assert page.locator("h1").inner_text() == "Standings"
        assert page.locator("tbody tr").count() == 18
        assert page.get_by_text("Points key unconfirmed").is_visible()
        page.get_by_role("link", name="Čeština").click()
        assert page.locator("h1").inner_text() == "Pořadí"
        for name in ("standings", "rounds/R1"):
            look(page, f"{site}/{name}/", tmp_path / f"{size}-{name.replace('/', '-')}.png")
            look(page, f"{site}/en/{name}/", tmp_path / f"{size}-{name.replace('/', '-')}-en.png")
        context.close()
