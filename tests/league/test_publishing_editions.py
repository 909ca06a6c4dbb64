"""Price list, rules and game plan in editions (LG-9, LG-12), announcements, and what venues hear of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import IntegrityError, transaction
from django.utils import timezone

from appliance.game.publications import MOST_WORDS, accepted_at
from league.ingest.models import RawRecord
from league.ingest.outbox import Pen
from league.ingest.publishing import told
from league.notices import editions
from league.notices.editions import NotPublishable
from league.notices.models import Announcement, Edition, Price, write_prices
from league.notices.telling import PublicationTeller
from league.rounds.models import Venue
from league.standings.models import Acceptance
from league.standings.results import Results
from tests.league.rounds_played import announcement, planned, venue_plays

HASH = "ab" * 32


@pytest.fixture
def pen(director_key: Ed25519PrivateKey) -> Pen:
    return Pen(director_key, lambda: 1_800_000_000_000)


@pytest.fixture
def teller(imported: dict[str, Any], pen: Pen) -> PublicationTeller:
    Venue.objects.create(id="brno", name="Brno")
    return PublicationTeller(pen)


def today(days: int = 0) -> Any:
    return timezone.localdate() + timedelta(days=days)


def draft(kind: str = "rules", days: int = 0, **fields: Any) -> Edition:
    said = {"text_cs": "Pravidla", "brief_cs": "Stručně", **fields}
    return Edition.objects.create(kind=kind, effective_on=today(days), **said)


def prices(days: int = 0, fee: int = 150) -> Edition:
    rows = write_prices([Price("card-replacement", "Nový průkaz", "New card", fee)])
    return draft("prices", days, text_cs="", brief_cs="", price_rows=rows)


def test_LG_12_editions_are_numbered_as_they_are_published(db: None) -> None:
    later, first, plan = draft(days=5), draft(), draft("plan")
    assert [editions.publish(one, "boss").number for one in (first, later, plan)] == [1, 2, 1]
    assert editions.in_force("rules") == first
    assert editions.upcoming("rules") == [later]
    assert editions.in_force("rules", today(5)) == later
    assert editions.in_force("rules", today(-1)) is None


def test_LG_12_of_two_from_the_same_day_the_later_one_holds(db: None) -> None:
    editions.publish(draft(), "boss")
    second = editions.publish(draft(), "boss")
    assert editions.in_force("rules") == second


@pytest.mark.parametrize(
    ("fields", "why"), [({"days": -1}, "past"), ({"text_cs": " "}, "empty"), ({"brief_cs": ""}, "empty")]
)
def test_LG_12_nothing_takes_effect_in_the_past_and_nothing_empty_is_published(
    db: None, fields: dict[str, Any], why: str
) -> None:
    with pytest.raises(NotPublishable) as error:
        editions.publish(draft(**fields), "boss")
    assert error.value.code == why


def test_LG_12_what_is_published_is_not_published_again(db: None) -> None:
    published = editions.publish(draft(), "boss")
    with pytest.raises(NotPublishable) as error:
        editions.publish(published, "boss")
    assert error.value.code == "published"
    with transaction.atomic(), pytest.raises(IntegrityError), transaction.atomic():
        Edition.objects.filter(pk=draft().pk).update(number=1, published_at=timezone.now())


def test_LG_12_only_before_its_day_an_edition_is_taken_back(db: None) -> None:
    now, later = editions.publish(draft(), "boss"), editions.publish(draft(days=3), "boss")
    editions.withdraw(later)
    assert editions.upcoming("rules") == []
    for one, why in ((now, "in-force"), (draft(), "draft")):
        with pytest.raises(NotPublishable) as error:
            editions.withdraw(one)
        assert error.value.code == why
    assert editions.publish(draft(), "boss").number == 3


def test_LG_6_a_fee_is_that_of_the_list_in_force_on_the_day(db: None) -> None:
    assert editions.price("card-replacement") is None
    editions.publish(prices(fee=150), "boss")
    editions.publish(prices(days=10, fee=200), "boss")
    found = [editions.price("card-replacement", today(days)) for days in (0, 9, 10)]
    assert [line and line.crowns for line in found] == [150, 150, 200]
    assert editions.price("something-else") is None


def test_LG_12_a_draft_begins_with_what_holds(db: None) -> None:
    editions.publish(draft(text_cs="Znění", text_en="Text"), "boss")
    begun = editions.new_draft("rules", "boss", today(30))
    assert (begun.text_cs, begun.text_en, begun.is_draft, begun.number) == ("Znění", "Text", True, None)


def test_LG_12_venues_hear_of_what_is_in_force_and_of_the_next(teller: PublicationTeller, pen: Pen) -> None:
    assert teller.turn(0.0) == []
    for one in (draft(days=3, brief_cs="Další"), draft(brief_en="Brief"), prices(), draft(days=9)):
        editions.publish(one, "boss")
    assert teller.turn(10.0) == ["brno", "zabreh"]
    found = told("zabreh").editions
    assert [(one.kind, one.version, one.cs, one.en) for one in found] == [
        ("rules", 2, "Stručně", "Brief"), ("prices", 1, "", ""), ("rules", 1, "Další", ""),
    ]  # fmt: skip
    assert [(line.cs, line.en, line.crowns) for line in found[1].prices] == [("Nový průkaz", "New card", 150)]
    rules = editions.in_force("rules")
    assert rules is not None and found[0].hash == rules.hash
    midnight = int(timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0).timestamp() * 1000)
    assert found[0].since == midnight
    assert [one.version for one in accepted_at(found, midnight + 1)] == [2]
    assert teller.turn(20.0) == []
    assert PublicationTeller(pen).turn(0.0) == []
    assert RawRecord.objects.filter(type="editions/1").count() == 2


def test_LG_12_a_hash_is_of_this_text_and_no_other(db: None) -> None:
    one, same, other = draft(days=1), draft(days=2), draft(text_en="But")
    assert one.hash == same.hash != other.hash


def test_LG_9_an_announcement_goes_to_its_venues_and_is_taken_back(teller: PublicationTeller) -> None:
    now = timezone.now()
    everywhere = Announcement.objects.create(title_cs="Všem", since=now, text_en="To all")
    here = Announcement.objects.create(title_cs="Brnu", since=now + timedelta(hours=1), everywhere=False)
    here.venues.add("brno")
    Announcement.objects.create(title_cs="Bylo", since=now - timedelta(days=2), until=now - timedelta(days=1))
    assert teller.turn(0.0) == ["brno", "zabreh"]
    assert [word.title_cs for word in told("brno").words] == ["Brnu", "Všem"]
    assert [word.title_cs for word in told("zabreh").words] == ["Všem"]
    Announcement.objects.filter(pk=everywhere.pk).update(withdrawn_at=now)
    assert teller.turn(10.0) == ["brno", "zabreh"]
    assert told("zabreh").words == ()


def test_LG_9_however_much_is_announced_a_record_holds_it(teller: PublicationTeller) -> None:
    now = timezone.now()
    for n in range(MOST_WORDS + 3):
        Announcement.objects.create(
            title_cs="♠" * 100, title_en="♥" * 100, text_cs="♦" * 1000, text_en="🂡" * 1000,
            since=now + timedelta(minutes=n),
        )  # fmt: skip
    teller.turn(0.0)
    words = told("zabreh").words
    assert 6 <= len(words) <= MOST_WORDS
    assert words[0].since > words[-1].since


def test_LG_12_however_long_the_editions_are_a_record_holds_those_in_force(teller: PublicationTeller) -> None:
    wide = {"brief_cs": "🂡" * 1000, "brief_en": "🂡" * 1000}
    rows = write_prices([Price(f"p{n}", "🂡" * 60, "🂡" * 60, 1) for n in range(30)])
    for days in (0, 3):
        for kind in ("rules", "plan", "prices"):
            editions.publish(draft(kind, days, **wide, price_rows=rows if kind == "prices" else []), "boss")
    assert teller.turn(0.0) == ["brno", "zabreh"]
    assert {one.kind for one in told("zabreh").editions[:3]} == {"rules", "plan", "prices"}


def test_LG_12_the_league_keeps_which_version_was_accepted(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    planned("S1")
    accepted = [{"kind": "rules", "version": 7, "hash": HASH}, {"kind": "plan", "version": 2, "hash": HASH}]
    entry = {"identity_checked": True}
    done: list[tuple[str, dict[str, Any]]] = [
        ("open", {}),
        ("register", {"participant": "000101", "accepted": accepted, **entry}),
        ("register", {"participant": "000102", **entry}),
    ]
    venue_plays(director_key, announcement("S1"), done)
    fields = ("round", "number", "kind", "version", "hash")
    kept = [("S1", "000101", "plan", 2, HASH), ("S1", "000101", "rules", 7, HASH)]
    assert list(Acceptance.objects.values_list(*fields)) == kept
    Results().rebuild()
    assert list(Acceptance.objects.values_list(*fields)) == kept
