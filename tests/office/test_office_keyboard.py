"""The main paths by keyboard alone: each control is reached with Tab, seen to be reached, and used with keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.office.conftest import Site, Watched, signed_in
from tests.office.test_office_forms import FULL_ROUND, PERSON

FOCUS = """() => {
  const at = document.activeElement, looks = getComputedStyle(at)
  return {id: at.id, name: at.name || '', text: (at.innerText || '').trim(), href: at.getAttribute('href') || '',
          seen: looks.outlineStyle !== 'none' || looks.boxShadow !== 'none' || at.matches('body')
                || ['date', 'time'].includes(at.type)}  // the browser marks the part of the day that is typed
}"""
MOST = 120


def tab_to(page: Page, *, id: str = "", text: str = "", href: str = "") -> None:
    """Press Tab until this has the focus; everything on the way must show that it has it."""
    for _ in range(MOST):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        assert at["seen"], f"{page.url}: focus is not seen on {at}"
        if (id and at["id"] == id) or (text and at["text"].startswith(text)) or (href and at["href"] == href):
            return
    raise AssertionError(f"{page.url}: Tab never reaches {id or text or href}")


def fill(page: Page, id: str, text: str) -> None:
    """Type into a field that Tab has reached; a day or a time as its own field takes it."""
    tab_to(page, id=id)
    kind = page.locator(f"#{id}").get_attribute("type") or page.locator(f"#{id}").evaluate("at => at.localName")
    if kind == "checkbox":
        page.keyboard.press("Space")
    elif kind in ("date", "time", "select"):
        # how a day is typed depends on the browser's language: what counts is that the field was reached by keys
        page.locator(f"#{id}").select_option(
            **{"label" if text.startswith("Ročník") else "value": text}
        ) if kind == "select" else page.locator(f"#{id}").fill(text)
    else:
        page.keyboard.press("Control+A")
        page.keyboard.type(text)


def press(page: Page, text: str) -> None:
    tab_to(page, text=text)
    page.keyboard.press("Enter")
    page.wait_for_load_state()


def start(site: Site, chromium: Browser, address: str) -> Watched:
    watched = Watched(signed_in(chromium, site, "everybody").new_page())
    watched.page.goto(address)
    return watched


def test_P_somebody_is_registered_by_keyboard(site: Site, chromium: Browser) -> None:
    watched = start(site, chromium, "/office/participants/")
    page = watched.page
    page.keyboard.press("Tab")
    assert "skip" in (page.evaluate("document.activeElement.className") or "")
    tab_to(page, href="/office/participants/new/")
    page.keyboard.press("Enter")
    page.wait_for_url("**/new/")
    for name, value in PERSON.items():
        page.evaluate("document.activeElement.blur()")
        fill(page, f"id_{name}", value)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Radúz Nový")
    assert watched.complaints == []


def test_P_a_lost_card_is_withdrawn_by_keyboard(site: Site, chromium: Browser) -> None:
    watched = start(site, chromium, "/office/cards/")
    page = watched.page
    fill(page, "id_q", "04AABBCC000000")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cards/?s=*")
    page.wait_for_load_state("networkidle")  # typing has asked, too, and what comes last stays
    tab_to(page, text="04AABBCC000000")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("04AABBCC000000")
    press(page, "Stáhnout průkaz")
    expect(page.locator("main")).to_contain_text("ztracen")
    assert watched.complaints == []


def test_P_a_round_is_planned_announced_and_signed_up_for_by_keyboard(site: Site, chromium: Browser) -> None:
    watched = start(site, chromium, "/office/rounds/new/")
    page = watched.page
    for name, value in FULL_ROUND.items():
        page.evaluate("document.activeElement.blur()")
        fill(page, f"id_{name}", value)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Sedmé kolo")
    press(page, "Oznámit")
    expect(page.locator(".flags")).to_contain_text("Kolo je oznámeno")
    fill(page, "id_number", "000101")
    page.keyboard.press("Enter")
    expect(page.locator(".flags")).to_contain_text("000101")
    assert watched.complaints == []


def test_P_an_edition_is_published_by_keyboard(site: Site, chromium: Browser) -> None:
    watched = start(site, chromium, "/office/publishing/3/")
    press(watched.page, "Zveřejnit")
    expect(watched.page.locator(".flags")).to_contain_text("Zveřejněno")
    assert watched.complaints == []


@pytest.mark.parametrize("script", [True, False])
def test_P_a_search_is_there_on_the_way_back_and_no_address_says_for_whom(
    site: Site, chromium: Browser, script: bool
) -> None:
    context = signed_in(chromium, site, "clerk", script=script)
    watched = Watched(context.new_page())
    page, asked = watched.page, []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/office/participants/")
    if script:
        page.locator("#id_q").press_sequentially("uhyk")
    else:
        page.fill("#id_q", "uhyk")
        page.keyboard.press("Enter")
    page.wait_for_url("**/participants/?s=*")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#found tbody tr")).to_have_count(1)
    page.locator("#found tbody a").last.click()
    page.wait_for_url("**/participants/0*/")
    page.go_back()
    expect(page.locator("#id_q")).to_have_value("uhyk")
    expect(page.locator("#found tbody tr")).to_have_count(1)
    assert [url for url in asked if "uhyk" in url.lower()] == [] and watched.complaints == []
    context.close()
