"""A whole venue in a network of its own, and phones' browsers in another: what stands between them is a cable.

Director, kiosks and broker are the product's own; the door's kiosk is in this process, so that a test can read the
picture that its screen shows, as a phone's camera does.
"""

from __future__ import annotations

import ctypes
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Request,
    Response,
    expect,
    sync_playwright,
)  # fmt: skip

from appliance.apps.demo_cards import CardOffice
from appliance.apps.demo_season import FLOOR, VENUE, Person
from appliance.floor.forms import Pairing
from appliance.floor.phones import PAIR, called
from appliance.floor.said import say
from appliance.game.roster import RosterEntry
from appliance.game.state import Round
from appliance.hw.panel import Button, Turned
from appliance.i18n import Translator
from tests.link.island import Island
from tests.system.houses import Floor, House
from tests.system.test_buttons import Kiosk
from tests.system.test_floor_menu import choose, lines, open_menu

T = TypeVar("T")
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
HERE, THERE = "10.92.0.1", "10.92.0.2"
PORT = 8090
SECOND = Person("000002", "Bořivoj", "Druhý", "0400025A2D6180")
DATA = Path(__file__).parents[1] / "data"
_CLONE_NEWNET = 0x40000000
_CS = Translator("cs")


def second_card(office: CardOffice) -> tuple[Sequence[RosterEntry], Sequence[str]]:
    """The card of a second commissioner."""
    office.issue([(SECOND.uid, SECOND.number)])
    entry = RosterEntry(
        participant=SECOND.number, state="active", cards=(SECOND.uid,), role="commissioner",
        name=f"{SECOND.first_name} {SECOND.surname}",
    )  # fmt: skip
    return (entry,), [SECOND.uid]


