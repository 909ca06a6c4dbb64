"""Sign-ups for a round: from announcement to start, a waiting list when full, letters to who comes off it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils import timezone

from league.allowances import issuing
from league.ingest.everybody import everybody, last_change
from league.mail.models import Letter
from league.people.models import Participant
from league.rounds import signing_up
from league.rounds.models import Round, Venue
from league.rounds.planning import SignUp
from league.rounds.signing_up import SignUpRefused, cancel_sign_up, sign_up
from league.staff.models import AuditEntry
from league.standings import excluding
from league.standings.models import Exclusion
from tests.league.processes import League
from tests.league.rounds_played import START, announcement, planned, venue_plays

NOW = START - timedelta(days=7)


@pytest.fixture
def people(imported: dict[str, Any]) -> list[Participant]:
    """The participants of the season, each with an address."""
    found = list(Participant.objects.filter(role="participant"))
    for person in found:
        person.email = f"p{person.number}@example.cz"
        person.save()
    return found


@pytest.fixture
def round(imported: dict[str, Any]) -> Round:
    """A round for three, announced."""
    made = planned("S1", capacity=3)
    made.promised = made.announcement
    made.save()
    return made


def states(round: Round) -> list[str]:
    return list(SignUp.objects.filter(round=round).values_list("state", flat=True))


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(SignUpRefused) as caught:
        act()
    assert str(caught.value.text)
    return caught.value.code


def test_T_1_who_signs_up_for_a_full_round_waits_and_comes_in_first_when_somebody_cancels(
    people: list[Participant], round: Round
) -> None:
    for n, person in enumerate(people[:5]):
        made = sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
        assert made.state == ("in" if n < 3 else "waiting")
    assert signing_up.places_left(round) == 0
    came_in = cancel_sign_up(people[1], round, "novakova", now=NOW + timedelta(hours=1))
    assert came_in is not None and came_in.participant == people[3]
    assert states(round) == ["in", "cancelled", "in", "in", "waiting"]
    [letter] = Letter.objects.all()
    assert letter.to == people[3].email
    assert letter.subject == "Máte místo: S1"
    assert "Zábřeh" in letter.body and "5. února 2027" in letter.body


def test_who_leaves_the_waiting_list_lets_nobody_in(people: list[Participant], round: Round) -> None:
    for n, person in enumerate(people[:5]):
        sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
    assert cancel_sign_up(people[3], round, "novakova", now=NOW) is None
    assert states(round) == ["in", "in", "in", "cancelled", "waiting"]
    assert not Letter.objects.exists()


def test_who_signs_up_again_stands_at_the_end(people: list[Participant], round: Round) -> None:
    for n, person in enumerate(people[:4]):
        sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
    cancel_sign_up(people[0], round, "novakova", now=NOW + timedelta(hours=1))
    again = sign_up(people[0], round, "novakova", now=NOW + timedelta(hours=2))
    assert again.state == "waiting"
    assert SignUp.objects.filter(round=round, participant=people[0]).count() == 1
    assert [each.participant for each in SignUp.objects.filter(round=round)] == [*people[1:4], people[0]]


def test_who_is_let_in_is_told_in_their_language_each_time_anew(people: list[Participant], round: Round) -> None:
    people[3].language = "en"
    people[3].save()
    for n, person in enumerate(people[:4]):
        sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
    cancel_sign_up(people[0], round, "novakova", now=NOW + timedelta(hours=1))
    cancel_sign_up(people[3], round, "participant", now=NOW + timedelta(hours=2))
    sign_up(people[0], round, "novakova", now=NOW + timedelta(hours=3))
    sign_up(people[3], round, "participant", now=NOW + timedelta(hours=4))
    cancel_sign_up(people[0], round, "novakova", now=NOW + timedelta(hours=5))
    subjects = list(Letter.objects.order_by("pk").values_list("subject", flat=True))
    assert subjects == ["A place for you: S1", "A place for you: S1"]


def test_without_an_address_somebody_comes_in_all_the_same(people: list[Participant], round: Round) -> None:
    Participant.objects.update(email="")
    for n, person in enumerate(people[:4]):
        sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
    came_in = cancel_sign_up(people[0], round, "novakova", now=NOW)
    assert came_in is not None and came_in.state == "in"
    assert not Letter.objects.exists()


def test_each_act_is_in_the_audit_log(people: list[Participant], round: Round) -> None:
    sign_up(people[0], round, "novakova", now=NOW, address="10.0.0.7")
    cancel_sign_up(people[0], round, "participant", now=NOW)
    found = AuditEntry.objects.order_by("pk").values_list("who", "what", "number", "about", "address")
    number = people[0].number
    assert list(found) == [
        ("novakova", "change", number, "signed up for a round: S1", "10.0.0.7"),
        ("participant", "change", number, "sign-up cancelled: S1", None),
    ]  # fmt: skip


def test_what_cannot_be_is_refused_by_name(people: list[Participant], round: Round) -> None:
    plan = planned("S2")
    assert refused(lambda: sign_up(people[0], plan, "novakova", now=NOW)) == "not-announced"
    assert refused(lambda: cancel_sign_up(people[0], round, "novakova", now=NOW)) == "not-signed-up"
    sign_up(people[0], round, "novakova", now=NOW)
    assert refused(lambda: sign_up(people[0], round, "novakova", now=NOW)) == "signed-up-already"
    for state in ("cancelled", "refused"):
        Participant.objects.filter(pk=people[1].pk).update(state=state)
        assert refused(lambda: sign_up(people[1], round, "novakova", now=NOW)) == "not-active"
    assert refused(lambda: sign_up(people[2], round, "novakova", now=START)) == "round-begun"
    assert refused(lambda: cancel_sign_up(people[0], round, "novakova", now=START)) == "round-begun"
    Round.objects.filter(pk="S1").update(cancelled_at=NOW)
    assert refused(lambda: sign_up(people[2], round, "novakova", now=NOW)) == "round-cancelled"


def test_what_the_venue_says_of_the_round_counts(
    people: list[Participant], director_key: Ed25519PrivateKey, round: Round
) -> None:
    venue = venue_plays(director_key, announcement("S1", capacity=3), [("open", {})])
    sign_up(people[0], round, "novakova", now=NOW)
    venue.do("cancel")
    assert refused(lambda: sign_up(people[1], round, "novakova", now=NOW)) == "round-cancelled"


def test_whose_part_ends_is_signed_off_whoever_else_has_cancelled(people: list[Participant], round: Round) -> None:
    sign_up(people[0], round, "novakova", now=NOW)
    sign_up(people[1], round, "novakova", now=NOW)
    cancel_sign_up(people[1], round, "participant", now=NOW)
    assert signing_up.cancel_all(people[0], "novakova", now=NOW) == 1
    assert states(round) == ["cancelled", "cancelled"]


def test_LG_5_who_cancels_their_participation_leaves_all_rounds_to_come(
    people: list[Participant], round: Round
) -> None:
    other = planned("S2")
    other.promised = other.announcement
    other.save()
    for n, person in enumerate(people[:4]):
        sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
    sign_up(people[0], other, "novakova", now=NOW)
    assert signing_up.cancel_all(people[0], "novakova", now=NOW) == 2
    assert states(round) == ["cancelled", "in", "in", "in"]
    assert states(other) == ["cancelled"]
    assert signing_up.cancel_all(people[0], "novakova", now=NOW) == 0


def test_LG_12_who_is_signed_up_is_expected_by_name_at_the_venue_and_no_longer_after_cancelling(
    people: list[Participant], round: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.ingest.publishing.timezone.now", lambda: NOW)
    guest = people[0]
    guest.home_venue = None
    guest.save()
    assert everybody().at("zabreh", timezone.now())[guest.number].name is None
    before = last_change()
    sign_up(guest, round, "novakova", now=NOW)
    assert last_change() > before
    entry = everybody().at("zabreh", timezone.now())[guest.number]
    assert (entry.name, entry.home) == (guest.full_name, False)
    guest.consents.filter(kind="publication").update(withdrawn_at=NOW)
    assert everybody().at("zabreh", timezone.now())[guest.number].name is None
    guest.consents.filter(kind="publication").update(withdrawn_at=None)
    cancel_sign_up(guest, round, "novakova", now=NOW)
    assert everybody().at("zabreh", timezone.now())[guest.number].name is None


def test_T_3_allowances_follow_the_sign_ups_and_else_are_at_home(people: list[Participant], round: Round) -> None:
    brno = Venue.objects.create(id="brno", name="Na Růžku", town="Brno")
    there = planned("S2", venue="brno")
    there.venue, there.promised = brno, there.announcement
    there.save()
    guest, at_home = people[0], people[1]
    Participant.objects.filter(pk=guest.pk).update(home_venue=None)
    assert guest.pk not in issuing.expected(round) and at_home.pk in issuing.expected(round)
    sign_up(guest, round, "novakova", now=NOW)
    sign_up(at_home, there, "novakova", now=NOW)
    assert guest.pk in issuing.expected(round) and at_home.pk not in issuing.expected(round)
    assert issuing.expected(there) == [at_home.pk]
    cancel_sign_up(at_home, there, "novakova", now=NOW)
    assert at_home.pk in issuing.expected(round)


def test_T_15_who_is_excluded_on_that_day_cannot_sign_up(people: list[Participant], round: Round) -> None:
    day = START.date()
    Exclusion.objects.create(participant=people[0].number, since=day, until=day, reason="Rvačka", by="horak", at=NOW)
    assert refused(lambda: sign_up(people[0], round, "novakova", now=NOW)) == "not-active"
    Exclusion.objects.update(since=day - timedelta(days=9), until=day - timedelta(days=1))
    assert sign_up(people[0], round, "novakova", now=NOW).state == "in"


def kept_out(person: Participant, **on: date | None) -> None:
    """Exclude somebody, on the round's day unless told."""
    days = {"since": START.date(), "until": START.date()} | on
    excluding.exclude(Exclusion(participant=person.number, reason="Rvačka", **days), "horak", now=NOW)


