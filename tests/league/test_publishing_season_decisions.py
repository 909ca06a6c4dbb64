"""Names stand only while the season lasts (LG-12), and decisions about it have days and do not contradict (LG-11)."""

from __future__ import annotations

import importlib
import json
from datetime import date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from league.ingest.outbox import Pen
from league.ingest.publishing import offer_round
from league.ingest.telling import Teller, last_told
from league.ingest.told import Told
from league.notices.models import Announcement
from league.notices.telling import PublicationTeller
from league.people import acts
from league.people.acts import By
from league.people.models import ConsentKind, Participant
from league.privacy.erasing import erase
from league.rounds import changing
from league.rounds.models import Round, Season, SeasonAct
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.standings import season_words, seasons
from league.standings.seasons import NoSuchAct, What, Words
from tests.league.calendar_days import on
from tests.league.office import staff_client
from tests.league.rounds_played import FLAT, announcement, moves, planned, venue_plays

A, B, C = "000101", "000102", "000103"
NAME, NUMBER = "Příkopová", A
LAST = date(2027, 12, 31)
CLERK = By("horak")


@pytest.fixture
def pen(director_key: Ed25519PrivateKey) -> Pen:
    return Pen(director_key, lambda: 1_800_000_000_000)


@pytest.fixture
def year(imported: dict[str, Any], director_key: Ed25519PrivateKey, monkeypatch: pytest.MonkeyPatch) -> Season:
    """A season with one round, which A has won; it is its last day."""
    Round.objects.all().delete()
    Participant.objects.filter(number=A).update(first_name="Žofie", surname=NAME)
    planned("S1")
    venue_plays(director_key, announcement("S1", points_key=FLAT), moves([A, B, C]))
    on(monkeypatch, LAST)
    return Season.objects.get(year=2027)


def decide(what: str, day: date, until: date | None = None, *, winners: tuple[str, ...] = ()) -> SeasonAct:
    """As the office does it where nobody writes a text."""
    season = Season.objects.get(year=2027)
    titles = season_words.headlines(season, what)
    words = season_words.filled(Words(*titles), what, day, until, winners)
    return seasons.act(season, what, day, words, "boss", until=until)


def refused(what: str, day: date, until: date | None = None) -> tuple[str, str]:
    with pytest.raises(NoSuchAct) as error:
        decide(what, day, until)
    return error.value.field, error.value.code


def standing() -> list[str]:
    """The headlines of what stands announced, the latest first."""
    now = timezone.now()
    return [row.title_cs for row in Announcement.objects.order_by("-pk") if row.stands(now)]


PUBLIC = ("/", "/en/", "/standings/", "/standings/2027/", "/rounds/S1/", "/api/1/standings/2027.json",
          "/api/1/rounds/S1.json")  # fmt: skip


def shown(pen: Pen) -> str:
    """All that the public reads, and what the venue's stream has told its screens of season and announcements."""
    PublicationTeller(pen).turn(0.0)
    Teller(pen).turn(0.0, 1_800_000_000_000)
    words, table = Told().of("zabreh").words, last_told("zabreh")
    pages = [Client().get(address).content.decode() for address in PUBLIC]
    return "\n".join([*pages, repr(words), repr(table)])


