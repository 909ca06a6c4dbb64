"""Somebody is erased at the moment in which a link of theirs is asked for: nothing of it stays."""

from __future__ import annotations

import pytest

from tests.league.processes import League

AT_ONCE = """
import threading
import time
from django.db import connection, connections
from django.utils import timezone
from league.mail.models import Letter
from league.own import asking
from league.own.models import Link
from league.people.acts import ActRefused, By
from league.people.models import Participant
from league.privacy import vault
from league.privacy.erasing import erase
from league.privacy.models import PersonKey

person = Participant.objects.get(number="000101")
person.email = "zofie@hraci.example"
person.save()
vault.seal(person, vault.Private(street="Nová 1"))
destroy = vault.destroy
begun = threading.Event()

def other():
    begun.wait()
    try:
        {other}
    except ActRefused as refused:
        print(type(refused).__name__)
    finally:
        connections.close_all()

def is_waiting():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() is not None

def slowly(whom):
    begun.set()
    until = time.monotonic() + 20
    while connection.vendor == "postgresql" and second.is_alive() and not is_waiting() and time.monotonic() < until:
        time.sleep(0.01)
    destroy(whom)

vault.destroy = slowly
second = threading.Thread(target=other)
second.start()
erase(Participant.objects.get(number="000101"), By("clerk"))
second.join()
print(Letter.objects.count(), Link.objects.count(), PersonKey.objects.filter(pk=person.pk).count())
"""
ASK = 'asking.ask("zofie@hraci.example", "10.0.0.1", lambda token, language: token, timezone.now())'
CONFIRM = """asking.ask_to_confirm(
            person, "nova@hraci.example", "10.0.0.1", lambda token, language: token, timezone.now()
        )"""


@pytest.mark.parametrize(("other", "told"), [(ASK, []), (CONFIRM, ["ActRefused"])], ids=["asked for", "to confirm"])
def test_LG_7_who_is_erased_while_a_link_is_asked_for_gets_none(league: League, other: str, told: list[str]) -> None:
    said = league.run("shell", "-v0", "-c", AT_ONCE.format(other=other))
    assert said.splitlines() == [*told, "0 0 0"]
