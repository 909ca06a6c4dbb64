"""A change reaches the venues of a large league: work grows with what changed, and people are read once for all."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from appliance import record as rec
from appliance.game.roster import Roster, RosterEntry, decode_roster_event, fold_roster
from league.ingest import everybody, rosters
from league.ingest.models import RawRecord, RosterChange, StreamHead
from league.ingest.outbox import Pen
from league.ingest.publishing import Memory, publish_roster
from league.ingest.told import Told
from league.people.models import Consent, Participant
from league.rounds.models import Venue

MANY = 2000


@pytest.fixture
def pen() -> Pen:
    return Pen(Ed25519PrivateKey.generate(), lambda: 1_800_000_000_000)


@pytest.fixture
def many(imported: dict[str, Any]) -> None:
    """A league of a few thousand, all at home at one venue, and three venues."""
    for name in ("brno", "ostrava"):
        Venue.objects.create(id=name, name=name)
    people = Participant.objects.bulk_create(
        Participant(number=f"1{n:05}", first_name="Jan", surname=f"Novák {n}", home_venue_id="zabreh")
        for n in range(MANY)
    )
    now = timezone.now()
    Consent.objects.bulk_create(Consent(participant=each, kind="publication", given_at=now) for each in people)


def one_by_one(venue: str) -> Roster:
    """What a venue was told, folded record by record."""
    roster = Roster()
    for row in RawRecord.objects.filter(stream=f"league/{venue}").order_by("epoch", "seq"):
        record = rec.decode(bytes(row.raw))
        roster = fold_roster(roster, decode_roster_event(record.type, record.data), record.at)
    return roster


def test_LG_7_a_consent_withdrawn_in_a_large_league_is_one_record_and_one_reading_of_people(
    many: None, pen: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    teller = rosters.RosterTeller(pen)
    rosters.changed()
    assert [len(teller.turn(float(second))) for second in range(3)] == [1, 1, 1]
    decoded: list[bytes] = []
    decode = rec.decode

    def counted(raw: bytes) -> rec.Record:
        decoded.append(raw)
        return decode(raw)

    monkeypatch.setattr(rec, "decode", counted)
    for venue in ("zabreh", "brno", "ostrava"):
        teller._memory.told.of(venue)  # what was written is read back once
    decoded.clear()
    Consent.objects.filter(participant__number="100007").update(withdrawn_at=timezone.now())
    rosters.changed()
    with CaptureQueriesContext(connection) as queries:
        assert [len(teller.turn(float(second))) for second in range(10, 13)] == [1, 1, 1]
    people = [each for each in queries if 'FROM "people_card"' in each["sql"]]
    assert len(people) == 1 and len(queries) < 150
    assert len(decoded) <= 9  # a pen looks at the last record of each stream, at what it adds, and stores that
    decoded.clear()
    assert teller.turn(40.0) == [] and not decoded
    assert teller._memory.told.of("zabreh").entries["100007"].name is None
    assert len(decoded) == 1  # what was added, and none of the thousands before it
    for venue in ("zabreh", "brno", "ostrava"):
        assert teller._memory.told.of(venue) == one_by_one(venue)


def test_what_venues_were_told_is_folded_anew_where_the_stream_took_another_road(imported: Any, pen: Pen) -> None:
    memory = Told()
    publish_roster("zabreh", pen)
    assert memory.of("zabreh") == one_by_one("zabreh")
    # a backup was put back, and other records stand in the same places now
    RawRecord.objects.all().delete()
    StreamHead.objects.all().delete()
    Participant.objects.filter(number="000101").update(state=Participant.State.REFUSED)
    publish_roster("zabreh", pen)
    assert memory.of("zabreh") == one_by_one("zabreh")
    assert memory.of("zabreh").entries["000101"].state == "blocked"


def test_a_stream_that_goes_on_in_a_new_epoch_is_folded_on(imported: Any, pen: Pen) -> None:
    memory = Told()
    publish_roster("zabreh", pen)
    memory.of("zabreh")
    pen.reopen("zabreh", "restored")
    Participant.objects.filter(number="000101").update(state=Participant.State.REFUSED)
    publish_roster("zabreh", pen)
    assert memory.of("zabreh") == one_by_one("zabreh") == Told().of("zabreh")


def test_people_who_were_read_before_a_change_are_not_told_after_it(imported: Any, pen: Pen) -> None:
    """Else a process that was slow would take back what a quicker one had told."""
    memory = Memory()
    memory.people()
    Participant.objects.filter(number="000101").update(state=Participant.State.REFUSED)
    rosters.changed()
    publish_roster("zabreh", pen, memory)
    assert one_by_one("zabreh").entries["000101"].state == "blocked"


def test_a_round_trip_of_all_venues_that_takes_long_is_rested_after(imported: Any, pen: Pen) -> None:
    Venue.objects.create(id="brno", name="Na Růžku")
    teller = rosters.RosterTeller(pen)
    rosters.changed()
    assert (teller.turn(0.0), teller.turn(9.0)) == (["brno"], ["zabreh"])
    Participant.objects.filter(number="000101").update(state=Participant.State.REFUSED)
    rosters.changed()
    assert [teller.turn(second) for second in (11.0, 17.9, 18.1, 18.2)] == [[], [], ["brno"], ["zabreh"]]
    assert RosterChange.objects.get().told == 2


def test_everybody_as_a_venue_knows_them_shares_all_but_its_own_people(many: None) -> None:
    found = everybody.everybody()
    here, there = found.at("zabreh", timezone.now()), found.at("brno", timezone.now())
    assert here["100001"] == RosterEntry(participant="100001", state="active", name="Jan Novák 1", home=True)
    assert there["100001"] == RosterEntry(participant="100001", state="active")
    assert there["100001"] is found.at("ostrava", timezone.now())["100001"]
