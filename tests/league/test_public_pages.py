"""The public pages of players, venues and records, the search of the standings and the calendar's choice."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.people.models import Consent, Participant
from league.rounds.models import Round, Season, Venue
from league.standings import totals
from league.standings.models import Result, RoundReport
from tests.league.test_site import page, play

AT = datetime(2027, 1, 15, 20, 30, tzinfo=UTC)
SCRIPT = "<script>alert(1)</script>"
LANGUAGES = ("", "/en")


def played(key: str, places: dict[str, tuple[int, int]], days: int = 0, season: Season | None = None,
           state: str = "finished") -> Round:  # fmt: skip
    """A round with its results and what they add up to."""
    like = Round.objects.get(pk="R1")
    round, _ = Round.objects.get_or_create(
        id=key,
        defaults={
            "season": season or like.season, "venue": like.venue, "announcement": like.announcement, "promised": {},
            "starts_at": like.starts_at + timedelta(days=days),
        },
    )  # fmt: skip
    play(round, places, state)
    totals.compute(round.season)
    return round


@pytest.fixture(name="client")
def public_client(imported: dict[str, Any]) -> Client:
    """Somebody who looks: 101 has won a round that is over and is third of one that is played; 104 hides the name."""
    Round.objects.update(promised=F("announcement"), offered_at=AT)
    played("R1", {"000101": (1, 260), "000104": (2, 250), "000102": (3, 240)})
    played("R2", {"000102": (9, 100), "000101": (8, 195)}, days=7, state="running")
    return Client()


def asked(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_LG_9_a_players_page_tells_what_the_standings_tell(client: Client) -> None:
    czech, english = page(client, "/players/000101/"), page(client, "/en/players/000101/")
    for said in (
        "Věra Žáčková",
        "000101",
        "130",
        "+97,5",
        "1.",
        "z 3",
        "předběžné",
        "3\xa0425 Kč",
        "/rounds/R1/",
        "/rounds/R2/",
    ):
        assert said in czech, said
    for said in ("Věra Žáčková", "130", "+97.5", "of 3", "preliminary", "CZK 3,425"):
        assert said in english, said
    assert 'href="/players/000101/"' in page(client, "/standings/")
    assert 'href="/players/000104/"' in page(client, "/rounds/R1/")


def test_LG_7_a_players_page_without_consent_has_the_number_alone(client: Client) -> None:
    assert "Kříž" not in page(client, "/players/000104/") and "000104" in page(client, "/players/000104/")
    Consent.objects.filter(kind="publication").update(withdrawn_at=AT)
    assert "Žáčková" not in page(client, "/players/000101/")


def test_LG_12_no_name_stands_beside_a_season_that_is_over(client: Client) -> None:
    before = Season.objects.create(year=2024, name="Ročník 2024")
    played("Q1", {"000101": (1, 100)}, days=-900, season=before)
    assert "Žáčková" in page(client, "/players/000101/") and "/players/000101/2024/" in page(client, "/players/000101/")
    assert "Žáčková" not in page(client, "/players/000101/2024/")
    assert "R2" not in page(client, "/players/000101/2024/")
    for language in LANGUAGES:
        assert "Žáčková" not in page(client, f"{language}/standings/2024/?q=zackova")
        assert "Žáčková" not in page(client, f"{language}/standings/2024/records/")
    Season.objects.filter(year=2027).update(state="ended")
    assert "Žáčková" not in page(client, "/players/000101/")


@pytest.mark.parametrize("address", ["/players/000108/", "/players/999999/", "/players/000101/2026/", "/players/0/"])
def test_P_nobody_without_results_is_known(client: Client, address: str) -> None:
    """108 is in the league and has consented: that is nobody's business before they have played."""
    like = page(client, "/players/777777/", 404)
    assert page(client, address, 404).replace(address, "") == like.replace("/players/777777/", "")


def test_LG_10_a_void_participation_is_on_no_page_of_a_player(client: Client) -> None:
    Result.objects.filter(number="000104").update(void=True)
    totals.compute(Season.objects.get(year=2027))
    page(client, "/players/000104/", 404)


def test_no_search_engine_keeps_a_players_page(client: Client) -> None:
    assert client.get("/players/000101/").headers["X-Robots-Tag"] == "noindex, noarchive"


@pytest.mark.parametrize("q", ["000101", "101", "žáčková", "ZACKOVA", "věra žáč", "vera"])
def test_LG_9_somebody_is_found_by_number_or_by_name_whatever_the_accents(client: Client, q: str) -> None:
    for language in LANGUAGES:
        found = client.get(f"{language}/standings/", {"q": q})
        assert [line["number"] for line in found.context["hits"]] == ["000101"]
        assert (found.context["hits"][0]["place"], found.context["hits"][0]["page"]) == (1, 1)
        assert 'href="' + language + '/standings/2027/?page=1#n000101"' in found.content.decode()


@pytest.mark.parametrize("q", ["kříž", "křiž ondrej", "000108", "x", "%", "a" * 5000, SCRIPT, "' OR 1=1", "٣"])
def test_LG_7_a_search_finds_no_name_that_is_not_published(client: Client, q: str) -> None:
    answer = client.get("/standings/", {"q": q})
    assert answer.status_code == 200 and answer.context["hits"] == []
    assert "<script" not in answer.content.decode() and "Ondřej" not in answer.content.decode()


def test_a_search_says_where_in_the_standings_somebody_is(client: Client) -> None:
    played("R3", {f"{n:06}": (1, 2000 - n) for n in range(1000, 1450)}, days=14)
    hit = client.get("/standings/", {"q": "001440"}).context["hits"][0]
    line = client.get(f"/standings/2027/?page={hit['page']}").context["lines"]
    assert [(one["place"], one["half_points"]) for one in line if one["number"] == "001440"] == [
        (hit["place"], hit["half_points"])
    ]
    assert hit["page"] > 1
    assert 'name="page" type="number"' in page(client, "/standings/")


