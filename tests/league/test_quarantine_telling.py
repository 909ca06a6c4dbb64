"""The league tells a venue what of its records could not be used: whole, bounded, and only where it differs."""

from __future__ import annotations

import re

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from appliance.game.quarantine import MOST_TOLD
from league.ingest.models import Alert, Contact, Quarantine, RawRecord, StreamHead
from league.ingest.outbox import Pen
from league.ingest.publishing import told
from league.ingest.quarantine_telling import LOOK_S, QuarantineTeller
from league.rounds.models import Venue
from tests.league.office import sign_in

AT = 1_800_000_000_000
EPOCH = "1-00000000000000aa"


@pytest.fixture
def pen(db: None, director_key: Ed25519PrivateKey) -> Pen:
    for venue in ("brno", "ostrava"):
        Venue.objects.create(id=venue, name=venue)
        StreamHead.objects.create(
            stream=f"round/{venue}", epoch=EPOCH, epoch_number=1, venue=venue, seq=9, hash="0" * 64
        )
    return Pen(director_key, lambda: AT)


def quarantined(seq: int, reason: str = "does-not-fold", venue: str = "brno") -> None:
    Quarantine.objects.create(stream=f"round/{venue}", epoch=EPOCH, seq=seq, reason=reason, detail="why " * 70)


def test_a_venue_hears_of_its_own_records_and_no_other_venue_does(pen: Pen) -> None:
    quarantined(4)
    assert QuarantineTeller(pen).turn(0.0) == ["brno"]
    event = told("brno").quarantine
    assert event is not None
    assert [(each.stream, each.epoch, each.seq, each.reason) for each in event.records] == [
        ("round/brno", EPOCH, 4, "does-not-fold")
    ]
    assert told("ostrava").quarantine is None


def test_only_differences_are_written_also_after_a_restart(pen: Pen) -> None:
    quarantined(4)
    teller = QuarantineTeller(pen)
    assert teller.turn(0.0) == ["brno"]
    assert teller.turn(LOOK_S) == []
    assert QuarantineTeller(pen).turn(0.0) == []
    quarantined(5)
    assert teller.turn(LOOK_S - 1) == []  # not looked at yet
    assert teller.turn(2 * LOOK_S) == ["brno"]
    assert RawRecord.objects.filter(stream="league/brno", type="quarantine/1").count() == 2


def test_that_all_is_well_again_is_told_once_also_by_another_process(pen: Pen) -> None:
    quarantined(4)
    teller = QuarantineTeller(pen)
    teller.turn(0.0)
    Quarantine.objects.all().delete()
    other = QuarantineTeller(pen)
    assert other.turn(0.0) == ["brno"]
    assert told("brno").quarantine is None
    assert teller.turn(LOOK_S) == other.turn(LOOK_S) == []


def test_a_flood_is_told_in_one_small_record(pen: Pen) -> None:
    for seq in range(1, 200):
        quarantined(seq)
    QuarantineTeller(pen).turn(0.0)
    event = told("brno").quarantine
    assert event is not None
    assert (event.total, len(event.records)) == (199, MOST_TOLD)


def test_a_stream_that_stopped_is_told_until_it_goes_on(pen: Pen) -> None:
    alert = Alert.objects.create(
        venue="brno", stream="venue/brno", code="revoked-writer", detail="1-aa 3: director", last_at=timezone.now()
    )
    Alert.objects.create(venue="", code="bad-topic", last_at=timezone.now())
    teller = QuarantineTeller(pen)
    assert teller.turn(0.0) == ["brno"]
    event = told("brno").quarantine
    assert event is not None
    assert [(each.stream, each.reason, each.seq) for each in event.records] == [("venue/brno", "revoked-writer", 0)]
    Alert.objects.filter(pk=alert.pk).update(resolved_at=timezone.now())
    assert teller.turn(LOOK_S) == ["brno"]
    assert told("brno").quarantine is None


@pytest.mark.parametrize(("path", "waiting"), [("/admin", "tam čeká"), ("/en/admin", "waiting there")])
def test_the_staff_see_how_each_venues_way_to_the_league_stands(pen: Pen, path: str, waiting: str) -> None:
    quarantined(4)
    heads = {f"round/brno {EPOCH}": 21, f"venue/brno {EPOCH}": 5}
    Contact.objects.create(venue_id="brno", online=False, software="t 1", seen_at=timezone.now(), heads=heads)
    Alert.objects.create(venue="brno", stream="venue/brno", code="forked", last_at=timezone.now())
    client = Client()
    sign_in(client, User.objects.create_superuser("clerk"))
    text = client.get(f"{path}/ingest/contact/").content.decode()
    assert waiting in text.lower()
    assert re.search(r"field-backlog[^>]*>17<.*field-quarantined[^>]*>1<.*field-open_alerts[^>]*>forked<", text, re.S)
    assert client.get(f"{path}/ingest/contact/brno/change/").status_code == 200
