"""Two clerks enter the same person at the same moment: the league has them once (LG-5)."""

from __future__ import annotations

import pytest

from tests.league.processes import League

AT_ONCE = """
import re
import threading
import time
from django.db import connection, connections, transaction
from django.utils import timezone
from league.imports.people import import_people
from league.people.acts import By
from league.people.models import ConsentKind, Participant
from league.people.registering import Duplicate, register
from tests.league.people_cards import CARD, DAY

timezone.now = lambda: DAY  # the numbers are good in that year only
CARD |= {changes!r}
entered = threading.Event()

def register_another(number):
    try:
        register(CARD, set(ConsentKind), None, By("clerk"), number=number)
    except Duplicate as same:
        print("there already:", *(person.number for person in same.people))

def import_another(number):
    row = CARD | dict(number=number, processing="2072-06-01")
    outcome = import_people("\\n".join(map(";".join, (row, row.values()))).encode(), By("clerk"))
    if outcome.problems:
        print("there already:", *re.findall("0+[0-9]", " ".join(str(problem.text) for problem in outcome.problems)))

def other():
    entered.wait()
    try:
        {other}("000002")  # under the same number they would wait for each other anyway
    finally:
        connections.close_all()

def is_waiting():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() is not None

second = threading.Thread(target=other)
second.start()
with transaction.atomic():
    {first}("000001")
    entered.set()
    while connection.vendor == "postgresql" and second.is_alive() and not is_waiting():
        time.sleep(0.01)
second.join()
print(*Participant.objects.values_list("number", flat=True))
"""
WITHOUT_BIRTH_NUMBER = {"birth_number": "", "birth_date": "1990-01-01", "document": "PAS 1"}


@pytest.mark.parametrize(
    ("first", "other", "changes"),
    [
        ("register_another", "import_another", {}),
        ("register_another", "register_another", {}),
        ("register_another", "register_another", WITHOUT_BIRTH_NUMBER),
        ("import_another", "import_another", WITHOUT_BIRTH_NUMBER),
    ],
    ids=["imported", "registered", "registered without a birth number", "imported twice without birth numbers"],
)
def test_LG_5_the_same_person_entered_twice_at_once_is_there_once(
    empty_league: League, first: str, other: str, changes: dict[str, str]
) -> None:
    told = empty_league.run("shell", "-v0", "-c", AT_ONCE.format(changes=changes, first=first, other=other))
    assert told.split("\n") == ["there already: 000001", "000001", ""]
