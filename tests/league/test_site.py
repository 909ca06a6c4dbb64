"""The public pages and their JSON, asked for in this process."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from appliance.game.pointskey import CPL_2017
from league.people.models import Consent, Participant
from league.rounds.keys import key_data
from league.rounds.models import Round, Season, Venue
from league.site.boards import drawn
from league.standings import totals
from league.standings.models import Result, RoundReport
from league.standings.table import standings
from tests.league.office import sign_in

AT = datetime(2027, 1, 15, 20, 30, tzinfo=UTC)


def play(round: Round, places: dict[str, tuple[int, int]], state: str = "finished") -> None:
    """Give a round a report and results: number → (place, half points)."""
    RoundReport.objects.create(
        round=round, epoch="1-00c0ffee00c0ffee", seq=9, state=state, starts_at=round.starts_at, at=AT,
        registered=len(places), left=1, pool=6850, key=key_data(CPL_2017), key_unconfirmed=True,
    )  # fmt: skip
    for number, (place, half_points) in places.items():
        prize = 3425 if place == 1 else 0
        provisional = state != "finished"
        Result.objects.create(
            round=round, number=number, place=place, prize=prize, half_points=half_points, counted=half_points,
            provisional=provisional,
        )  # fmt: skip
    totals.compute(round.season)


def another_round(key: str) -> Round:
    first = Round.objects.get(pk="R1")
    return Round.objects.create(
        id=key, season=first.season, venue=first.venue, starts_at=first.starts_at, announcement=first.announcement
    )


@pytest.fixture
def client(imported: dict[str, Any]) -> Client:
    """Somebody who looks at the pages; the round of the season file has been announced."""
    Round.objects.update(promised=F("announcement"), offered_at=AT)
    return Client()


def page(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def test_LG_8_points_add_up_over_rounds_and_equal_totals_share_the_place(imported: dict[str, Any]) -> None:
    play(Round.objects.get(), {"000101": (1, 260), "000102": (2, 250), "000103": (3, 195)})
    play(another_round("R2"), {"000101": (3, 195), "000102": (2, 205), "000104": (1, 260)})
    table = standings(Season.objects.get())
    assert [(line.place, line.number, line.half_points, line.rounds) for line in table.lines] == [
        (1, "000101", 455, 2),
        (1, "000102", 455, 2),
        (3, "000104", 260, 1),
        (4, "000103", 195, 1),
    ]
    assert (table.total, table.provisional, table.key_unconfirmed) == (4, False, True)
    assert standings(Season.objects.get(), 2, 1).lines == table.lines[2:3]


def test_a_round_still_played_makes_the_standings_preliminary(client: Client) -> None:
    play(Round.objects.get(), {"000101": (1, 260)})
    assert "Předběžné" not in page(client, "/standings/")
    play(another_round("R2"), {"000102": (9, 20), "000101": (8, 30)}, state="running")
    czech, english = page(client, "/standings/"), page(client, "/en/standings/")
    assert "Některé kolo se ještě hraje" in czech and 'href="/rounds/R2/"' in czech
    assert "A round is still being played" in english and "and preliminary </span>+15<" in english
    assert ">130<small" in czech.replace(" ", "") and "000102" not in czech, "those who lost have points"
    assert "Preliminary: this round is not over yet." in page(client, "/en/rounds/R2/")
    assert "Předběžné: kolo ještě neskončilo." in page(client, "/rounds/R2/")
    assert "některé kolo" not in page(client, "/rounds/R2/")
    assert "Preliminary" not in page(client, "/en/rounds/R1/")


def test_half_points_and_crowns_are_written_as_the_language_does(client: Client) -> None:
    play(Round.objects.get(), {"000101": (1, 195)})
    czech, english = page(client, "/rounds/R1/"), page(client, "/en/rounds/R1/")
    assert "97,5" in czech
    assert "3\xa0425 Kč" in czech
    assert "50 %" in czech
    assert "97.5" in english
    assert "CZK 3,425" in english
    assert "50%" in english


def test_P_the_default_key_is_flagged_wherever_its_points_are_shown(client: Client) -> None:
    play(Round.objects.get(), {"000101": (1, 260)})
    for address, text in (
        ("/rounds/R1/", "Nepotvrzený bodový klíč"),
        ("/en/rounds/R1/", "Points key unconfirmed"),
        ("/standings/", "Nepotvrzený bodový klíč"),
        ("/", "Nepotvrzený bodový klíč"),
        ("/en/", "Points key unconfirmed"),
    ):
        assert text in page(client, address)
    RoundReport.objects.update(key_unconfirmed=False)
    assert "klíč" not in page(client, "/standings/")
    assert "klíč" not in page(client, "/")


def test_nobody_leads_a_season_before_a_round_of_it_is_over(client: Client) -> None:
    play(Round.objects.get(), {"000101": (18, 20)}, state="running")
    assert "V čele" not in page(client, "/")
    assert "Žáčková" not in page(client, "/")
    play(another_round("R2"), {"000102": (1, 260)})
    text = page(client, "/")
    assert text.index("V čele") < text.index("000102") and "Žáčková" not in text
    for address in ("/standings/", "/tv/"):
        assert "Žáčková" not in page(client, address).partition("V čele")[2]


def test_the_standings_of_a_first_round_come_when_it_is_over(client: Client) -> None:
    play(Round.objects.get(), {"000101": (18, 20), "000102": (17, 20)}, state="running")
    for address, said in (("/standings/", "První kolo se ještě hraje"), ("/en/standings/", "The first round is still")):
        text = page(client, address)
        assert said in text and "/rounds/R1/" in text and "000102" not in text and "Žáčková" not in text
    assert "000101" in page(client, "/rounds/R1/")
    assert ">–<" in page(client, "/players/000101/"), "no place yet"


def test_LG_7_a_name_stands_only_with_consent_and_goes_when_it_is_withdrawn(client: Client) -> None:
    play(Round.objects.get(), {"000101": (1, 260), "000104": (2, 250)})
    text = page(client, "/rounds/R1/")
    assert "Věra Žáčková" in text
    assert "Kříž" not in text
    assert "000104" in text
    Consent.objects.filter(kind="publication").update(withdrawn_at=datetime(2027, 2, 1, tzinfo=UTC))
    for address in ("/", "/rounds/R1/", "/standings/", "/api/1/standings.json", "/api/1/rounds/R1.json"):
        assert "Žáčková" not in page(client, address)


def test_T_16_the_structure_is_there_before_the_start(client: Client) -> None:
    text = page(client, "/rounds/R1/")
    assert "25 / 50" in text
    assert "6\xa0000 / 12\xa0000" in text
    assert text.count("Přestávka") == 2
    assert "vyhlášeno" in text


def test_LG_2_a_plan_is_the_offices_own_until_it_is_announced(imported: dict[str, Any]) -> None:
    plan = Round.objects.get()
    for address in ("/", "/en/", "/api/1/rounds.json"):
        assert plan.pk not in page(Client(), address)
    for address in ("/rounds/R1/", "/api/1/rounds/R1.json"):
        page(Client(), address, 404)
    cancelled = another_round("R0")
    Round.objects.filter(pk=plan.pk).update(substitute_for=cancelled)
    assert "/rounds/R1/" in page(Client(), "/")
    Round.objects.filter(pk=plan.pk).update(substitute_for=None, promised=F("announcement"))
    assert "/rounds/R1/" in page(Client(), "/") and "vyhlášeno" in page(Client(), "/")


def test_the_calendar_shows_what_runs_what_comes_and_what_was_played(client: Client) -> None:
    assert "Právě probíhá" not in page(client, "/")
    play(Round.objects.get(), {"000101": (1, 260)})
    play(another_round("R2"), {"000101": (5, 100)}, state="running")
    text = page(client, "/")
    assert text.index("Právě probíhá") < text.index("/rounds/R2/") < text.index("Odehrané") < text.index("/rounds/R1/")
    assert "V čele: Ročník 2027" in text


def test_what_people_register_for_stands_apart_from_what_is_played(client: Client) -> None:
    play(another_round("R2"), {}, state="open")
    for address in ("/", "/venues/zabreh/"):
        text = page(client, address)
        assert "Právě probíhá" not in text and text.index("Registrace otevřena") < text.index("/rounds/R2/")
    play(another_round("R3"), {"000101": (5, 100)}, state="paused")
    text = page(client, "/")
    assert text.index("Právě probíhá") < text.index("/rounds/R3/") < text.index("Registrace otevřena")
    told = drawn("calendar", "", "en") or ""
    assert told.index("Under way") < told.index("/rounds/R3/") < told.index("Registration open") < told.index("/R2/")


@pytest.mark.parametrize(("language", "day"), [("", "2."), ("/en", "2")])
def test_the_day_above_a_month_is_written_as_the_language_does(client: Client, language: str, day: str) -> None:
    Round.objects.update(starts_at=timezone.make_aware(datetime(2127, 1, 2, 0, 30)))  # noqa: DTZ001 (made aware)
    for address in ("/", "/venues/zabreh/", "/tv/"):
        assert f"<b>{day}</b>" in page(client, language + address)


def test_every_page_links_to_itself_in_the_other_language(client: Client) -> None:
    for czech, english in (("/", "/en/"), ("/standings/", "/en/standings/"), ("/rounds/R1/", "/en/rounds/R1/")):
        assert f'href="{english}" lang="en"' in page(client, czech)
        assert f'href="{czech}" lang="cs"' in page(client, english)


def test_an_empty_league_has_pages_too(db: None) -> None:
    client = Client()
    assert "Další kolo zatím není vyhlášeno." in page(client, "/")
    assert "Zatím bez bodů" in page(client, "/standings/")
    assert client.get("/api/1/standings.json").status_code == 404


@pytest.mark.parametrize(
    "address",
    ["/nothing/", "/en/nothing/", "/rounds/R7/", "/standings/1999/", "/standings/?page=2", "/standings/?page=x",
     "/standings/?page=0", "/standings/?page=" + "9" * 5000, "/rounds/../etc/"],
)  # fmt: skip
def test_what_is_not_there_is_a_404_in_our_frame(client: Client, address: str) -> None:
    play(Round.objects.get(), {"000101": (1, 260)})
    assert "Pokerová liga" in page(client, address, 404) or "Poker league" in page(client, address, 404)


def test_a_broken_page_says_so_and_nothing_more(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from league.site import pages

    def broken() -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(pages, "calendar", broken)
    client.raise_request_exception = False
    text = page(client, "/", 500)
    assert "Něco se pokazilo" in text
    assert "secret" not in text


def test_text_from_anywhere_is_escaped(client: Client) -> None:
    script = "<script>alert(1)</script>"
    Participant.objects.filter(number="000101").update(surname=script, title='" onload="x')
    Venue.objects.update(name=script, town=script)
    Round.objects.update(name=script)
    play(Round.objects.get(), {"000101": (1, 260)}, state=script[:12])
    for address in ("/", "/rounds/R1/", "/standings/", "/en/rounds/R1/"):
        text = page(client, address)
        assert "<script>" not in text
        assert "&lt;script" in text


def test_pages_forbid_scripts_frames_and_sniffing(client: Client) -> None:
    for address in ("/", "/nothing/", "/api/1/rounds.json", "/admin/login/"):
        headers = client.get(address).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_json_has_the_documented_shape(client: Client) -> None:
    play(Round.objects.get(), {"000101": (1, 195), "000104": (2, 250)})
    assert client.get("/api/1/standings.json").json() == {
        "season": 2027,
        "provisional": False,
        "key_unconfirmed": True,
        "key_corrected": False,
        "total": 2,
        "page": 1,
        "pages": 1,
        "standings": [
            {"place": 1, "participant": "000104", "name": None, "points": "125", "rounds": 1, "provisional": False,
             "open_points": "0"},
            {
                "place": 2, "participant": "000101", "name": "Věra Žáčková", "points": "97.5", "rounds": 1,
                "provisional": False, "open_points": "0",
            },
        ],
    }  # fmt: skip
    assert client.get("/api/1/standings/2027.json").json() == client.get("/api/1/standings.json").json()
    body = client.get("/api/1/rounds/R1.json").json()
    assert body["results"][0] == {
        "place": 1, "participant": "000101", "name": "Věra Žáčková", "prize": 3425, "points": "97.5",
        "provisional": False,
    }  # fmt: skip
    assert (body["state"], body["registered"], body["pool"], body["provisional"]) == ("finished", 2, 6850, False)
    assert [entry["round"] for entry in client.get("/api/1/rounds.json").json()["rounds"]] == ["R1"]
    assert client.get("/api/1/rounds/R7.json").json() == {"error": "not-found", "what": "round"}
    assert client.get("/api/1/standings/1999.json").status_code == 404


def test_staff_pages_ask_who_it_is(client: Client) -> None:
    assert client.get("/admin/people/participant/").status_code == 302
    assert "login" in client.get("/admin/").headers["Location"]


def test_staff_see_people_and_records_and_cannot_edit_what_the_venues_wrote(imported: dict[str, Any]) -> None:
    from django.contrib.auth.models import User

    client = Client()
    sign_in(client, User.objects.create_superuser("clerk"))
    play(Round.objects.get(), {"000101": (1, 260)})
    for app in (
        "people/participant", "people/card", "rounds/season", "rounds/venue", "rounds/round", "ingest/rawrecord",
        "ingest/streamhead", "ingest/quarantine", "ingest/alert", "ingest/contact", "standings/result",
        "standings/roundreport",
    ):  # fmt: skip
        assert client.get(f"/admin/{app}/").status_code == 200, app
    assert client.get(f"/admin/people/participant/{Participant.objects.all()[0].pk}/change/").status_code == 200
    assert client.get("/admin/standings/result/add/").status_code == 403


def test_pages_are_cut_at_two_hundred_lines(client: Client) -> None:
    play(Round.objects.get(), {f"{n:06}": (n, 1000 - n) for n in range(1, 251)})
    first, second = page(client, "/standings/"), page(client, "/standings/?page=2")
    assert first.count('<td class="place">') == 200
    assert second.count('<td class="place">') == 50
    assert "201." in second
    assert 'rel="next" href="?page=2"' in first


def test_LG_2_a_cancelled_or_moved_round_is_announced_with_its_reason(client: Client) -> None:
    play(Round.objects.get(), {}, state="cancelled")
    RoundReport.objects.update(reason="havárie <vody>")
    text = page(client, "/rounds/R1/")
    assert "Kolo bylo zrušeno" in text
    assert "Důvod: havárie &lt;vody&gt;" in text
    RoundReport.objects.update(state="moved", starts_at=datetime(2031, 3, 1, 18, tzinfo=UTC))
    assert "Moved from 15 January 2027, 19:00." in page(client, "/en/rounds/R1/")
    text = page(client, "/")
    assert text.index("Nadcházející") < text.index("/rounds/R1/")
    assert "března" in text


def test_staff_see_points_and_states_as_people_say_them(imported: dict[str, Any]) -> None:
    from django.contrib.auth.models import User

    client = Client()
    sign_in(client, User.objects.create_superuser("clerk"))
    play(Round.objects.get(), {"000101": (1, 195), "000102": (2, 150)})
    listed = page(client, "/admin/standings/result/")
    assert '<td class="field-points">97,5</td>' in listed
    assert '<td class="field-points">75</td>' in listed
    assert "Půlbody" not in listed
    assert "97,5" in page(client, f"/admin/standings/result/{Result.objects.all()[0].pk}/change/")
    for address in ("", "R1/change/"):
        text = page(client, f"/admin/standings/roundreport/{address}")
        assert "dohráno" in text
        assert ">finished<" not in text
        assert "R1 finished" not in text
    assert client.get("/admin/standings/roundreport/?state=running").content.decode().count("field-state_named") == 0
    assert client.get("/admin/standings/roundreport/?state=finished").content.decode().count("field-state_named") == 1


def test_P_points_by_a_corrected_key_say_so_wherever_they_are_shown(client: Client) -> None:
    play(Round.objects.get(), {"000101": (1, 260), "000102": (2, 250)})
    assert "Opravený klíč" not in page(client, "/standings/")
    Result.objects.filter(number="000102").update(counted=301)
    totals.compute(Season.objects.get())
    RoundReport.objects.update(key_corrected=True, key_unconfirmed=False)
    for address in ("/", "/standings/", "/rounds/R1/"):
        assert "Opravený klíč: liga" in page(client, address)
        assert "Corrected key: the league" in page(client, f"/en{address}")
        assert "Nepotvrzený" not in page(client, address)
        assert "150,5" in page(client, address)
    assert "v herně mohly být jiné" in page(client, "/rounds/R1/")
    found = client.get("/api/1/standings.json").json()
    assert (found["key_corrected"], found["key_unconfirmed"]) == (True, False)
    assert [line["points"] for line in found["standings"]] == ["150.5", "130"]
    found = client.get("/api/1/rounds/R1.json").json()
    assert (found["key_corrected"], found["key_unconfirmed"]) == (True, False)
    assert [line["points"] for line in found["results"]] == ["130", "150.5"]
