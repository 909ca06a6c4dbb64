"""The calendar for calendar programs, the pages for televisions, and what search engines are told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from league.rounds.models import Round, Season, Venue
from league.standings.models import RoundReport
from tests.league.test_public_pages import SCRIPT, public_client  # noqa: F401 (a fixture)
from tests.league.test_site import another_round, page

PRAGUE = ZoneInfo("Europe/Prague")


def events(client: Client, address: str = "/calendar.ics") -> dict[str, Any]:
    answer = client.get(address)
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    found: Any = Calendar.from_ical(answer.content)
    return {str(event["UID"]).partition("@")[0]: event for event in found.walk("VEVENT")}


def coming(code: str, at: datetime, **values: Any) -> Round:
    round = another_round(code)
    Round.objects.filter(pk=code).update(starts_at=at, promised=F("announcement"), offered_at=at, **values)
    round.refresh_from_db()
    return round


def next_year(month: int, day: int) -> datetime:
    return datetime(timezone.localdate().year + 1, month, day, 19, tzinfo=PRAGUE)


def test_LG_2_the_calendar_has_the_right_hour_in_summer_and_in_winter(client: Client) -> None:
    for code, at in (("WINTER", next_year(1, 10)), ("SUMMER", next_year(7, 10))):
        coming(code, at.astimezone(UTC))
    found = events(client)
    for code, hours in (("WINTER", 1), ("SUMMER", 2)):
        starts = found[code]["DTSTART"].dt
        assert (starts.hour, starts.utcoffset()) == (19, timedelta(hours=hours))
        assert found[code]["DTSTART"].params["TZID"] == "Europe/Prague"
        assert timedelta(0) < found[code]["DTEND"].dt - starts <= timedelta(hours=6)
    text = client.get("/calendar.ics").content.decode()
    assert text.count("BEGIN:VTIMEZONE") == 1 and "BEGIN:DAYLIGHT" in text and "\r\n" in text
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))


def test_LG_2_the_zone_that_the_calendar_brings_along_is_the_leagues_to_the_hour(client: Client) -> None:
    found: Any = Calendar.from_ical(client.get("/calendar.ics").content)
    (zone,) = found.walk("VTIMEZONE")
    brought = zone.to_tz(lookup_tzid=False)
    for year in range(2024, 2041):
        for month in (3, 10):
            last = datetime(year, month, 31)  # noqa: DTZ001 (by the clocks of the place)
            sunday = last - timedelta(days=(last.weekday() + 1) % 7)
            for at in (sunday + timedelta(hours=hour) for hour in (-20, 0, 1, 4, 5, 20)):
                assert at.replace(tzinfo=brought).utcoffset() == at.replace(tzinfo=PRAGUE).utcoffset(), at
    assert all("RRULE" in half and "RDATE" not in half for half in zone.subcomponents), "it has no end"
    starts = {str(half["TZNAME"]): half["DTSTART"].dt.hour for half in zone.subcomponents}
    assert starts == {"CEST": 2, "CET": 3}, "by the clocks before they are set"


def test_LG_2_a_round_that_is_moved_or_cancelled_keeps_its_uid_and_grows_its_sequence(client: Client) -> None:
    at = next_year(3, 1).astimezone(UTC)
    coming("C1", at)
    before = events(client)["C1"]
    assert (before["SEQUENCE"], before["STATUS"]) == (0, "CONFIRMED")
    moved_at = timezone.now()
    Round.objects.filter(pk="C1").update(
        first_starts_at=at, starts_at=at + timedelta(days=7), told_starts_at=at + timedelta(days=7), moved_at=moved_at
    )
    moved = events(client)["C1"]
    assert moved["UID"] == before["UID"] and moved["SEQUENCE"] > 0 and moved["STATUS"] == "CONFIRMED"
    assert moved["DTSTART"].dt == at + timedelta(days=7)
    Round.objects.filter(pk="C1").update(cancelled_at=moved_at + timedelta(seconds=1), reason="havárie")
    cancelled = events(client)["C1"]
    assert cancelled["UID"] == before["UID"] and cancelled["SEQUENCE"] > moved["SEQUENCE"]
    assert cancelled["STATUS"] == "CANCELLED" and "havárie" in str(cancelled["DESCRIPTION"])
    assert str(cancelled["UID"]).endswith("@testserver")


def test_LG_2_a_venues_own_word_of_a_move_counts_too(client: Client) -> None:
    at = next_year(3, 1).astimezone(UTC)
    round = coming("C2", at)
    report = RoundReport.objects.get(pk="R1")
    report.pk, report.state, report.starts_at, report.at = round.pk, "moved", at + timedelta(days=1), timezone.now()
    report.save(force_insert=True)
    found = events(client)["C2"]
    assert found["SEQUENCE"] > 0 and found["DTSTART"].dt == at + timedelta(days=1)


def test_a_venue_has_a_calendar_of_its_own_and_a_plan_is_in_none(client: Client) -> None:
    brno = Venue.objects.create(id="brno", name="Dům umění")
    coming("B1", next_year(2, 1).astimezone(UTC), venue=brno)
    coming("Z1", next_year(2, 2).astimezone(UTC))
    plan = another_round("PLAN")
    Round.objects.filter(pk=plan.pk).update(starts_at=next_year(2, 3))
    assert set(events(client, "/venues/brno/calendar.ics")) == {"B1"}
    assert {"B1", "Z1"} <= set(events(client)) and "PLAN" not in events(client)
    assert client.get("/venues/nowhere/calendar.ics").status_code == 404
    assert str(events(client, "/en/calendar.ics")["B1"]["URL"]).endswith("/en/rounds/B1/")


@pytest.mark.parametrize("address", ["/calendar.ics", "/en/calendar.ics", "/venues/zabreh/calendar.ics"])
def test_P_a_calendar_is_the_same_for_as_long_as_nothing_changed(client: Client, address: str) -> None:
    coming("Z1", next_year(2, 2).astimezone(UTC))
    first, again = client.get(address), client.get(address)
    assert first.content == again.content and first.headers["ETag"] == again.headers["ETag"]
    held = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (held.status_code, held.content) == (304, b"")
    RoundReport.objects.filter(pk="R1").update(state="cancelled", at=timezone.now())
    Round.objects.filter(pk="Z1").update(cancelled_at=timezone.now())
    changed: Any = Calendar.from_ical(client.get(address).content)
    before: Any = Calendar.from_ical(first.content)
    assert changed != before and str(changed["UID"]) == str(before["UID"])


def test_P_a_calendar_tells_no_property_twice_and_each_as_its_standard_has_it(client: Client) -> None:
    told, seen = {}, set()
    for address in ("/calendar.ics", "/en/calendar.ics", "/venues/zabreh/calendar.ics"):
        found: Any = Calendar.from_ical(client.get(address).content)
        text = client.get(address).content.decode()
        head = text.partition("BEGIN:VTIMEZONE")[0].replace("\r\n ", "").split("\r\n")
        names = [line.partition(":")[0].partition(";")[0] for line in head if line]
        assert len(names) == len(set(names)), names
        assert "REFRESH-INTERVAL;VALUE=DURATION:PT1H" in head and "VERSION:2.0" in head
        assert str(found["SOURCE"]) == f"http://testserver{address}" and "SOURCE;VALUE=URI" in text
        for event in found.walk("VEVENT"):
            assert event.errors == [] and {"UID", "DTSTAMP", "DTSTART", "SUMMARY"} <= set(event)
        assert found.errors == []
        told[address] = found
        seen.add(str(found["UID"]))
    assert len(seen) == len(told), "each is a calendar of its own"
    assert str(told["/venues/zabreh/calendar.ics"]["URL"]) == "http://testserver/venues/zabreh/"


def test_an_old_round_without_a_time_takes_its_day(client: Client) -> None:
    day = timezone.localdate() - timedelta(days=10)
    at = datetime(day.year, day.month, day.day, tzinfo=PRAGUE).astimezone(UTC)
    round = coming("OLD", at)
    Round.objects.filter(pk="OLD").update(promised={}, announcement={})
    report = RoundReport.objects.get(pk="R1")
    report.pk, report.starts_at, report.at = round.pk, at, at
    report.save(force_insert=True)
    found = events(client)["OLD"]
    assert (found["DTSTART"].dt, found["DTEND"].dt) == (day, day + timedelta(days=1))
    assert isinstance(found["DTSTART"].dt, date) and not isinstance(found["DTSTART"].dt, datetime)


def test_P_no_text_breaks_out_of_the_calendar(client: Client) -> None:
    coming("C3", next_year(2, 1).astimezone(UTC))
    hostile = "a\r\nBEGIN:VEVENT\r\nSUMMARY:x;y,z\\\x85\u2028\x0b\u202e\x07"
    Round.objects.filter(pk="C3").update(name=hostile, reason=hostile, cancelled_at=timezone.now())
    Venue.objects.update(name=f"Sál; A, B\\{hostile}")
    for address in ("/calendar.ics", "/venues/zabreh/calendar.ics"):
        found = events(client, address)
        assert len([one for one in found if one == "C3"]) == 1
        assert "BEGIN:VEVENT" in str(found["C3"]["SUMMARY"]) and found["C3"]["STATUS"] == "CANCELLED"
        text = client.get(address).content.decode()
        assert text.count("\r\nBEGIN:VEVENT") == len(found)
        assert not set("\x85\u2028\x0b\u202e\x07") & set(text)


@pytest.mark.parametrize("year", [1970, 2019, 2100, 2299])
def test_P_no_venues_clock_takes_the_calendar_from_the_others(client: Client, year: int) -> None:
    coming("C6", next_year(2, 1).astimezone(UTC))
    report = RoundReport.objects.get(pk="R1")
    report.pk, report.state, report.at = "C6", "cancelled", datetime(year, 12, 31, 23, 59, tzinfo=UTC)
    report.save(force_insert=True)
    sequence = events(client)["C6"]["SEQUENCE"]
    assert 0 <= sequence <= 2**31 - 1 and (sequence > 0) == (year > 2020)


def test_a_television_shows_what_is_played_and_else_what_comes(client: Client) -> None:
    czech, english = page(client, "/tv/"), page(client, "/en/tv/R2/")
    assert 'data-live="/live/tv?lang=cs"' in czech and 'data-live="/live/tv/R2?lang=en"' in english
    for said in ("Sokolovna", "Jiří Dvořák", "předběžné"):
        assert said in czech
    assert "preliminary" in english and 'http-equiv="refresh"' in english
    coming("C4", next_year(2, 1).astimezone(UTC))
    RoundReport.objects.filter(pk="R2").update(state="finished")
    idle = page(client, "/tv/")
    assert "C4" in idle and "V čele" in idle
    for wrong in ("/tv/NONE/", "/en/tv/NONE/"):
        page(client, wrong, 404)


def test_a_television_says_when_a_round_starts_and_by_which_levels(client: Client) -> None:
    at = next_year(2, 1)
    coming("C5", at.astimezone(UTC))
    for language, said in (("", ("Začátek", "1. února", "25 / 50", "Vklad")), ("/en", ("Starts", "1 February"))):
        shown = page(client, f"{language}/tv/C5/")
        assert ">19:00<" in shown and 'class="clock"' in shown and "data-clock=" not in shown
        assert all(one in shown for one in said)
    RoundReport.objects.filter(pk="R2").update(state="open", left=0)
    for address in ("/tv/", "/tv/R2/"):
        shown = page(client, address)
        assert "Začátek" in shown and "registrace otevřena" in shown and "Nikdo ještě" not in shown
    RoundReport.objects.filter(pk="R2").update(state="finished")
    assert "Začátek" not in page(client, "/tv/R2/")


def test_P_a_television_tells_no_name_that_no_page_tells_and_escapes_the_rest(client: Client) -> None:
    Round.objects.update(name=SCRIPT)
    Venue.objects.update(name=SCRIPT)
    for address in ("/tv/", "/tv/R1/", "/tv/R2/"):
        text = page(client, address)
        assert "<script>" not in text and "Kříž" not in text
    Season.objects.update(state="ended")
    assert "Dvořák" not in page(client, "/tv/R2/")


def test_search_engines_are_led_past_the_office_and_to_each_page_in_both_languages(client: Client) -> None:
    robots = page(client, "/robots.txt")
    assert "Disallow: /office/" in robots and "Sitemap: http://testserver/sitemap.xml" in robots
    found = page(client, "/sitemap.xml")
    for address in ("/", "/en/", "/standings/2027/", "/en/rounds/R1/", "/venues/zabreh/"):
        assert f"<loc>http://testserver{address}</loc>" in found
    assert "/players/" not in found
    for line in found.split("<loc>")[1:6]:
        page(client, line.partition("</loc>")[0].removeprefix("http://testserver"))
