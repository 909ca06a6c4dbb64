"""The staff page on which a season's points key is corrected (P)."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.auth.models import Permission, User
from django.test import Client

from league.rounds.models import Season
from league.standings.models import PointsCorrection
from league.standings.table import standings
from tests.league.office import sign_in
from tests.league.rounds_played import FLAT, STEEP, announcement, moves, planned, venue_plays

A, B, C, D = "000101", "000102", "000103", "000104"


@pytest.fixture
def address(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> str:
    """The page of a season with two rounds."""
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, C, D, A])):
        planned(round)
        venue_plays(director_key, announcement(round, points_key=FLAT), moves(order))
    return f"/admin/rounds/season/{Season.objects.get().pk}/points/"


@pytest.fixture
def clerk(address: str) -> Client:
    """A member of staff who may correct keys and nothing else."""
    user = User.objects.create_user("clerk", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["add_pointscorrection", "view_pointscorrection"]))
    client = Client()
    sign_in(client, user)
    return client


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def preview(client: Client, address: str, key: Any = STEEP) -> tuple[str, str]:
    """The page with the preview, and the fingerprint in it."""
    page = text_of(client.post(address, {"what": "correct", "key": json.dumps(key)}))
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', page)
    assert seen is not None, page
    return page, seen[1]


def test_P_staff_see_the_key_that_counts_and_that_no_correction_stands(clerk: Client, address: str) -> None:
    page = text_of(clerk.get(address))
    assert "Žádná oprava neplatí" in page
    assert '"name": "cpl-2017"' in page
    english = text_of(clerk.get(f"/en{address}"))
    assert "No correction stands" in english
    assert "Points key of Ročník 2027" in english
    assert f'href="/en{address}"' in page
    assert f'href="{address}"' in english


def test_P_a_preview_shows_who_moves_and_writes_nothing(clerk: Client, address: str) -> None:
    page, _ = preview(clerk, address)
    assert "Náhled: klíč opraven na steep" in page
    assert "Účastníci, kterých se oprava týká: 4 z 4" in page
    rows = re.findall(r'<tr class="moved">(.*?)</tr>', page)
    cells = [re.sub(r"<[^>]+>", "|", row).replace("||", "|").strip("|").split("|") for row in rows]
    assert cells[0] == ["000103 Šárka Němcová", "2.", "▼ 3.", "70", "85"]
    assert [row[0][:6] for row in cells] == [C, B, A, D]
    assert not PointsCorrection.objects.exists()
    english = text_of(clerk.post(f"/en{address}", {"what": "correct", "key": json.dumps(STEEP)}))
    assert "Preview: key corrected to steep" in english
    assert "Participants who move: 4 of 4" in english


def test_P_what_was_previewed_is_recorded_with_who_and_why(clerk: Client, address: str) -> None:
    _, seen = preview(clerk, address)
    agreed = {"what": "correct", "key": json.dumps(STEEP), "seen": seen}
    page = text_of(clerk.post(address, agreed))
    assert "errorlist" in page  # the reason is missing
    assert not PointsCorrection.objects.exists()
    answer = clerk.post(address, agreed | {"reason": "špatně opsáno"}, follow=True)
    page = text_of(answer)
    assert "Zapsáno, ročník je přepočítán." in page
    row = PointsCorrection.objects.get()
    assert (row.by, row.reason, row.key["name"]) == ("clerk", "špatně opsáno", "steep")
    assert standings(Season.objects.get()).lines[0].half_points == 350
    page = text_of(clerk.get(address))
    assert "Platí oprava 1, zapsal(a) clerk" in page
    assert '"name": "steep"' in page
    page = text_of(clerk.post(address, agreed | {"reason": "znovu"}))
    assert "Ročník se už podle tohoto klíče počítá: oprava 1, zapsal(a) clerk." in page
    assert PointsCorrection.objects.count() == 1


def test_P_the_confirming_form_carries_the_key_that_was_previewed(clerk: Client, address: str) -> None:
    page, seen = preview(clerk, address, STEEP | {"name": 'a "b" <i>'})
    raw = clerk.post(address, {"what": "correct", "key": json.dumps(STEEP | {"name": 'a "b" <i>'})}).content.decode()
    assert "<i>" not in raw
    carried = re.search(r'name="key" value="([^"]*)"', raw)
    assert carried is not None
    clerk.post(address, {"what": "correct", "key": html.unescape(carried[1]), "seen": seen, "reason": "r"})
    assert PointsCorrection.objects.get().key["name"] == 'a "b" <i>'
    assert 'a "b" <i>' in page


def test_P_results_that_came_in_between_are_shown_before_anything_is_recorded(
    clerk: Client, address: str, director_key: Ed25519PrivateKey
) -> None:
    _, seen = preview(clerk, address)
    planned("S3")
    venue_plays(director_key, announcement("S3", points_key=FLAT), moves([D, A, B]))
    fields = {"what": "correct", "key": json.dumps(STEEP), "seen": seen, "reason": "špatně opsáno"}
    page = text_of(clerk.post(address, fields))
    assert "Mezitím přišly výsledky" in page
    assert "S3" in page
    assert 'value="špatně opsáno"' in page
    assert not PointsCorrection.objects.exists()


def test_P_a_correction_is_withdrawn_after_a_preview(clerk: Client, address: str) -> None:
    _, seen = preview(clerk, address)
    clerk.post(address, {"what": "correct", "key": json.dumps(STEEP), "seen": seen, "reason": "r"})
    page = text_of(clerk.post(address, {"what": "withdraw"}))
    assert "Náhled: oprava 1 odvolána" in page
    assert PointsCorrection.objects.count() == 1
    found = re.search(r'name="seen" value="([0-9a-f]{64})"', page)
    assert found is not None
    clerk.post(address, {"what": "withdraw", "seen": found[1], "reason": "nebyla špatně"})
    assert standings(Season.objects.get()).lines[0].half_points == 180
    assert [row.key is None for row in PointsCorrection.objects.order_by("number")] == [False, True]
    assert "Žádná oprava neplatí." in text_of(clerk.post(address, {"what": "withdraw"}))
    listed = text_of(clerk.get("/admin/standings/pointscorrection/"))
    assert "odvoláno" in listed
    assert "nebyla špatně" in listed


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("{}", "name: is missing"),
        ("[]", "not a JSON object"),
        (json.dumps(STEEP | {"step": "5"}), "step: Expected `int`"),
    ],
)
def test_P_a_bad_key_is_named_with_its_field(clerk: Client, address: str, key: str, said: str) -> None:
    page = text_of(clerk.post(address, {"what": "correct", "key": key}))
    assert said in page
    assert "Náhled" not in page


def test_P_only_staff_who_may_correct_points_see_the_page(clerk: Client, address: str) -> None:
    other = Client()
    assert "login" in other.get(address).headers["Location"]
    sign_in(other, User.objects.create_user("other", is_staff=True))
    assert other.get(address).status_code == 403
    assert other.post(address, {"what": "correct", "key": json.dumps(STEEP)}).status_code == 403
    assert clerk.get("/admin/rounds/season/999/points/").status_code == 404


def test_P_the_season_leads_to_its_key_and_rows_cannot_be_edited(clerk: Client, address: str) -> None:
    boss = Client()
    sign_in(boss, User.objects.create_superuser("boss"))
    assert f'href="{address}"' in text_of(boss.get(address.replace("points", "change")))
    assert boss.get("/admin/standings/pointscorrection/add/").status_code == 403
    _, seen = preview(boss, address)
    boss.post(address, {"what": "correct", "key": json.dumps(STEEP), "seen": seen, "reason": "r"})
    row = f"/admin/standings/pointscorrection/{PointsCorrection.objects.get().pk}"
    assert 'type="submit"' not in text_of(boss.get(f"{row}/change/")).partition('id="content"')[2]
    assert boss.get(f"{row}/delete/").status_code == 403
