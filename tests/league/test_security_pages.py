"""Every page and every form of the league, as its addresses name them, for everybody: who gets in, and how little.

What is looked at is found by following links and forms from the first pages on, and is held against the list of all
addresses: a page that is added is either reached here, or named below with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_plus

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern

from league.staff.roles import Role
from tests.league import office_world
from tests.league.office import PASSWORD, staff_client, staff_user
from tests.league.office_crawl import Found, client_get, crawl, kind, read, routes

PUBLIC = ("", "rounds/", "standings/", "rules/", "game-plan/", "prices/", "players/", "venues/", "calendar.ics", "tv/")
"""What anybody may read; all else is the office, an account, the admin, or one's own page."""

DEVICES = {"enrol", "favicon.ico", "robots.txt", "sitemap.xml"} | {
    route for route, _ in routes() if route.startswith("api/1/")
}
"""What no person looks at: machine-readable results, what search engines read, and where a venue's devices enrol."""

ALONE = {
    "account/login/", "account/inactive/", "account/confirm/", "account/password/done/", "account/second/sign-in/",
    "account/second/confirm/", "account/second/app/", "account/second/app/remove/", "account/second/keys/confirm/",
    "account/second/keys/<int:pk>/", "account/second/keys/<int:pk>/remove/", "account/second/codes/new/",
    "account/second/codes/file/",
    "account/password/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$", "office/sessions/<int:pk>/end/",
    "me/consents/processing/",
}  # fmt: skip
"""Reached by a letter, by signing in, or by what nobody here has, such as a security key."""

ROUTES = dict(routes())
OTHERS = ["/account/login/", "/account/inactive/", "/account/second/keys/", "/account/second/codes/new/",
          "/nowhere/", "/en/nowhere/", "/rounds/NONE/", "/office/staff/999/"]  # fmt: skip


@pytest.fixture(scope="module")
def clients(_database: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Client]]:
    """The league with everything in it, and everybody who may come to it."""
    with office_world.standing(tmp_path_factory.mktemp("office")):
        yield office_world.clients()


@pytest.fixture(scope="module")
def office(clients: dict[str, Client]) -> Client:
    """Somebody of the staff who may do everything."""
    return clients["everybody"]


@pytest.fixture(scope="module")
def found(office: Client) -> Found:
    """Every page that somebody with all roles gets to, and every form."""
    return crawl(client_get(office), "/", "/office/", "/account/second/", *OTHERS)


@pytest.fixture(scope="module")
def own(clients: dict[str, Client]) -> Found:
    """Every page that a participant gets to."""
    return crawl(client_get(clients["participant"]), "/me/", "/me/sent/", "/me/link/nothing/")


def acts(found: Found) -> dict[str, dict[str, str]]:
    """One address of each kind that a form is sent to, with what the form holds."""
    forms = {kind(address): (address, form.fields) for address, form in found.forms.items()}
    return dict(forms.values())


def guarded(route: str, page: URLPattern) -> bool:
    """Whether something stands before a page: roles, the admin's own gate, the sign-in's, or one's own link."""
    if route.startswith("office/"):
        return bool(getattr(page.callback, "roles", None))
    if route.startswith("me/") and route not in ("me/", "me/sent/", "me/link/<str:token>/", "me/leave/"):
        return bool(getattr(page.callback, "mine", False))
    return route.startswith(("account/", "admin/", "me/")) or route in DEVICES


def unguarded(of: dict[str, URLPattern]) -> set[str]:
    return {route for route, page in of.items() if not guarded(route, page)}


def test_P_what_has_no_gate_before_it_is_for_the_public() -> None:
    assert {route for route in unguarded(ROUTES) if not route.startswith(PUBLIC[1:])} == {""}


@pytest.mark.parametrize("route", ["office/bare/", "me/bare/", "bare/"])
def test_P_a_page_that_is_added_without_a_gate_is_found(route: str) -> None:
    from django.http import HttpResponse
    from django.urls import path

    assert unguarded({route: path(route, lambda _request: HttpResponse())}) == {route}


def test_P_every_page_is_reached_by_a_link_or_a_form(found: Found, own: Found) -> None:
    reached = found.reached() | own.reached()
    missing = {route for route in ROUTES if not route.startswith("admin/")} - reached - DEVICES - ALONE
    assert missing == set()


