"""What a venue changes of its round, and takes back, is told to those who signed up: each change once (LG-2)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.apps import apps
from django.db import connection

from appliance.engine import Order
from appliance.game.commands import decode_command
from league.allowances import issuing
from league.ingest.outbox import Pen
from league.ingest.own_pen import pen_of
from league.ingest.publishing import told
from league.mail.models import Letter
from league.people.models import Participant
from league.rounds import changing
from league.rounds.models import Round, Venue
from league.rounds.pages.listing import _listed
from league.rounds.planning import SignUp, expected_at
from league.rounds.reminding import to_notify
from league.rounds.signing_up import sign_up
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.standings import excluding
from league.standings.models import Exclusion, RoundReport
from league.standings.results import Results
from tests.league.office import staff_client
from tests.league.rounds_played import START, VenueRound, announcement, planned, venue_plays
from tests.test_tokenwork import Director

NOW = START - timedelta(days=7)
LATER, LATEST = START + timedelta(days=14), START + timedelta(days=21)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a week before the round."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


@pytest.fixture
def pen(tmp_path: Path) -> Pen:
    return pen_of(tmp_path)


@pytest.fixture
def people(imported: dict[str, Any]) -> list[Participant]:
    found = list(Participant.objects.filter(role="participant")[:5])
    for n, person in enumerate(found):
        person.email = f"p{n}@example.cz"
        person.save()
    return found


@pytest.fixture
def round(people: list[Participant], pen: Pen) -> Round:
    """An announced round for three, with three sign-ups and one who waits."""
    changing.announce(planned("S1", capacity=3), "horak", pen, NOW)
    made = Round.objects.get(pk="S1")
    for n, person in enumerate(people[:4]):
        sign_up(person, made, "novakova", now=NOW + timedelta(minutes=n))
    return made


@pytest.fixture
def venue(round: Round, director_key: Ed25519PrivateKey) -> VenueRound:
    """The venue has opened it, long after what the league did until now."""
    return venue_plays(director_key, announcement("S1", capacity=3), [("open", {})])


def subjects(to: str = "p0@example.cz") -> list[str]:
    return list(Letter.objects.filter(to=to).order_by("pk").values_list("subject", flat=True))


def newest() -> str:
    body = Letter.objects.filter(to="p0@example.cz").latest("pk").body
    return body.replace("\xa0", " ")


def test_LG_2_after_the_league_has_moved_it_a_venue_that_moves_it_on_has_it_told(
    round: Round, pen: Pen, venue: VenueRound
) -> None:
    changing.move(round, LATER, "", "horak", pen, NOW)
    venue.do("reschedule", starts_at=LATER.isoformat())
    assert len(subjects()) == 1
    venue.do("reschedule", starts_at=LATEST.isoformat())
    assert subjects() == ["Přeloženo: S1"] * 2
    assert "19. února 2027" in newest() and "26. února 2027" in newest()


def test_LG_2_a_venue_that_moves_it_back_to_the_first_date_has_it_told(venue: VenueRound) -> None:
    for n, date in enumerate((LATER, START, LATER), 1):
        venue.do("reschedule", starts_at=date.isoformat())
        assert subjects() == ["Přeloženo: S1"] * n
    Results().rebuild()
    assert len(subjects()) == 3


def test_LG_2_who_signs_up_after_the_move_is_not_told_of_it(
    round: Round, people: list[Participant], venue: VenueRound
) -> None:
    venue.do("reschedule", starts_at=LATER.isoformat())
    sign_up(people[4], Round.objects.get(pk="S1"), "novakova", now=NOW)
    venue.do("open")
    assert subjects() == ["Přeloženo: S1"]
    assert subjects("p4@example.cz") == []


def test_LG_2_the_league_moves_back_what_the_venue_has_moved(round: Round, pen: Pen, venue: VenueRound) -> None:
    venue.do("reschedule", starts_at=LATER.isoformat())
    with pytest.raises(changing.ChangeRefused, match="same-date"):
        changing.move(round, LATER, "", "horak", pen, NOW)
    assert changing.move(round, START, "", "horak", pen, START - timedelta(minutes=1)).letters == 4
    assert "19. února 2027" in newest() and "5. února 2027" in newest()
    fresh = Round.objects.get(pk="S1")
    assert (fresh.begins_at, fresh.first_starts_at) == (START, START)
    venue.do("reschedule", starts_at=START.isoformat())
    assert len(subjects()) == 2


def test_LG_2_a_director_moves_back_what_it_has_moved_itself(
    imported: dict[str, Any], pen: Pen, tmp_path: Path
) -> None:
    """From the office's act to the round at the venue, over the records that the league has written."""
    plan = planned("S9", venue="brno")
    plan.venue = Venue.objects.create(id="brno", name="Na Růžku", town="Brno")
    plan.save()
    director = Director(tmp_path / "director")

    def hears() -> datetime:
        director.engine.states["league/brno"] = told("brno")
        director.duties.league_told()
        there = director.engine.state("round/S9").round
        assert there is not None
        return datetime.fromtimestamp(there.starts_at / 1000, UTC)

    try:
        changing.announce(plan, "horak", pen, NOW)
        assert hears() == START
        itself = decode_command({"do": "reschedule", "round": "S9", "starts_at": LATER.isoformat()})
        director.executes(Order(director.id(), "round/S9", itself))
        assert hears() == LATER
        Round.objects.filter(pk="S9").update(heard_starts_at=LATER, told_starts_at=LATER)
        changing.move(plan, START, "", "horak", pen, NOW)
        assert hears() == START
    finally:
        director.journal.close()


