"""A phone's browser at an address of the venue's network, where it has neither TLS nor what only TLS gives."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from appliance.console import signing, views
from appliance.console.assets import Assets
from appliance.console.pages import Pages
from appliance.console.views import forms
from appliance.game.commands import Bust
from tests.console.phones import PlayedEngine, Served, file, serving
from tests.console.viewing import Desk
from tests.game.conftest import Evening, number
from tests.link.island import Island

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.geteuid() != 0, reason="networks of their own are made by root"),
]
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
HERE, THERE = "10.91.0.1", "10.91.0.2"


class Venue(NamedTuple):
    """A director and a phone, each at its end of a cable."""

    engine: PlayedEngine
    served: Served
    browser: Browser
    phone: Island

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.served.port}"

    def offer(self) -> str:
        session, key = self.engine.offer()
        return f"{self.address}/#{signing.fragment(session, key)}"

    def context(self, width: int = 360) -> BrowserContext:
        context = self.browser.new_context(
            viewport={"width": width, "height": 740}, has_touch=True, is_mobile=True, locale="cs-CZ"
        )
        context.set_default_timeout(8_000)
        return context


@contextmanager
def opened(folder: Path, **more: Any) -> Iterator[Venue]:
    engine, director, phone = PlayedEngine(), Island(), Island()
    try:
        director.cable(phone, HERE, THERE)
        wrapped = folder / "chromium"
        wrapped.write_text(f'#!/bin/sh\nexec {" ".join(phone.command(str(CHROMIUM)))} "$@"\n')
        wrapped.chmod(0o755)
        expect.set_options(timeout=8_000)
        with (
            sync_playwright() as playwright,
            serving(engine, assets=Assets.load(), network=director.network, **more) as served,
        ):
            browser = playwright.chromium.launch(executable_path=wrapped, args=FLAGS)
            yield Venue(engine, served, browser, phone)
            browser.close()
    finally:
        director.close()
        phone.close()


@pytest.fixture
def venue(tmp_path: Path) -> Iterator[Venue]:
    with opened(tmp_path) as venue:
        yield venue


def noted(page: Page) -> list[str]:
    """What the browser complains of, from now on."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: (
            complaints.append(said.text)
            if said.type in ("error", "warning")
            and "Failed to load resource" not in said.text
            and "net::" not in said.text
            else None
        ),
    )
    return complaints


def signed_in(venue: Venue, context: BrowserContext) -> Page:
    page = context.new_page()
    page.goto(venue.offer())
    expect(page.locator(".code")).to_be_visible()
    venue.engine.confirm(next(reversed(venue.engine.standings)))
    expect(page.locator("#page h1")).to_have_text("clock cs")
    return page


def test_a_phone_signs_in_signs_what_it_sends_and_forgets_nothing_it_sent(venue):
    context = venue.context()
    page = context.new_page()
    complaints, asked = noted(page), []
    page.on("request", lambda request: asked.append(request))
    page.goto(venue.offer())
    session, key = next(iter(venue.engine.secret.items()))
    expect(page.locator(".code")).to_be_visible()
    assert page.locator(".code").inner_text() == signing.code(key, venue.engine.nonces[session])
    assert page.url == f"{venue.address}/" and page.evaluate("history.length") <= 2
    assert page.evaluate("[isSecureContext, crypto.subtle === undefined]") == [False, True]
    assert "Chrome" in venue.engine.agents[0]
    venue.engine.confirm(session)
    expect(page.locator("#page h1")).to_have_text("clock cs")
    expect(page.locator("#time")).to_have_text(re.compile("(10:00|9:5.)"))
    expect(page.locator("#dot")).to_have_attribute("data-state", "on")
    assert page.evaluate("document.cookie") == ""

    page.get_by_text("Bust").click()
    expect(page.locator("#sheet form")).to_be_visible()
    page.locator("#sheet button").click()
    expect(page.locator("#toast")).to_contain_text("Done Šťastný & 7")
    expect(page.locator("#sheet")).not_to_be_visible()
    assert len(venue.engine.given) == 1

    outside = [each.url for each in asked if not each.url.startswith((venue.address, "data:"))]
    assert not outside and not any("#" in each.url for each in asked)
    assert not any(key.hex() in f"{each.url}{each.post_data or ''}{each.headers}" for each in asked)

    sniffed = next(each for each in asked if each.method == "POST" and "/form/" in each.url)
    named = {name: value for name, value in sniffed.headers.items() if name.startswith(("x-tableside", "content-type"))}
    stranger = venue.context().new_page()
    stranger.goto(f"{venue.address}/")
    expect(stranger.locator("#page h1")).to_have_text("Tento telefon není přihlášen")
    again = "([url, headers, body]) => fetch(url, {method: 'POST', headers, body}).then((a) => a.status)"
    assert stranger.evaluate(again, [sniffed.url, named, sniffed.post_data]) == 401
    assert len(venue.engine.given) == 1
    assert not complaints


