"""Refusing, cancelling, re-opening, consents, corrections: they act from that moment and are on the record."""

from __future__ import annotations

import io
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.exceptions import ValidationError
from django.utils import timezone

from league.allowances.models import Allowance
from league.cards.models import RefusedCard
from league.ingest import rosters
from league.ingest.outbox import Pen
from league.ingest.publishing import told
from league.people import acts
from league.people.acts import ActRefused, By
from league.people.correcting import correct, data_of, what_stood
from league.people.models import CardEntry, ConsentKind, ConsentText, Participant, published_names
from league.privacy import vault
from league.privacy.exporting import as_json, export_of
from league.privacy.models import Act
from league.rounds.models import Venue
from league.staff.models import AuditEntry
from league.standings.models import (
    Acceptance,
    DeclinedProposal,
    Exclusion,
    ExclusionProposal,
    ParticipationVoid,
)
from league.standings.past_models import PastResult, PastRound
from tests.league.people_cards import DAY, MAN, registered, stand_at
from tests.league.rounds_played import planned

CLERK = By("clerk", address="192.0.2.7")
OWN = By.participant("192.0.2.8")


@pytest.fixture(autouse=True)
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)


@pytest.fixture
def person(clock: None) -> Participant:
    found: Participant = registered()
    return found


@pytest.fixture
def venue(person: Participant) -> Any:
    """A venue where the person is at home, and what tells it."""
    Venue.objects.create(id="zabreh", name="Sokolovna")
    Participant.objects.update(home_venue="zabreh")
    person.refresh_from_db()
    teller = rosters.RosterTeller(Pen(Ed25519PrivateKey.generate(), lambda: 1_800_000_000_000))
    seconds = iter(range(0, 10_000, 60))

    def minute_later() -> Any:
        teller.turn(next(seconds))
        return told("zabreh").entries[person.number]

    return minute_later


def test_LG_5_cancelling_acts_from_that_moment_at_venues_and_on_pages(person: Participant, venue: Any) -> None:
    assert (venue().state, venue().name) == ("active", "Ing. Žofie Příkopová")
    acts.cancel(person, By("clerk", Act.Side.PARTICIPANT), "moved away")
    assert published_names() == {}
    assert (venue().state, venue().name) == ("cancelled", None)
    act = person.acts.first()
    assert act is not None and (act.what, act.side, act.reason, act.at) == (
        "cancelled",
        "participant",
        "moved away",
        DAY,
    )
    with pytest.raises(ActRefused):
        acts.cancel(person, CLERK)
    acts.reopen(person, CLERK)
    assert (venue().state, venue().name) == ("active", "Ing. Žofie Příkopová")
    with pytest.raises(ActRefused):
        acts.reopen(person, CLERK)


def test_LG_4_who_is_refused_without_a_reason_is_blocked_at_venues(person: Participant, venue: Any) -> None:
    acts.refuse(person, CLERK)
    assert venue().state == "blocked"
    with pytest.raises(ActRefused):
        acts.refuse(person, CLERK)
    assert [act.what for act in person.acts.all()] == ["refused", "registered"]


def test_LG_7_a_consent_withdrawn_is_gone_from_pages_and_venues_within_a_minute(
    person: Participant, venue: Any
) -> None:
    assert venue().published
    assert acts.withdraw_consent(person, ConsentKind.PUBLICATION, OWN)
    assert published_names() == {}
    assert (venue().name, venue().published) == (None, False)
    assert not acts.withdraw_consent(person, ConsentKind.PUBLICATION, OWN)
    acts.give_consent(person, ConsentKind.PUBLICATION, OWN)
    acts.give_consent(person, ConsentKind.PUBLICATION, OWN)
    assert person.consents.filter(kind="publication").count() == 2
    assert venue().published


def test_LG_7_without_the_consent_to_processing_the_part_in_the_league_ends(person: Participant) -> None:
    acts.withdraw_consent(person, ConsentKind.PROCESSING, OWN)
    person.refresh_from_db()
    assert person.state == "cancelled"
    with pytest.raises(ActRefused):
        acts.reopen(person, CLERK)
    acts.give_consent(person, ConsentKind.PROCESSING, CLERK)
    acts.reopen(person, CLERK)


def test_LG_7_a_consent_names_the_text_in_force_that_day(person: Participant, monkeypatch: pytest.MonkeyPatch) -> None:
    ConsentText.objects.create(
        kind="marketing", version=2, text_cs="Nové", text_en="New", since=DAY.date().replace(day=16)
    )
    acts.withdraw_consent(person, ConsentKind.MARKETING, OWN)
    old = acts.give_consent(person, ConsentKind.MARKETING, OWN)
    assert old.text is not None and old.text.version == 1
    acts.withdraw_consent(person, ConsentKind.MARKETING, OWN)
    stand_at(monkeypatch, DAY.replace(day=16))
    new = acts.give_consent(person, ConsentKind.MARKETING, OWN)
    assert new.text is not None and (new.text.version, new.text.text("en")) == (2, "New")


def test_LG_7_a_correction_keeps_what_stood_there_sealed_with_who_and_when(person: Participant) -> None:
    changed = correct(person, {"surname": "Vdaná", "street": "Krátká  1 ", "email": person.email}, OWN)
    assert changed == ["street", "surname"] and person.surname == "Vdaná"
    [row] = person.rectifications.all()
    assert (row.who, row.at, row.fields) == ("participant", DAY, ["street", "surname"])
    assert what_stood(row) == {"surname": "Příkopová", "street": "Dlouhá 7"}
    assert "Příkopová".encode() not in bytes(row.sealed)
    assert vault.unseal(person).street == "Krátká 1"
    entry = AuditEntry.objects.get(about="corrected")
    assert (entry.who, entry.fields, entry.address) == ("participant", ["street", "surname"], "192.0.2.8")
    assert correct(person, data_of(person), OWN) == [] and person.rectifications.count() == 1