def test_LG_2_a_cancellation_that_the_venue_takes_back_is_told_and_the_next_one_too(venue: VenueRound) -> None:
    venue.do("cancel", reason="Voda")
    venue.do("undo")
    venue.do("cancel", reason="Topení")
    assert subjects() == ["Zrušeno: S1", "Koná se: S1", "Zrušeno: S1"]
    assert "Topení" in newest()
    Results().rebuild()
    assert len(subjects()) == 3


def test_LG_2_the_reason_of_a_move_is_not_that_of_a_cancellation(round: Round, pen: Pen, venue: VenueRound) -> None:
    changing.move(round, LATER, "Oprava topení", "horak", pen, NOW)
    venue.do("cancel", reason="Voda")
    assert "Voda" in newest() and "topení" not in newest() and "19. února" in newest()


def test_LG_2_what_a_venue_says_that_has_not_heard_of_the_move_is_no_move(
    round: Round, pen: Pen, venue: VenueRound
) -> None:
    changing.move(round, LATER, "", "horak", pen, NOW)
    changing.move(round, LATEST, "", "horak", pen, START + timedelta(days=1))
    venue.do("reschedule", starts_at=LATER.isoformat())
    assert len(subjects()) == 2
    assert Round.objects.get(pk="S1").begins_at == LATEST


def test_T_15_moved_by_its_venue_a_round_keeps_no_places_for_whom_the_league_excludes_then(
    round: Round, people: list[Participant], venue: VenueRound
) -> None:
    day = LATER.date()
    excluding.exclude(Exclusion(participant=people[0].number, since=day, until=day, reason="Rvačka"), "horak", now=NOW)
    venue.do("reschedule", starts_at=LATER.isoformat())
    states = SignUp.objects.filter(round=round).order_by("at").values_list("state", flat=True)
    assert list(states) == ["cancelled", "in", "in", "in"]
    assert "vyloučeni" in newest() and "zůstává" not in newest()
    assert subjects("p3@example.cz") == ["Přeloženo: S1", "Máte místo: S1"]
    entries = AuditEntry.objects.filter(who="venue zabreh").order_by("pk").values_list("number", "about")
    assert list(entries) == [
        (people[0].number, "sign-up cancelled: S1"), (people[3].number, "came in from the waiting list: S1"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="not-active"):
        sign_up(people[0], Round.objects.get(pk="S1"), "novakova", now=NOW)


def test_T_15_an_exclusion_asks_for_the_day_to_which_the_venue_has_moved_it(
    round: Round, people: list[Participant], venue: VenueRound
) -> None:
    venue.do("reschedule", starts_at=LATER.isoformat())
    for person, day in ((people[0], START.date()), (people[1], LATER.date())):
        excluding.exclude(Exclusion(participant=person.number, since=day, until=day, reason="Rvačka"), "horak", now=NOW)
    states = SignUp.objects.filter(round=round).order_by("at").values_list("state", flat=True)
    assert list(states) == ["in", "cancelled", "in", "in"]


def test_moved_by_its_venue_a_round_is_expected_and_notified_of_on_the_new_day(
    round: Round, people: list[Participant], venue: VenueRound
) -> None:
    Round.objects.update(notified_on=NOW.date(), notified_as="MU/123")
    venue.do("reschedule", starts_at=LATER.isoformat())
    fresh = Round.objects.get(pk="S1")
    assert (fresh.notified_on, fresh.notified_as) == (None, "")
    assert people[0].pk in expected_at("zabreh", START + timedelta(days=3))
    assert fresh in to_notify(LATER.date())
    Round.objects.update(notified_on=NOW.date())
    venue.do("open")
    assert Round.objects.get(pk="S1").notified_on is not None


def test_T_3_allowances_are_there_on_the_evening_to_which_the_venue_has_moved_it(
    round: Round, people: list[Participant], venue: VenueRound
) -> None:
    there = planned("S2", venue="brno")
    there.venue = Venue.objects.create(id="brno", name="Na Růžku", town="Brno")
    there.promised = there.announcement
    there.save()
    sign_up(people[4], there, "novakova", now=NOW)
    assert people[4].pk not in issuing.expected(round)
    venue.do("reschedule", starts_at=LATER.isoformat())
    fresh = Round.objects.get(pk="S1")
    assert people[4].pk in issuing.expected(fresh)
    assert issuing.window(fresh)[0] > START.timestamp() * 1000


def test_the_office_lists_a_round_that_its_venue_has_moved_by_its_new_date(
    round: Round, venue: VenueRound, monkeypatch: pytest.MonkeyPatch
) -> None:
    venue.do("reschedule", starts_at=LATER.isoformat())
    monkeypatch.setattr("django.utils.timezone.now", lambda: START + timedelta(days=2))
    assert round in _listed("")
    assert round not in _listed("past")
    page = staff_client(Role.COMMISSIONER).get("/office/rounds/round/S1/move/").content.decode()
    assert "19. února 2027" in page.replace("\xa0", " ")


def test_reports_of_rounds_that_were_known_before_are_taken_as_told(venue: VenueRound) -> None:
    RoundReport.objects.update(starts_at=LATER)
    migration = import_module("league.rounds.migrations.0007_what_was_told")
    migration.from_reports(apps, SimpleNamespace(connection=connection))
    fresh = Round.objects.get(pk="S1")
    assert (fresh.heard_starts_at, fresh.told_starts_at, fresh.heard_cancelled) == (LATER, LATER, False)
