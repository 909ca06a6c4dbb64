"""Erasure and retention: what is gone, and what stays under the number alone."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command

from league.mail.models import Letter
from league.people import acts
from league.people.acts import ActRefused, By
from league.people.correcting import correct
from league.people.models import Card, Consent, Participant, published_names
from league.privacy import retention, vault
from league.privacy.erasing import erase
from league.privacy.exporting import export_of
from league.privacy.models import BirthIndex, PersonKey, PrivateRecord, Rectification, RetentionRule
from league.staff.models import AuditEntry
from tests.league.people_cards import CARD, DAY, MAN, registered, stand_at
from tests.league.test_people_acts import _rows

CLERK = By("clerk")


@pytest.fixture(autouse=True)
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)


def test_erasure_leaves_the_number_and_nothing_that_leads_to_a_person() -> None:
    from django.db import connection

    person: Participant = registered()
    correct(person, {"surname": "Druhá"}, CLERK)
    Card.objects.create(uid="04AABBCC", participant=person, issued_at=DAY)
    Letter.objects.create(to=CARD["email"].upper(), subject="Žofie", body="Příkopová")
    kind = ContentType.objects.get_for_model(Participant)
    LogEntry.objects.create(
        user=_somebody(), content_type=kind, object_id=str(person.pk), object_repr=str(person), action_flag=2
    )
    acts.cancel(person, CLERK, "Příkopová wishes so")
    erase(person, CLERK, "asked by e-mail")
    assert (person.number, person.full_name, person.email, person.state) == ("000001", "", "", "cancelled")
    assert not PersonKey.objects.exists() and not BirthIndex.objects.exists() and not PrivateRecord.objects.exists()
    everything = "".join(_rows(connection))
    for secret in ("Příkopová", "Druhá", "Žofie", "zofie@"):
        assert secret not in everything, secret
    assert Card.objects.get().state == "revoked"
    assert published_names() == {} and not Consent.objects.filter(withdrawn_at__isnull=True).exists()
    assert next(act.what for act in person.acts.all()) == "erased"
    assert AuditEntry.objects.get(what="erase").number == "000001"
    assert export_of(person)["data"]["surname"] == ""


def _somebody() -> Any:
    from django.contrib.auth.models import User

    return User.objects.create_user("somebody")


def test_who_is_erased_stays_so_and_may_register_anew_under_another_number() -> None:
    person = registered()
    erase(person, CLERK)
    for act in (acts.cancel, acts.reopen, acts.refuse, erase):
        with pytest.raises(ActRefused):
            act(person, CLERK)
    with pytest.raises(ActRefused):
        correct(person, {"surname": "Zpět"}, CLERK)
    assert registered().number == "000002"


def test_an_old_backup_of_the_database_does_not_bring_the_erased_back() -> None:
    person = registered()
    backup = PrivateRecord.objects.get()
    kept = PrivateRecord(participant=person, nonce=backup.nonce, sealed=backup.sealed)
    erase(person, CLERK)
    kept.save(force_insert=True)
    with pytest.raises(vault.Erased):
        vault.unseal(person)


def test_of_an_address_that_a_family_shares_each_has_their_own_letters() -> None:
    person, father = registered(), registered(birth_number=MAN, first_name="Otec")
    for one in (person, father):
        Letter.objects.create(to=CARD["email"], subject=one.first_name, body="b", about=f"moved R1 {one.number}")
    assert [letter["subject"] for letter in export_of(person)["letters"]] == ["Žofie"]
    erase(person, CLERK)
    assert Letter.objects.get().subject == "Otec"


def test_erasure_finds_letters_to_an_address_that_was_corrected_since() -> None:
    person = registered()
    Letter.objects.create(to=CARD["email"], subject="Žofie", body="b")
    correct(person, {"email": "nova@hraci.example"}, CLERK)
    assert len(export_of(person)["letters"]) == 1
    erase(person, CLERK)
    assert not Letter.objects.exists()


def test_a_record_swapped_for_anothers_does_not_open() -> None:
    one, other = registered(), registered(birth_number=MAN, surname="Jiná")
    theirs = PrivateRecord.objects.get(participant=other)
    PrivateRecord.objects.filter(participant=one).update(nonce=theirs.nonce, sealed=theirs.sealed)
    with pytest.raises(vault.Damaged):
        vault.unseal(one)


def told(**options: Any) -> str:
    out = StringIO()
    call_command("retention", stdout=out, **options)
    return out.getvalue()


def test_retention_says_first_and_erases_only_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, stays = registered(), registered(birth_number=MAN, surname="Jiná")
    active = registered(birth_number="513130/9997", surname="Hrající")
    acts.cancel(gone, CLERK)
    RetentionRule.objects.filter(subject="cancelled").update(days=100)
    RetentionRule.objects.filter(subject="refused").update(days=None)
    stand_at(monkeypatch, DAY + timedelta(days=50))
    acts.cancel(stays, CLERK)
    stand_at(monkeypatch, DAY + timedelta(days=100))
    assert "cancelled: 0 over" in told()
    stand_at(monkeypatch, DAY + timedelta(days=100, seconds=1))
    said = told()
    assert "cancelled: 1 over 100 days\n  000001\n" in said and "refused:" not in said and "nothing was changed" in said
    assert vault.unseal(gone).street
    assert "cancelled: 1 ended" in told(apply=True)
    for person in (gone, stays, active):
        person.refresh_from_db()
    assert (gone.surname, stays.surname, active.surname) == ("", "Jiná", "Hrající")
    assert AuditEntry.objects.get(what="erase").who == "retention"
    assert "cancelled: 0 ended" in told(apply=True)


def test_retention_counts_from_the_last_cancelling(monkeypatch: pytest.MonkeyPatch) -> None:
    person = registered()
    acts.cancel(person, CLERK)
    stand_at(monkeypatch, DAY + timedelta(days=1000))
    acts.reopen(person, CLERK)
    acts.cancel(person, CLERK)
    stand_at(monkeypatch, DAY + timedelta(days=1100))
    assert "cancelled: 0 over" in told()


def test_retention_ends_old_values_letters_consents_and_the_audit_log(monkeypatch: pytest.MonkeyPatch) -> None:
    from league.people.models import ConsentKind

    person = registered()
    correct(person, {"title": ""}, CLERK)
    acts.withdraw_consent(person, ConsentKind.MEDIA, CLERK)
    for sent in (DAY, None):
        Letter.objects.create(to="a@b.cz", subject="s", body="b", sent_at=sent)
    RetentionRule.objects.update(days=7)
    stand_at(monkeypatch, DAY + timedelta(days=8))
    done, left = retention.apply(DAY + timedelta(days=8), By("retention"))
    assert left == []
    assert (done["rectification"], done["consent"], done["letter"]) == (1, 1, 1)
    assert done["audit"] >= 3
    assert Letter.objects.get().sent_at is None and not Rectification.objects.exists()
    assert Consent.objects.count() == 3
    assert all("retention" in entry.about for entry in AuditEntry.objects.all())