def test_what_changes_is_on_the_phone_at_once_and_what_was_typed_stays(venue):
    page = signed_in(venue, venue.context())
    complaints = noted(page)
    page.locator("#search").fill("stastn")
    expect(page.locator("#list li >> visible=true")).to_have_text("Jiří")
    page.evaluate("window.mine = document.activeElement.id")
    venue.served.show(venue="brno", notes={"x": 1})
    expect(page.locator("#version")).to_have_text("1")
    assert page.evaluate("[mine, document.activeElement.id, document.activeElement.value]") == [
        "search",
        "search",
        "stastn",
    ]
    expect(page.locator("#list li >> visible=true")).to_have_text("Jiří")
    page.get_by_text("Seven").click()
    expect(page.locator("#page h1")).to_have_text("player/7 cs")
    page.go_back()
    expect(page.locator("#page h1")).to_have_text("clock cs")
    page.get_by_text("Language").click()
    expect(page.locator("#page h1")).to_have_text("clock en")
    page.get_by_text("Theme").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()
    expect(page.locator("#page h1")).to_have_text("clock en")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    with page.expect_download() as kept:
        page.locator("#take").click()
    assert kept.value.suggested_filename == "results.csv"
    assert not complaints


def test_tabs_of_one_phone_do_not_take_each_others_counts(venue):
    context = venue.context()
    first = signed_in(venue, context)
    second = context.new_page()
    second.goto(f"{venue.address}/#/players")
    expect(second.locator("#page h1")).to_have_text("players cs")
    # as when two tabs read the count at the same moment
    lost = "() => { const n = Number(localStorage['tableside-count']); localStorage['tableside-count'] = n - 3; }"
    second.evaluate(lost)
    second.get_by_text("Bust").click()
    expect(second.locator("#sheet form")).to_be_visible()
    second.evaluate(lost)
    second.locator("#sheet button").click()
    expect(second.locator("#toast")).to_contain_text("Done")
    first.evaluate(lost)
    venue.served.show(venue="brno", notes={"x": 1})
    for page in (first, second):
        expect(page.locator("#version")).to_have_text("1")
    assert len(venue.engine.given) == 1


def test_a_form_whose_answer_was_lost_is_sent_again_under_its_id_when_the_network_is_back(venue):
    page = signed_in(venue, venue.context())
    page.get_by_text("Bust").click()
    expect(page.locator("#sheet form")).to_be_visible()
    venue.engine.slow = True
    page.locator("#sheet button").click()
    wait_for(lambda: venue.engine.given)
    venue.phone.plug(False)
    expect(page.locator("[data-kind=offline]")).to_contain_text("Bez spojení", timeout=25_000)
    expect(page.locator("[data-kind=unanswered]")).to_be_visible(timeout=25_000)
    expect(page.locator("#dot")).to_have_attribute("data-state", "off")
    venue.engine.slow = False
    venue.served.show(venue="brno", notes={"x": 1})
    venue.phone.plug(True)
    expect(page.locator("#toast")).to_contain_text("Done", timeout=20_000)
    expect(page.locator(".banner")).to_have_count(0, timeout=20_000)
    expect(page.locator("#version")).to_have_text("1")
    assert len(venue.engine.given) == 2 and len(set(venue.engine.given)) == 1


