"""Typing into a form in a phone's browser: what it comes to is said meanwhile, and no thumb loses its keyboard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from appliance.console.pages import Pages
from appliance.console.views import forms, render
from tests.console.phones import file
from tests.console.test_console_browser import Venue, noted, opened
from tests.console.viewing import Desk
from tests.game.conftest import Evening, number

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.geteuid() != 0, reason="networks of their own are made by root"),
]


@pytest.fixture
def desk() -> Desk:
    return Desk(Evening().seated(range(1, 9), range(10, 18), chip_set=[25, 100, 500]), lang="cs")


@pytest.fixture
def venue(tmp_path: Path, desk: Desk) -> Iterator[Venue]:
    pages = Pages(render, forms.form, file)
    with opened(tmp_path, pages=pages, way=desk, now_ms=lambda: desk.evening.at) as venue:
        yield venue


@pytest.fixture
def page(venue: Venue, desk: Desk) -> Page:
    venue.served.look(desk.sight)
    page = venue.context(360).new_page()
    page.goto(venue.offer())
    expect(page.locator(".code")).to_be_visible()
    venue.engine.confirm(next(iter(venue.engine.secret)), until_ms=desk.evening.at + 3_600_000)
    expect(page.locator(".dial")).to_be_visible()
    return page


def test_what_is_typed_is_told_and_the_next_field_keeps_keyboard_and_letters(page: Page) -> None:
    complaints = noted(page)
    page.evaluate("location.hash = '#/chips'")
    page.locator("#page button[hx-get*='stacks']").first.tap()
    first, second = page.locator("#sheet .numbers input").nth(0), page.locator("#sheet .numbers input").nth(1)
    first.fill("5100")
    second.tap()
    second.fill("2")
    second.press_sequentially("900", delay=150)
    expect(page.locator("#says .sentence")).to_contain_text("5\u00a0100")
    expect(page.locator("#says .sentence")).to_contain_text("2\u00a0900")
    expect(second).to_be_focused()
    expect(second).to_have_value("2900")
    assert complaints == []


def test_what_is_chosen_draws_the_form_anew_and_keeps_the_rest(page: Page, desk: Desk) -> None:
    page.evaluate(f"location.hash = '#/player/{number(3)}'")
    page.locator("#page button[hx-get*='sanction']").tap()
    page.locator("#sheet input[name=kind]").nth(2).tap()
    hands = page.locator("#sheet input[name=hands]")
    expect(hands).to_be_visible()
    expect(page.locator("#sheet input[name=kind]").nth(2)).to_be_focused()
    hands.fill("2")
    page.locator("#sheet input[name='reason.typed']").fill("Telefon u stolu")
    expect(page.locator("#says .sentence")).to_contain_text("Telefon u stolu")
    page.locator("#sheet button[name=do]").tap()
    expect(page.locator("#toast")).to_be_visible()
    (penalty,) = desk.evening.player(3).penalties
    assert (penalty.kind, penalty.reason) == ("sit-out", "Telefon u stolu")