def test_LG_12_names_stand_while_the_season_lasts_and_then_the_numbers_alone(
    year: Season, pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = shown(pen)
    assert seen.count(NAME) >= len(PUBLIC) - 2 and "000102" in seen
    on(monkeypatch, date(2028, 1, 1))
    seen = shown(pen)
    assert NAME not in seen and NUMBER in seen
    seasons.act(year, What.EXTEND, date(2028, 1, 31), Words("Prodlouženo"), "boss")
    assert NAME in shown(pen)


@pytest.mark.parametrize("then", ["stays", "withdraws", "cancels", "is erased"])
def test_LG_12_a_winner_of_an_ended_season_is_known_by_the_number_alone(year: Season, pen: Pen, then: str) -> None:
    decide(What.END, LAST, winners=(A,))
    person = Participant.objects.get(number=A)
    match then:
        case "withdraws":
            acts.withdraw_consent(person, ConsentKind.PUBLICATION, CLERK)
        case "cancels":
            acts.cancel(person, CLERK)
        case "is erased":
            erase(person, CLERK)
    seen = shown(pen)
    assert NAME not in seen
    assert f"Vítěz: {A}." in seen and f"The winner: {A}." in seen
    assert NAME not in json.dumps(list(Announcement.objects.values("text_cs", "text_en")))


def test_LG_7_a_consent_withdrawn_is_gone_from_every_page_and_the_venues_standings(year: Season, pen: Pen) -> None:
    assert NAME in shown(pen)
    acts.withdraw_consent(Participant.objects.get(number=A), ConsentKind.PUBLICATION, CLERK)
    assert NAME not in shown(pen)


def test_LG_12_what_was_announced_with_names_before_loses_them(year: Season, pen: Pen) -> None:
    row = decide(What.INTERRUPT, date(2027, 11, 1))
    Announcement.objects.all().delete()
    end = decide(What.END, LAST, winners=(A, B))
    old = {"act": None, "until": row.at + timedelta(days=60), "withdrawn_at": None}
    Announcement.objects.update(
        **old, text_cs=f"Ročník skončil 31. prosince 2027. Společní vítězové: Ing. Žofie {NAME} ({A}), {B}.",
        text_en=f"Bravo, Žofie {NAME} ({A})!",
    )  # fmt: skip
    SeasonAct._base_manager.filter(pk=end.pk).update(winners=[A, B])
    Announcement.objects.create(**old, title_cs="Přerušeno", since=row.at, by="boss")
    Announcement.objects.create(**old, title_cs="Sraz", since=row.at, by="horak")
    migration = importlib.import_module("league.notices.migrations.0003_season_announcements")
    migration.link(apps, SimpleNamespace(connection=connection))
    said = Announcement.objects.get(act=end)
    assert said.text_cs == f"Ročník skončil 31. prosince 2027. Společní vítězové: {A}, {B}."
    assert said.text_en == f"Bravo, {A}!"
    assert set(standing()) == {said.title_cs, "Sraz"}
    assert NAME not in shown(pen)


def test_LG_11_of_a_seasons_course_only_what_holds_stands_announced(year: Season) -> None:
    decide(What.EXTEND, date(2028, 1, 31))
    decide(What.INTERRUPT, date(2027, 12, 20))
    assert standing() == ["Ročník 2027: přerušení", "Ročník 2027: prodloužení"]
    assert Announcement.objects.get(act__what="interrupt").until is None  # until further notice
    decide(What.RESUME, date(2027, 12, 25))
    assert standing() == ["Ročník 2027 pokračuje", "Ročník 2027: prodloužení"]
    decide(What.END, LAST, winners=(A,))
    assert standing() == ["Ročník 2027: konec ročníku"]
    assert Season.objects.get(year=2027).last_day == LAST
    decide(What.RESUME, LAST)
    assert standing() == ["Ročník 2027 pokračuje"]
    assert Season.objects.get(year=2027).last_day == date(2028, 1, 31)
    decide(What.END, LAST, winners=(A,))
    decide(What.END, LAST, winners=(B,))
    assert standing() == ["Ročník 2027: konec ročníku"]
    decide(What.RESUME, LAST)
    assert Season.objects.get(year=2027).last_day == date(2028, 1, 31)


def test_LG_11_a_season_rests_on_the_days_of_the_interruption_and_on_no_others(
    year: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(monkeypatch, date(2027, 5, 1))
    decide(What.INTERRUPT, date(2027, 6, 1))
    season = Season.objects.get(year=2027)
    assert (season.course, refused(What.INTERRUPT, date(2027, 8, 1))) == ("running", ("day", "not-running"))
    on(monkeypatch, date(2027, 6, 1))
    assert Season.objects.get(year=2027).course == "interrupted"
    decide(What.RESUME, date(2027, 9, 1))
    season = Season.objects.get(year=2027)
    assert season.why_not_on(date(2027, 8, 31)) == "interrupted" and season.course == "interrupted"
    assert season.why_not_on(date(2027, 9, 1)) is season.why_not_on(date(2027, 5, 31)) is None
    assert refused(What.RESUME, date(2027, 9, 2)) == ("day", "resumes-anyway")
    on(monkeypatch, date(2027, 9, 1))
    assert (Season.objects.get(year=2027).course, refused(What.RESUME, LAST)) == ("running", ("day", "running"))
    decide(What.INTERRUPT, date(2027, 10, 1), date(2027, 10, 2))
    assert Season.objects.get(year=2027).why_not_on(date(2027, 10, 2)) == "interrupted"


def test_LG_11_the_days_of_a_decision_are_days_of_the_season(year: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(What.INTERRUPT, date(2026, 12, 31)) == ("day", "outside")
    assert refused(What.INTERRUPT, LAST, date(2028, 1, 1)) == ("until", "outside")
    assert refused(What.SHORTEN, date(2020, 1, 1)) == ("day", "outside")
    assert refused(What.SHORTEN, date(2027, 2, 4)) == ("day", "played-after")
    assert refused(What.EXTEND, date(2029, 1, 1)) == ("day", "too-late")
    assert refused(What.END, date(2035, 1, 1)) == ("day", "ahead")
    assert refused(What.END, date(2027, 2, 4)) == ("day", "played-after")
    on(monkeypatch, date(2028, 1, 5))
    assert refused(What.END, date(2028, 1, 5)) == ("day", "outside")


def test_LG_8_nobody_has_won_while_rounds_are_still_to_come(year: Season) -> None:
    late = planned("S2")
    Round.objects.filter(pk=late.pk).update(starts_at=datetime.fromisoformat("2027-12-31T23:00:00+01:00"))
    assert refused(What.END, date(2027, 12, 30)) == ("day", "rounds-to-come")
    Round.objects.filter(pk=late.pk).update(cancelled_at=timezone.now())
    assert seasons.to_come(year, date(2027, 12, 30)) == []
    decide(What.END, date(2027, 12, 30))


def test_LG_11_extended_a_season_is_played_on_in_the_next_year(year: Season, pen: Pen) -> None:
    first = datetime.fromisoformat("2027-12-31T19:00:00+01:00")
    moved = Round.objects.create(
        id="S2", season=year, venue_id="zabreh", starts_at=first,
        announcement=announcement("S2", starts_at=first.isoformat()),
    )  # fmt: skip
    now = first - timedelta(days=40)
    offer_round(moved, pen, now)
    january = datetime.fromisoformat("2028-01-20T19:00:00+01:00")
    with pytest.raises(changing.ChangeRefused):
        changing.move(moved, january, "", "boss", pen, now)
    decide(What.EXTEND, date(2028, 1, 31))
    following = Season.objects.create(year=2028, name="Ročník 2028")
    changing.move(moved, january, "", "boss", pen, now)
    assert Round.objects.get(pk="S2").season == year
    assert Season.on(date(2028, 1, 20)) == year and Season.on(date(2028, 2, 1)) == following
    assert Season.on(date(2028, 1, 20), following) == following
    assert Season.on(date(2027, 6, 1)) == year and Season.on(date(2031, 1, 1)) is None
    Season.objects.filter(pk=year.pk).update(state="ended")
    assert Season.on(date(2028, 1, 20)) == following and Season.on(date(2027, 6, 1)) == Season.objects.get(year=2027)


def test_LG_11_rounds_on_days_without_play_are_shown_before_it_is_decided(year: Season) -> None:
    boss = staff_client(Role.COMMISSIONER)
    Round.objects.create(
        id="S2", season=year, venue_id="zabreh", starts_at=datetime.fromisoformat("2027-12-31T19:00:00+01:00"),
        announcement=announcement("S2"),
    )  # fmt: skip
    for what, address in ((What.SHORTEN, "shorten"), (What.INTERRUPT, "interrupt")):
        sent = {"title_cs": "Rozhodnutí", "day": "2027-12-20"}
        answer = boss.post(f"/office/seasons/2027/{address}/", sent)
        assert "S2" in answer.content.decode() and answer.context["form"].errors["stay"]
        assert not SeasonAct.objects.filter(what=what).exists()
    assert boss.post("/office/seasons/2027/shorten/", sent | {"stay": "on"}).status_code == 302


def test_P_after_a_correction_the_page_names_the_key_of_later_rounds(year: Season) -> None:
    from league.rounds.keys import read_key
    from league.standings import correcting

    correcting.correct(year, read_key(FLAT | {"name": "opravený", "step": 9}), "chyba", "boss")
    assert "<dd>opravený</dd>" in staff_client(Role.COMMISSIONER).get("/office/seasons/2027/").content.decode()


def test_every_page_about_a_season_that_shows_names_says_so_in_the_audit_log(year: Season) -> None:
    boss = staff_client(Role.COMMISSIONER)
    boss.get("/office/seasons/voids/new/", {"round": "S1", "participant": B})
    boss.post("/office/seasons/voids/new/", {"round": "S1", "participant": B})
    boss.post("/office/seasons/2027/points/", {"what": "correct", "key": json.dumps(FLAT | {"step": 9})})
    for page in ("2027/", "2027/end/", "voids/", "exclusions/"):
        boss.get(f"/office/seasons/{page}")
    seen = dict(AuditEntry.objects.filter(what="view").values_list("about", "fields"))
    for about in (
        "season 2027: winners", "season 2027: correction of the points key previewed", "void participations",
        "round S1: void participation previewed", "exclusions from the league",
    ):  # fmt: skip
        assert seen[about] == ["name"], (about, seen)


def test_LG_10_rounds_of_one_name_are_told_apart_where_one_is_chosen(year: Season) -> None:
    Round.objects.update(name="4. ligové kolo")
    boss = staff_client(Role.COMMISSIONER)
    for address in ("voids/new/", "exclusions/new/"):
        page = boss.get(f"/office/seasons/{address}").content.decode()
        assert "4. ligové kolo · 05.02.2027 · Sokolovna · S1" in page
