from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from league.people.models import Card, Consent, Participant, published_names
from league.texts import check_texts

NOW = datetime(2027, 1, 2, 10, tzinfo=UTC)


@pytest.fixture
def person(db: None) -> Participant:
    return Participant.objects.create(number="000101", first_name="Věra", surname="Žáčková", title="Ing.")


def test_LG_6_a_participant_has_at_most_one_valid_card(person: Participant) -> None:
    Card.objects.create(uid="04AABBCC", participant=person, issued_at=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Card.objects.create(uid="04AABBCD", participant=person, issued_at=NOW)
    Card.objects.filter(uid="04AABBCC").update(state=Card.State.LOST)
    Card.objects.create(uid="04AABBCD", participant=person, issued_at=NOW)
    assert list(person.cards.filter(state="valid").values_list("uid", flat=True)) == ["04AABBCD"]


def test_LG_6_one_uid_is_one_card(person: Participant) -> None:
    other = Participant.objects.create(number="000102", first_name="Jiří", surname="Dvořák")
    Card.objects.create(uid="04AABBCC", participant=person, issued_at=NOW, state=Card.State.REVOKED)
    with pytest.raises(IntegrityError), transaction.atomic():
        Card.objects.create(uid="04AABBCC", participant=other, issued_at=NOW)


@pytest.mark.parametrize("typed", ["04:aa:bb:cc", "04aabbcc", "04 AA BB CC"])
def test_a_uid_is_taken_as_readers_print_it(person: Participant, typed: str) -> None:
    card = Card(uid=typed, participant=person, issued_at=NOW)
    card.full_clean()
    assert card.uid == "04AABBCC"


@pytest.mark.parametrize("typed", ["", "04AABB", "04AABBC", "04AABBCG", "04" * 11])
def test_a_wrong_uid_is_refused(person: Participant, typed: str) -> None:
    with pytest.raises(ValidationError, match="uid"):
        Card(uid=typed, participant=person, issued_at=NOW).full_clean()


@pytest.mark.parametrize("number", ["", "12a", "1234567890123", "000101 "])
def test_LG_5_a_registration_number_is_digits(db: None, number: str) -> None:
    with pytest.raises(ValidationError, match="number"):
        Participant(number=number, first_name="A", surname="B").full_clean()


def test_LG_7_names_are_published_with_consent_only_and_consents_keep_their_history(person: Participant) -> None:
    assert published_names() == {}
    consent = Consent.objects.create(participant=person, kind=Consent.Kind.PUBLICATION, given_at=NOW)
    assert published_names() == {"000101": "Ing. Věra Žáčková"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Consent.objects.create(participant=person, kind=Consent.Kind.PUBLICATION, given_at=NOW)
    consent.withdrawn_at = NOW + timedelta(days=1)
    consent.save()
    assert published_names() == {}
    Consent.objects.create(participant=person, kind=Consent.Kind.PUBLICATION, given_at=NOW + timedelta(days=2))
    assert published_names({"000101"}) == {"000101": "Ing. Věra Žáčková"}
    assert person.consents.count() == 2


def test_LG_5_a_cancelled_registration_takes_the_name_off_the_pages(person: Participant) -> None:
    Consent.objects.create(participant=person, kind=Consent.Kind.PUBLICATION, given_at=NOW)
    Participant.objects.update(state=Participant.State.CANCELLED)
    assert published_names() == {}


def test_LG_7_a_consent_cannot_be_withdrawn_before_it_was_given(person: Participant) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Consent.objects.create(
            participant=person, kind=Consent.Kind.MEDIA, given_at=NOW, withdrawn_at=NOW - timedelta(seconds=1)
        )


def test_LG_6_the_office_need_not_note_when_a_card_changed_its_state(person: Participant) -> None:
    card = Card.objects.create(uid="04AABBCC", participant=person, issued_at=NOW)
    card.reason = "nothing of importance"
    card.save()
    assert card.state_at is None
    card.state = Card.State.STOLEN
    card.save(update_fields=["state"])
    card.refresh_from_db()
    assert card.state_at is not None
    card.state, card.state_at = Card.State.LOST, NOW
    card.save()
    card.refresh_from_db()
    assert card.state_at == NOW


def test_a_name_that_no_screen_can_show_is_refused_where_it_is_typed(person: Participant) -> None:
    person.full_clean()
    for name in ("\u200b", "Vě\0ra", " ", "Vě\u202era"):
        person.first_name = name
        with pytest.raises(ValidationError) as caught:
            person.clean()
        assert list(caught.value.message_dict) == ["first_name"]
    check_texts(person, "title", "surname")
