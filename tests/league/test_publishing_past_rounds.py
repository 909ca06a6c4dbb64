"""Rounds whose results were imported: where they are shown, and with a void participation (LG-8 to LG-11)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from league.imports.results import import_results
from league.people.acts import By
from league.rounds.models import Round, Season
from league.staff.roles import Role
from league.standings import seasons, voiding
from league.standings.models import Result
from league.standings.results import Results
from league.standings.seasons import What, Words
from tests.league.calendar_days import on
from tests.league.office import staff_client
from tests.league.own_page import person, signed_in
from tests.league.rounds_played import FLAT

A, B, C, D = "000101", "000102", "000103", "000104"
GIVEN = """round,date,venue,number,place,points
2025-1,2025-09-12,zabreh,000101,1,97.5
2025-1,2025-09-12,zabreh,000102,2,60
2025-1,2025-09-12,zabreh,000103,3,33
2025-1,2025-09-12,zabreh,000104,4,20
"""


@pytest.fixture(autouse=True)
def season(imported: dict[str, Any]) -> Season:
    return Season.objects.create(year=2025, name="Ročník 2025", points_key=FLAT)


def taken(text: str = GIVEN) -> None:
    outcome = import_results(text.encode(), By("boss"))
    assert outcome.done, outcome.problems


def counted() -> dict[str, float]:
    return {row.number: row.counted / 2 for row in Result.objects.filter(round="2025-1").order_by("number")}


def declare(who: str, void: bool = True) -> None:
    voiding.decide(Round.objects.get(pk="2025-1"), who, void, "cizí průkaz", "boss")


def test_LG_10_who_does_not_move_keeps_the_points_that_came_with_the_file() -> None:
    taken()
    declare(C)
    # of four by the key: 30 for the second and 20 for the third, 10 more for registering
    assert counted() == {A: 97.5, B: 60, C: 0, D: 30}
    Results().rebuild()
    assert counted() == {A: 97.5, B: 60, C: 0, D: 30}
    declare(C, void=False)
    assert counted() == {A: 97.5, B: 60, C: 33, D: 20}


def test_LG_10_a_void_participation_has_no_place_on_any_page() -> None:
    taken()
    declare(B)
    clerk = staff_client(Role.CLERK)
    for number in (B, C):
        at = f"/office/participants/{number}/"
        for answer in (clerk.get(at), signed_in(person(number)).get("/me/data/")):
            row = answer.content.decode().split('href="/rounds/2025-1/"')[-1].split("</tr>")[0]
            said = ["neplatná" in row, "2." in row, "3." in row]
            assert said == ([True, False, False] if number == B else [False, True, False]), row


def test_LG_9_a_round_of_which_the_results_alone_are_known_shows_no_more() -> None:
    taken()
    for address, empty in (("/rounds/2025-1/", ("0:00", "Vklad", "Struktura")), ("/", ("0:00",))):
        page = Client().get(address).content.decode()
        assert "2025-1" in page
        assert [word for word in empty if word in page] == []
    taken("round,date,time,venue,number,place\n2025-2,2025-10-12,18:30,zabreh,000101,1\n")
    assert "18:30" in Client().get("/rounds/2025-2/").content.decode()


def test_LG_11_past_results_go_to_the_season_that_was_extended(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    january = "round,date,venue,number,place\n2025-9,2026-01-20,zabreh,000101,1\n2025-9,2026-01-20,zabreh,000102,2\n"
    following = Season.objects.create(year=2026, name="Ročník 2026", points_key=FLAT)
    on(monkeypatch, date(2025, 12, 1))
    seasons.act(season, What.EXTEND, date(2026, 1, 31), Words("Prodlouženo"), "boss")
    taken(january)
    assert Round.objects.get(pk="2025-9").season == season
    taken(january.replace("2025-9", "2026-1").replace("2026-01-20", "2026-02-20"))
    assert Round.objects.get(pk="2026-1").season == following


def test_LG_11_a_round_is_planned_on_the_days_by_which_a_season_was_extended(
    imported: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    year = Season.objects.get(year=2027)
    boss = staff_client(Role.COMMISSIONER)
    sent = {"season": year.pk, "day": "2028-01-20", "time": "19:00"}
    assert "day" in boss.post("/office/rounds/new/", sent).context["form"].errors
    on(monkeypatch, date(2027, 12, 1))
    seasons.act(year, What.EXTEND, date(2028, 1, 31), Words("Prodlouženo"), "boss")
    assert "day" not in boss.post("/office/rounds/new/", sent).context["form"].errors
    seasons.act(year, What.SHORTEN, date(2027, 12, 20), Words("Zkráceno"), "boss")
    assert "day" in boss.post("/office/rounds/new/", sent | {"day": "2027-12-24"}).context["form"].errors