def script() -> list[dict[str, Any]]:
    """The commands of the published evening."""
    lines = (DATA / "evening-18.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


@contextmanager
def inside(network: str) -> Iterator[None]:
    """Meanwhile this thread, and what it starts, is in another network."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open() as home, Path(network).open() as there:
        assert libc.setns(there.fileno(), _CLONE_NEWNET) == 0
        try:
            yield
        finally:
            assert libc.setns(home.fileno(), _CLONE_NEWNET) == 0


GONE = """(seen) => ![...document.querySelectorAll('#page [hx-vals]')]
    .some((each) => each.getAttribute('hx-vals') === seen)"""
"""Of a page that is still as it was when a key stood on it: none of its keys is left once it is drawn anew."""


class Phone:
    """A phone in somebody's hand: its browser's page, and taps on it."""

    def __init__(self, stage: Stage, context: BrowserContext, lang: Literal["cs", "en"]) -> None:
        self.stage, self.context, self.lang = stage, context, lang
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.outside: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._said)
        self.page.on("request", self._requested)
        self.page.on("response", self._answered)

    def _said(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self.complaints.append(said.text)

    def _requested(self, request: Request) -> None:
        if not request.url.startswith((self.stage.address, "data:")):
            self.outside.append(request.url)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status} {response.request.method} {response.url}")

    # -- taps --------------------------------------------------------------------------------------------

    def view(self, name: str) -> None:
        """Have a view, by its tab where it has one."""
        tab = self.page.locator(f"#tabs a[href='#/{name}']")
        if tab.count():
            tab.tap()
        else:
            self.page.evaluate("(name) => { location.hash = '#/' + name; }", name)
        expect(self.page.locator(f'#page [data-view="{name}"]')).to_be_visible()

    def find(self, action: str, within: str = "#page", **vals: str) -> Locator:
        """The buttons of an action on what is shown; ``vals``: those that lead there with these answers."""
        buttons = f"{within} button[hx-get^='/form/{action}'], {within} button[hx-post='/form/{action}']"
        found = self.page.locator(buttons)
        for name, value in vals.items():
            inside = f"[hx-get*='{name}={value}'], [hx-vals*='\"{name}\":\"{value}\"']"
            found = found.and_(self.page.locator(inside))
        return found

    def tap(self, action: str, **vals: str) -> None:
        """Tap the first button of an action."""
        self.find(action, **vals).first.tap()

    def sheet(self, action: str) -> Locator:
        """The form that is open over the page."""
        sheet = self.page.locator(f"#sheet [data-form='{action}']")
        expect(sheet).to_be_visible()
        return sheet

    def fill(self, action: str, **answers: str | int) -> None:
        """Answer fields of the open form, as fingers do: choose, or type."""
        for name, value in answers.items():
            field = self.sheet(action).locator(f"[name='{name}']")
            self._fill(field, str(value))

    def _fill(self, field: Locator, value: str) -> None:
        if field.count() == 1 and field.input_value() == value:
            return
        kind = field.first.evaluate("(each) => each.type ?? each.tagName")
        details = field.first.locator("xpath=ancestor::details[not(@open)]/summary")
        if details.count():
            details.tap()
        before = self.page.locator("#sheet [name=stamp]").evaluate("(each) => (each.dataset.old = 'yes')")
        assert before == "yes"
        if kind.startswith("select"):
            field.select_option(value)
        elif kind == "radio":
            field.and_(self.page.locator(f"[value='{value}']")).locator("xpath=..").tap()
        else:
            field.fill(value)
            field.blur()
        # the form comes anew with what follows from the answer
        expect(self.page.locator("#sheet [name=stamp][data-old]")).to_have_count(0)

    def send(self, *, done: bool = True) -> None:
        """Tap what sends the open form; with a second question, yes."""
        self.page.evaluate("document.getElementById('toast').hidden = true")
        send = self.page.locator("#sheet button[name=do][value=send]")
        twice = send.evaluate("(each) => /…$/.test(each.textContent.trim())")
        send.tap()
        if twice:
            expect(self.page.locator("#sheet [name=sure]")).to_be_attached()
            self.page.locator("#sheet button[name=do][value=send]").tap()
        if done:
            self.done()

    def done(self) -> None:
        """It was done: the phone says so, and what is still to be read is put away."""
        expect(self.page.locator("#toast:visible, #sheet h1:has-text('✓')").first).to_be_visible()
        if self.page.locator("#sheet h1:has-text('✓')").count():
            self.page.locator("#sheet button[data-close]").tap()
        expect(self.page.locator("#sheet")).not_to_be_visible()

    def does(self, action: str, vals: Mapping[str, str] = {}, /, **answers: str | int) -> None:
        """Tap an action of what is shown, answer what it asks, send it."""
        self.page.evaluate("document.getElementById('toast').hidden = true")
        self.tap(action, **vals)
        expect(self.page.locator("#toast:visible, #sheet:visible").first).to_be_visible()
        if self.page.locator("#sheet [data-form]").count():
            self.fill(action, **answers)
            self.send()

    def key(self, key: str, amount: str = "") -> None:
        """A key of a dealer's phone; it shows by then what the key did."""
        page = self.page
        if amount:
            page.locator("input.amount").fill(amount)
        there = page.locator(f"#page button[hx-post='/form/keys'][hx-vals*='\"keys\":\"{key}\"']").first
        seen = there.get_attribute("hx-vals")
        there.tap()
        page.wait_for_function(GONE, arg=seen)

    def shown(self, text: str) -> None:
        """Wait until the page shows a text."""
        expect(self.page.locator("#page")).to_contain_text(text)


class Stage:
    """A venue, its door's kiosk, and phones that come."""

    def __init__(self, house: House, door: Kiosk, browser: Browser, phone: Island) -> None:
        self.house, self.door, self.browser, self.network = house, door, browser, phone
        self.phones: list[Phone] = []
        self.floor = Floor(house, door.station)
        """For what a test is not about."""

    @property
    def address(self) -> str:
        return f"http://{HERE}:{PORT}"

    def wait(self, what: str, holds: Callable[[Round], T]) -> T:
        """Wait until the door's own copy shows something."""

        def look() -> T | None:
            round = next((r for r in self.door.station.snapshot.rounds if r.id == "R1"), None)
            return holds(round) if round is not None else None

        found = self.house.wait_for(what, look)
        assert found is not None
        return found

    def phone(self, lang: Literal["cs", "en"], width: int, height: int, *, ratio: int = 2) -> Phone:
        """A phone that knows nothing yet, with so many pixels for one of CSS."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, device_scale_factor=ratio,
            locale="cs-CZ" if lang == "cs" else "en-GB",
        )  # fmt: skip
        context.set_default_timeout(4_000)
        phone = Phone(self, context, lang)
        self.phones.append(phone)
        return phone

    def paired(self, phone: Phone, table: int | None = None, person: Person = FLOOR) -> Phone:
        """A commissioner's card at the door, the picture on its screen, the digits on both, and yes."""
        self.house.wait_for("the console", lambda: not self.door.station.phonebook.hindrance)
        if person is FLOOR:
            open_menu(self.house, self.door)
        else:
            self.door.tap(person.uid, self.house.folder / "cards")
        role = called("dealer" if table else "commissioner", table)
        choose(self.house, self.door, _CS.gettext("Phones"), label(PAIR))
        _pick(self, say(role, _CS))
        phone.page.goto(self.pairing("the picture", lambda pairing: pairing.picture).picture)
        code = phone.page.locator(".code")
        expect(code).to_be_visible()
        assert code.inner_text() == self.pairing("the digits", lambda pairing: pairing.code).code
        self.door_says_yes()
        choose(self.house, self.door, _CS.gettext("Close the menu"))
        expect(phone.page.locator("#page [data-view]")).to_be_visible()
        expect(phone.page.locator("#dot")).to_have_attribute("data-state", "on")
        return phone

    def pairing(self, what: str, found: Callable[[Pairing], str]) -> Pairing:
        """What the door's screen shows of a phone that is being signed in."""

        def look() -> Pairing | None:
            menu = self.door.station.snapshot.menu
            pairing = menu.page.pairing if menu is not None else None
            return pairing if pairing is not None and found(pairing) else None

        shown = self.house.wait_for(what, look)
        assert shown is not None
        return shown

    def door_says_yes(self) -> None:
        """The digits are the same on both; no line is chosen before somebody has turned to one."""
        self.house.wait_for("the question", lambda: lines(self.door))
        self.house.wait_for("it to be seen", lambda: not self.door.station.menu.glance.is_new(time.monotonic()))
        self.door.station.inbox.put(Turned("knob", 1, time.monotonic_ns()))
        self.door.press(Button.SELECT)


def _pick(stage: Stage, text: str) -> None:
    found = stage.house.wait_for("whose", lambda: [each for each in lines(stage.door) if text in each])
    choose(stage.house, stage.door, found[0])


def label(action: str) -> str:
    """What an action is called at a kiosk."""
    from appliance.floor.catalogue import BY_ID

    return _CS.gettext(BY_ID[action].label)


@contextmanager
def staged(folder: Path, *, seed: int = 31, speed: int = 20, tracked: Sequence[str] = ()) -> Iterator[Stage]:
    """Half an hour before the published evening begins, its doors closed yet."""
    director, phones = Island(), Island()
    with ExitStack() as stack:
        stack.callback(phones.close)
        stack.callback(director.close)
        director.cable(phones, HERE, THERE)
        wrapped = folder / "chromium"
        wrapped.write_text(f'#!/bin/sh\nexec {" ".join(phones.command(str(CHROMIUM)))} "$@"\n')
        wrapped.chmod(0o755)
        expect.set_options(timeout=10_000)
        stack.enter_context(inside(director.network))
        announced = {key: value for key, value in script()[0].items() if key != "at"}
        announced |= {"seed": seed, "tables": [1, 2], "venue": VENUE}
        house = House(
            folder / "house", "mosquitto", speed=speed, start_ms=1_800_035_700_000, tracked=tracked,
            cards=second_card, tonight=announced,
        )  # fmt: skip
        stack.callback(house.close)
        house.start("director", "table-1", "table-2")
        door = Kiosk(house, "door")
        stack.callback(door.close)
        house.wait_for("the door", lambda: house.same_round("door") and house.same_stream(f"league/{VENUE}", "door"))
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=wrapped, args=FLAGS)
        stack.callback(browser.close)
        yield Stage(house, door, browser, phones)


def folded_results() -> list[dict[str, Any]]:
    """The results of the script played alone."""
    from appliance.game.rehearse import run

    found = run((DATA / "evening-18.jsonl").read_bytes().split(b"\n"))
    return list(found["results"])
