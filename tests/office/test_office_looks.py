"""Every page of the league as a browser shows it: both languages, a desk and a phone, without a complaint."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.league.office_crawl import kind
from tests.office.conftest import Site, Watched, signed_in

GRAVE = ("serious", "critical")
SIZES = ((1280, 800), (360, 780))
AT_MOST = 1
"""Pages of a kind and language."""
STARTS = {
    "everybody": ("/", "/en/", "/office/", "/en/office/", "/account/second/", "/en/account/second/", "/nowhere/"),
    "participant": ("/me/", "/en/me/", "/me/sent/", "/me/link/old/"),
    "nobody": ("/account/login/", "/en/account/login/"),
}


CUT_OFF = """() => [...document.querySelectorAll('.office *')].filter(each => innerWidth < 640
    && ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1
    && getComputedStyle(each).maskImage === 'none' && each.tagName !== 'TEXTAREA')
    .map(each => each.outerHTML.slice(0, 80))"""
"""What scrolls sideways on a phone and does not fade at its edge: nobody would look for the rest."""


def pages_of(site: Site, who: str) -> list[str]:
    """The addresses that somebody gets to, a few of each kind."""
    chosen: dict[tuple[str, bool, bool], list[str]] = {}
    for address, answer in site.found(who, *STARTS[who]).pages.items():
        own = STARTS[who][0].strip("/") if who != "everybody" else ""
        if answer.text and not answer.to and own in address:
            of = (kind(address), address.startswith("/en/"), "?" in address)
            chosen.setdefault(of, []).append(address)
    return [address for addresses in chosen.values() for address in addresses[:AT_MOST]]


def faults(page: Page, width: int) -> list[str]:
    """What is wrong with a page as it is shown now."""
    found = []
    if int(page.evaluate("document.documentElement.scrollWidth")) > width:
        found.append(f"scrolls sideways at {width}")
    found += [f"cut off without a sign at {width}: {each}" for each in page.evaluate(CUT_OFF)]
    rules: list[dict[str, Any]] = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return found + [
        f"{rule['id']} at {width}: {rule['nodes'][0]['html'][:150]}" for rule in rules if rule["impact"] in GRAVE
    ]


@pytest.mark.parametrize("who", list(STARTS))
def test_P_every_page_fits_and_is_accessible_in_both_languages(site: Site, chromium: Browser, who: str) -> None:
    site.sessions["nobody"] = ""
    context = signed_in(chromium, site, who)
    watched = Watched(context.new_page())
    seen: dict[str, list[str]] = {}
    addresses = pages_of(site, who)
    assert len(addresses) > (90 if who == "everybody" else 1)
    for address in addresses:
        watched.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        watched.page.goto(address)
        wanted = "en" if address.startswith("/en/") else "cs"
        assert watched.page.locator("html").get_attribute("lang") == wanted, address
        for width, height in SIZES:
            watched.page.set_viewport_size({"width": width, "height": height})
            if found := faults(watched.page, width):
                seen.setdefault(address, []).extend(found)
    context.close()
    assert watched.complaints == []
    assert seen == {}
