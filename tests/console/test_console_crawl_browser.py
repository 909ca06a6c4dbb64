"""Every control of every page of a phone is tapped, in both languages, at a director that runs: each leads to a page, a
form or a plain word. Every page is looked at by axe in both themes, as wide as a small phone and as a usual one.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from appliance.console.views.sight_pages import PAGES
from appliance.i18n import DOMAIN, LOCALE_DIR
from tests.console.stage import Phone, Stage, staged

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.geteuid() != 0, reason="networks of their own are made by root"),
]
GRAVE = ("serious", "critical")
SIZES = ((320, 640), (412, 915))
THEMES = ("dark", "light")
WHO = [f"{number:06}" for number in range(101, 119)]

CONTROLS = "button, a, summary"
READ = """(all) => all.map((each) => ({
    text: each.textContent.trim().replace(/\\s+/g, ' '), href: each.getAttribute('href') ?? '',
    get: each.getAttribute('hx-get') ?? '', post: each.getAttribute('hx-post') ?? '',
    vals: each.getAttribute('hx-vals') ?? '', ticket: each.dataset.ticket ?? '', move: each.dataset.move ?? '',
    set: each.dataset.set ?? '', summary: each.tagName === 'SUMMARY', seen: each.checkVisibility()}))"""

TEXTS = """(within) => {
    const found = [], walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let at = walk.nextNode(); at; at = walk.nextNode()) {
        if (at.nodeType === 3) found.push(at.textContent);
        else for (const name of ['aria-label', 'placeholder', 'title']) found.push(at.getAttribute(name) ?? '');
    }
    return found.map((each) => each.trim().replace(/\\s+/g, ' ')).filter(Boolean);
}"""


ANEW = """(name) => {
    document.querySelector('#page [data-view]')?.setAttribute('data-old', '');
    if (location.hash === '#/' + name) dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = '#/' + name;
}"""


class Control(NamedTuple):
    """Something that can be tapped, as it stands in its page: the n-th there."""

    number: int
    told: dict[str, Any]

    @property
    def kind(self) -> str:
        """Those of one kind are tapped once: a list has many of them."""
        told = self.told
        at_once = re.search(r'"keys":\s*"([a-z-]+)', told["vals"])
        address = told["href"] or told["get"] or told["post"] or told["ticket"] or told["set"] or told["move"][:10]
        return re.sub(r"[0-9]{6}|\?.*", "", address) + (at_once[1] if at_once else "") or told["text"]


@cache
def words(lang: str) -> frozenset[str]:
    """Texts that stand on a page in the other language only: nothing but a missing translation brings them here."""
    catalogue: dict[Any, str] = gettext.translation(DOMAIN, LOCALE_DIR, ["cs"])._catalog  # type: ignore[attr-defined]
    english = {key for key in catalogue if isinstance(key, str) and "{" not in key and len(key) > 2}
    czech = {catalogue[key] for key in english}
    return frozenset(english - czech if lang == "cs" else czech - english)


def untranslated(phone: Phone, within: str) -> list[str]:
    texts: list[str] = phone.page.locator(within).evaluate(TEXTS)
    return [text for text in texts if text in words(phone.lang) or re.search(r"\{[a-z_]+\}", text)]


def faults(page: Page, where: str) -> list[str]:
    """What is wrong with what is shown now; axe looks at one language, as both have the same elements."""
    found = []
    width = page.viewport_size["width"] if page.viewport_size else 0
    if int(page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")) > width:
        found.append(f"{where} scrolls sideways at {width}")
    if page.locator("html[lang=en]").count():
        return found
    rules: list[dict[str, Any]] = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return found + [
        f"{where} {rule['id']} at {width}: {each['html'][:160]}: {[why['message'][:120] for why in each['any']][:1]}"
        for rule in rules
        if rule["impact"] in GRAVE
        for each in rule["nodes"][:3]
    ]


def dressed(phone: Phone, theme: str, size: tuple[int, int]) -> None:
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})
    phone.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)


def look(phone: Phone, where: str) -> list[str]:
    """The page in both themes, at both widths."""
    found = [f"{where}: {text}" for text in untranslated(phone, "body")]
    for theme in THEMES:
        for size in SIZES:
            dressed(phone, theme, size)
            found += [f"{theme} {each}" for each in faults(phone.page, where)]
    return found


class Taps:
    """Somebody who taps everything once, and takes back what it did."""

    def __init__(self, stage: Stage, phone: Phone) -> None:
        self.stage, self.phone, self.page = stage, phone, phone.page
        self.done: set[str] = set()
        self.found: list[str] = []

    def view(self, name: str) -> None:
        self.page.evaluate("document.getElementById('sheet').close?.()")
        self.page.evaluate(ANEW, name)
        expect(self.page.locator(f'#page [data-view="{name}"]:not([data-old])')).to_be_visible()

    def controls(self) -> list[Control]:
        told = self.page.locator("#page").locator(CONTROLS).evaluate_all(READ)
        return [Control(number, each) for number, each in enumerate(told) if each["seen"]]

    def all_of(self, name: str) -> None:
        """Tap each kind of control that the page has."""
        self.view(name)
        self.found += look(self.phone, name)
        while new := self.new(name):
            self.done.add(f"{name} {new.kind}")
            self.tap(name, new)
            self.view(name)

    def new(self, name: str) -> Control | None:
        """A control of a kind that was not tapped yet; the page may just be drawn anew."""
        for _ in range(2):
            if found := [each for each in self.controls() if f"{name} {each.kind}" not in self.done]:
                return found[0]
            self.page.wait_for_timeout(250)
        return None

    def tap(self, name: str, control: Control) -> None:
        """Tap it, and see that it led somewhere."""
        told, before = control.told, self.stage.floor.round
        there = self.page.locator("#page").locator(CONTROLS).nth(control.number)
        where = f"{name} › {told['text'][:40]}"
        self.page.evaluate("document.getElementById('toast').hidden = true")
        try:
            if told["ticket"]:
                self.take(there, told["ticket"])
                return
            there.tap()
            if told["href"].startswith("#/"):
                expect(self.page.locator(f'#page [data-view="{told["href"][2:]}"]')).to_be_visible()
            elif told["get"]:
                expect(self.page.locator("#sheet section")).to_be_visible()
                self.found += [f"{where}: {text}" for text in untranslated(self.phone, "#sheet")]
                self.found += faults(self.page, where)
                own = told["get"].startswith("/form/cut-off")  # or nothing could be tapped after it
                if not own and self.page.locator("#sheet button[name=do]").count():
                    self.page.locator("#sheet button[name=do]").tap()
                    self.outcome()
            elif told["post"]:
                self.outcome(silent="/keys" in told["post"])
            elif told["set"] in ("language", "theme"):
                there.tap()
                expect(self.page.locator("html")).to_have_attribute("lang", self.phone.lang)
        except AssertionError as error:
            self.found.append(f"{where}: {str(error)[:200]}")
        self.take_back(before, control)

    def outcome(self, *, silent: bool = False) -> None:
        """It was done, or it is said why not, or asked whether it is meant."""
        said = "#toast:visible, #sheet .why:visible, #sheet [role=alert]:visible, #sheet h1:has-text('✓')"
        if silent:  # what a key did is on the page itself
            self.page.wait_for_timeout(150)
            said = "#page [data-view]"
        expect(self.page.locator(said).first).to_be_visible()
        self.found += [f"{said}: {text}" for text in untranslated(self.phone, "body")]

    def take(self, there: Any, ticket: str) -> None:
        """A print opens in a tab of its own; an export is kept."""
        if ticket.startswith("/print/"):
            with self.page.expect_popup() as opened:
                there.tap()
            opened.value.wait_for_load_state()
            assert opened.value.locator("body").inner_text().strip()
            self.found += faults(opened.value, ticket) if opened.value.viewport_size else []
            opened.value.close()
            return
        with self.page.expect_download() as kept:
            there.tap()
        assert Path(kept.value.path()).stat().st_size > 40

    def take_back(self, before: Any, control: Control) -> None:
        """The next control finds the evening as this one found it; a dealer's keys lead from one to the other."""
        if self.page.locator("[data-view=dealer]").count():
            return
        self.page.wait_for_timeout(50)
        if self.stage.floor.round is not before:
            self.stage.floor.command("redo" if "/form/undo" in control.told["get"] else "undo")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with staged(tmp_path, tracked=("table-1",)) as stage:
        floor = stage.floor
        floor.must("open")
        for number in WHO:
            floor.must("register", participant=number, identity_checked=True)
        yield stage