def test_P_no_link_leads_to_nothing(found: Found) -> None:
    broken = {address for address, answer in found.pages.items() if answer.status not in (200, 301, 302)}
    assert {address.removeprefix("/en") for address in broken} == {"/nowhere/", "/rounds/NONE/", "/office/staff/999/"}


def test_P_no_form_puts_what_is_typed_into_an_address(found: Found, own: Found) -> None:
    """Addresses stand in proxies' logs and in histories: a name that is typed goes in a form's body.

    What is published anyway is searched for by an address that can be passed on: participants by the name that they
    publish, venues by theirs.
    """
    typed = {
        (form.action.partition("?")[0].removeprefix("/en"), name)
        for address, answer in (found.html() | own.html()).items()
        for form in read(address, answer.text)[1]
        for name, sort in form.kinds.items()
        if form.method == "get" and sort in ("text", "search", "email", "textarea")
    }
    published = {("/standings/2027/", "q"), ("/office/fleet/", "q")}
    assert typed - published == {("/office/rounds/templates/structure/", "chips")}


def test_P_no_address_carries_a_name(found: Found, own: Found) -> None:
    from league.people.models import Participant

    names = {text.lower() for person in Participant.objects.all() for text in (person.surname, person.email) if text}
    assert len(names) > 5
    for address in (*found.pages, *found.forms, *own.pages, *own.forms):
        assert [name for name in names if name in unquote_plus(address).lower()] == [], address


@pytest.mark.parametrize("role", list(Role))
def test_P_each_role_gets_to_what_names_it_and_to_nothing_else(db: None, found: Found, role: Role) -> None:
    """With what there really is, unlike the addresses of nothing that are tried elsewhere."""
    client = staff_client(role, name=f"only-{role}")
    for address in found.pages:
        page = ROUTES.get(kind(address))
        roles = getattr(page.callback, "roles", None) if page else None
        if roles is not None and not address.startswith("/en/"):
            assert (client.get(address).status_code == 403) == (role not in roles), f"{role} {address}"
    for address, fields in acts(found).items():
        roles = getattr(ROUTES[kind(address)].callback, "roles", None)
        if roles is not None and role not in roles:
            assert client.post(address, fields).status_code == 403, f"{role} {address}"


def test_P_who_only_looks_changes_nothing_whatever_they_send(db: None, found: Found) -> None:
    client = staff_client(Role.AUDITOR, name="only-looks")
    for address, fields in acts(found).items():
        asks = getattr(ROUTES[kind(address)].callback, "asks", False)
        if address.startswith(("/office/", "/en/office/")) and "/sessions/" not in address:
            assert client.post(address, fields).status_code == (302 if asks else 403), address
    mine = crawl(client_get(client), "/office/", without="/en/")
    assert {route for route in map(kind, mine.forms) if route.startswith("office/")} <= {
        "office/sessions/<int:pk>/end/",
        "office/participants/",
        "office/cards/",
        "office/audit/",
    }


def test_P_an_operator_is_shown_nobodys_personal_data(db: None, office: Client) -> None:
    from league.people.models import Participant

    secret = [text for person in Participant.objects.all() for text in (person.surname, person.email) if text]
    pages = crawl(client_get(staff_client(Role.OPERATOR, name="only-runs")), "/office/", without="/en/").pages
    office_pages = {address: answer for address, answer in pages.items() if "/office/" in address}
    assert len(office_pages) > 10
    for address, answer in office_pages.items():
        assert [text for text in secret if text in answer.text or text.encode() in answer.file] == [], address


