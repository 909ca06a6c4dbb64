"""Searches by name or e-mail: they find, page, go out as a file and come back, and no address says for whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

import pytest

from league.staff import audit
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.office_crawl import read

if TYPE_CHECKING:
    from django.test import Client

SEARCHES = {"/office/participants/": "q", "/office/cards/": "q", "/office/audit/": "words"}
WORDS = ("Žáčková", "zackova", "nekdo@example.cz", "8503071234")


@pytest.fixture
def somebody(imported: None) -> Iterator[Client]:
    """Somebody who may search everywhere."""
    from league.people.models import Participant

    Participant.objects.filter(number="000101").update(email="nekdo@example.cz")
    audit.note_by("clerk", audit.What.SHOW, number="000101", about="participant", reason="Žáčková, nekdo@example.cz")
    yield staff_client(Role.CLERK, Role.AUDITOR, name="searcher")


def searched(client: Client, address: str, **typed: str) -> tuple[str, str]:
    """Where a search leads to, and what the page there says."""
    answer = client.post(address, typed, follow=True)
    assert answer.status_code == 200
    return answer.redirect_chain[-1][0], answer.content.decode()


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("address", SEARCHES)
def test_P_no_address_says_whom_somebody_searches_for(somebody: Client, address: str, text: str) -> None:
    led, page = searched(somebody, address, **{SEARCHES[address]: text})
    links, forms = read(led, page)
    for each in (led, *links, *(form.action for form in forms)):
        assert text.lower() not in unquote_plus(each).lower(), each


def test_P_a_search_finds_and_is_still_there_on_the_way_back(somebody: Client) -> None:
    for address, field in SEARCHES.items():
        text = "nekdo@example.cz"
        led, page = searched(somebody, address, **{field: text})
        assert "000101" in page and "000102" not in page, address
        assert somebody.get(led).content.decode().count(f'value="{text}"') == 1, address
        assert "no-store" in somebody.get(led).headers["Cache-Control"]


def test_P_a_search_is_paged_and_keeps_its_other_fields(somebody: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from league.people.pages import listing

    monkeypatch.setattr(listing, "A_PAGE", 2)
    led, page = searched(somebody, "/office/participants/", q="0001", state="active", page="7", other="Žáčková")
    following = next(link for link in read(led, page)[0] if "page=2" in link)
    assert "state=active" in following and "other" not in led and "page" not in led
    second = somebody.get(following).content.decode()
    assert "000103" in second and "000101" not in second and 'value="0001"' in second


def test_P_the_cards_found_go_out_as_a_file(somebody: Client) -> None:
    led, page = searched(somebody, "/office/cards/", q="nekdo@example.cz")
    file = next(link for link in read(led, page)[0] if "/file/" in link)
    text = b"".join(somebody.get(file).streaming_content).decode()  # type: ignore[attr-defined]
    assert "000101" in text and "000102" not in text


def test_P_the_audit_entries_found_go_out_as_a_file(somebody: Client) -> None:
    led, page = searched(somebody, "/office/audit/", words="nekdo@")
    file = next(link for link in read(led, page)[0] if "/file/" in link)
    text = b"".join(somebody.get(file).streaming_content).decode()  # type: ignore[attr-defined]
    assert len(text.splitlines()) == 2


def test_P_a_whole_number_opens_its_participant_but_not_while_it_is_typed(somebody: Client) -> None:
    assert somebody.post("/office/participants/", {"q": " 000101 "}).headers["Location"].endswith("/000101/")
    typing = somebody.post("/office/participants/", {"q": "000101"}, headers={"HX-Request": "true"})
    assert typing.headers["Location"].startswith("/office/participants/?s=")


def test_P_what_another_sealed_or_nobody_opens_nothing(somebody: Client) -> None:
    led, _ = searched(somebody, "/office/participants/", q="Žáčková")
    other = staff_client(Role.CLERK, name="another").get(led).content.decode()
    assert "Žáčková" in other and 'value="Žáčková"' not in other and "000102" in other
    for broken in (led[:-3], led + "A", "/office/participants/?s=", "/office/participants/?s=%C5%BD", led[:30]):
        assert 'value="Žáčková"' not in somebody.get(broken).content.decode(), broken


def test_P_what_stands_open_in_an_address_is_not_searched_for(somebody: Client) -> None:
    assert 'value="Žáčková"' not in somebody.get("/office/participants/?q=Žáčková").content.decode()


def test_P_the_length_of_a_name_does_not_show(somebody: Client) -> None:
    assert len({len(searched(somebody, "/office/participants/", q=text)[0]) for text in ("a", *WORDS, "Ž" * 40)}) == 1


def test_P_script_that_is_searched_for_is_text(somebody: Client) -> None:
    for address, field in SEARCHES.items():
        _, page = searched(somebody, address, **{field: '"><zz onx=1>'})
        assert "<zz" not in page and "&lt;zz" in page, address


def test_P_a_search_needs_its_token(somebody: Client) -> None:
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.cookies = somebody.cookies
    for address, field in SEARCHES.items():
        assert strict.post(address, {field: "Žáčková"}).status_code == 403, address


def test_P_a_list_notes_every_personal_field_it_shows(somebody: Client) -> None:
    for address in ("/office/participants/", "/office/cards/", "/office/cards/waiting/", "/office/cards/refused/"):
        somebody.get(address)
    noted = {entry.about: set(entry.fields) for entry in AuditEntry.objects.filter(who="searcher", what="view")}
    assert noted["list of participants"] >= {"name", "email", "home_venue", "state"}
    assert noted["list of cards"] >= {"name", "card", "state"}
    assert noted["list of replacements"] >= {"name", "card"}
    assert noted["list of refused cards"] >= {"number", "card"}


def test_P_the_admin_searches_by_no_name(db: None) -> None:
    from django.contrib import admin
    from django.test import RequestFactory

    request = RequestFactory().get("/admin/")
    fields = {name for each in admin.site._registry.values() for name in each.get_search_fields(request)}
    assert {name.rpartition("__")[2] for name in fields}.isdisjoint(
        {"surname", "first_name", "last_name", "username", "email"}
    )
    assert "number" in fields
