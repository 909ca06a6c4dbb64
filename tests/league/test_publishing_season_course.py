"""The league interrupts, shortens, extends and ends a season (LG-11); who won it (LG-8); who is excluded (T-15)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.exceptions import ValidationError
from django.utils import timezone

from league.ingest.everybody import everybody
from league.ingest.outbox import Pen
from league.ingest.publishing import offer_round, publish_roster, told
from league.ingest.rosters import RosterTeller
from league.notices.models import Announcement
from league.rounds.models import Round, Season, SeasonAct
from league.standings import excluding, seasons
from league.standings.excluded import excluded
from league.standings.models import Exclusion
from league.standings.seasons import NoSuchAct, What, Words
from tests.league.calendar_days import on
from tests.league.rounds_played import FLAT, announcement, moves, planned, venue_plays

A, B, C, D = "000101", "000102", "000103", "000104"
SAID = Words("Ročník", "The season", "Podrobnosti", "Details")


@pytest.fixture
def year(imported: dict[str, Any]) -> Season:
    return Season.objects.get(year=2027)


@pytest.fixture
def at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the last day of 2027."""
    on(monkeypatch, date(2027, 12, 31))


@pytest.fixture
def pen(director_key: Ed25519PrivateKey) -> Pen:
    return Pen(director_key, lambda: 1_800_000_000_000)


def now(year: Season) -> Season:
    return Season.objects.get(pk=year.pk)


def refused(year: Season, what: str, day: date, until: date | None = None) -> tuple[str, str]:
    before = (
        Announcement.objects.count(),
        SeasonAct.objects.count(),
        Season.objects.filter(pk=year.pk).values().get(),
    )
    with pytest.raises(NoSuchAct) as error:
        seasons.act(year, what, day, SAID, "boss", until=until)
    after = (
        Announcement.objects.count(),
        SeasonAct.objects.count(),
        Season.objects.filter(pk=year.pk).values().get(),
    )
    assert before == after
    return error.value.field, error.value.code


def test_LG_1_a_season_ends_with_its_year_unless_the_league_decides_otherwise(year: Season) -> None:
    assert year.last_day == date(2027, 12, 31)
    seasons.act(year, What.SHORTEN, date(2027, 11, 30), SAID, "boss", reason="the hall is closed")
    assert now(year).last_day == date(2027, 11, 30)
    seasons.act(year, What.EXTEND, date(2028, 1, 31), SAID, "boss")
    assert now(year).last_day == date(2028, 1, 31)
    assert [(row.what, row.before) for row in year.acts.all()] == [
        ("shorten", date(2027, 12, 31)), ("extend", date(2027, 11, 30)),
    ]  # fmt: skip


@pytest.mark.parametrize("what", [What.INTERRUPT, What.SHORTEN, What.END])
def test_LG_11_every_decision_is_announced_with_it(year: Season, at_the_end: None, what: str) -> None:
    Round.objects.all().delete()
    seasons.act(year, what, date(2027, 6, 1), SAID, "boss")
    said = Announcement.objects.get()
    assert (said.title_cs, said.title_en, said.text_cs, said.text_en) == SAID
    assert said.everywhere and said.on_site and said.stands(timezone.now() + timedelta(days=59))


def test_LG_11_no_round_is_promised_for_days_on_which_the_season_rests(year: Season, pen: Pen) -> None:
    seasons.act(year, What.INTERRUPT, date(2027, 2, 1), SAID, "boss", until=date(2027, 2, 28))
    within, later = planned("S1"), planned("S2", starts_at="2027-03-01T19:00:00+01:00")
    later.starts_at = datetime.fromisoformat("2027-03-01T19:00:00+01:00")
    later.save()
    later.refresh_from_db()
    within.refresh_from_db()
    with pytest.raises(ValidationError) as error:
        within.full_clean()
    assert "starts_at" in error.value.message_dict
    later.full_clean()
    with pytest.raises(ValueError, match="interrupted"):
        offer_round(within, pen, datetime.now(UTC))
    assert offer_round(later, pen, datetime.now(UTC))
    seasons.act(year, What.RESUME, date(2027, 2, 10), SAID, "boss")
    with pytest.raises(ValidationError):
        Round.objects.get(pk="S1").full_clean()  # it was to be on the 5th: then nobody plays
    seasons.act(year, What.RESUME, date(2027, 2, 5), SAID, "boss")
    within.refresh_from_db()
    Round.objects.get(pk="S1").full_clean()
    assert offer_round(within, pen, datetime.now(UTC))


def test_LG_11_what_was_promised_before_stays_promised(year: Season, pen: Pen) -> None:
    offer_round(planned("S1"), pen, datetime.now(UTC))
    seasons.act(year, What.SHORTEN, date(2027, 1, 31), SAID, "boss")
    assert [round.pk for round in seasons.to_come(now(year), date(2027, 1, 31))] == ["S1"]
    assert not offer_round(Round.objects.get(pk="S1"), pen, datetime.now(UTC))


