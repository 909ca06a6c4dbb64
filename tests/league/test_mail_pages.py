"""The office's page about letters: what waits and why, tried anew by who may, seen by nobody else."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.utils import timezone

from league.mail.models import Letter
from league.mail.outbox import post
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.staff.todo import tasks
from tests.league.office import staff_client


@pytest.fixture
def letters(db: None) -> dict[str, Letter]:
    """A letter in each state."""
    now = timezone.now()
    states: dict[str, dict[str, object]] = {
        "queued": {}, "sent": {"sent_at": now}, "waiting": {"error": "452 full", "attempts": 3},
        "failed": {"error": "550 nobody", "given_up_at": now},
    }  # fmt: skip
    for state, values in states.items():
        post(f"{state}@example.cz", f"Kolo {state}", "Dobrý den,\n\n<b>žádné značky</b>")
        Letter.objects.filter(to=f"{state}@example.cz").update(**values)
    return {state: Letter.objects.get(to=f"{state}@example.cz") for state in states}


def test_each_state_has_its_list_and_errors_are_shown(letters: dict[str, Letter]) -> None:
    client = staff_client(Role.CLERK)
    for state, letter in letters.items():
        assert letter.state == state
        page = client.get("/office/letters/", {"state": state})
        assert [each.pk for each in page.context["page"]] == [letter.pk]
    text = client.get("/office/letters/").text
    assert "550 nobody" in text and "452 full" in text
    assert text.count("/try/") == 2


def test_a_letter_is_shown_as_text_and_that_is_noted(letters: dict[str, Letter]) -> None:
    page = staff_client(Role.CLERK).get(f"/office/letters/{letters['sent'].pk}/").text
    assert "&lt;b&gt;žádné značky&lt;/b&gt;" in page
    entry = AuditEntry.objects.latest("pk")
    assert (entry.what, entry.about) == ("view", f"letter: {letters['sent'].pk}")


def test_what_was_given_up_is_sent_anew_and_what_was_sent_is_not(letters: dict[str, Letter]) -> None:
    client = staff_client(Role.CLERK)
    failed, sent = letters["failed"], letters["sent"]
    Letter.objects.filter(pk=failed.pk).update(made_at=timezone.now() - timedelta(days=30))
    client.post(f"/office/letters/{failed.pk}/try/")
    fresh = Letter.objects.get(pk=failed.pk)
    assert (fresh.given_up_at, fresh.attempts, fresh.state) == (None, 0, "waiting")
    assert fresh.tried_from > timezone.now() - timedelta(minutes=1)
    page = client.post(f"/office/letters/{sent.pk}/try/", follow=True)
    assert "už server převzal" in page.text
    assert Letter.objects.get(pk=sent.pk).again_at is None


def test_a_letter_whose_link_is_gone_is_not_sent_without_it(letters: dict[str, Letter]) -> None:
    """Given up, its link is not kept: sent anew, it would lead nowhere."""
    client, failed = staff_client(Role.CLERK), letters["failed"]
    until = timezone.now() + timedelta(days=1)
    Letter.objects.filter(pk=failed.pk).update(enclosed="\nhttp://x/account/password/1-a/\n", until=until)
    page = client.get(f"/office/letters/{failed.pk}/").text
    assert "account/password" not in page and "Pod tímto textem odejde odkaz." in page
    Letter.objects.filter(pk=failed.pk).update(enclosed="")
    assert "nelze tedy poslat znovu" in client.get(f"/office/letters/{failed.pk}/").text
    listed = client.get("/office/letters/").text
    assert f"/{failed.pk}/try/" not in listed and "odkaz se už neuchovává" in listed
    page = client.post(f"/office/letters/{failed.pk}/try/", follow=True).text
    assert "Odkaz tohoto dopisu se už neuchovává" in page
    assert Letter.objects.get(pk=failed.pk).given_up_at is not None


def test_letters_of_before_lose_the_links_in_their_texts(letters: dict[str, Letter]) -> None:
    """A link stood in the text, where the office could open a colleague's account with it."""
    from django.apps import apps
    from django.db import connection

    step = import_module("league.mail.migrations.0004_links_out_of_texts")
    text = "Účet: eva\n\nHeslo:\nhttps://liga.example/account/password/1-abc-def/\n\nPak telefon."
    Letter.objects.filter(to__in=("sent@example.cz", "queued@example.cz")).update(body=text)
    step.take_out(apps, connection.schema_editor())
    sent, queued = Letter.objects.get(to="sent@example.cz"), Letter.objects.get(to="queued@example.cz")
    assert sent.body == queued.body == "Účet: eva\n\nHeslo:\n(…)\n\nPak telefon." and not sent.enclosed
    assert queued.enclosed == "\nhttps://liga.example/account/password/1-abc-def/\n"
    assert queued.until == queued.made_at + timedelta(days=3)


