"""The office's page about letters: what waits and why, tried anew by who may, seen by nobody else."""

from __future__ import annotations

from datetime import timedelta

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


def test_an_operator_sees_no_letter_and_an_auditor_tries_none(letters: dict[str, Letter]) -> None:
    operator, auditor = staff_client(Role.OPERATOR), staff_client(Role.AUDITOR)
    assert operator.get("/office/letters/").status_code == 403
    assert "/try/" not in auditor.get("/office/letters/").text
    assert auditor.post(f"/office/letters/{letters['failed'].pk}/try/").status_code == 403


def test_the_overview_counts_what_was_not_taken(letters: dict[str, Letter]) -> None:
    found = {task.url.rpartition("=")[2]: (task.number, task.urgent) for task in tasks(frozenset({Role.CLERK}))}
    assert (found["failed"], found["waiting"]) == ((1, True), (1, False))
    assert not [task for task in tasks(frozenset({Role.OPERATOR})) if "letters" in task.url]
