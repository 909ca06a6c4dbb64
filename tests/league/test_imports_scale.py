"""An import of many who have no number yet: what is the same for all of them is asked once."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.imports.people import import_people
from league.people.acts import By
from league.people.checking import PLAIN
from league.people.models import Participant
from league.people.registering import NextNumbers, create

HEAD = "registrační číslo;jméno;příjmení;datum narození;doklad;souhlas se zpracováním"


def lines(count: int) -> str:
    return "\n".join([HEAD, *(f";Jan;Novák{n};1980-01-02;P{n};ano" for n in range(count))])


def test_an_import_asks_once_which_number_is_the_highest(db: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        outcome = import_people(lines(30).encode(), By("clerk"))
    assert not outcome.problems and outcome.counts["added"] == 30
    scans = [each for each in queries if "MAX(" in each["sql"] and "people_participant" in each["sql"]]
    assert len(scans) <= 2  # for the lines, and for the store of keys once all are there
    assert set(Participant.objects.values_list("number", flat=True)) == {f"{n:06}" for n in range(1, 31)}


def test_a_number_that_the_file_gives_is_gone_on_from(db: None) -> None:
    file = f"{HEAD}\n;Jan;Malý;1980-01-02;P1;ano\n000500;Eva;Malá;1981-01-02;P2;ano\n;Jan;Velký;1980-01-03;P3;ano\n"
    assert import_people(file.encode(), By("clerk")).counts["added"] == 3
    assert set(Participant.objects.values_list("number", flat=True)) == {"000001", "000500", "000501"}


def test_a_number_that_somebody_else_took_meanwhile_is_passed_over(db: None) -> None:
    given = NextNumbers()
    plain = dict.fromkeys(PLAIN, "") | {"first_name": "Jan", "surname": "Malý"}
    assert create(plain, next_one=given.next).number == "000001"
    create(plain, "000002")
    assert create(plain, next_one=given.next).number == "000003"