def test_an_operator_sees_no_letter_and_an_auditor_tries_none(letters: dict[str, Letter]) -> None:
    operator, auditor = staff_client(Role.OPERATOR), staff_client(Role.AUDITOR)
    assert operator.get("/office/letters/").status_code == 403
    assert "/try/" not in auditor.get("/office/letters/").text
    assert auditor.post(f"/office/letters/{letters['failed'].pk}/try/").status_code == 403


def test_the_overview_counts_what_was_not_taken(letters: dict[str, Letter]) -> None:
    found = {task.url.rpartition("=")[2]: (task.number, task.urgent) for task in tasks(frozenset({Role.CLERK}))}
    assert (found["failed"], found["waiting"]) == ((1, True), (1, False))
    assert not [task for task in tasks(frozenset({Role.OPERATOR})) if "letters" in task.url]


def test_a_letter_seen_or_sent_anew_is_noted_under_the_number_it_is_about(imported: None) -> None:
    from league.people.models import Participant

    Participant.objects.filter(number="000102").update(email="jen.jeden@example.cz")
    post("rodina@example.cz", "Kolo", "Dobrý den", about="moved R1 1 2 000101")
    post("jen.jeden@example.cz", "Účast", "Dobrý den")
    post("clerk@liga.example", "Účet", "Dobrý den")
    client = staff_client(Role.CLERK)
    for to, number in (("rodina@example.cz", "000101"), ("jen.jeden@example.cz", "000102"), ("clerk@liga.example", "")):
        letter = Letter.objects.get(to=to)
        client.get(f"/office/letters/{letter.pk}/")
        assert AuditEntry.objects.latest("pk").number == number
        client.post(f"/office/letters/{letter.pk}/try/")
        assert AuditEntry.objects.latest("pk").number == number


def test_a_failed_letter_is_sent_from_its_page_to_the_address_that_its_reader_has_by_now(imported: None) -> None:
    from league.people.models import Participant

    post("stara@example.cz", "Kolo", "Dobrý den", about="moved R1 1 2 000101")
    post("stara@example.cz", "Adresa", "Dobrý den", about="address changed 7 000101")
    Letter.objects.update(error="550 nobody", given_up_at=timezone.now())
    moved, told = Letter.objects.get(subject="Kolo"), Letter.objects.get(subject="Adresa")
    client = staff_client(Role.CLERK)
    page = client.get(f"/office/letters/{moved.pk}/").text
    assert 'href="/office/participants/000101/"' in page and "Odeslat znovu" in page
    Participant.objects.filter(number="000101").update(email="nova@example.cz")
    assert "Odeslat na novou adresu nova@example.cz" in client.get(f"/office/letters/{moved.pk}/").text
    asked = client.post(f"/office/letters/{moved.pk}/try/", follow=True)
    assert "zvolte" in asked.text and Letter.objects.get(pk=moved.pk).state == "failed"
    client.post(f"/office/letters/{moved.pk}/try/", {"to": "jina@example.cz"})
    assert Letter.objects.get(pk=moved.pk).state == "failed"
    client.post(f"/office/letters/{moved.pk}/try/", {"to": "nova@example.cz"})
    assert (Letter.objects.get(pk=moved.pk).to, Letter.objects.get(pk=moved.pk).state) == ("nova@example.cz", "waiting")
    # whose address it is no longer is told that, and nobody else
    assert "nova@" not in client.get(f"/office/letters/{told.pk}/").text
    client.post(f"/office/letters/{told.pk}/try/")
    assert (Letter.objects.get(pk=told.pk).to, Letter.objects.get(pk=told.pk).state) == ("stara@example.cz", "waiting")
    assert "/try/" not in staff_client(Role.AUDITOR).get(f"/office/letters/{told.pk}/").text
