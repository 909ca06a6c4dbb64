"""Registration from the paper card: who may, under which number, and who is there already."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from league.ingest.everybody import last_change
from league.people.models import Consent, ConsentKind, Participant
from league.people.registering import Duplicate, next_number
from league.privacy import vault
from league.privacy.models import BirthIndex
from league.staff.models import AuditEntry
from tests.league.people_cards import CARD, MAN, WOMAN, registered, stand_at


@pytest.fixture(autouse=True)
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)


def wrong(**changes: str) -> dict[str, list[str]]:
    with pytest.raises(ValidationError) as caught:
        registered(**changes)
    assert not Participant.objects.exists()
    return dict(caught.value.message_dict)


def test_LG_5_all_of_the_paper_card_is_kept_and_the_league_gives_the_number() -> None:
    person = registered()
    assert (person.number, person.state, person.full_name) == ("000001", "active", "Ing. Žofie Příkopová")
    private = vault.unseal(person)
    assert (private.birth_number, private.birth_date) == ("5053079999", "2050-03-07")
    assert (private.street, private.town, private.postcode) == ("Dlouhá 7", "Zábřeh", "789 01")
    card = person.paper_card
    assert (str(card.signed_on), card.proof, card.proven_to, card.entered_by) == (
        "2072-06-14", "identity-card", "000900", "clerk",
    )  # fmt: skip
    assert [(act.what, act.who, act.side) for act in person.acts.all()] == [("registered", "clerk", "league")]
    entry = AuditEntry.objects.get(about="registered")
    assert (entry.number, entry.who) == ("000001", "clerk") and "birth_number" in entry.fields
    assert last_change() > 0


def test_LG_5_numbers_go_on_from_the_highest_and_are_never_given_twice() -> None:
    for number in ("7", "000900", "000123"):
        Participant.objects.create(number=number, first_name="A", surname="B")
    assert next_number() == "000901"
    assert registered().number == "000901"
    Participant.objects.create(number="999999", first_name="A", surname="B")
    assert next_number() == "1000000"


@pytest.mark.parametrize(
    ("theirs", "then"),
    [
        (["000900", "999999999999"], ["000901", "000902"]),
        (["999999999"], ["1000000000", "1000000001"]),
        (["000900", "0000000007"], ["000901", "000902"]),
    ],
)
def test_LG_5_whatever_numbers_old_lists_brought_there_is_a_next_one(theirs: list[str], then: list[str]) -> None:
    for number in theirs:
        Participant.objects.create(number=number, first_name="A", surname="B")
    for number in then:
        assert next_number() == number
        Participant.objects.create(number=number, first_name="A", surname="B")


@pytest.mark.parametrize(
    "field", ["first_name", "surname", "email", "street", "town", "postcode", "country", "citizenship"]
)
def test_LG_5_a_card_with_a_field_left_out_is_not_taken(field: str) -> None:
    assert list(wrong(**{field: "  "})) == [field]


def test_LG_4_under_eighteen_is_told_from_when_on() -> None:
    found = wrong(birth_number="", birth_date="2054-06-16", document="OP 1")
    assert list(found) == ["birth_date"] and "2072" in found["birth_date"][0]
    assert registered(birth_number="", birth_date="2054-06-15", document="OP 1").number == "000001"


def test_LG_4_days_are_those_of_Prague(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half past eleven in the evening in UTC is the birthday already in Prague."""
    stand_at(monkeypatch, datetime(2071, 1, 1, 22, 59, tzinfo=UTC))
    assert list(wrong(birth_number="535102/9992")) == ["birth_number"]
    stand_at(monkeypatch, datetime(2071, 1, 1, 23, 30, tzinfo=UTC))
    assert registered(birth_number="535102/9992").state == "active"


@pytest.mark.parametrize("number", ["500307/9995", "500307", "51013199911", "x"])
def test_a_wrong_birth_number_is_named(number: str) -> None:
    assert list(wrong(birth_number=number)) == ["birth_number"]


def test_LG_4_a_number_in_doubt_needs_birth_date_and_document() -> None:
    assert list(wrong(birth_number="860101/9890")) == ["birth_number"]
    assert list(wrong(birth_number="860101/9890", birth_date="1986-01-01")) == ["birth_number"]
    person = registered(birth_number="860101/9890", birth_date="1986-01-01", document="OP 123456789")
    assert vault.unseal(person).document == "OP 123456789"


def test_LG_5_a_foreigner_has_birth_date_and_document_instead() -> None:
    assert list(wrong(birth_number="")) == ["birth_date", "document"]
    person = registered(birth_number="", birth_date="2040-02-29", document="P 77", citizenship="Slovensko")
    assert vault.unseal(person).birth_date == "2040-02-29"
    for nonsense in ("2040-02-30", "1066-10-14", "2072-06-16", "tomorrow"):
        with pytest.raises(ValidationError):
            registered(birth_number="", birth_date=nonsense, document="P 78", surname="Jiná")


def test_a_birth_date_that_differs_from_the_birth_number_is_a_mistake() -> None:
    assert list(wrong(birth_date="2050-03-08")) == ["birth_date"]


def test_LG_5_the_same_birth_number_is_the_same_person_whatever_their_state() -> None:
    first = registered()
    Participant.objects.update(state=Participant.State.REFUSED)
    for written in (WOMAN, WOMAN.replace("/", ""), f" {WOMAN} "):
        with pytest.raises(Duplicate) as caught:
            registered(another=True, birth_number=written, surname="Vdaná")
        assert (caught.value.people, caught.value.sure) == ([first], True)
    assert Participant.objects.count() == 1


def test_LG_5_the_same_name_and_birth_date_is_asked_about() -> None:
    first = registered()
    again: dict[str, Any] = {"birth_number": "", "birth_date": "2050-03-07", "document": "P 1"}
    with pytest.raises(Duplicate) as caught:
        registered(**again, first_name="ŽOFIE", surname="prikopova")
    assert (caught.value.people, caught.value.sure) == ([first], False)
    assert registered(another=True, **again).number == "000002"


def test_a_registration_that_was_never_finished_keeps_nobody_out() -> None:
    """The store of keys may be a step ahead of the database."""
    person = registered()
    Participant.objects.filter(pk=person.pk).delete()
    assert BirthIndex.objects.count() == 1
    assert registered().full_name == person.full_name


def test_LG_7_consents_are_those_ticked_each_with_its_text_and_time() -> None:
    person = registered(consents={ConsentKind.PROCESSING, ConsentKind.MEDIA})
    given = {consent.kind: consent for consent in person.consents.all()}
    assert set(given) == {"processing", "media"}
    assert {consent.text.version for consent in given.values()} == {1}
    with pytest.raises(ValidationError) as caught:
        registered(birth_number=MAN, consents={ConsentKind.PUBLICATION})
    assert list(caught.value.message_dict) == ["processing"]
    assert Consent.objects.count() == 2


def test_what_no_screen_can_show_is_not_taken() -> None:
    for field in ("first_name", "title", "street"):
        for text in ("\u200b", "Vě\0ra", "Vě\u2066ra", "x" * 200):
            assert list(wrong(**{field: text})) == [field]


def test_the_card_of_the_tests_has_every_field() -> None:
    from league.people.checking import FIELDS

    assert set(CARD) == set(FIELDS)
