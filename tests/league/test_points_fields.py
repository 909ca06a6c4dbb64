"""A season's points key is typed into fields; as JSON it is still taken in (P)."""

from __future__ import annotations

import json
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from league.rounds.keys import key_data, read_key
from league.rounds.models import Season
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.office_crawl import read

if TYPE_CHECKING:
    from django.test import Client

AT = "/office/seasons/"
PLAIN = {"name": "Ročník 2030", "profile": "cpl-2017", "least_card": "signed"}
PARTS = {
    "key_of": "fields", "key_name": "nový", "key_registering": "10", "key_step": "4", "key_scoring": "half",
    "key_half": "down", "key_ties": "best", "key_confirmed": "on", "key_winner_size": ["10", "3", ""],
    "key_winner_points": ["100", "40", ""],
}  # fmt: skip
KEY = {
    "name": "nový", "winner": {"3": 40, "10": 100}, "registering": 10, "step": 4, "scoring": "half", "half": "down",
    "ties": "best", "confirmed": True,
}  # fmt: skip


@pytest.fixture
def boss(db: None) -> Client:
    Season.objects.create(year=2030, name="Ročník 2030")
    return staff_client(Role.COMMISSIONER)


def kept(boss: Client, changes: dict[str, Any]) -> Any:
    """What stands after the form was sent, None also if it was refused."""
    boss.post(f"{AT}2030/edit/", PLAIN | changes)
    return Season.objects.get(year=2030).points_key


def errors(boss: Client, changes: dict[str, Any]) -> dict[str, list[str]]:
    answer = boss.post(f"{AT}2030/edit/", PLAIN | changes)
    assert answer.status_code == 200 and Season.objects.get(year=2030).points_key is None
    return {name: list(said) for name, said in answer.context["form"].errors.items()}


def test_P_a_key_is_typed_into_fields_and_shown_in_them_again(boss: Client) -> None:
    assert kept(boss, PARTS) == KEY
    (form,) = [form for form in read(AT, boss.get(f"{AT}2030/edit/").text)[1] if "key_name" in form.kinds]
    assert (form.fields["key_name"], form.fields["key_step"], form.fields["key_of"]) == ("nový", "4", "fields")
    page = boss.get(f"{AT}2030/edit/").text
    assert page.index('name="key_winner_size" value="3"') < page.index('name="key_winner_size" value="10"')
    assert json.loads(unescape(form.fields["points_key"])) == KEY


def test_P_so_many_places_score_or_all(boss: Client) -> None:
    assert kept(boss, PARTS | {"key_scoring": "number", "key_places": "9"})["scoring"] == 9
    assert kept(boss, PARTS | {"key_scoring": "all", "key_places": "9"})["scoring"] == "all"


def test_P_the_default_key_is_chosen_whatever_stands_in_the_fields(boss: Client) -> None:
    kept(boss, PARTS)
    assert kept(boss, PARTS | {"key_of": "default", "key_step": "x", "key_winner_size": ["y"]}) is None


@pytest.mark.parametrize("of", [{}, {"key_of": "json"}])
def test_P_a_key_as_json_is_taken_in(boss: Client, of: dict[str, str]) -> None:
    given = {"name": "starý", "winner": {"3": 60}}
    assert kept(boss, of | {"points_key": json.dumps(given)}) == key_data(read_key(given))


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"key_name": ""}, "key_name"), ({"key_name": "a\x00"}, "key_name"), ({"key_name": "a\u202eb"}, "key_name"),
        ({"key_step": ""}, "key_step"), ({"key_step": "-1"}, "key_step"), ({"key_step": "1.5"}, "key_step"),
        ({"key_registering": "1000001"}, "key_registering"), ({"key_scoring": "some"}, "key_scoring"),
        ({"key_scoring": "number", "key_places": ""}, "key_places"),
        ({"key_scoring": "number", "key_places": "0"}, "key_places"),
        ({"key_winner_size": [], "key_winner_points": []}, "key_winner"),
        ({"key_winner_size": ["", ""]}, "key_winner"), ({"key_winner_size": ["10", "10"]}, "key_winner"),
        ({"key_winner_size": ["10", "010"]}, "key_winner"), ({"key_winner_size": ["0", "3"]}, "key_winner"),
        ({"key_winner_size": ["1001", "3"]}, "key_winner"), ({"key_winner_points": ["1000001", "3"]}, "key_winner"),
        ({"key_winner_points": ["ten", "3"]}, "key_winner"), ({"key_of": "json", "points_key": "{"}, "points_key"),
        ({"key_of": "json", "points_key": ""}, "points_key"),
    ],
)  # fmt: skip
def test_P_what_is_wrong_is_said_beside_its_field(boss: Client, wrong: dict[str, Any], field: str) -> None:
    assert set(errors(boss, PARTS | wrong)) == {field}


def test_P_a_wrong_row_is_marked_and_keeps_what_was_typed(boss: Client) -> None:
    page = boss.post(f"{AT}2030/edit/", PLAIN | PARTS | {"key_winner_size": ["10", "<b>"]}).text
    assert 'value="&lt;b&gt;"' in page and "<b>" not in page.replace("<b>0", "")
    assert page.count('<tr class="wrong">') == 1


def test_P_more_rows_keep_what_was_typed_and_write_nothing(boss: Client) -> None:
    sizes, points = [str(n) for n in range(3, 20)], ["5"] * 17
    more = PARTS | {"more": "1", "key_winner_size": sizes, "key_winner_points": points, "key_name": "rozepsaný"}
    page = boss.post(f"{AT}2030/edit/", PLAIN | more).text
    assert page.count('name="key_winner_size"') == 22 and 'value="rozepsaný"' in page and 'role="alert"' not in page
    assert Season.objects.get(year=2030).points_key is None


def test_P_a_correction_is_typed_into_fields_too(imported: None) -> None:
    boss = staff_client(Role.COMMISSIONER)
    page = boss.get(f"{AT}2027/points/")
    assert 'name="key_step"' in page.text and 'value="default"' not in page.text
    answer = boss.post(f"{AT}2027/points/", {"what": "correct"} | PARTS | {"key_step": ""})
    assert set(answer.context["form"].errors) == {"key_step"}
    answer = boss.post(f"{AT}2027/points/", {"what": "correct"} | PARTS)
    assert not answer.context["form"].errors and key_data(answer.context["form"].cleaned_data["key"]) == KEY


def test_P_a_key_that_no_decoder_takes_is_shown_as_it_stands(boss: Client) -> None:
    Season.objects.filter(year=2030).update(points_key={"name": "x", "old": 1})
    page = boss.get(f"{AT}2030/edit/").text
    assert "&quot;old&quot;: 1" in page
