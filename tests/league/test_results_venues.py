"""A round's stream is the venue's that the league planned the round at, whoever else has written one of that name."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils import timezone

from appliance.link import envelope, topics
from league.ingest.desk import Desk, Incoming
from league.ingest.models import Alert, Quarantine
from league.ingest.quarantine_telling import quarantines
from league.mail.models import Letter
from league.people.models import Participant
from league.rounds import signing_up
from league.rounds.models import Device, Round, Venue
from league.rounds.planning import ShareTemplate, StructureTemplate
from league.staff.roles import Role
from league.standings.models import Result, RoundReport
from league.standings.results import Results
from tests.league.office import staff_client
from tests.league.rounds_played import FLAT, announcement, moves, planned
from tests.league.scribe import Scribe
from tests.league.scribe import play as play_script
from tests.league.test_rounds_pages import plan

ROUND = "2027-09"
BEST, WORST = ["000101", "000102", "000103"], ["000103", "000102", "000101"]
THEIRS = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
AHEAD = "50-00c0ffee00c0ffee"


@pytest.fixture(autouse=True)
def elsewhere(imported: dict[str, Any]) -> None:
    """Another venue, whose director is registered like any."""
    Venue.objects.create(id="brno", name="Brno", town="Brno")
    public = THEIRS.public_key().public_bytes_raw().hex()
    Device.objects.create(venue_id="brno", name="director", role="director", public_key=public)


def written(key: Ed25519PrivateKey, done: list[tuple[str, dict[str, Any]]], epoch: str, **changes: Any) -> Scribe:
    """The round's stream with these commands in it."""
    given = [("announce", announcement(ROUND, points_key=FLAT) | changes), *done]
    lines = [
        json.dumps({"round": ROUND} | fields | {"do": do, "at": f"2027-02-05T18:{n:02}:00+01:00"})
        for n, (do, fields) in enumerate(given)
    ]
    return play_script(Scribe(f"round/{ROUND}", "director", key, epoch=epoch), lines)


def arrives(venue: str, stream: Scribe) -> None:
    """The venue sends it, and the ingest folds what grew by it."""
    outcomes = Desk(time.monotonic).receive([Incoming(topics.up(venue, "ev"), envelope.encode(stream.batch()))])
    for grown in outcomes.grown:
        Results().update(grown)


def places() -> list[str]:
    return list(Result.objects.filter(round_id=ROUND).order_by("place").values_list("number", flat=True))


def held() -> list[tuple[str, str, str]]:
    return list(Quarantine.objects.order_by("pk").values_list("epoch", "reason", "detail"))


def test_what_another_venue_wrote_before_the_round_was_planned_never_replaces_its_own(
    director_key: Ed25519PrivateKey,
) -> None:
    arrives("brno", written(THEIRS, moves(WORST), AHEAD))
    assert held() == [(AHEAD, "unknown-round", "sent by brno")]
    planned(ROUND, points_key=FLAT)
    arrives("zabreh", written(director_key, moves(BEST), "1-00c0ffee00c0ffee"))
    told = [(AHEAD, "another-round", "written by brno, and the round is at zabreh")]
    for again in (lambda: None, Results().catch_up, Results().rebuild):
        again()
        assert (places(), held()) == (BEST, told)
    assert RoundReport.objects.get(pk=ROUND).epoch == "1-00c0ffee00c0ffee"
    assert not Alert.objects.exists()
    heard = quarantines()
    assert [unused.reason for unused in heard["brno"].records] == ["another-round"] and "zabreh" not in heard


def test_another_venue_writes_nothing_more_once_the_round_is_planned(director_key: Ed25519PrivateKey) -> None:
    stream = written(THEIRS, moves(WORST), AHEAD)
    planned(ROUND, points_key=FLAT)
    arrives("brno", stream)
    assert list(Alert.objects.values_list("venue", "code")) == [("brno", "unknown-writer")]
    assert held() == [] and places() == []


def test_another_venue_neither_cancels_a_round_nor_writes_to_who_signed_up() -> None:
    soon = timezone.now() + timedelta(days=30)
    fields = {"starts_at": soon.isoformat()}
    arrives("brno", written(THEIRS, [("cancel", {"reason": "Send the money to account 123"})], AHEAD, **fields))
    round = planned(ROUND)
    Round.objects.filter(pk=ROUND).update(starts_at=soon, promised=round.announcement | fields)
    round.refresh_from_db()
    signing_up.sign_up(Participant.objects.get(number="000101"), round, "clerk")
    letters = Letter.objects.count()
    Results().catch_up()
    assert not RoundReport.objects.exists() and Letter.objects.count() == letters
    assert signing_up.refusal(round, timezone.now()) is None
    assert [reason for _, reason, _ in held()] == ["another-round"]


def test_a_round_planned_at_another_venue_instead_takes_back_what_the_first_one_wrote(
    director_key: Ed25519PrivateKey,
) -> None:
    Round.objects.filter(pk=planned(ROUND, points_key=FLAT).pk).update(venue="brno")
    arrives("brno", written(THEIRS, moves(WORST), AHEAD, venue="brno"))
    assert places() == WORST
    Round.objects.filter(pk=ROUND).update(venue="zabreh")
    Results().catch_up()
    assert places() == [] and not RoundReport.objects.exists()
    arrives("zabreh", written(director_key, moves(BEST), "1-00c0ffee00c0ffee"))
    assert places() == BEST


def test_planning_the_round_says_at_once_whose_records_do_not_count(settings_dir: object) -> None:
    StructureTemplate.objects.create(name="Večerní", levels=announcement(ROUND)["levels"])
    ShareTemplate.objects.create(name="Tři místa", shares=["50", "30", "20"])
    arrives("brno", written(THEIRS, moves(WORST), AHEAD))
    commissioner = staff_client(Role.COMMISSIONER)
    assert commissioner.post("/office/rounds/new/", plan(id=ROUND)).status_code == 302
    assert [reason for _, reason, _ in held()] == ["another-round"]
    again = plan(id=ROUND, venue="brno")
    assert commissioner.post(f"/office/rounds/round/{ROUND}/plan/", again).status_code == 302
    assert [detail for _, _, detail in held()] == [f"{ROUND} at zabreh"]