def test_what_a_button_led_to_is_told_though_its_view_was_drawn_anew_before_the_answer_came(venue):
    page = signed_in(venue, venue.context())
    venue.engine.slow = True
    page.get_by_text("At once").tap()
    wait_for(lambda: venue.engine.given)
    venue.served.show(venue="brno", notes={"x": 1})
    expect(page.locator("#version")).to_have_text("1")
    venue.engine.slow = False
    expect(page.locator("#toast")).to_have_text("Done 7")


def test_a_view_is_not_drawn_anew_under_a_finger(venue):
    page = signed_in(venue, venue.context())
    page.get_by_text("At once").dispatch_event("pointerdown")
    venue.served.show(venue="brno", notes={"x": 1})
    page.wait_for_timeout(400)
    assert page.locator("#version").inner_text() == "0"
    page.get_by_text("At once").dispatch_event("pointerup")
    expect(page.locator("#version")).to_have_text("1")


def test_a_phone_that_is_cut_off_shows_nothing_any_more_and_has_no_key(venue):
    page = signed_in(venue, venue.context())
    venue.engine.cut_off(next(iter(venue.engine.phones)))
    venue.served.show(venue="brno", notes={"x": 1})
    expect(page.locator("#page .why")).to_have_text("Tento telefon byl odhlášen.")
    assert page.evaluate("Object.keys(localStorage).filter((name) => /key|session/.test(name))") == []
    assert page.locator("#head").is_hidden() and page.locator("#tabs").is_hidden()


def test_a_key_that_another_phone_used_first_signs_nobody_in(venue):
    address = venue.offer()
    first, second = venue.context().new_page(), venue.context().new_page()
    first.goto(address)
    expect(first.locator(".code")).to_be_visible()
    second.goto(address)
    expect(second.locator("#page .why")).to_contain_text("Tento obrázek použil jiný telefon dřív")


def test_the_browser_signs_as_the_vectors_say(venue):
    page = venue.context().new_page()
    page.goto(f"{venue.address}/")
    made = page.evaluate(
        """async ([base, vectors]) => {
          const {sign, code, fromFragment, commandId} = await import(base + "signing.js");
          const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
          const hex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
          return {
            signatures: vectors.requests.map((r) => sign(bytes(r.key), r.method, r.path, r.count, r.body)),
            codes: vectors.codes.map((c) => code(bytes(c.key), bytes(c.nonce))),
            keys: vectors.fragments.map((f) => [fromFragment("#" + f.fragment)].map((k) => [k.session, hex(k.key)])[0]),
            others: ["", "#/clock", "#0123456789abcdef.short"].map(fromFragment),
            ids: [commandId(1), commandId()],
          };
        }""",
        [page.evaluate("document.body.dataset.base"), VECTORS],
    )
    assert made["signatures"] == [each["signature"] for each in VECTORS["requests"]]
    assert made["codes"] == [each["code"] for each in VECTORS["codes"]]
    assert made["keys"] == [[each["session"], each["key"]] for each in VECTORS["fragments"]]
    assert made["others"] == [None, None, None]
    first, now = made["ids"]
    assert re.fullmatch("00000000-0001-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", first)
    assert abs(int(now[:8] + now[9:13], 16) - time.time() * 1000) < 60_000


def test_first_load_is_below_150_kilobytes_on_the_wire(venue):
    page = venue.context().new_page()
    wire: dict[str, Any] = {"bytes": 0}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on("Network.loadingFinished", lambda told: wire.update(bytes=wire["bytes"] + told["encodedDataLength"]))
    page.goto(venue.offer())
    expect(page.locator(".code")).to_be_visible()
    assert 20_000 < wire["bytes"] < 150_000


@pytest.fixture
def evening() -> Desk:
    evening = Evening().seated(range(1, 6), range(10, 15))
    evening.after(minutes=3)
    for table in (1, 2):
        evening.do("next_hand", table=table)
    return Desk(evening)


