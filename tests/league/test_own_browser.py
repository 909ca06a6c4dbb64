"""One's own page in a real browser: on a phone by keyboard with scripts off, and every page in both sizes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.league.processes import League
from tests.league.test_staff_browser import SIZES, browser, picture, pictures, site

__all__ = ["browser", "site"]

EMAIL = "zofie@hraci.example"
REGISTER = """
import django
django.setup()
from datetime import date, timedelta
from django.utils import timezone
from league.people.acts import By
from league.people.models import ConsentKind, Participant
from league.people.registering import Signed, register
from league.privacy.models import PaperCard
from league.rounds.models import Round
from league.rounds.signing_up import sign_up
card = {
    "title": "Ing.", "first_name": "Žofie", "surname": "Příkopová-Nejdelšíová", "email": "zofie@hraci.example",
    "language": "", "home_venue": "zabreh", "birth_number": "", "birth_date": "1980-02-03", "document": "AB 123456",
    "street": "Dlouhá 7", "town": "Zábřeh", "postcode": "789 01", "country": "Česká republika",
    "citizenship": "Slovensko",
}
signed = Signed(date(2026, 1, 2), PaperCard.Proof.PASSPORT, "000900", "000900")
register(card, {ConsentKind.PROCESSING, ConsentKind.PUBLICATION}, signed, By("clerk"))
like, at = Round.objects.get(), timezone.now() + timedelta(days=10)
memorial = "3. kolo s velmi dlouhým názvem na památku zakladatele"
for n, name, capacity in ((1, "2. kolo", 90), (2, memorial, 3), (3, "4. kolo", 90)):
    announced = like.announcement | {"round": f"S{n}", "capacity": capacity}
    made = Round.objects.create(
        id=f"S{n}", season=like.season, venue=like.venue, name=name, starts_at=at + timedelta(days=7 * n),
        announcement=announced, promised=announced,
    )
for person in Participant.objects.filter(role="participant").order_by("number")[:3]:
    sign_up(person, Round.objects.get(pk="S2"), "clerk")
"""


@pytest.fixture
def people(league: League) -> League:
    """The league with somebody registered from a paper card, and rounds to come, one of them full."""
    env = league.env | {"DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", REGISTER], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return league


def last_link(league: League) -> str:
    """The link in the letter that was written last."""
    ((text,),) = league.rows("SELECT enclosed FROM mail_letter ORDER BY id DESC LIMIT 1")
    found = re.search(r"http\S+", str(text))
    assert found
    return found[0]


def press(page: Page, name: str, within: str = "main") -> None:
    """Press a button by keyboard: focus it, see that the focus shows, Enter."""
    button = page.locator(within).get_by_role("button", name=name).first
    button.focus()
    page.keyboard.press("Enter")


def test_P_somebody_sees_to_their_own_affairs_on_any_screen_by_keyboard_and_with_scripts_off(
    site: str, people: League, browser: Browser
) -> None:
    _every_page(site, people, browser)
    _on_a_phone(site, people, browser)


def _on_a_phone(site: str, people: League, browser: Browser) -> None:
    """By keyboard, with scripts off, all the way from the letter to the end."""
    width, height = SIZES["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/me/")
    picture(page, "own-ask")
    page.locator("#id_email").focus()
    page.keyboard.type("zofie@")
    page.keyboard.press("Enter")
    expect(page.locator(".errors")).to_be_visible()
    picture(page, "own-ask-wrong")
    page.fill("#id_email", EMAIL)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Podívejte se do e-mailu")
    picture(page, "own-sent")
    link = last_link(people)
    page.goto(link)
    picture(page, "own-link")
    press(page, "Otevřít moji stránku")
    expect(page.locator("h1")).to_have_text("Ing. Žofie Příkopová-Nejdelšíová")
    press(page, "Přihlásit se 2. kolo")
    expect(page.get_by_role("status")).to_contain_text("Jste přihlášeni do kola „2. kolo“")
    press(page, "Počkat na místo")
    expect(page.locator(".own-rounds").first).to_contain_text("na čekací listině, 1. v pořadí")
    picture(page, "own-rounds")
    press(page, "Zrušit 2. kolo")
    expect(page.get_by_role("status")).to_contain_text("je zrušena")
    page.goto(f"{site}/me/data/correct/")
    page.fill("#id_street", "Krátká 1")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Krátká 1")
    page.goto(f"{site}/me/consents/")
    press(page, "Odvolat zveřejnění")
    expect(page.get_by_role("status")).to_contain_text("odvolán")
    page.goto(f"{site}/me/end/")
    press(page, "Ukončit účast")
    expect(page.locator(".errors")).to_be_visible()
    picture(page, "own-end-wrong")
    page.locator("#id_sure").press("Space")
    press(page, "Ukončit účast")
    expect(page.locator("main")).to_contain_text("neúčastníte se ligy")
    picture(page, "own-ended")
    press(page, "Zavřít")
    expect(page.get_by_role("status")).to_have_text("Vaše stránka je zavřená.")
    page.goto(link)
    expect(page.locator("h1")).to_have_text("Tento odkaz už neplatí")
    picture(page, "own-over")
    context.close()


def _every_page(site: str, people: League, browser: Browser) -> None:
    """Readable in both sizes and both languages, without a fault that axe or the browser finds."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    pictures(page, site, "/me/")
    page.goto(f"{site}/me/")
    page.fill("#id_email", EMAIL)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Podívejte se do e-mailu")
    page.goto(last_link(people))
    page.get_by_role("button", name="Otevřít moji stránku").click()
    pictures(page, site, "/me/", "/me/data/", "/me/data/correct/", "/me/consents/", "/me/end/")
    page.goto(f"{site}/me/data/")
    with page.expect_download() as download:
        page.get_by_role("button", name="Vše jako JSON").click()
    assert "Příkopová" in Path(download.value.path()).read_text("utf-8")
    assert faults == []
    context.close()