@pytest.mark.parametrize("who", ["everybody", "participant"])
def test_P_a_form_without_its_token_does_nothing(
    db: None, found: Found, own: Found, clients: dict[str, Client], who: str
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies = clients[who].cookies
    sent = acts(found if who == "everybody" else own)
    assert len(sent) > (40 if who == "everybody" else 5)
    for address, fields in sent.items():
        bare = {name: text for name, text in fields.items() if name != "csrfmiddlewaretoken"}
        for method in (client.post, client.put, client.delete, client.patch):
            assert method(address, bare).status_code == 403, address


def test_P_nobody_but_its_participant_gets_to_an_own_page(db: None, own: Found, clients: dict[str, Client]) -> None:
    mine = {address: acts(own).get(address, {}) for address in (*own.pages, *acts(own))}
    inside = {address: fields for address, fields in mine.items() if hasattr(ROUTES[kind(address)].callback, "mine")}
    assert len(inside) > 5
    for client in (Client(), clients["everybody"]):
        for address, fields in inside.items():
            for answer in (client.get(address), client.post(address, fields)):
                assert answer.status_code == 405 or answer.headers["Location"] == _home(address), address


def test_P_a_participant_does_nothing_to_another_whatever_they_send(
    db: None, own: Found, clients: dict[str, Client]
) -> None:
    from league.people.models import Participant

    other = {
        "number": "000101",
        "participant": "000101",
        "person": "000101",
        "pk": Participant.objects.get(number="000101").pk,
    }
    before = _all_about("000101")
    for address, fields in acts(own).items():
        clients["participant"].post(address, fields | other)
    assert _all_about("000101") == before


def test_P_a_participant_gets_to_nothing_of_the_office(db: None, found: Found, clients: dict[str, Client]) -> None:
    for address in found.pages:
        if "/office/" in address:
            answer = clients["participant"].get(address)
            assert answer.status_code == 405 or "/account/login/" in answer.headers["Location"], address


def _home(address: str) -> str:
    return "/en/me/" if address.startswith("/en/") else "/me/"


def _all_about(number: str) -> list[Any]:
    from league.people.models import Consent, Participant
    from league.rounds.planning import SignUp

    rows = (Participant.objects.filter(number=number), Consent.objects.filter(participant__number=number),
            SignUp.objects.filter(participant__number=number))  # fmt: skip
    return [list(row.order_by("pk").values()) for row in rows]


def test_P_only_what_devices_send_is_taken_without_a_token(found: Found) -> None:
    """Uploads look for the token themselves, once they have seen to the size: the test of tokens tries them, too. What
    is public takes nothing, and says so before anything is asked.
    """
    exempt = {route for route, page in ROUTES.items() if getattr(page.callback, "csrf_exempt", False)}
    uploads = {kind(address) for address, form in found.forms.items() if "file" in form.kinds.values()}
    reads = {
        route for route in exempt if ROUTES[route].callback.__module__.startswith(("league.site", "league.notices"))
    }
    assert exempt - reads <= {"enrol"} | uploads
    nobody = Client(enforce_csrf_checks=True)
    tried = [address for address in found.pages if kind(address) in reads]
    assert len(tried) > 5
    for address in tried:
        assert nobody.post(address).status_code == 405, address


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_P_a_day_at_an_end_of_the_calendar_is_refused_in_words(
    db: None, found: Found, office: Client, day: str
) -> None:
    """Such a day and hour is no moment in another zone: it must not get so far."""
    with_days = {kind(address): form for address, form in found.forms.items() if "date" in form.kinds.values()}
    assert len(with_days) > 10
    for form in with_days.values():
        typed = {
            name: {"date": day, "time": "00:00"}.get(form.kinds.get(name, ""), text)
            for name, text in form.fields.items()
        }
        with transaction.atomic(), transaction.atomic(using="keys"):
            assert office.post(form.action, typed).status_code < 500, form.action
            transaction.set_rollback(True)
            transaction.set_rollback(True, using="keys")


def test_P_no_address_has_a_nul_in_it(db: None, office: Client) -> None:
    for address in (
        "/office/participants/%00/", "/office/rounds/round/%00/", "/office/rounds/round/%00/move/", "/me/rounds/%00/",
        "/office/rounds/new/?like=%00", "/office/audit/?number=%00", "/rounds/%00/", "/?page=%00",
    ):  # fmt: skip
        for answer in (office.get(address), office.post(address)):
            assert answer.status_code == 404, address


def test_P_what_only_acts_does_nothing_when_it_is_merely_opened(db: None, found: Found, office: Client) -> None:
    for address in acts(found):
        if address not in found.pages and "/office/" in address:
            assert office.get(address).status_code in (405, 302, 200), address
    only = {
        route for route in found.reached() if re.search(r"(act|consent|withdraw|announce|drop|show|export)/$", route)
    }
    for address in found.forms:
        if kind(address) in only and address not in found.pages:
            assert office.get(address).status_code == 405, address


def hardly_open(headers: Any) -> list[str]:
    """What is wrong with an answer's headers."""
    policy = headers.get("Content-Security-Policy", "")
    wanted = {
        "Content-Security-Policy": "unsafe" not in policy and "*" not in policy and "default-src 'none'" in policy
        and "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy and "form-action 'self'" in policy,
        "X-Content-Type-Options": headers.get("X-Content-Type-Options") == "nosniff",
        "Referrer-Policy": headers.get("Referrer-Policy") in ("same-origin", "no-referrer"),
        "Cross-Origin-Opener-Policy": headers.get("Cross-Origin-Opener-Policy") == "same-origin",
    }  # fmt: skip
    return [name for name, well in wanted.items() if not well]


def test_P_every_answer_says_how_little_it_needs(db: None, found: Found, own: Found, office: Client) -> None:
    answers = {address: answer.headers for address, answer in (*found.pages.items(), *own.pages.items())}
    visitor, strict = Client(raise_request_exception=False), Client(enforce_csrf_checks=True)
    more = {
        "nothing there": visitor.get("/nothing/"), "signed in first": visitor.get("/office/"),
        "not this role": staff_client(Role.OPERATOR).get("/office/participants/"),
        "no token": strict.post("/account/login/"), "not by GET": office.get("/office/participants/000101/act/"),
        "not this host": visitor.get("/", headers={"host": "elsewhere.example"}),
        "a file": visitor.get("/static/league/desk.css"), "no file": visitor.get("/static/league/none.css"),
        "results": visitor.get("/api/1/standings.json"), "a device": visitor.post("/enrol"),
    }  # fmt: skip
    answers |= {what: answer.headers for what, answer in more.items()}
    for route in ROUTES:
        if route.startswith("account/") and "<" not in route and "(" not in route:
            for who, client in (("visitor", visitor), ("staff", office)):
                answers[f"{who} {route}"] = client.get(f"/{route}").headers
    faults = {what: hardly_open(headers) for what, headers in answers.items()}
    assert {what: lacking for what, lacking in faults.items() if lacking} == {}


def test_P_an_error_inside_says_no_more_than_that(db: None, office: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("505307/9999 Dlouhá 7")

    monkeypatch.setattr("league.people.pages.listing.find", fail)
    office.raise_request_exception = False
    try:
        answer = office.get("/office/participants/")
    finally:
        office.raise_request_exception = True
    assert answer.status_code == 500 and hardly_open(answer.headers) == []
    assert "505307" not in answer.text and "RuntimeError" not in answer.text


def test_P_no_page_has_script_or_style_of_its_own_in_it(found: Found, own: Found) -> None:
    inline = re.compile(
        r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<[^>]*\s(on\w+|style)=|<style|javascript:", re.I
    )
    pages = (*found.html().items(), *own.html().items())
    assert {address: seen[0] for address, answer in pages if (seen := inline.search(answer.text))} == {}


def test_P_no_page_needs_anything_from_elsewhere(found: Found) -> None:
    away = re.compile(r"<(?:script|link|img|iframe|form)[^>]*\s(?:src|href|action)=\"(?:https?:)?//", re.I)
    assert {address for address, answer in found.html().items() if away.search(answer.text)} == set()


def test_P_pages_of_the_office_and_own_pages_are_kept_nowhere(found: Found, own: Found) -> None:
    for address, answer in (*found.pages.items(), *own.pages.items()):
        if kind(address).startswith(("office/", "account/", "me/")) and answer.status == 200:
            assert "no-store" in answer.headers.get("Cache-Control", ""), address


def test_P_the_cookies_are_out_of_reach_of_scripts_and_of_other_sites(db: None) -> None:
    client = Client()
    staff_user(Role.CLERK, name="cookies", factor=False)
    client.get("/account/login/")
    answer = client.post("/account/login/", {"login": "cookies", "password": PASSWORD})
    assert answer.status_code == 302
    session = answer.cookies["sessionid"]
    assert session["httponly"] and session["samesite"] == "Lax" and session["max-age"] == ""
    assert {cookie["samesite"] for cookie in client.cookies.values()} == {"Lax"}


def test_P_a_host_that_is_not_ours_is_refused(db: None) -> None:
    for host in ("elsewhere.example", "localhost.elsewhere.example", "localhost:80@elsewhere.example"):
        assert Client().get("/office/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    ("address", "fields", "field"),
    [
        ("/office/publishing/new/", {"kind": "rules", "effective_on": ""}, "id_effective_on"),
        ("/office/rounds/round/OPEN/notified/", {"day": "", "reference": "MU-7/2027"}, "id_day"),
    ],
)
def test_P_what_is_wrong_is_said_beside_its_field_and_nothing_is_lost(
    db: None, office: Client, address: str, fields: dict[str, str], field: str
) -> None:
    page = office.post(address, fields).text
    assert f'href="#{field}"' in page and 'aria-invalid="true"' in page and "errorlist" in page
    assert f'value="{fields.get("reference", "rules")}"' in page