def test_an_evening_is_led_by_one_thumb(tmp_path, evening):
    """The real pages in the frame: nothing of them is kept out by the policy, and what is done is seen at once."""
    pages = Pages(views.render, forms.form, file)
    with opened(tmp_path, pages=pages, way=evening, now_ms=lambda: evening.evening.at) as venue:
        venue.served.look(evening.sight)
        context = venue.context()
        page = context.new_page()
        complaints = noted(page)
        page.goto(venue.offer())
        expect(page.locator(".code")).to_be_visible()
        venue.engine.confirm(next(iter(venue.engine.secret)), until_ms=evening.evening.at + 3_600_000)
        expect(page.locator("#page .clock .time")).to_have_text(re.compile(r"\d+:\d\d"))
        expect(page.locator("#head-left")).to_have_text("Zbývá 10")
        for tab in ("players", "tables", "door", "more", "clock"):
            page.locator(f"#tabs a[href='#/{tab}']").click()
            expect(page.locator(f"#tabs a[href='#/{tab}']")).to_have_attribute("aria-current", "page")
            expect(page.locator("#page h1").first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
            page.screenshot(path=tmp_path / f"{tab}.png")
        for view in ("money", "history", "round", "rulings", "announcements", "phones", "devices", "table/1"):
            page.evaluate("(view) => { location.hash = '#/' + view; }", view)
            expect(page.locator(f'#page [data-view="{view}"]')).to_be_visible()
        page.evaluate(f"location.hash = '#/player/{number(3)}'")
        expect(page.locator(f'#page [data-view="player/{number(3)}"]')).to_be_visible()
        page.screenshot(path=tmp_path / "player.png")
        page.locator("#page button[hx-post='/form/bust']").first.click()
        wait_for(lambda: evening.sent)
        venue.served.look(evening.sight)
        expect(page.locator("#head-left")).to_have_text("Zbývá 9")
        assert [type(command) for _, command in evening.sent] == [Bust]
        expect(page.locator("#toast")).to_be_visible()
        page.locator("#page button[hx-get^='/form/sanction']").first.click()
        expect(page.locator("#sheet form")).to_be_visible()
        page.screenshot(path=tmp_path / "form.png")
        page.locator("#sheet [data-close]").click()
        expect(page.locator("#sheet")).not_to_be_visible()
        assert not complaints


def grave(page: Page) -> list[str]:
    """What axe finds that keeps people out."""
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found if each["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_frame_can_be_read_and_reached_by_everybody(tmp_path, evening, theme):
    pages = Pages(views.render, forms.form, file)
    with opened(tmp_path, pages=pages, way=evening, now_ms=lambda: evening.evening.at) as venue:
        venue.served.look(evening.sight)
        context = venue.context(320)
        context.add_init_script(f"localStorage['tableside-theme'] = '{theme}'")
        page = context.new_page()
        page.goto(venue.address)
        expect(page.locator("#page h1")).to_be_visible()
        assert grave(page) == []
        page.goto(venue.offer())
        page.reload()
        expect(page.locator(".code")).to_be_visible()
        assert grave(page) == []
        page.screenshot(path=tmp_path / f"code-{theme}.png")
        venue.engine.confirm(next(iter(venue.engine.secret)), until_ms=evening.evening.at + 3_600_000)
        for tab in ("clock", "players", "tables", "door", "more"):
            page.locator(f"#tabs a[href='#/{tab}']").click()
            expect(page.locator(f'#page [data-view="{tab}"]')).to_be_visible()
            assert grave(page) == [], tab
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
            heights = page.evaluate(
                "[...document.querySelectorAll('#tabs a, #page button')].map((e) => e.offsetHeight)"
            )
            assert min(heights) >= 44, tab
            page.screenshot(path=tmp_path / f"{tab}-{theme}.png")
        venue.phone.plug(False)
        expect(page.locator("[data-kind=offline]")).to_be_visible(timeout=25_000)
        page.screenshot(path=tmp_path / f"offline-{theme}.png")
        assert grave(page) == []


def wait_for(holds: Any) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
