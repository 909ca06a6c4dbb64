"""The office's sign-in in a real browser: a link, a password, an app, a security key; with scripts off, too."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.league.office import PASSWORD, code, enrol_at
from tests.league.processes import League
from tests.league.test_browser import CHROMIUM, FLAGS

GRAVE = ("serious", "critical")
SIZES = {"desk": (1280, 800), "phone": (360, 780)}


@pytest.fixture
def browser() -> Iterator[Browser]:
    assert CHROMIUM.exists(), "Debian's chromium is missing: apt-get install chromium"
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def site(league: League) -> str:
    """The address of a league whose pages are served, by the name under which browsers allow security keys."""
    _, line = league.start("serve", "--port", "0", until="serving")
    found = re.search(r":(\d+)/", line)
    assert found
    return f"http://localhost:{found[1]}"


def start(league: League, page: Page, site: str, name: str, *roles: str) -> None:
    """An account made by the command, whose owner sets the password at the link."""
    words = [word for role in roles for word in ("--role", role)]
    told = league.run("staff", "add", name, "--email", f"{name}@liga.example", "--site", site, *words)
    page.goto(told.splitlines()[1])
    picture(page, "password")
    page.fill("#id_password1", PASSWORD)
    page.fill("#id_password2", PASSWORD)
    page.get_by_role("button", name="Nastavit heslo").click()
    expect(page.locator("h1")).to_have_text("Heslo je nastaveno")


def picture(page: Page, name: str) -> None:
    """See that the page fits its width; keep its picture where the environment says."""
    size = page.viewport_size
    assert size
    assert int(page.locator("html").evaluate("html => html.scrollWidth")) <= size["width"], page.url
    folder = os.environ.get("TABLESIDE_TEST_PICTURES")
    if folder:
        language = page.locator("html").get_attribute("lang")
        page.screenshot(path=Path(folder) / f"{name}-{language}-{size['width']}.png", full_page=True)


def pictures(page: Page, site: str, *addresses: str) -> None:
    """The pages in both sizes and both languages."""
    before = page.viewport_size
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        for address in addresses:
            for prefix in ("", "/en"):
                answer = page.goto(f"{site}{prefix}{address}")
                assert answer is not None and answer.ok, address
                picture(page, address.strip("/").replace("/", "-"))
                found = [fault for fault in Axe().run(page).response["violations"] if fault["impact"] in GRAVE]
                assert found == [], address
    if before:
        page.set_viewport_size(before)


def test_P_staff_begin_with_a_link_and_come_back_with_a_security_key(
    site: str, league: League, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="de-DE")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    start(league, page, site, "kralova", "operator", "auditor")
    enrol_at(page, site, "kralova")
    expect(page.locator("h1")).to_have_text("Přehled")
    pictures(page, site, "/office/", "/office/staff/", "/office/staff/add/", "/office/audit/", "/account/second/",
             "/account/sessions/", "/account/password/")  # fmt: skip
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": True, "isUserVerified": True,
               "automaticPresenceSimulation": True}  # fmt: skip
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.goto(f"{site}/account/second/keys/add/")
    page.fill("#id_name", "Klíč na stole")
    page.get_by_role("button", name="Přidat klíč").click()
    expect(page.get_by_text("Klíč na stole")).to_be_visible()
    pictures(page, site, "/account/second/keys/")
    page.goto(f"{site}/office/")
    page.get_by_role("button", name="Odhlásit se").click()
    expect(page.locator("h1")).to_have_text("Přihlásit se")
    pictures(page, site, "/account/login/")
    page.goto(f"{site}/account/login/?next=/office/audit/")
    page.fill("#id_login", "kralova")
    page.fill("#id_password", PASSWORD)
    page.get_by_role("button", name="Přihlásit se").click()
    picture(page, "second")
    page.get_by_role("button", name="Použít bezpečnostní klíč").click()
    expect(page.locator("h1")).to_have_text("Záznam přístupů")
    expect(page.locator("tbody")).to_contain_text("přidán druhý faktor")
    assert faults == []
    context.close()


def test_P_staff_sign_in_by_keyboard_with_scripts_off_on_a_phone(site: str, league: League, browser: Browser) -> None:
    width, height = SIZES["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=False)
    page = context.new_page()
    start(league, page, site, "novak", "clerk")
    secret = enrol_at(page, site, "novak")
    picture(page, "overview-phone")
    page.get_by_role("button", name="Odhlásit se").click()
    page.locator("#id_login").focus()
    page.keyboard.type("novak")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD + "x")
    page.keyboard.press("Enter")
    expect(page.locator(".errors")).to_contain_text("Jméno nebo heslo nesouhlasí")
    picture(page, "wrong")
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    page.fill("#id_code", code(secret, steps=1))
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Přehled")
    context.close()
