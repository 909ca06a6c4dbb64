"""The way to one's own page: a link by e-mail, for a quarter of an hour, once; nobody learns who has which address."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.mail.models import Letter
from league.mail.posting import drop_useless, due
from league.mail.server import message_of
from league.own import asking, links
from league.own.models import AskedCount, Link
from league.people.acts import By
from league.people.models import Participant
from league.privacy.erasing import erase
from league.privacy.exporting import as_json
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league import own_page
from tests.league.office import sign_in, staff_client, staff_user
from tests.league.own_page import ask, person, signed_in
from tests.league.processes import League
from tests.league.test_mail import Post, postal, server

__all__ = ["postal", "server"]

pytestmark = pytest.mark.usefixtures("imported")
EMAIL = "p000101@hraci.example"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[datetime]]:
    """The league's clock, which tests turn on."""
    at = [timezone.now()]
    monkeypatch.setattr(timezone, "now", lambda: at[0])
    yield at


def test_P_a_link_opens_the_page_of_whoever_has_the_address() -> None:
    who, client = person(), Client()
    answer = ask(f" {EMAIL.upper()} ", client)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/me/sent/")
    (link,) = own_page.links()
    looked = client.get(link)
    assert looked.status_code == 200 and "Otevřít moji stránku" in looked.text
    assert looked.headers["Referrer-Policy"] == "same-origin" and "no-store" in looked.headers["Cache-Control"]
    assert client.get("/me/").context["form"]
    assert client.post(link).headers["Location"] == "/me/"
    assert who.full_name in client.get("/me/").text
    entries = AuditEntry.objects.filter(number=who.number).order_by("id")
    assert [(entry.who, entry.what, entry.address) for entry in entries] == [
        ("participant", "act", "127.0.0.1"), ("participant", "view", "127.0.0.1"),
    ]  # fmt: skip


def test_P_a_link_is_good_once() -> None:
    client = signed_in(person())
    (link,) = own_page.links()
    for used in (Client(), client):
        for answer in (used.get(link), used.post(link)):
            assert answer.status_code == 410 and "už neplatí" in answer.text
    assert Client().get("/me/data/").headers["Location"] == "/me/"
    assert client.get("/me/data/").status_code == 200


def test_P_a_link_is_good_for_a_quarter_of_an_hour(clock: list[datetime]) -> None:
    person()
    ask(EMAIL)
    (link,) = own_page.links()
    clock[0] += links.VALID - timedelta(seconds=1)
    assert Client().get(link).status_code == 200
    clock[0] += timedelta(seconds=1)
    assert [Client().get(link).status_code, Client().post(link).status_code] == [410, 410]


def test_P_a_page_stays_open_for_an_hour_and_no_longer_than_it_is_wanted(clock: list[datetime]) -> None:
    client = signed_in(person())
    copied = Client()
    copied.cookies = client.cookies.copy()
    clock[0] += links.STAY - timedelta(seconds=1)
    assert client.get("/me/data/").status_code == copied.get("/me/data/").status_code == 200
    client.post("/me/leave/")
    assert client.get("/me/data/").status_code == copied.get("/me/data/").status_code == 302
    again = signed_in(person())
    clock[0] += links.STAY
    assert again.get("/me/data/").status_code == 302
    assert "Vaše stránka se zavřela" in again.get("/me/").text


def test_P_no_link_can_be_forged() -> None:
    person(), person("000102")
    ask(EMAIL)
    ask("p000102@hraci.example")
    first, second = (link.split("/")[3] for link in own_page.links())
    id, secret, signature = first.split(".")
    other, its_secret, its_signature = second.split(".")
    forged = [
        f"{other}.{secret}.{signature}", f"{id}.{secret}.{its_signature}", f"{id}.{its_secret}.{signature}",
        f"{id}.{secret}", id, "x", f"{id}.{secret}.", f"{first}x", first.replace(".", ":"), "1" * 3000, "ž.ž.ž",
        links._signer.sign(f"{id}.{its_secret}"), links._signer.sign(f"987654.{secret}"),
    ]  # fmt: skip
    for token in forged:
        for answer in (Client().get(f"/me/link/{token}/"), Client().post(f"/me/link/{token}/")):
            assert answer.status_code == 410, token
    assert not Link.objects.exclude(used_at=None).exists()


def test_P_the_answer_tells_nobody_whether_an_address_is_known() -> None:
    person()
    seen = []
    for email in (EMAIL, "nobody@hraci.example"):
        client = Client()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = ask(email, client)
        sent = client.get("/me/sent/")
        work = [re.sub(r"'[^']*'|\d+", "?", query["sql"])[:60] for query in queries if "SAVEPOINT" not in query["sql"]]
        seen.append((answer.status_code, answer.content, sorted(answer.headers.items()), _bare(sent.text), work))
    assert seen[0] == seen[1]
    assert Letter.objects.count() == Link.objects.count() == 1


