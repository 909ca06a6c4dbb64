"""Searches among many: the database looks, whatever a clerk types, and is asked as often for many as for few."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.cards.finding import find_cards
from league.people.acts import By
from league.people.finding import find
from league.people.models import Card, Participant, with_address
from league.people.registering import create
from league.privacy.erasing import erase

MANY = 1500


@pytest.fixture
def many(imported: dict[str, Any]) -> None:
    for n in range(MANY):
        Participant(number=f"1{n:05}", first_name="Šárka", surname=f"Nováková{n}").save()


def found(text: str) -> set[str]:
    return {person.number for person in find(text)}


@pytest.mark.parametrize("text", ["n", "sarka novakova", "Nováková ŠÁRKA 1", "nobody at all"])
def test_a_search_is_one_look_of_the_database_however_many_it_finds(many: None, text: str) -> None:
    for search in (find, find_cards):
        with CaptureQueriesContext(connection) as queries:
            list(search(text)[:50])
        assert len(queries) <= 2
        assert all(len(each["sql"]) < 5000 for each in queries), "people are told one by one"


def test_words_are_found_without_accents_in_any_order(many: None) -> None:
    assert len(found("sarka novakova")) == MANY == len(found("NOVÁKOVÁ šárka"))
    assert found("novakova1499") == {"101499"}
    assert found("zackova vera") == {"000101"} and found("Věra nováková") == set()
    assert found("%") == found("_") == set()


def test_who_is_found_by_card_or_number_is_found_once(imported: dict[str, Any]) -> None:
    person = Participant.objects.get(number="000101")
    Card.objects.filter(participant=person).update(state=Card.State.LOST)
    Card.objects.create(uid="04A1B2C3D4FF80", participant=person, issued_at=timezone.now())
    assert [each.number for each in find("000101")] == ["000101"]
    assert [each.number for each in find("04:A1:B2:C3:D4:FF:80")] == ["000101"]
    assert {card.uid for card in find_cards("žáčková")} == {"04A1B2C3D4FF80", "04A1B2C3D40080"}


def test_a_name_is_found_as_it_is_now_and_no_more_once_it_is_erased(imported: dict[str, Any]) -> None:
    person = Participant.objects.get(number="000101")
    person.surname = "Křížová"
    person.save(update_fields=["surname"])
    assert found("krizova") == {"000101"} and found("zackova") == set()
    erase(person, By("clerk"))
    assert Participant.objects.get(number="000101").folded.strip() == ""
    fresh = create(
        {"first_name": "Øystein", "surname": "Æbelø", "title": "", "email": "", "language": "", "home_venue": ""}
    )
    assert found("ystein") == {fresh.number}


def test_an_address_is_looked_up_by_an_index(imported: dict[str, Any]) -> None:
    Participant.objects.filter(number="000101").update(email="Vera@Example.cz")
    assert [each.number for each in with_address("vera@example.CZ")] == ["000101"]
    assert not with_address("%@example.cz")
    if connection.vendor == "sqlite":
        assert "participant_address" in with_address("a@b.cz").explain()
