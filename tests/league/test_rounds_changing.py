"""A round before it begins: announced, moved, cancelled, another in its place; all who signed up are told (LG-2)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client

from appliance.game.roster import RoundChanged
from appliance.game.state import Phase
from appliance.game.state import Round as RoundState
from appliance.game.values import parse_time
from league.ingest.outbox import Pen
from league.ingest.own_pen import pen_of
from league.ingest.publishing import told
from league.mail.models import Letter
from league.people.models import Participant
from league.rounds import changing
from league.rounds.changing import ChangeRefused, Substitute
from league.rounds.models import Round, Season, Venue
from league.rounds.planning import SignUp
from league.rounds.signing_up import cancel_sign_up, refusal, sign_up
from league.site.pages import line_of
from league.staff.models import AuditEntry
from league.standings.models import Exclusion, RoundReport
from league.standings.results import Results
from tests.league.rounds_played import START, announcement, moves, planned, venue_plays
from tests.test_tokenwork import Director

NOW = START - timedelta(days=7)
LATER = START + timedelta(days=14)


@pytest.fixture
def pen(tmp_path: Path) -> Pen:
    return pen_of(tmp_path)


@pytest.fixture
def round(imported: dict[str, Any], pen: Pen) -> Round:
    """An announced round for three with four sign-ups, one of them without an address."""
    changing.announce(planned("S1", capacity=3), "horak", pen, NOW)
    made = Round.objects.get(pk="S1")
    for n, person in enumerate(Participant.objects.filter(role="participant")[:4]):
        person.email = f"p{n}@example.cz" if n != 1 else ""
        person.language = "en" if n == 2 else ""
        person.save()
        sign_up(person, made, "novakova", now=NOW + timedelta(minutes=n))
    return made


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(ChangeRefused) as caught:
        act()
    assert str(caught.value.text)
    return caught.value.code


def letters() -> list[tuple[str, str]]:
    return list(Letter.objects.order_by("pk").values_list("to", "subject"))


def test_LG_2_moved_a_round_keeps_its_sign_ups_tells_them_and_its_venue(round: Round, pen: Pen) -> None:
    done = changing.move(round, LATER, "Oprava topení", "horak", pen, NOW)
    assert done == (4, 3)
    assert letters() == [
        ("p0@example.cz", "Přeloženo: S1"), ("p2@example.cz", "Moved: S1"), ("p3@example.cz", "Přeloženo: S1"),
    ]  # fmt: skip
    body = Letter.objects.get(to="p0@example.cz").body
    for part in ("5. února 2027", "19. února 2027", "Důvod: Oprava topení"):
        assert part in body
    fresh = Round.objects.get(pk="S1")
    assert (fresh.starts_at, fresh.first_starts_at, fresh.moved_at) == (LATER, START, NOW)
    assert fresh.terms["starts_at"] == "2027-02-19T19:00:00+01:00"
    assert fresh.sign_ups.exclude(state="cancelled").count() == 4
    venue = told("zabreh")
    assert parse_time(venue.offers["S1"].starts_at) == int(LATER.timestamp() * 1000)
    change = venue.changes["S1"]
    assert (change.do, change.starts_at, change.reason) == (
        "reschedule",
        int(LATER.timestamp() * 1000),
        "Oprava topení",
    )
    assert venue.notice is not None
    assert "Kolo „S1“, oznámené na 5. února 2027 19:00, je přeloženo na 19. února 2027" in venue.notice.text("cs")
    assert "is moved to" in venue.notice.text("en")


def test_LG_2_moved_twice_a_round_is_told_of_twice(round: Round, pen: Pen) -> None:
    first = changing.move(round, LATER, "", "horak", pen, NOW)
    second = changing.move(round, LATER + timedelta(days=7), "", "horak", pen, NOW)
    assert (first.letters, second.letters, Letter.objects.count()) == (3, 3, 6)
    assert Round.objects.get(pk="S1").first_starts_at == START


def test_LG_2_moved_there_and_back_and_there_again_a_round_is_told_of_each_time(round: Round, pen: Pen) -> None:
    for n, date in enumerate((LATER, START, LATER, START)):
        assert changing.move(round, date, "", "horak", pen, NOW + timedelta(hours=n)) == (4, 3)
    assert Letter.objects.filter(to="p0@example.cz").count() == 4


def test_LG_2_cancelled_a_round_is_told_of_and_takes_no_sign_ups(round: Round, pen: Pen) -> None:
    done, instead = changing.cancel(round, "Málo přihlášených", "horak", pen, NOW)
    assert (done, instead) == ((4, 3), None)
    assert [subject for _, subject in letters()] == ["Zrušeno: S1", "Cancelled: S1", "Zrušeno: S1"]
    assert "Důvod: Málo přihlášených" in Letter.objects.get(to="p0@example.cz").body
    venue = told("zabreh")
    assert "S1" not in venue.offers
    assert isinstance(venue.changes["S1"], RoundChanged) and venue.changes["S1"].do == "cancel"
    assert venue.notice is not None and "Kolo „S1“ (5. února 2027 19:00) je zrušeno" in venue.notice.text("cs")
    assert refused(lambda: changing.cancel(round, "", "horak", pen, NOW)) == "cancelled"
    assert refused(lambda: changing.move(round, LATER, "", "horak", pen, NOW)) == "cancelled"
    assert refused(lambda: changing.announce(Round.objects.get(pk="S1"), "horak", pen, NOW)) == "cancelled"
    entry = AuditEntry.objects.filter(what="act").latest("pk")
    assert (entry.who, entry.about, entry.reason) == ("horak", "round cancelled: S1", "Málo přihlášených")


def test_LG_2_another_round_stands_in_its_place_and_takes_the_queue_over(round: Round, pen: Pen) -> None:
    brno = Venue.objects.create(id="brno", name="Na Růžku", town="Brno")
    _, instead = changing.cancel(round, "", "horak", pen, NOW, Substitute("S1b", LATER, brno, carry=True))
    assert instead is not None
    assert (instead.venue, instead.starts_at, instead.substitute_for_id) == (brno, LATER, "S1")
    assert (
        instead.announcement | {"round": "S1", "venue": "zabreh", "starts_at": START.isoformat()} == round.announcement
    )
    assert list(SignUp.objects.filter(round=instead).values_list("state", flat=True)) == ["in", "in", "in", "waiting"]
    body = Letter.objects.get(to="p0@example.cz").body
    assert "Na Růžku, Brno" in body and "19. února 2027" in body and "přihlášeni" in body
    first = SignUp.objects.filter(round=instead).first()
    assert first is not None
    came_in = cancel_sign_up(first.participant, instead, "novakova", now=NOW)
    assert came_in is not None and came_in.state == "in"  # who does not want the other round need not wait for it
    changing.announce(instead, "horak", pen, NOW)
    assert "S1b" in told("brno").offers


def test_T_15_who_is_excluded_on_the_day_of_the_other_round_is_not_carried_over(round: Round, pen: Pen) -> None:
    first, second = [each.participant for each in SignUp.objects.filter(round=round).order_by("at")[:2]]
    day = LATER.date()
    Exclusion.objects.create(participant=first.number, since=day, until=day, reason="Rvačka", by="horak", at=NOW)
    Participant.objects.filter(pk=second.pk).update(state="refused")
    _, instead = changing.cancel(round, "", "horak", pen, NOW, Substitute("S1b", LATER, round.venue, carry=True))
    assert instead is not None
    carried = SignUp.objects.filter(round=instead)
    assert list(carried.values_list("state", flat=True)) == ["in", "in"]
    assert not carried.filter(participant__in=[first, second]).exists()
    assert "přihlášeni" not in Letter.objects.get(to="p0@example.cz").body
    assert "přihlášeni" in Letter.objects.get(to="p3@example.cz").body


def test_LG_2_without_carrying_over_nobody_is_signed_up_for_the_other_one(round: Round, pen: Pen) -> None:
    _, instead = changing.cancel(round, "", "horak", pen, NOW, Substitute("S1b", LATER, round.venue, carry=False))
    assert not SignUp.objects.filter(round=instead).exists()


def test_what_fails_in_the_middle_has_not_happened(round: Round, pen: Pen) -> None:
    Round.objects.create(
        id="S9", season=round.season, venue=round.venue, starts_at=START, announcement=announcement("S9")
    )  # fmt: skip
    for planned_for, code in (
        (Substitute("S9", LATER, round.venue, True), "code-taken"),
        (Substitute("S8", NOW - timedelta(days=1), round.venue, True), "in-the-past"),
        (Substitute("S8", LATER + timedelta(days=4000), round.venue, True), "no-season"),
    ):
        assert refused(lambda said=planned_for: changing.cancel(round, "", "horak", pen, NOW, said)) == code
        assert Round.objects.get(pk="S1").cancelled_at is None
    assert not Letter.objects.exists()
    assert told("zabreh").changes == {}


def test_what_cannot_be_is_refused_by_name(round: Round, pen: Pen) -> None:
    assert refused(lambda: changing.move(round, START, "", "horak", pen, NOW)) == "same-date"
    assert refused(lambda: changing.move(round, NOW, "", "horak", pen, NOW)) == "in-the-past"
    assert refused(lambda: changing.move(round, LATER + timedelta(days=400), "", "horak", pen, NOW)) == "no-season"
    plan = planned("S2")
    assert refused(lambda: changing.move(plan, LATER, "", "horak", pen, NOW)) == "not-announced"
    assert refused(lambda: changing.announce(plan, "horak", pen, START)) == "in-the-past"
    wrong = planned("S3", shares=["80"])
    wrong.announcement["round"] = "S4"
    wrong.save()
    assert refused(lambda: changing.announce(wrong, "horak", pen, NOW)) == "unsound"


def test_a_round_that_has_begun_or_is_over_is_its_venues(
    round: Round, pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    people = ["000101", "000102", "000103"]
    evening = moves(people)
    venue = venue_plays(director_key, announcement("S1", capacity=3), evening[:5])
    assert refused(lambda: changing.cancel(round, "", "horak", pen, NOW)) == "begun"
    venue.all_of(evening[5:])
    assert refused(lambda: changing.move(round, LATER, "", "horak", pen, NOW)) == "finished"


def test_moved_into_another_year_a_round_is_of_that_season(round: Round, pen: Pen) -> None:
    Season.objects.create(year=2028, name="Ročník 2028")
    changing.move(round, START + timedelta(days=365), "", "horak", pen, NOW)
    assert Round.objects.get(pk="S1").season.year == 2028


def test_the_municipality_is_told_anew_only_of_another_day(round: Round, pen: Pen) -> None:
    Round.objects.filter(pk="S1").update(notified_on=NOW.date(), notified_as="MU/123")
    changing.move(round, START + timedelta(hours=1), "", "horak", pen, NOW)
    assert Round.objects.get(pk="S1").notified_as == "MU/123"
    changing.move(round, LATER, "", "horak", pen, NOW)
    assert Round.objects.get(pk="S1").notified_on is None


def test_a_plan_is_cancelled_without_a_word_to_its_venue(imported: dict[str, Any], pen: Pen) -> None:
    changing.cancel(planned("S2"), "", "horak", pen, NOW)
    assert told("zabreh").changes == {}
    assert told("zabreh").notice is None


@pytest.fixture
def before_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a week before the round."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def test_LG_2_what_the_venue_itself_cancels_is_told_to_who_signed_up_once(
    round: Round, director_key: Ed25519PrivateKey, before_the_round: None
) -> None:
    venue = venue_plays(director_key, announcement("S1", capacity=3), [("open", {})])
    assert letters() == []
    venue.do("cancel", reason="Havárie vody")
    assert [subject for _, subject in letters()] == ["Zrušeno: S1", "Cancelled: S1", "Zrušeno: S1"]
    assert "Havárie vody" in Letter.objects.get(to="p0@example.cz").body
    Results().rebuild()
    assert Letter.objects.count() == 3


def test_LG_2_what_the_venue_itself_moves_is_told_and_people_sign_up_until_then(
    round: Round, director_key: Ed25519PrivateKey, before_the_round: None
) -> None:
    venue = venue_plays(director_key, announcement("S1", capacity=3), [("open", {})])
    venue.do("reschedule", starts_at=LATER.isoformat())
    venue.do("open")
    assert [subject for _, subject in letters()] == ["Přeloženo: S1", "Moved: S1", "Přeloženo: S1"]
    assert refusal(Round.objects.get(pk="S1"), START + timedelta(days=1)) is None
    assert refusal(Round.objects.get(pk="S1"), LATER) == "round-begun"


def test_LG_2_a_venue_that_does_what_the_league_said_has_nobody_told_twice(
    round: Round, pen: Pen, director_key: Ed25519PrivateKey, before_the_round: None
) -> None:
    venue = venue_plays(director_key, announcement("S1", capacity=3), [("open", {})])
    changing.move(round, LATER, "", "horak", pen, NOW)
    venue.do("reschedule", starts_at=LATER.isoformat())
    changing.cancel(Round.objects.get(pk="S1"), "", "horak", pen, NOW)
    venue.do("cancel")
    assert len(letters()) == 6


def test_of_what_is_long_over_nobody_is_told_when_reports_are_made_anew(
    round: Round, director_key: Ed25519PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: START + timedelta(days=200))
    venue_plays(director_key, announcement("S1", capacity=3), [("open", {}), ("cancel", {})])
    assert letters() == []


def test_LG_2_the_public_page_says_what_the_league_decided_before_the_venue_heard(
    round: Round, pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    venue = venue_plays(director_key, announcement("S1", capacity=3), [("open", {})])
    RoundReport.objects.update(at=NOW - timedelta(hours=1))
    line = line_of(Round.objects.get(pk="S1"))
    assert (line.state, line.starts_at, line.moved_from) == ("open", START, None)
    changing.move(round, LATER, "Topení", "horak", pen, NOW)
    line = line_of(Round.objects.get(pk="S1"))
    assert (line.state, line.starts_at, line.moved_from, line.reason) == ("moved", LATER, START, "Topení")
    venue.do("reschedule", starts_at=LATER.isoformat())
    venue.do("open")
    RoundReport.objects.update(at=NOW + timedelta(minutes=1))
    line = line_of(Round.objects.get(pk="S1"))
    assert (line.state, line.starts_at, line.moved_from) == ("open", LATER, START)
    changing.cancel(
        round, "Voda", "horak", pen, NOW, Substitute("S1b", LATER + timedelta(days=1), round.venue, carry=True)
    )
    line = line_of(Round.objects.get(pk="S1"))
    assert (line.state, line.reason) == ("cancelled", "Voda")
    text = Client().get("/en/rounds/S1/").text
    assert "This round was cancelled" in text and "Reason: Voda" in text and "/en/rounds/S1b/" in text


def test_LG_2_a_director_does_what_the_leagues_stream_says(imported: dict[str, Any], pen: Pen, tmp_path: Path) -> None:
    """From the office's act to the round at the venue, over the records that the league has written."""
    brno = Venue.objects.create(id="brno", name="Na Růžku", town="Brno")
    plan = planned("S9", venue="brno")
    plan.venue = brno
    plan.save()
    director = Director(tmp_path / "director")

    def hears() -> RoundState:
        director.engine.states["league/brno"] = told("brno")
        director.duties.league_told()
        round = director.engine.state("round/S9").round
        assert round is not None
        return round

    try:
        changing.announce(plan, "horak", pen, NOW)
        assert hears().phase is Phase.ANNOUNCED
        changing.move(plan, LATER, "Topení", "horak", pen, NOW)
        there = hears()
        assert (there.phase, there.starts_at) == (Phase.MOVED, int(LATER.timestamp() * 1000))
        changing.move(plan, LATER + timedelta(days=1), "", "horak", pen, NOW)
        assert hears().starts_at == int((LATER + timedelta(days=1)).timestamp() * 1000)
        records = director.journal.newest("round/S9").seq
        assert hears().phase is Phase.MOVED and director.journal.newest("round/S9").seq == records
        changing.cancel(plan, "Voda", "horak", pen, NOW)
        there = hears()
        assert (there.phase, there.reason) == (Phase.CANCELLED, "Voda")
    finally:
        director.journal.close()