def test_LG_11_what_cannot_be_is_refused_and_writes_nothing(year: Season, at_the_end: None) -> None:
    Round.objects.all().delete()
    assert refused(year, What.RESUME, date(2027, 5, 1)) == ("day", "running")
    assert refused(year, What.SHORTEN, date(2027, 12, 31)) == ("day", "not-earlier")
    assert refused(year, What.EXTEND, date(2027, 12, 31)) == ("day", "not-later")
    assert refused(year, What.INTERRUPT, date(2027, 5, 1), date(2027, 4, 30)) == ("until", "ends-before-start")
    seasons.act(year, What.INTERRUPT, date(2027, 5, 1), SAID, "boss")
    assert refused(year, What.INTERRUPT, date(2027, 5, 1)) == ("day", "not-running")
    seasons.act(year, What.END, date(2027, 6, 1), SAID, "boss")
    assert refused(year, What.EXTEND, date(2028, 5, 1)) == ("day", "ended")


def test_LG_8_the_winner_has_the_most_points(year: Season, at_the_end: None, director_key: Ed25519PrivateKey) -> None:
    Round.objects.all().delete()
    planned("S1")
    venue_plays(director_key, announcement("S1", points_key=FLAT), moves([C, A, B, D]))
    row = seasons.act(year, What.END, date(2027, 12, 31), SAID, "boss")
    assert row.winners == [C]
    assert seasons.declared(now(year)) == [C]


def test_LG_8_equal_totals_are_joint_winners(year: Season, at_the_end: None, director_key: Ed25519PrivateKey) -> None:
    Round.objects.all().delete()
    for round, order in (("S1", [A, B, C, D]), ("S2", [B, A, C, D])):
        planned(round)
        venue_plays(director_key, announcement(round, points_key=FLAT), moves(order))
    assert seasons.act(year, What.END, date(2027, 12, 31), SAID, "boss").winners == [A, B]


def test_LG_8_nobody_wins_a_season_in_which_nothing_was_played(year: Season, at_the_end: None) -> None:
    Round.objects.all().delete()
    assert seasons.act(year, What.END, date(2027, 12, 31), SAID, "boss").winners == []


def test_LG_11_no_season_ends_while_a_round_of_it_is_played(year: Season, director_key: Ed25519PrivateKey) -> None:
    planned("S1")
    venue_plays(director_key, announcement("S1", points_key=FLAT), moves([A, B, C])[:-1])
    assert refused(year, What.END, date(2027, 12, 31)) == ("day", "rounds-under-way")


def test_LG_11_an_end_by_mistake_is_taken_back(year: Season, at_the_end: None) -> None:
    Round.objects.all().delete()
    seasons.act(year, What.END, date(2027, 6, 1), SAID, "boss")
    assert now(year).why_not_on(date(2027, 6, 2)) == "ended"
    seasons.act(year, What.RESUME, date(2027, 6, 2), SAID, "boss")
    assert now(year).why_not_on(date(2027, 6, 2)) is None
    assert seasons.declared(now(year)) == []


def exclusion(who: str, **fields: Any) -> Exclusion:
    return Exclusion(participant=who, **{"since": timezone.localdate(), "reason": "cheating", **fields})


def test_T_15_no_venue_takes_who_is_excluded_from_the_league(imported: dict[str, Any], pen: Pen) -> None:
    publish_roster("zabreh", pen)
    teller = RosterTeller(pen)
    row = excluding.exclude(exclusion(A), "boss")
    teller.turn(0.0)
    roster = told("zabreh")
    assert (roster.entries[A].state, roster.entries[B].state) == ("blocked", "active")
    excluding.lift(row, "it was somebody else", "boss")
    teller.turn(60.0)
    assert told("zabreh").entries[A].state == "active"
    with pytest.raises(excluding.NotExcluded):
        excluding.lift(row, "again", "boss")


def test_T_15_an_exclusion_begins_and_ends_with_its_days(imported: dict[str, Any]) -> None:
    today = timezone.localdate()
    excluding.exclude(exclusion(A, since=today + timedelta(days=1), until=today + timedelta(days=3)), "boss")
    days = [A in excluded(today + timedelta(days=n)) for n in range(5)]
    assert days == [False, True, True, True, False]
    assert everybody().at("zabreh", timezone.now())[A].state == "active"


def test_T_15_the_calendar_alone_has_the_rosters_told_anew(imported: dict[str, Any]) -> None:
    watch, today = excluding.DayWatch(), timezone.localdate()
    assert not watch.turn(today)
    excluding.exclude(exclusion(A, since=today + timedelta(days=2), until=today + timedelta(days=2)), "boss")
    turns = [watch.turn(today + timedelta(days=n)) for n in range(5)]
    assert turns == [False, False, True, True, False]
    assert excluding.DayWatch().turn(today)
