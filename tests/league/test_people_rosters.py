"""When venues hear of what the office has changed."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import OperationalError
from django.test import Client

from league.ingest import rosters
from league.ingest.everybody import last_change
from league.ingest.models import RosterMark
from league.ingest.outbox import Pen
from league.ingest.publishing import told
from league.people.models import Card, Participant
from league.rounds.models import Venue
from tests.league.office import staff_client


@pytest.fixture
def teller(imported: dict[str, Any]) -> rosters.RosterTeller:
    Venue.objects.create(id="brno", name="Na Růžku")
    return rosters.RosterTeller(Pen(Ed25519PrivateKey.generate(), lambda: 1_800_000_000_000))


def test_nothing_goes_out_before_something_has_changed(teller: rosters.RosterTeller) -> None:
    assert [teller.turn(second) for second in (0.0, 2.0, 4.0)] == [[], [], []]
    assert not told("zabreh").entries


def test_after_a_change_the_venues_are_told_one_a_turn_and_then_nobody(teller: rosters.RosterTeller) -> None:
    teller.turn(0.0)
    rosters.changed()
    assert teller.turn(0.5) == []  # it was looked at just now
    assert [teller.turn(1.5), teller.turn(1.6), teller.turn(1.7)] == [["brno"], ["zabreh"], []]
    assert len(told("brno").entries) == len(told("zabreh").entries) == 19
    assert teller.turn(60.0) == []


def test_a_change_that_comes_meanwhile_is_told_as_well(teller: rosters.RosterTeller) -> None:
    rosters.changed()
    assert teller.turn(0.0) == ["brno"]
    Participant.objects.filter(number="000101").update(state="refused")
    rosters.changed()
    said = [teller.turn(float(second)) for second in range(1, 6)]
    assert [venue for venues in said for venue in venues] == ["zabreh", "brno"]
    assert told("brno").entries["000101"].state == told("zabreh").entries["000101"].state == "blocked"


def test_once_an_hour_all_that_is_due_is_told(teller: rosters.RosterTeller) -> None:
    """An exclusion ends by the day alone, and so do names of those who were expected somewhere."""
    teller.turn(0.0)
    Participant.objects.filter(number="000101").update(state="refused")
    assert teller.turn(3599.0) == []
    assert teller.turn(3601.0) == ["brno"]


def test_a_venue_that_was_closed_or_could_not_be_told_holds_nobody_up(
    teller: rosters.RosterTeller, monkeypatch: pytest.MonkeyPatch
) -> None:
    rosters.changed()
    publish = rosters.publish_roster

    def fail(venue: str, pen: Pen, memory: object) -> Any:
        raise OperationalError("database is locked")

    monkeypatch.setattr(rosters, "publish_roster", fail)
    with pytest.raises(OperationalError):
        teller.turn(0.0)
    monkeypatch.setattr(rosters, "publish_roster", publish)
    Venue.objects.filter(pk="brno").delete()
    assert [teller.turn(0.1), teller.turn(0.2), teller.turn(2.0)] == [[], ["zabreh"], []]


def test_LG_7_the_administration_shows_people_and_cards_and_changes_none(
    teller: rosters.RosterTeller, db: None
) -> None:
    teller.turn(0.0)
    client: Client = staff_client(superuser=True, name="root")
    person, card = Participant.objects.get(number="000101"), Card.objects.get(participant__number="000101")
    for row, name in ((person, "participant"), (card, "card")):
        address = f"/admin/people/{name}/{row.pk}/"
        page = client.get(f"{address}change/")
        assert page.status_code == 200 and not page.context["adminform"].form.fields
        inlines = page.context["inline_admin_formsets"]
        assert not any(each.has_add_permission or each.has_change_permission for each in inlines)
        assert client.post(f"{address}change/", {"surname": "Nová", "state": "lost"}).status_code == 403
        assert client.post(f"{address}delete/", {"post": "yes"}).status_code == 403
        assert client.post(f"/admin/people/{name}/add/", {}).status_code == 403
    page = client.get(f"/admin/people/participant/{person.pk}/change/").content.decode()
    assert card.uid in page and person.surname in page
    assert teller.turn(2.0) == []


def test_changes_are_marked_apart_and_counted_once(db: None) -> None:
    """None waits for another one's transaction; what is counted and what is only marked is told alike."""
    before = last_change()
    for _ in range(3):
        rosters.changed()
    assert last_change() == before + 3
    row = rosters.counted()
    assert row is not None and row.change == last_change() == before + 3
    assert rosters.counted() == row and not RosterMark.objects.exists()