def test_T_15_who_is_excluded_gives_their_place_of_that_day_to_the_next(
    people: list[Participant], round: Round
) -> None:
    other = planned("S2")
    other.promised, other.starts_at = other.announcement, START + timedelta(days=7)
    other.save()
    sign_up(people[0], other, "novakova", now=NOW)
    for n, person in enumerate(people[:5]):
        sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
    kept_out(people[0])
    assert states(round) == ["cancelled", "in", "in", "in", "waiting"]
    assert states(other) == ["in"]
    assert Letter.objects.get().to == people[3].email
    assert AuditEntry.objects.filter(who="horak", number=people[0].number, about="sign-up cancelled: S1").exists()
    kept_out(people[0], until=None)
    assert states(other) == ["cancelled"]


def test_T_15_who_is_excluded_does_not_come_in_from_the_waiting_list(people: list[Participant], round: Round) -> None:
    for n, person in enumerate(people[:5]):
        sign_up(person, round, "novakova", now=NOW + timedelta(minutes=n))
    Participant.objects.filter(pk=people[3].pk).update(state="cancelled")
    came_in = cancel_sign_up(people[0], round, "novakova", now=NOW + timedelta(hours=1))
    assert came_in is not None and came_in.participant == people[4]
    sign_up(people[0], round, "novakova", now=NOW + timedelta(hours=2))
    Exclusion.objects.create(participant=people[0].number, since=START.date(), reason="Rvačka", by="horak", at=NOW)
    assert cancel_sign_up(people[1], round, "novakova", now=NOW + timedelta(hours=3)) is None


