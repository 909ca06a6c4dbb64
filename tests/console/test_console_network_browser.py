"""What somebody on the venue's network can do with what goes over it in the clear, at a director that runs; and fifty
phones that all tap at once. Everything is asked from a network of its own, as guests of a venue's WLAN would.
"""

from __future__ import annotations

import http.client
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Request, expect

from appliance.apps.demo_season import FLOOR, PLAYERS
from appliance.console import signing
from appliance.phonekey import seal
from appliance.phonenotes import ConfirmPhone, CutOffPhone, PairPhone
from tests.console.phones import Answer, Hand
from tests.console.stage import HERE, PORT, Stage, inside, staged
from tests.console.viewing import buttons, fields
from tests.system.test_phones import Kiosk, new_id

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(os.geteuid() != 0, reason="networks of their own are made by root"),
]
T = TypeVar("T")
PHONES = 50
NONCE = bytes(range(16))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Four at a table, and the round begun."""
    with staged(tmp_path) as stage:
        stage.floor.must("open")
        for player in PLAYERS[:4]:
            stage.floor.must("register", participant=player.number, identity_checked=True)
        stage.floor.must("start")
        yield stage


class Guest(Hand):
    """A phone without a browser, at the other end of the cable."""

    def raw(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}) -> Answer:
        connection = http.client.HTTPConnection(HERE, PORT, timeout=20)
        try:
            connection.request(method, path, body or None, dict(headers))
            answer = connection.getresponse()
            return Answer(answer.status, answer.read(), {k.lower(): v for k, v in answer.getheaders()})
        finally:
            connection.close()

    def sends(self, action: str, answers: Mapping[str, Any], id: str) -> str:
        """Send a form; what is answered."""
        body = _encoded({**answers, "id": id, "do": "send"})
        answer = self.ask("POST", f"/form/{action}?lang=en", body)
        assert answer.status == 200, answer.body
        return answer.text


def _encoded(answers: Mapping[str, Any]) -> bytes:
    return urlencode({name: str(value) for name, value in answers.items()}).encode()


class Guests:
    """Threads of the other network."""

    def __init__(self, stage: Stage, kiosk: Kiosk, count: int) -> None:
        self.stage, self.kiosk = stage, kiosk
        self._pool = ThreadPoolExecutor(count)

    def all(self, *doing: Callable[[], T]) -> list[T]:
        """Do all of this at once, over there."""

        def there(do: Callable[[], T]) -> T:
            with inside(self.stage.network.network):
                return do()

        return list(self._pool.map(there, doing))

    def paired(self) -> Guest:
        """A commissioner's phone, as a kiosk signs it in."""
        session, key = os.urandom(8).hex(), os.urandom(32)
        box = seal(key, session, self.kiosk.phones.seal)
        assert self.kiosk.asks(PairPhone(session=session, role="commissioner", box=box, by=FLOOR.number)).ok
        guest = Guest(PORT, session, key)
        claim = json.dumps({"nonce": NONCE.hex(), "agent": "Guest"}).encode()
        (claimed,) = self.all(lambda: guest.ask("POST", "/pair", claim))
        assert claimed.json["code"] == signing.code(key, NONCE)
        assert self.kiosk.asks(ConfirmPhone(session=session, yes=True, by=FLOOR.number)).ok
        return guest


@pytest.fixture
def guests(stage: Stage) -> Iterator[Guests]:
    kiosk = Kiosk(stage.house, "floor")
    kiosk.meet()
    yield Guests(stage, kiosk, PHONES)
    kiosk.peer.client.stop()


def hands(stage: Stage) -> int:
    return stage.house.ledger("director", "R1").round.tables[1].hand  # type: ignore[union-attr]


def heard(request: Request) -> tuple[str, str, bytes, dict[str, str]]:
    """All that a listener has of a request."""
    path = request.url.removeprefix(f"http://{HERE}:{PORT}")
    named = {n: v for n, v in request.all_headers().items() if n.startswith(("x-tableside", "content-type", "hx-"))}
    return request.method, path, (request.post_data or "").encode(), named


