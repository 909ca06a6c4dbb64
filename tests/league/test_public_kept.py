"""Public pages are kept for a moment, and never after what they show has changed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from league.live import changes
from league.people.models import Consent
from league.site import caching
from tests.league.office import staff_client
from tests.league.test_public_pages import AT, public_client  # noqa: F401 (a fixture)

PAGES = ("/", "/en/", "/standings/", "/rounds/R1/", "/players/000101/", "/venues/", "/api/1/standings.json",
         "/api/1/rounds.csv", "/calendar.ics", "/tv/", "/robots.txt", "/sitemap.xml")  # fmt: skip


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Pages are kept, by a clock of the test's own."""
    now = [1000.0]
    monkeypatch.setattr(caching, "LONGEST_S", 2.0)
    monkeypatch.setattr("league.site.caching.time.monotonic", lambda: now[0])
    caching.PAGES.clear()
    yield now
    caching.PAGES.clear()


def asked(client: Client, address: str, **headers: str) -> tuple[HttpResponse, int]:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address, headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer, len(queries)


@pytest.mark.parametrize("address", PAGES)
def test_P_a_page_that_was_just_made_costs_one_query(client: Client, clock: list[float], address: str) -> None:
    first, _ = asked(client, address)
    again, count = asked(client, address)
    assert first.status_code == 200 and again.content == first.content and count == 1
    for name in ("Content-Type", "ETag", "Cache-Control", "X-Robots-Tag", "Link", "Content-Disposition"):
        assert first.headers.get(name) == again.headers.get(name)
    assert again.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert not again.cookies
    assert again.headers["Content-Security-Policy"]


@pytest.mark.parametrize("address", PAGES)
def test_P_who_has_a_page_is_told_that_it_still_holds(client: Client, clock: list[float], address: str) -> None:
    tag = client.get(address).headers["ETag"]
    answer = client.get(address, headers={"If-None-Match": tag})
    assert (answer.status_code, answer.content) == (304, b"")
    assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_LG_7_a_name_is_gone_with_the_change_and_without_one_within_two_seconds(
    client: Client, clock: list[float]
) -> None:
    tag = client.get("/standings/").headers["ETag"]
    Consent.objects.filter(kind="publication").update(withdrawn_at=AT)
    assert "Žáčková" in client.get("/standings/").content.decode(), "nothing counted the change"
    clock[0] += 1.9
    assert "Žáčková" in client.get("/standings/").content.decode()
    clock[0] += 0.1
    assert "Žáčková" not in client.get("/standings/").content.decode()
    Consent.objects.filter(kind="publication").update(withdrawn_at=None)
    changes.bump()
    assert "Žáčková" in client.get("/standings/").content.decode()
    Consent.objects.filter(kind="publication").update(withdrawn_at=AT)
    changes.bump()
    answer = client.get("/standings/", headers={"If-None-Match": tag})
    assert answer.status_code == 200 and "Žáčková" not in answer.content.decode()


def test_P_pages_differ_by_address_language_and_host_and_by_nobody_who_is_signed_in(
    client: Client, clock: list[float]
) -> None:
    assert client.get("/").content != client.get("/en/").content
    assert client.get("/?month=2027-01").content != client.get("/").content
    mine = staff_client(name="somebody").get("/standings/").content
    assert mine == client.get("/standings/").content
    assert b"http://testserver/" in client.get("/sitemap.xml").content
    other = client.get("/sitemap.xml", headers={"host": "localhost"}).content
    assert b"http://localhost/" in other and b"testserver" not in other


def test_P_what_is_missing_or_sent_is_not_kept(client: Client, clock: list[float]) -> None:
    for address in ("/players/999999/", "/api/1/rounds/R9.json"):
        assert client.get(address).status_code == 404
    assert asked(client, "/players/999999/")[1] > 1
    assert client.post("/standings/").status_code == 405
    assert client.head("/standings/").status_code == 200


EVERY = (*PAGES, "/tv/R1/", "/venues/zabreh/", "/venues/zabreh/calendar.ics", "/standings/2027/records/", "/rules/",
         "/game-plan/", "/en/prices/", "/api/1/nothing", "/api/1/rounds/R1.csv")  # fmt: skip


@pytest.mark.parametrize("address", EVERY)
def test_P_public_addresses_are_read_and_answer_anything_else_with_405_and_nothing(
    client: Client, address: str
) -> None:
    browser = Client(enforce_csrf_checks=True)
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"):
        answer = browser.generic(method, address, "a=b", "application/x-www-form-urlencoded")
        assert (answer.status_code, answer.content) == (405, b""), method
        assert answer.headers["Allow"] == "GET, HEAD"
    whole, head = browser.get(address), browser.head(address)
    assert head.status_code == whole.status_code and head.content == b""


def test_P_a_process_keeps_so_many_pages_and_bytes_and_no_more(
    clock: list[float], monkeypatch: pytest.MonkeyPatch, db: None
) -> None:
    monkeypatch.setattr(caching, "MOST_PAGES", 3)
    made: list[str] = []

    @caching.public
    def view(request: HttpRequest) -> HttpResponse:
        made.append(request.path)
        return HttpResponse(request.path * 10)

    def get(path: str) -> None:
        assert view(RequestFactory().get(path)).status_code == 200

    for path in ("/a", "/b", "/c", "/a", "/d", "/a", "/b"):
        get(path)
    assert made == ["/a", "/b", "/c", "/d", "/b"]
    monkeypatch.setattr(caching, "MOST_BYTES", 100)
    get("/" + "x" * 50)
    get("/" + "x" * 50)
    assert made[-2:] == ["/" + "x" * 50] * 2, "what is larger than a share of the room is not kept"
    get("/?" + "y" * 400)
    get("/?" + "y" * 400)
    assert made[-2:] == ["/", "/"]


def test_P_many_at_once_have_one_page_made_for_all(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "current", lambda: 1)
    going, made = threading.Event(), []

    @caching.public
    def view(request: HttpRequest) -> HttpResponse:
        made.append(1)
        going.wait(10)
        return HttpResponse("page")

    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(view(RequestFactory().get("/")))) for _ in range(8)]
    for thread in threads:
        thread.start()
    going.set()
    for thread in threads:
        thread.join()
    assert made == [1] and [answer.content for answer in answers] == [b"page"] * 8


def test_P_a_page_that_fails_is_made_anew(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "current", lambda: 1)
    tries: list[int] = []

    @caching.public
    def view(request: HttpRequest) -> HttpResponse:
        tries.append(1)
        if len(tries) == 1:
            raise RuntimeError
        return HttpResponse("page")

    with pytest.raises(RuntimeError):
        view(RequestFactory().get("/"))
    assert view(RequestFactory().get("/")).status_code == 200
    assert not caching.PAGES._making