AT_ONCE = """
import sys, threading, django
django.setup()
from datetime import datetime
from django.db import connections
from league.people.models import Participant
from league.rounds.models import Round
from league.rounds.signing_up import sign_up
now = datetime.fromisoformat("2027-01-08T12:00:00+01:00")
people, ready = list(Participant.objects.order_by("number")[1:7]), threading.Barrier(6)
def one(person):
    round = Round.objects.get()
    ready.wait()
    try:
        sign_up(person, round, "novakova", now=now)
    finally:
        connections.close_all()
threads = [threading.Thread(target=one, args=[person]) for person in people]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


def test_T_1_the_last_place_is_one_persons_however_many_want_it_at_once(league: League) -> None:
    """Real connections to a real database, each with its own transaction."""
    env = league.env | {"DJANGO_SETTINGS_MODULE": "league.settings", "PYTHONPATH": str(Path(__file__).parents[2])}
    announced = "Round.objects.update(promised=Round.objects.get().announcement | {'capacity': 4})"
    head = f"import django; django.setup(); from league.rounds.models import Round; {announced}"
    for script in (head, AT_ONCE):
        done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stderr, done.stderr
    assert league.rows("SELECT state, count(*) FROM rounds_signup GROUP BY state ORDER BY state") == [
        ("in", 4), ("waiting", 2),
    ]  # fmt: skip