@pytest.mark.parametrize(
    ("field", "value"), [("surname", ""), ("email", "x"), ("birth_number", "500307/9995"), ("street", " ")]
)
def test_a_wrong_correction_changes_nothing(person: Participant, field: str, value: str) -> None:
    before = data_of(person)
    with pytest.raises(ValidationError) as caught:
        correct(person, {field: value, "title": ""}, CLERK)
    assert list(caught.value.message_dict) == [field]
    person.refresh_from_db()
    assert data_of(person) == before


def test_a_correction_to_somebody_elses_birth_number_is_refused_and_to_ones_own_found(person: Participant) -> None:
    other = registered(birth_number=MAN, first_name="Žof", surname="Příkop")
    with pytest.raises(ValidationError) as caught:
        correct(other, {"birth_number": "505307/9999"}, CLERK)
    assert person.number in str(caught.value)
    assert vault.unseal(other).birth_number == "5003079994"
    assert correct(other, {"birth_number": "513130/9997", "birth_date": ""}, CLERK) == ["birth_date", "birth_number"]
    assert registered(birth_number=MAN, surname="Nový").number


def test_who_came_by_an_import_without_an_address_can_be_corrected_field_by_field(clock: None) -> None:
    person = Participant.objects.create(number="000555", first_name="Jan", surname="Import")
    assert correct(person, {"email": "jan@hraci.example"}, CLERK) == ["email"]
    assert correct(person, {"birth_number": MAN}, CLERK) == ["birth_date", "birth_number"]


def test_everything_about_one_is_told_to_them_and_nothing_of_others(person: Participant) -> None:
    other = registered(birth_number=MAN, first_name="Jiný", surname="Člověk", email="jiny@hraci.example")
    correct(person, {"street": "Krátká 1"}, OWN)
    whole = export_of(person)
    assert whole["data"]["birth_number"] == "5053079999" and whole["data"]["street"] == "Krátká 1"
    assert whole["corrections"][0]["before"] == {"street": "Dlouhá 7"}
    assert [consent["text_version"] for consent in whole["consents"]] == [1, 1, 1, 1]
    assert "Souhlasím" in whole["consents"][0]["text"]
    written = as_json(person).decode()
    assert "Příkopová" in written and "Člověk" not in written and other.number not in written


def test_all_that_venues_and_the_league_decided_of_one_is_told_to_them(
    person: Participant, imported: dict[str, Any]
) -> None:
    round, at, day = planned("R9"), timezone.now(), timezone.localdate()
    for number in (person.number, "000102"):
        who: Any = {"number": number, "round": round}
        Acceptance.objects.create(**who, kind="rules", version=3, hash="ab")
        ExclusionProposal.objects.create(**who, reason=f"proposed {number}", at=at)
        DeclinedProposal.objects.create(**who, proposed_at=at, reason=f"declined {number}", by="boss", at=at)
        Exclusion.objects.create(participant=number, since=day, reason=f"excluded {number}", by="boss", at=at)
        ParticipationVoid.objects.create(participant=number, round=round, reason=f"void {number}", by="boss", at=at)
        refused = {"participant": number, "venue": "zabreh", "epoch": "e", "seq": int(number), "uid": "04AA"}
        RefusedCard.objects.create(**refused, at=at, device="door", reason="lost")
        past = PastRound.objects.get_or_create(round=round, defaults={"imported_at": at, "registered": 2, "key": {}})[0]
        PastResult.objects.create(past=past, number=number, place=int(number), prize=0, half_points=0)
        CardEntry.objects.create(id=number, at=at, who="desk", what="issued", participant=number, taken_at=at)
    Allowance.objects.create(participant=person, venue="zabreh", account={"used": 2})
    whole = export_of(person)
    assert whole["acceptances"] == [{"round": "R9", "kind": "rules", "version": 3, "hash": "ab"}]
    assert [row["reason"] for row in whole["exclusions"]] == [f"excluded {person.number}"]
    assert [row["reason"] for row in whole["declined_exclusions"]] == [f"declined {person.number}"]
    assert [row["reason"] for row in whole["proposed_exclusions"]] == [f"proposed {person.number}"]
    assert [(row["round"], row["void"], row["reason"]) for row in whole["void_participations"]] == [
        ("R9", True, f"void {person.number}")
    ]
    assert [(row["venue"], row["reason"]) for row in whole["refused_cards"]] == [("zabreh", "lost")]
    assert [(row["venue"], row["account"]) for row in whole["allowance"]] == [("zabreh", {"used": 2})]
    assert [row["past__round"] for row in whole["past_results"]] == ["R9"]
    assert [row["what"] for row in whole["card_entries"]] == ["issued"]
    assert "000102" not in as_json(person).decode()


def test_no_birth_number_and_no_address_stands_in_the_database(clock: None) -> None:
    """The store that a backup of the league copies, read byte by byte."""
    from django.db import connection

    person = registered(street="Tajemná 17", document="OP 987654321")
    correct(person, {"street": "Ukrytá 18", "surname": "Nováčková"}, CLERK)
    dump = io.StringIO()
    for line in _rows(connection):
        dump.write(line)
    for secret in ("5053079999", "505307", "Tajemná", "Ukrytá", "987654321", "2050-03-07", "Příkopová"):
        assert secret not in dump.getvalue(), secret
    assert "Nováčková" in dump.getvalue()


def _rows(connection: Any) -> Any:
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                yield repr([bytes(value) if isinstance(value, memoryview) else value for value in row])