def _bare(page: str) -> str:
    """A page without the token of its forms."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def test_P_links_are_asked_for_so_often_and_no_oftener_known_or_not(clock: list[datetime]) -> None:
    person()
    for email in (EMAIL, "nobody@hraci.example"):
        answers = [ask(email.upper() if n % 2 else email).status_code for n in range(asking.ADDRESS_LIMIT + 1)]
        assert answers == [302] * asking.ADDRESS_LIMIT + [429]
    said = _bare(ask(EMAIL).text.replace(EMAIL, "?"))
    assert "příliš často" in said and said == _bare(
        ask("nobody@hraci.example").text.replace("nobody@hraci.example", "?")
    )
    assert Letter.objects.count() == asking.ADDRESS_LIMIT
    clock[0] += asking.WINDOW
    assert ask(EMAIL).status_code == 302


def test_P_one_network_address_tries_so_many_addresses_and_no_more() -> None:
    now = timezone.now()
    for n in range(asking.FROM_LIMIT):
        asking.count(f"{n}@hraci.example", "192.0.2.1", now)
    with pytest.raises(asking.TooMany):
        asking.count("another@hraci.example", "192.0.2.1", now)
    asking.count("another@hraci.example", "192.0.2.2", now)
    assert not AskedCount.objects.filter(key__contains="@").exists()


def test_P_the_database_and_the_office_hold_no_link_that_could_be_used() -> None:
    who = person()
    ask(EMAIL)
    token = own_page.links()[0].split("/")[3]
    letter = Letter.objects.get()
    assert token in message_of(letter, "Liga <liga@example.cz>").get_content()
    shown = [staff_client(Role.CLERK).get(f"/office/mail/{letter.pk}/").text, as_json(who).decode(), letter.body]
    assert not any(token.split(".")[1] in text for text in shown)
    row = str(Link.objects.values_list().get())
    assert token.split(".")[1] not in row and EMAIL not in row


def test_P_a_link_arrives_whole_and_is_nowhere_in_the_database_from_then_on(postal: Post) -> None:
    person()
    ask(EMAIL)
    (link,), letter = own_page.links(), Letter.objects.get()
    postal.now = timezone.now()
    postal.box.to_message[:] = ["451 later"]
    assert postal.man.round() == 0 and link in Letter.objects.get().enclosed
    assert postal.later(minutes=2) == 1
    (got,) = postal.box.got
    assert got["To"] == EMAIL and f"http://testserver{link}" in got.get_content().splitlines()
    assert Letter.objects.get(pk=letter.pk).enclosed == "" and Client().post(link).status_code == 302


def test_P_a_link_that_no_server_takes_is_not_kept(postal: Post) -> None:
    person()
    ask(EMAIL)
    postal.now = timezone.now()
    postal.box.to_recipient[:] = ["550 no such mailbox"]
    assert postal.man.round() == 0
    assert Letter.objects.get().state == "failed" and Letter.objects.get().enclosed == ""


def test_P_a_letter_that_would_come_too_late_is_not_sent(clock: list[datetime]) -> None:
    person()
    ask(EMAIL)
    drop_useless(clock[0] + links.VALID - timedelta(seconds=1))
    assert len(due(clock[0])) == 1
    drop_useless(clock[0] + links.VALID)
    assert not Letter.objects.exists()


def test_P_a_family_with_one_address_gets_a_link_each_in_their_language() -> None:
    person(), person("000102", email=EMAIL, language="en")
    ask(EMAIL)
    first, second = Letter.objects.order_by("pk")
    assert "účastník č. 000101" in first.body and "participant 000102" in second.body
    assert [link.startswith("/en/me/link/") for link in own_page.links()] == [False, True]
    ask(EMAIL, prefix="/en")
    assert own_page.links()[2].startswith("/en/me/link/")
    client = Client()
    client.post(own_page.links()[1])
    assert "000102" in client.get("/me/").text and "000101" not in client.get("/me/").text


@pytest.mark.parametrize("how", ["erased", "address changed"])
def test_P_a_link_and_an_open_page_end_with_the_address_they_were_sent_to(how: str) -> None:
    who = person()
    client = signed_in(who)
    ask(EMAIL)
    link = own_page.links()[-1]
    if how == "erased":
        erase(who, By("clerk"))
    else:
        Participant.objects.filter(pk=who.pk).update(email="new@hraci.example")
    assert Client().post(link).status_code == 410
    assert client.get("/me/data/").status_code == 302


def test_P_the_session_is_new_once_a_link_was_opened_and_staff_stay_signed_in() -> None:
    person()
    planted, officer = Client(), Client()
    planted.get("/me/data/")
    session = planted.session
    session["planted"] = True
    session.save()
    planted.cookies["sessionid"] = session.session_key
    before = session.session_key
    ask(EMAIL)
    planted.post(own_page.links()[-1])
    assert planted.session.session_key != before and "planted" not in planted.session
    sign_in(officer, staff_user(Role.CLERK))
    before = officer.session.session_key
    ask(EMAIL)
    officer.post(own_page.links()[-1])
    assert officer.session.session_key != before
    assert officer.get("/office/participants/").status_code == 200
    officer.post("/me/leave/")
    assert officer.get("/office/participants/").status_code == 200 and officer.get("/me/data/").status_code == 302


def test_P_who_is_in_here_is_in_nowhere_else() -> None:
    client = signed_in(person())
    assert client.get("/office/participants/").headers["Location"].startswith("/account/login/")
    assert client.get("/admin/").status_code == 302


def test_P_a_new_address_counts_once_it_is_confirmed_and_the_old_one_is_told() -> None:
    who = person()
    client = signed_in(who)
    client.post("/me/data/correct/", {"email": "nova@hraci.example"})
    who.refresh_from_db()
    assert who.email == EMAIL
    letter = Letter.objects.order_by("-pk")[0]
    assert letter.to == "nova@hraci.example" and who.number not in letter.body
    kept = Link.objects.get(purpose="address")
    assert b"nova" not in bytes(kept.sealed)
    link, elsewhere = own_page.links()[-1], Client()
    assert "Potvrdit adresu" in elsewhere.get(link).text
    assert elsewhere.post(link).status_code == 302
    assert elsewhere.get("/me/data/").status_code == client.get("/me/data/").status_code == 302
    who.refresh_from_db()
    assert who.email == "nova@hraci.example"
    told = Letter.objects.order_by("-pk")[0]
    assert told.to == EMAIL and "změněna" in told.subject and not told.enclosed
    assert AuditEntry.objects.filter(who="participant", about="corrected", fields=["email"]).count() == 1
    assert Client().post(link).status_code == 410


def test_P_an_address_is_not_confirmed_for_somebody_who_was_erased_meanwhile() -> None:
    who = person()
    signed_in(who).post("/me/data/correct/", {"email": "nova@hraci.example"})
    link = own_page.links()[-1]
    erase(who, By("clerk"))
    assert [Client().get(link).status_code, Client().post(link).status_code] == [410, 410]
    assert not Link.objects.exists()


def test_P_forms_need_their_token() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/me/", {"email": EMAIL}).status_code == 403
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get("/me/").text)
    assert token
    assert client.post("/me/", {"email": EMAIL, "csrfmiddlewaretoken": token[1]}).status_code == 302


ASK = """
import sys, threading, django
django.setup()
from django.db import connections
from django.utils import timezone
from league.own import asking, links
from league.own.models import Link
ready = threading.Barrier(4)
def one():
    ready.wait()
    try:
        asking.ask("a@hraci.example", "192.0.2.7", lambda token, language: "https://l.example/" + token, timezone.now())
        sys.stdout.write("sent\\n")  # in one piece: print writes the end of the line by itself, between others
    except asking.TooMany:
        sys.stdout.write("too many\\n")
    finally:
        connections.close_all()
threads = [threading.Thread(target=one) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""
USE = """
import django
django.setup()
from django.utils import timezone
from league.own import links
from league.own.models import Link
link = Link.objects.order_by("pk")[0]
input()
print(links.use(link, timezone.now()))
"""


def _start(league: League, script: str) -> subprocess.Popen[str]:
    env = league.env | {"DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONPATH": str(Path(__file__).parents[2])}
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-c", script], env=env, text=True, **pipes)


def test_P_the_limit_is_one_for_all_processes_and_a_link_lets_one_of_them_in(league: League) -> None:
    """Real processes with threads of their own, all at once on one database."""
    league.change("UPDATE people_participant SET email = %s WHERE number = %s", "a@hraci.example", "000101")
    told = [child.communicate(timeout=60) for child in [_start(league, ASK) for _ in range(2)]]
    assert all(not errors for _, errors in told), told
    assert sorted("".join(out for out, _ in told).splitlines()) == ["sent"] * 5 + ["too many"] * 3
    assert league.rows("SELECT count(*) FROM own_link") == [(5,)]
    told = [child.communicate("\n", timeout=60) for child in [_start(league, USE) for _ in range(2)]]
    assert sorted(out.strip() for out, _ in told) == ["False", "True"], told
