"""A venue that has more of the league's stream than the league itself, whose older backup was put back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from msgspec import Raw

from appliance.engine import history, records
from appliance.game.roster import Roster, decode_roster_event, fold_roster
from appliance.journal import Journal
from appliance.link.envelope import Batch
from appliance.link.receiver import Outcome, Receiver
from league import home
from league.backups import following
from league.ingest.models import RawRecord, StreamHead
from league.ingest.own_pen import own_pen
from league.ingest.publishing import publish_roster
from league.ingest.store import VenueStore
from league.people.models import Participant

STREAM = "league/zabreh"


class Kiosk:
    """The venue's end: it believes the league's key, and folds what counts."""

    def __init__(self, place: Path) -> None:
        self.journal = Journal(place)
        public = home.signing_key(settings.DATA_DIR).public_key().public_bytes_raw()
        self.alerts: list[Any] = []
        self.receiver = Receiver(self.journal, lambda _stream, _by: public, self.alerts.append)

    def take_all(self) -> list[Outcome]:
        """Take what the league has, epoch by epoch."""
        store, outcomes = VenueStore("zabreh"), []
        for epoch in store.epochs(STREAM):
            items = store.read(STREAM, epoch, 0, 1 << 60)
            signature = items[-1][1]
            assert signature is not None
            batch = Batch(STREAM, epoch, 1, tuple(Raw(raw) for raw, _ in items), signature)
            outcomes.append(self.receiver.take(batch).outcome)
        return outcomes

    def roster(self) -> Roster:
        roster = Roster()
        for record in records(self.journal, STREAM, history(self.journal, STREAM)):
            roster = fold_roster(roster, decode_roster_event(record.type, record.data), record.at)
        return roster


@pytest.fixture
def kiosk(imported: dict[str, Any], settings_dir: Path) -> Iterator[Kiosk]:
    kiosk = Kiosk(settings_dir / "journal")
    yield kiosk
    kiosk.journal.close()


def says(number: str, state: Participant.State) -> None:
    """The office changes somebody's state, and the venue's stream tells it."""
    Participant.objects.filter(number=number).update(state=state)
    publish_roster("zabreh", own_pen())


def test_what_the_league_said_after_its_backup_counts_no_more_at_a_venue_that_heard_it(kiosk: Kiosk) -> None:
    publish_roster("zabreh", own_pen())
    backup = StreamHead.objects.filter(stream=STREAM).values().get()
    says("000101", Participant.State.CANCELLED)
    says("000102", Participant.State.REFUSED)
    assert kiosk.take_all() == [Outcome.STORED]
    assert kiosk.roster().entries["000101"].state == "cancelled"

    # the backup, and what follows it
    RawRecord.objects.filter(stream=STREAM, seq__gt=backup["seq"]).delete()
    StreamHead.objects.filter(stream=STREAM).update(**backup)
    Participant.objects.filter(number__in=("000101", "000102")).update(state=Participant.State.ACTIVE)
    assert following.league([], {STREAM: 1}).venues == ["zabreh"]
    says("000103", Participant.State.CANCELLED)

    assert kiosk.take_all() == [Outcome.DUPLICATE, Outcome.STORED] and not kiosk.alerts
    states = {number: entry.state for number, entry in kiosk.roster().entries.items()}
    assert states == dict(Participant.objects.values_list("number", "state"))
    assert (states["000101"], states["000102"], states["000103"]) == ("active", "active", "cancelled")
    assert kiosk.take_all() == [Outcome.DUPLICATE, Outcome.DUPLICATE]


def test_a_league_restored_a_second_time_is_followed_past_the_epoch_that_it_does_not_know(kiosk: Kiosk) -> None:
    """What was there before the second restore is known by its highest epoch alone."""
    publish_roster("zabreh", own_pen())
    heads, stored = list(StreamHead.objects.values()), list(RawRecord.objects.values_list("pk", flat=True))
    for person in ("000101", "000102"):
        epochs = following.epochs_here()
        RawRecord.objects.exclude(pk__in=stored).delete()
        StreamHead.objects.exclude(pk=heads[0]["id"]).delete()
        StreamHead.objects.filter(pk=heads[0]["id"]).update(**heads[0])
        Participant.objects.update(state=Participant.State.ACTIVE)
        following.league([], epochs)
        says(person, Participant.State.CANCELLED)
        kiosk.take_all()
    assert following.epochs_here() == {STREAM: 3} and not kiosk.alerts
    entries = kiosk.roster().entries
    assert (entries["000101"].state, entries["000102"].state) == ("active", "cancelled")
