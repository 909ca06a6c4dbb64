"""The public pages in a real browser, on a phone and on a desk, in both languages, with scripts off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from appliance.link.broker import find_broker, start_broker
from tests.league.office import enrol_at
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
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


PASSWORD = "Žižkov-1424-kalich"
STEEP = {"name": "oprava-2027", "winner": {"3": 150, "16": 300}, "step": 25, "scoring": 9, "confirmed": True}


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
        expect(page.locator("h1")).to_have_text("Kalendář kol")
        page.get_by_role("link", name="1. kolo").click()
        first = page.locator("tbody tr").first.inner_text()
        assert first.split() == ["1.", "Vít", "Svoboda", "000118", "3", "425", "Kč", "130"]
        page.get_by_role("link", name="English").click()
        expect(page.get_by_role("heading", name="Results")).to_be_visible()
        expect(page.locator("tbody tr").first).to_contain_text("CZK 3,425")
        page.get_by_role("link", name="Standings").click()
        expect(page.locator("h1")).to_have_text("Standings")
        expect(page.locator("tbody tr")).to_have_count(18)
        expect(page.get_by_text("Points key unconfirmed")).to_be_visible()
        page.get_by_role("link", name="Čeština").click()
        expect(page.locator("h1")).to_have_text("Pořadí")
        for name in ("standings", "rounds/R1"):
            look(page, f"{site}/{name}/", tmp_path / f"{size}-{name.replace('/', '-')}.png")
            look(page, f"{site}/en/{name}/", tmp_path / f"{size}-{name.replace('/', '-')}-en.png")
        context.close()


def test_P_staff_correct_the_key_and_visitors_are_told_in_both_languages(
    site: str, league: League, browser: Browser, tmp_path: Path
) -> None:
    league.env |= {"DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    league.run("createsuperuser", "--noinput", "--username", "clerk", "--email", "clerk@example.cz")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="de-DE")
    page = context.new_page()
    enrol_at(page, site, "clerk", PASSWORD)
    page.goto(f"{site}/admin/")
    page.get_by_role("link", name="Ročníky", exact=True).first.click()
    page.get_by_role("link", name="2027", exact=True).click()
    page.get_by_role("link", name="Opravit bodový klíč").click()
    page.screenshot(path=tmp_path / "key.png", full_page=True)
    page.fill("#id_key", json.dumps(STEEP))
    page.get_by_role("button", name="Ukázat, koho se oprava týká").click()
    page.screenshot(path=tmp_path / "preview.png", full_page=True)
    expect(page.locator("tr.moved")).to_have_count(9)
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("button", name="Show who would move")).to_be_visible()
    page.fill("#id_key", json.dumps(STEEP))
    page.get_by_role("button", name="Show who would move").click()
    page.screenshot(path=tmp_path / "preview-en.png", full_page=True)
    expect(page.locator("tr.moved").first).to_contain_text("000118 Vít Svoboda")
    page.fill("#id_reason", "table misread in the only copy")
    page.get_by_role("button", name="Correct the key and compute the season anew").click()
    expect(page.get_by_text("Recorded; the season is computed anew.")).to_be_visible()
    page.screenshot(path=tmp_path / "recorded-en.png", full_page=True)
    page.get_by_role("link", name="Čeština").click()
    page.get_by_role("link", name="Opravy bodového klíče").first.click()
    page.screenshot(path=tmp_path / "corrections.png", full_page=True)
    context.close()
    for size, (width, height) in SIZES.items():
        context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=False)
        page = context.new_page()
        for name in ("standings", "rounds/R1"):
            look(page, f"{site}/{name}/", tmp_path / f"{size}-corrected-{name.replace('/', '-')}.png")
            expect(page.get_by_text("Opravený klíč")).to_be_visible()
            expect(page.locator("tbody tr").first.locator(".points")).to_have_text("310")
            look(page, f"{site}/en/{name}/", tmp_path / f"{size}-corrected-{name.replace('/', '-')}-en.png")
            expect(page.get_by_text("Corrected key")).to_be_visible()
        context.close()
