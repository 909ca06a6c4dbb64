"""Every page of the office for every role: none opens without a role, a second factor, and a gate before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, path

from league.staff.roles import Role
from tests.league.office import sign_in, staff_client, staff_user


def office_pages() -> Iterator[tuple[str, URLPattern]]:
    """Every address of the namespace ``office``, with its name."""
    (office,) = [part for part in _walk(get_resolver()) if part.namespace == "office"]
    yield from _patterns(office)


def _walk(resolver: URLResolver) -> Iterator[URLResolver]:
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            yield part
            yield from _walk(part)


def _patterns(resolver: URLResolver, before: str = "/office/") -> Iterator[tuple[str, URLPattern]]:
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            yield from _patterns(part, before + str(part.pattern))
        else:
            yield _example(before + str(part.pattern)), part


def _example(pattern: str) -> str:
    """An address that fits a pattern: of whatever there is not."""
    plain = re.sub(r"<int:\w+>|\(\?P<pk>\[0-9\]\{1,9\}\)", "987654", pattern)
    plain = re.sub(r"<uuid:\w+>", "01234567-89ab-4def-8123-456789abcdef", plain)
    plain = re.sub(r"\(\?P<\w+>([^()|]+)[^()]*\)", r"\1", plain)
    return re.sub(r"<(?:\w+:)?\w+>", "987654", plain).replace("^", "").replace("$", "").replace("\\", "")


PAGES = dict(office_pages())
"""Address → view."""


def unguarded(pages: dict[str, URLPattern]) -> list[str]:
    """The addresses whose view has no gate before it."""
    return [address for address, page in pages.items() if not getattr(page.callback, "roles", None)]


def test_P_every_page_of_the_office_names_its_roles() -> None:
    assert "/office/staff/987654/" in PAGES
    assert unguarded(PAGES) == []


def test_P_a_page_of_the_office_without_a_gate_is_found() -> None:
    bare = {"/office/bare/": path("bare/", lambda _request: HttpResponse())}
    assert unguarded(PAGES | bare) == ["/office/bare/"]


@pytest.mark.parametrize("role", list(Role))
def test_P_each_role_opens_its_pages_and_no_others(db: None, role: Role) -> None:
    client = staff_client(role)
    for address, page in PAGES.items():
        mine = role in page.callback.roles  # type: ignore[attr-defined]
        for method in ("GET", "POST"):
            answer = client.generic(method, address)
            if not mine:
                assert answer.status_code in (403, 405), f"{role} {method} {address} → {answer.status_code}"
            elif method == "GET" or role != Role.AUDITOR:
                assert answer.status_code != 403, f"{role} {method} {address}"


def test_P_nobody_opens_a_page_without_signing_in_or_without_a_role(db: None) -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    visitor, idle = Client(), Client()
    sign_in(idle, User.objects.create_user("idle"))
    for address in PAGES:
        answer = visitor.get(address)
        assert answer.status_code in (302, 405), address
        if answer.status_code == 302:
            assert answer.headers["Location"].startswith("/account/login/?next=/office/"), address
        assert idle.get(address).status_code in (403, 405), address


def test_P_a_session_without_the_second_factor_sees_no_page(db: None) -> None:
    from django.test import Client

    bare, half = Client(), Client()
    bare.force_login(staff_user(Role.CLERK, name="bare", factor=False))
    half.force_login(staff_user(Role.CLERK, name="half"))
    for address, page in PAGES.items():
        if Role.CLERK not in page.callback.roles:  # type: ignore[attr-defined]
            continue
        for client, where in ((bare, "/account/second/app/"), (half, "/account/second/confirm/?next=/office/")):
            answer = client.get(address)
            assert answer.status_code == 405 or answer.headers["Location"].startswith(where), address


def test_P_an_auditor_sends_nothing_but_searches_and_the_end_of_their_own_sessions(db: None) -> None:
    client = staff_client(Role.AUDITOR)
    taken = {page.name for address, page in PAGES.items() if client.post(address).status_code not in (403, 405)}
    searches = {"people-list", "cards-list", "audit"}
    assert taken == {"session-end"} | searches


def test_P_forms_of_the_office_need_their_token(db: None) -> None:
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    sign_in(client, staff_user(Role.OPERATOR))
    answer = client.post("/office/staff/add/", {"name": "mallory", "email": "m@x.example", "roles": ["clerk"]})
    assert answer.status_code == 403
    assert "Formulář je zastaralý" in answer.text
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get("/office/staff/add/").text)
    assert token
    fields = {"name": "eva", "email": "e@x.example", "roles": ["clerk"], "csrfmiddlewaretoken": token[1]}
    assert client.post("/office/staff/add/", fields).status_code == 302


@pytest.mark.parametrize("role", list(Role))
def test_P_each_role_has_its_overview_in_both_languages(db: None, role: Role) -> None:
    client = staff_client(role)
    assert "<h1>Přehled</h1>" in client.get("/office/").text
    assert "<h1>Overview</h1>" in client.get("/en/office/").text


def test_P_pages_of_the_office_are_kept_by_no_cache_and_run_no_script_of_others(db: None) -> None:
    answer = staff_client(Role.AUDITOR).get("/office/audit/")
    assert "no-store" in answer.headers["Cache-Control"]
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy and "default-src 'none'" in policy
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|\son\w+=|<style|\sstyle=", answer.text)