def test_a_venue_shows_its_rounds_and_records(client: Client) -> None:
    Venue.objects.create(id="nowhere", name="Nikde")
    assert "/venues/zabreh/" in page(client, "/venues/") and "nowhere" not in page(client, "/venues/")
    page(client, "/venues/nowhere/", 404)
    czech, english = page(client, "/venues/zabreh/"), page(client, "/en/venues/zabreh/")
    for said in (
        "Sokolovna",
        "/rounds/R2/",
        "/rounds/R1/",
        "Nejvíc bodů",
        "130",
        "3\xa0425 Kč",
        "/venues/zabreh/calendar.ics",
    ):
        assert said in czech, said
    assert "Most points in a round" in english and "Biggest prize" in english
    assert 'href="/venues/zabreh/"' in page(client, "/rounds/R1/")


def test_P_records_say_by_which_key_their_points_came(client: Client) -> None:
    for address in ("/venues/zabreh/", "/standings/2027/records/"):
        assert "Nepotvrzený bodový klíč" in page(client, address)
        assert "Points key unconfirmed" in page(client, f"/en{address}")
    RoundReport.objects.update(key_unconfirmed=False, key_corrected=True)
    for address in ("/venues/zabreh/", "/standings/2027/records/"):
        assert "Opravený klíč" in page(client, address) and "Nepotvrzený" not in page(client, address)


def test_a_seasons_records_name_whom_its_standings_name(client: Client) -> None:
    found = page(client, "/standings/2027/records/")
    assert "Věra Žáčková" in found and "/rounds/R1/" in found
    page(client, "/standings/1999/records/", 404)


def test_LG_12_who_won_most_at_a_venue_is_named_while_all_of_those_seasons_last(client: Client) -> None:
    def winner() -> str:
        shown = page(client, "/venues/zabreh/").partition("Nejvíc vyhraných kol")[2]
        return shown.partition("</dd>")[0]

    assert "Věra Žáčková" in winner() and "000101" in winner()
    before = Season.objects.create(year=2025, name="2025", state="ended", ends_on=date(2025, 12, 31))
    played("Q1", {"000101": (1, 260)}, days=-700, season=before)
    assert "Žáčková" not in winner() and "000101" in winner(), "one of them is of a season that is over"
    Consent.objects.filter(kind="publication").update(withdrawn_at=AT)
    Round.objects.filter(pk="Q1").delete()
    assert "Žáčková" not in winner()


def test_the_calendar_shows_a_venue_or_a_month_alone(client: Client) -> None:
    brno = Venue.objects.create(id="brno", name="Brno")
    Round.objects.filter(pk="R2").update(venue=brno)
    RoundReport.objects.filter(pk="R1").update(starts_at=datetime(2027, 2, 1, tzinfo=UTC))
    assert "/rounds/R1/" not in page(client, "/?venue=brno") and "/rounds/R2/" in page(client, "/?venue=brno")
    assert "/rounds/R1/" in page(client, "/?month=2027-02") and "/rounds/R2/" not in page(client, "/?month=2027-02")
    assert "/rounds/R2/" in page(client, "/en/?month=2027-01&venue=brno")
    assert "/rounds/" not in page(client, "/?month=2027-12")
    assert page(client, "/?venue=&month=") and "V čele" in page(client, "/")
    for wrong in ("/?venue=nowhere", "/?month=2027-13", "/?month=x", "/?month=2027-1", "/?venue=%00"):
        page(client, wrong, 404)


def test_no_page_asks_more_for_more_lines(client: Client) -> None:
    """No query in a loop: as many for many players, rounds and venues as for few."""
    pages = {
        "/": 16, "/?venue=zabreh": 15, "/standings/": 14, "/standings/?q=vera": 16, "/players/000101/": 9,
        "/venues/": 4, "/venues/zabreh/": 16, "/standings/2027/records/": 16, "/rounds/R1/": 6,
        "/api/1/standings.json": 10, "/api/1/rounds.json": 4, "/api/1/rounds/R1.json": 4, "/calendar.ics": 4,
    }  # fmt: skip
    few = {address: asked(client, address) for address in pages}
    for n in range(30):
        Venue.objects.create(id=f"v{n}", name=f"Herna {n}")
        round = played(f"X{n}", {f"{n + 200:06}": (2, 90), "000101": (1, 260)}, days=20 + n)
        Round.objects.filter(pk=round.pk).update(venue=f"v{n}" if n % 2 else "zabreh")
        RoundReport.objects.filter(pk=round.pk).update(starts_at=datetime(2027, 3, 1, tzinfo=UTC))
    many = {address: asked(client, address) for address in pages}
    assert many == few
    assert {address: count for address, count in many.items() if count > pages[address]} == {}


def test_text_from_anywhere_is_escaped_on_the_new_pages(client: Client) -> None:
    Participant.objects.filter(number="000101").update(surname=SCRIPT, title='" onload="x')
    Venue.objects.update(name=SCRIPT, town='"><img>')
    Round.objects.update(name=SCRIPT)
    Season.objects.update(name=SCRIPT)
    for language in LANGUAGES:
        for address in ("/", "/players/000101/", "/venues/", "/venues/zabreh/", "/standings/2027/records/",
                        "/standings/?q=000101", "/standings/?q=%3Cscript%3E"):  # fmt: skip
            text = page(client, language + address)
            assert "<script>" not in text and "<img>" not in text and '" onload' not in text, address