@pytest.mark.parametrize("lang", ["cs", "en"])
def test_every_control_of_a_commissioners_phone_leads_somewhere(stage: Stage, lang: Literal["cs", "en"]) -> None:
    phone = stage.paired(stage.phone(lang, *SIZES[0]))
    taps = Taps(stage, phone)
    for name in ("clock", "door", "players", f"player/{WHO[3]}", "round"):  # before the start
        taps.all_of(name)
    floor = stage.floor
    floor.must("start")
    for table in (1, 2):
        floor.must("next_hand", table=table)
    floor.must("bust", participant=WHO[0])
    taps.done.clear()
    for name in [*PAGES, f"player/{WHO[3]}", "table/1", "table/2"]:
        taps.all_of(name)
    for number in WHO[1:17]:
        if floor.round is not None and number in floor.round.players:
            floor.command("bust", participant=number)
    for name in ("money", "results", "clock", "history", f"player/{WHO[17]}"):
        taps.all_of(name)
    assert not taps.found, "\n".join(dict.fromkeys(taps.found))
    assert not phone.complaints and not phone.outside
    assert len(taps.done) > 60


@pytest.mark.parametrize("lang", ["cs", "en"])
def test_every_control_of_a_dealers_phone_leads_somewhere(stage: Stage, lang: Literal["cs", "en"]) -> None:
    stage.floor.must("start")
    phone = stage.paired(stage.phone(lang, *SIZES[0]), table=1)
    taps = Taps(stage, phone)
    expect(phone.page.locator("#page .key").first).to_be_visible()
    taps.all_of("dealer")
    assert {key for key in ("fold", "raise", "push", "next") if f"dealer /form/keys{key}" not in taps.done} == set()
    assert not taps.found, "\n".join(dict.fromkeys(taps.found))
    assert not phone.complaints and not phone.outside
