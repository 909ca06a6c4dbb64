"""The read API answers as docs/api.md tells, field by field, and each address is told of there."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from league.notices import editions
from league.notices.models import Announcement, Price, write_prices
from league.people.models import Participant
from league.rounds.models import Round, Season
from league.site import api, api_shapes
from league.standings import totals
from league.standings.models import RoundReport
from tests.league.test_public_pages import played, public_client  # noqa: F401 (a fixture)

TOLD = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
TYPES = {
    "string": (str,), "number": (int,), "boolean": (bool,), "list": (list,), "object": (dict,),
    "string or null": (str, type(None)), "number or null": (int, type(None)), "list of numbers": (list,),
}  # fmt: skip


def tables(title: str) -> list[dict[str, str]]:
    """The tables of the section whose heading begins so: field → type."""
    begins = re.search(rf"^## `{re.escape(title)}`.*$", TOLD, re.M)
    assert begins is not None, title
    rest = TOLD[begins.end() :].split("\n## ")[0]
    parts = re.split(r"^\| Field .*$", rest, flags=re.M)[1:]
    return [dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", part.split("\n\n")[0], re.M)) for part in parts]


def agrees(found: dict[str, Any], told: dict[str, str], *also: str) -> None:
    """All that is told of is there, in its type, and nothing else is."""
    assert list(found) == [*told, *also] or set(found) == {*told, *also}
    for name, kind in told.items():
        assert isinstance(found[name], TYPES[kind]), (name, found[name])
        assert kind == "boolean" or not isinstance(found[name], bool), name


def get(client: Client, address: str, status: int = 200) -> dict[str, Any]:
    answer = client.get(f"/api/1/{address}")
    assert answer.status_code == status, address
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    return dict(answer.json())


COUNTS = ("total", "page", "pages")


def test_P_the_api_answers_as_its_page_tells(client: Client) -> None:
    now = datetime.now(UTC)
    Announcement.objects.create(title_cs="Sraz", since=now - timedelta(hours=1), until=now + timedelta(hours=1))
    for kind in ("rules", "plan", "prices"):
        draft = editions.new_draft(kind, "boss", now.date())
        draft.text_cs, draft.brief_cs = "Hrajte poctivě.", "Poctivě."
        draft.price_rows = write_prices([Price("card", "Průkaz", "", 100)]) if kind == "prices" else []
        draft.save()
        editions.publish(draft, "boss", now.date())
    for season in get(client, "seasons.json")["seasons"]:
        agrees(season, tables("seasons.json")[0])
    whole, line = tables("standings.json")
    for address in ("standings.json", "standings/2027.json"):
        found = get(client, address)
        agrees(found, whole)
        assert len(found["standings"]) == 3 and found["provisional"]
        for one in found["standings"]:
            agrees(one, line)
    rounds = get(client, "rounds.json")
    assert set(rounds) == {"rounds", *COUNTS} and len(rounds["rounds"]) == 2
    for one in rounds["rounds"]:
        agrees(one, tables("rounds.json")[0])
    round = get(client, "rounds/R2.json")
    agrees(round, tables("rounds.json")[0], "results")
    for one in round["results"]:
        agrees(one, tables("rounds/<code>.json")[0])
        assert one["provisional"] is True
    whole, line = tables("players/<number>.json")
    for address in ("players/000101.json", "players/000104/2027.json"):
        found = get(client, address)
        agrees(found, whole)
        for one in found["results"]:
            agrees(one, line)
    venues = get(client, "venues.json")
    agrees(venues["venues"][0], tables("venues.json")[0])
    said = get(client, "announcements.json")["announcements"]
    agrees(said[0], tables("announcements.json")[0])
    assert said[0]["title"] == {"cs": "Sraz", "en": "Sraz"}
    whole, price = tables("editions.json")
    found_editions = get(client, "editions.json")["editions"]
    assert [one["kind"] for one in found_editions] == ["rules", "plan", "prices"]
    for one in found_editions:
        agrees(one, {name: kind for name, kind in whole.items() if name != "prices" or one["kind"] == "prices"})
    agrees(found_editions[2]["prices"][0], price)


@pytest.mark.parametrize(
    ("address", "title", "shape"),
    [
        ("standings.csv", "standings.json", api_shapes.STANDING),
        ("standings/2027.csv", "standings.json", api_shapes.STANDING),
        ("rounds.csv", "rounds.json", api_shapes.ROUND),
        ("rounds/R1.csv", "rounds/<code>.json", api_shapes.RESULT),
    ],
)
def test_P_the_csv_has_the_columns_that_are_told_and_says_the_same(
    client: Client, address: str, title: str, shape: tuple[str, ...]
) -> None:
    Participant.objects.filter(number="000101").update(first_name="=1+1", surname='"; x')
    answer = client.get(f"/api/1/{address}")
    head, *rows = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";")
    assert tuple(head) == shape and shape == tuple(tables(title)[-1])
    body = get(client, address.replace(".csv", ".json"))
    lines = body.get("standings") or body.get("results") or body["rounds"]
    assert len(rows) == len(lines) and rows
    written = {True: "true", False: "false", None: ""}
    for row, line in zip(rows, lines, strict=True):
        for name, cell in zip(head, row, strict=True):
            value = line[name]
            plain = written[value] if value is None or isinstance(value, bool) else str(value)
            assert cell == ("'" + plain if plain.startswith("=") else plain)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"


def test_P_each_address_is_told_of() -> None:
    for pattern in api.urlpatterns:
        route = re.sub(r"<\w+:(\w+)>", r"<\1>", str(pattern.pattern))
        if route == "<rest>":
            continue
        told = route.replace("<round_id>", "<code>")
        assert f"`{told}`" in TOLD, told


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("standings/1999.json", "season"), ("standings.json?page=2", "page"), ("standings.json?page=x", "page"),
        ("rounds.json?page=0", "page"), ("rounds.json?season=x", "season"), ("rounds/R9.json", "round"),
        ("rounds/R9.csv", "round"), ("players/000108.json", "participant"), ("players/9.json", "participant"),
        ("players/000101/1999.json", "participant"), ("nothing", "address"), ("", "address"),
        ("standings/9999999999999.json", "season"), ("players/x.json", "address"),
    ],
)  # fmt: skip
def test_P_what_is_not_there_is_told_in_json(client: Client, address: str, what: str) -> None:
    if address:
        assert get(client, address, 404) == {"error": "not-found", "what": what}
    assert f"`{what}`" in TOLD
    assert client.post(f"/api/1/{address}").status_code in (404, 405)


def test_rounds_are_narrowed_to_a_season_or_a_venue(client: Client) -> None:
    assert len(get(client, "rounds.json?season=2027&venue=zabreh")["rounds"]) == 2
    assert get(client, "rounds.json?venue=nowhere")["rounds"] == []
    assert get(client, "rounds.json?season=2026")["total"] == 0


def test_P_long_lists_come_in_pages_that_lead_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "LINES_A_PAGE", 2)
    first = client.get("/api/1/standings.json")
    body = first.json()
    assert (body["total"], body["page"], body["pages"], len(body["standings"])) == (3, 1, 2, 2)
    assert first.headers["Link"] == '</api/1/standings.json?page=2>; rel="next"'
    second = client.get("/api/1/standings.csv?page=2")
    assert second.headers["Link"] == '</api/1/standings.csv?page=1>; rel="prev"'
    assert len(second.content.splitlines()) == 2
    assert "1,000" in TOLD


def test_LG_7_LG_12_the_api_has_no_name_that_no_page_has(client: Client) -> None:
    before = Season.objects.create(year=2024, name="before")
    played("Q1", {"000101": (1, 100)}, days=-900, season=before)
    for address in ("standings/2024.json", "rounds/Q1.json", "players/000101/2024.json"):
        assert "Žáčková" not in str(get(client, address)), address
    for address in ("standings.json", "rounds/R1.json", "players/000101.json"):
        assert "Žáčková" in str(get(client, address)) and "Kříž" not in str(get(client, address)), address
    Season.objects.filter(year=2027).update(state="ended")
    totals.compute(Season.objects.get(year=2027))
    for address in ("standings.json", "rounds/R1.json", "players/000101.json"):
        assert "Žáčková" not in str(get(client, address)), address


def test_LG_8_points_of_a_round_that_is_played_stand_apart(client: Client) -> None:
    told = {line["participant"]: line for line in get(client, "standings.json")["standings"]}
    parts = ("place", "points", "open_points", "rounds", "provisional")
    assert {who: tuple(line[part] for part in parts) for who, line in told.items()} == {
        "000101": (1, "130", "97.5", 1, True), "000104": (2, "125", "0", 1, False),
        "000102": (3, "120", "50", 1, True),
    }  # fmt: skip
    played("R3", {"000103": (7, 70)}, days=8, state="running")
    assert "000103" not in {line["participant"] for line in get(client, "standings.json")["standings"]}
    one = get(client, "players/000103.json")
    assert (one["place"], one["of"], one["points"], one["open_points"]) == (None, 3, "0", "35")
    assert one["provisional"] and one["results"][0]["points"] == "35"


def test_before_the_start_all_who_are_registered_are_still_in(client: Client) -> None:
    RoundReport.objects.filter(pk="R2").update(state="open", registered=7, left=0)
    assert (get(client, "rounds/R2.json")["registered"], get(client, "rounds/R2.json")["left"]) == (7, 7)
    RoundReport.objects.filter(pk="R2").update(state="running", left=5)
    assert get(client, "rounds/R2.json")["left"] == 5


def test_P_times_are_the_leagues_own(client: Client) -> None:
    Round.objects.filter(pk="R1").update(starts_at=datetime(2027, 7, 1, 17, tzinfo=UTC))
    Round.objects.get(pk="R1").folded.delete()
    assert get(client, "rounds/R1.json")["starts_at"] == "2027-07-01T19:00:00+02:00"