def test_a_sniffed_session_replayed_is_refused(stage: Stage, guests: Guests) -> None:
    phone = stage.paired(stage.phone("en", 320, 640))
    listened: list[Request] = []
    phone.page.on("request", lambda request: listened.append(request))
    phone.view("table/1")
    phone.does("next_hand")
    stage.wait("the hand", lambda round: round.tables[1].hand == 1)
    phone.page.reload()
    expect(phone.page.locator("#dot")).to_have_attribute("data-state", "on")
    sniffed = [heard(each) for each in listened if "x-tableside-session" in each.headers]
    tickets = [each.url for each in listened if "ticket=" in each.url]
    assert {method for method, *_ in sniffed} == {"GET", "POST"} and len(sniffed) > 5 and tickets

    stranger = Guest(PORT)
    for method, path, body, named in sniffed:
        count = int(named["x-tableside-count"])
        tries: list[tuple[str, str, bytes, dict[str, str]]] = [
            (method, path, body, named),
            (method, path, body, {**named, "x-tableside-count": str(count + 500)}),
            (method, path + ("&" if "?" in path else "?") + "more=1", body, named),
            ("POST", path, body + b"&x=1", named),
            (method, path, body, {**named, "x-tableside-session": "0" * 16}),
            (method, path, body, {name: value for name, value in named.items() if not name.startswith("x-tableside")}),
        ]
        answers = guests.all(*[lambda each=each: stranger.raw(*each) for each in tries])
        assert all(answer.status in (401, 405) for answer in answers), [answer.status for answer in answers]
        assert not any(re.search(r"Hand|000101|Poř", answer.text) for answer in answers)
    for path in [url.removeprefix(f"http://{HERE}:{PORT}") for url in tickets]:
        (answer,) = guests.all(partial(stranger.raw, "GET", path))
        assert answer.status == 401
    assert hands(stage) == 1
    phone.view("table/1")
    phone.does("next_hand")  # whoever is signed in goes on
    stage.wait("the next hand", lambda round: round.tables[1].hand == 2)


def test_a_lost_phone_is_cut_off_and_has_nothing_more(stage: Stage, guests: Guests) -> None:
    guest = guests.paired()
    (view,) = guests.all(lambda: guest.ask("GET", "/view/clock?lang=en"))
    assert view.status == 200
    (given,) = guests.all(lambda: guest.ask("POST", "/ticket", b"/events?lang=en"))
    assert guests.kiosk.asks(CutOffPhone(session=guest.session, by=FLOOR.number)).ok
    answers = guests.all(
        lambda: guest.ask("GET", "/view/clock?lang=en"),
        lambda: guest.ask("POST", "/form/pause?lang=en", b"do=send&id=" + new_id().encode()),
        lambda: guest.raw("GET", f"/events?lang=en&ticket={given.json['ticket']}"),
        lambda: guest.ask("POST", "/ticket", b"/export/journal.jsonl"),
    )
    assert [answer.status for answer in answers] == [401] * 4
    assert stage.house.ledger("director", "R1").round.clock.running  # type: ignore[union-attr]


def test_fifty_phones_at_once_are_all_answered_and_nothing_is_doubled(stage: Stage, guests: Guests) -> None:
    all_of_them = [guests.paired() for _ in range(PHONES)]
    pages = guests.all(*[lambda each=each: each.ask("GET", "/view/table/1?lang=en") for each in all_of_them])
    assert {page.status for page in pages} == {200} and len({page.text for page in pages}) == 1
    (sent,) = [vals for _, url, vals in buttons(pages[0].text) if url == "/form/next_hand"]

    # all saw the same page and tap the same button: one of them begins the hand, the others hear what has become of it
    told = guests.all(*[lambda each=each: each.sends("next_hand", sent, new_id()) for each in all_of_them])
    assert sum("data-done" in each for each in told) == 1
    assert sum("The state has moved on" in each for each in told) == PHONES - 1
    assert hands(stage) == 1

    # each has a wish of its own, and says it twice, as a phone does that got no answer
    wishes = [(guest, PLAYERS[n % 4].number, new_id()) for n, guest in enumerate(all_of_them)]
    told = guests.all(*[lambda wish=wish: warn(*wish) for wish in wishes])
    assert all("data-done" in each for each in told)
    given = stage.house.stream("director", "round/R1")
    ids = [record["cause"] for record in given if record["cause"] in {id for _, _, id in wishes}]
    assert len(ids) == len(set(ids)) == PHONES
    devices = {record["data"]["device"] for record in given if record["cause"] in ids}
    assert len(devices) == PHONES

    pages = guests.all(*[lambda each=each: each.ask("GET", "/view/history?lang=en") for each in all_of_them])
    assert {page.status for page in pages} == {200} and len({page.text for page in pages}) == 1


def warn(guest: Guest, who: str, id: str) -> str:
    """A warning, by a form that is read anew while others give theirs; sent twice under one id."""
    said = ""
    for _ in range(PHONES):
        form = guest.ask("GET", f"/form/sanction?participant={who}&kind=warning&lang=en")
        answers = {**fields(form.text), "participant": who, "kind": "warning", "reason.typed": "late"}
        shown = guest.ask("POST", "/form/sanction?lang=en", _encoded(answers))
        answers = {**fields(shown.text), "participant": who, "kind": "warning", "reason.typed": "late"}
        said = guest.sends("sanction", answers, id)
        if "data-done" in said or "✓" in said:
            break
    return guest.sends("sanction", answers, id)
