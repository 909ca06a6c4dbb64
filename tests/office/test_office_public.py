"""The public pages as a browser shows them: both languages, a desk, a phone and a television, and without a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, expect

from tests.league.office_crawl import kind
from tests.league.processes import League
from tests.office.conftest import Site, Watched, made, served
from tests.office.test_office_looks import SIZES, faults

OWN = ("/account/", "/me/", "/office/", "/admin/", "/enrol")
ROUTES = {
    "", "rounds/<round:round_id>/", "standings/", "standings/<int:year>/", "standings/<int:year>/records/",
    "players/<number:number>/", "venues/", "venues/<venue:venue_id>/", "rules/", "game-plan/", "prices/", "tv/",
    "tv/<round:round_id>/",
}  # fmt: skip
TV = (1920, 1080)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> League:
    return made(tmp_path_factory.mktemp("public") / "league", "public_world")


@pytest.fixture
def site(played: League, tmp_path: Path) -> Iterator[Site]:
    """A league with rounds that are over, one that is being played, and names of which some are hidden."""
    with served(played, tmp_path / "league") as site:
        site.sessions["nobody"] = ""
        yield site


def visitor(chromium: Browser, site: Site, *, script: bool = True, size: tuple[int, int] = SIZES[0]) -> BrowserContext:
    """Somebody's browser."""
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, java_script_enabled=script, base_url=site.address,
        locale="cs-CZ",
    )  # fmt: skip
    context.set_default_timeout(8_000)
    return context


def pages_of(site: Site) -> list[str]:
    """One public page of each kind and language, and each search."""
    chosen: dict[tuple[str, bool, bool], str] = {}
    for address, answer in site.found("nobody", "/", "/en/").pages.items():
        plain = address.removeprefix("/en")
        if answer.status == 200 and answer.text and not plain.startswith(OWN):
            chosen.setdefault((kind(address), address.startswith("/en/"), "?" in address), address)
    assert {of for of, _, _ in chosen} >= ROUTES
    return list(chosen.values())


def test_P_every_public_page_fits_and_is_accessible_in_both_languages(site: Site, chromium: Browser) -> None:
    context = visitor(chromium, site)
    watched = Watched(context.new_page())
    seen: dict[str, list[str]] = {}
    for address in pages_of(site):
        watched.page.goto(address)
        wanted = "en" if address.startswith("/en/") else "cs"
        assert watched.page.locator("html").get_attribute("lang") == wanted, address
        for width, height in (*SIZES, TV):
            watched.page.set_viewport_size({"width": width, "height": height})
            if found := faults(watched.page, width):
                seen.setdefault(address, []).extend(found)
    context.close()
    assert watched.complaints == []
    assert seen == {}


def test_P_every_public_page_is_whole_without_a_script(site: Site, chromium: Browser) -> None:
    with_script, without = visitor(chromium, site), visitor(chromium, site, script=False)
    one, other = with_script.new_page(), without.new_page()
    for address in pages_of(site):
        one.goto(address)
        other.goto(address)
        for what in ("h1", "tbody tr", "main li", "main h2"):
            assert one.locator(what).count() == other.locator(what).count(), f"{address} {what}"
    with_script.close()
    without.close()


def test_P_somebody_is_found_and_the_calendar_narrowed_without_a_script(site: Site, chromium: Browser) -> None:
    context = visitor(chromium, site, script=False, size=SIZES[1])
    page = context.new_page()
    page.goto(f"/standings/{timezone.localdate().year}/")
    page.get_by_label("Číslo nebo zveřejněné jméno").fill("pesk")
    page.get_by_role("button", name="Hledat").click()
    page.get_by_role("link", name="Alžběta Pešková").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Alžběta Pešková")
    page.goto("/")
    page.get_by_label("Herna").select_option(label="Sokolovna, Zábřeh")
    page.get_by_role("button", name="Zobrazit").click()
    assert "venue=zabreh" in page.url
    expect(page.get_by_role("link", name="Zobrazit vše")).to_be_visible()
    context.close()


BOXES = "parts => parts.map(part => document.querySelector(part).getBoundingClientRect().toJSON())"
"""Both at one moment: a board that is told anew meanwhile takes the place of the one before."""


@pytest.mark.parametrize("script", [True, False])
def test_P_a_television_is_read_from_afar_and_needs_no_hand(site: Site, chromium: Browser, script: bool) -> None:
    least = {
        ".clock-left": 150 if script else 90, ".clock-label": 40, ".screen h2": 40, ".screen-places li": 28,
        ".screen-facts b": 40,
    }  # fmt: skip
    context = visitor(chromium, site, size=TV, script=script)
    page = context.new_page()
    for address in ("/tv/", "/en/tv/", "/tv/LIVE/", "/en/tv/LIVE/"):
        page.goto(address)
        assert int(page.evaluate("document.documentElement.scrollHeight")) <= TV[1], "something is below the edge"
        page.locator(".clock-left span").wait_for()
        clock, left = page.evaluate(BOXES, [".clock", ".clock-left span"])
        assert clock["x"] <= left["x"] and 0 < left["width"] <= clock["width"]
        for part, pixels in least.items():
            # found and measured in one breath: the board may be put in anew at any moment
            size = page.evaluate("part => parseFloat(getComputedStyle(document.querySelector(part)).fontSize)", part)
            assert size >= pixels, (part, size)
    context.close()
