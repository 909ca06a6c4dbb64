"""The office's pages about participants: what a clerk does there, who else may, and what the audit log says of it."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from django.test import Client

from league.people.models import ConsentText, Participant
from league.privacy import vault
from league.privacy.models import RetentionRule
from league.rounds.models import Venue
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.people_cards import CARD, MAN, WOMAN, registered, stand_at

LIST = "/office/participants/"
SEALED = ("505307/9999", "5053079999", "Dlouhá 7", "Zábřeh", "789 01")

FORM = CARD | {"signed_on": "2072-06-14", "proof": "passport", "proven_to": "000900", "processing": "on", "media": "on"}


@pytest.fixture(autouse=True)
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)


@pytest.fixture
def clerk(clock: None) -> Client:
    return staff_client(Role.CLERK)


@pytest.fixture
def person(clock: None) -> Participant:
    found: Participant = registered()
    return found


def text_of(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status, answer.content.decode()[:2000]
    return html.unescape(answer.content.decode())


def test_LG_5_a_clerk_enters_a_paper_card_and_reads_the_number(clerk: Client) -> None:
    assert 'name="birth_number"' in text_of(clerk.get(LIST + "new/"))
    page = text_of(clerk.post(LIST + "new/", FORM, follow=True))
    assert "000001" in page and "Žofie Příkopová" in page
    person = Participant.objects.get()
    assert sorted(person.consents.values_list("kind", flat=True)) == ["media", "processing"]
    assert person.paper_card.proof == "passport" and person.paper_card.entered_by == "clerk"
    for secret in SEALED:
        assert secret not in page


@pytest.mark.parametrize(("language", "complaint"), [("", "Poslední číslice"), ("/en", "The last digit")])
def test_errors_stand_beside_their_fields_and_on_top(clerk: Client, language: str, complaint: str) -> None:
    page = text_of(clerk.post(language + LIST + "new/", FORM | {"birth_number": "500307/9995", "surname": ""}))
    assert page.count(complaint) == 2 and page.count('aria-invalid="true"') == 2
    assert 'href="#id_birth_number"' in page and 'value="Dlouhá 7"' in page


def test_LG_7_without_the_consent_to_processing_the_card_is_not_taken(clerk: Client) -> None:
    page = text_of(clerk.post(LIST + "new/", {name: value for name, value in FORM.items() if name != "processing"}))
    assert 'href="#id_processing"' in page and not Participant.objects.exists()


def test_LG_5_a_known_birth_number_leads_to_who_has_it(clerk: Client, person: Participant) -> None:
    page = text_of(clerk.post(LIST + "new/", FORM | {"surname": "Vdaná", "another": "on"}))
    assert f'href="{LIST}{person.number}/"' in page and Participant.objects.count() == 1


def test_LG_5_the_same_name_and_date_is_asked_about_and_then_taken(clerk: Client, person: Participant) -> None:
    foreign = FORM | {"birth_number": "", "birth_date": "2050-03-07", "document": "P 1"}
    page = text_of(clerk.post(LIST + "new/", foreign))
    assert 'name="another"' in page and f'href="{LIST}{person.number}/"' in page
    text_of(clerk.post(LIST + "new/", foreign | {"another": "on"}, follow=True))
    assert Participant.objects.count() == 2


def test_a_signature_of_tomorrow_is_a_mistake(clerk: Client) -> None:
    assert 'href="#id_signed_on"' in text_of(clerk.post(LIST + "new/", FORM | {"signed_on": "2072-06-16"}))


@pytest.mark.parametrize("typed", ["prikop", "PŘÍKOPOVÁ", "žof příkop", "00001", "zofie@", "04:aa:bb:cc"])
def test_somebody_is_found_by_what_a_clerk_has(clerk: Client, person: Participant, typed: str) -> None:
    from league.people.models import Card
    from tests.league.people_cards import DAY

    Card.objects.create(uid="04AABBCC", participant=person, issued_at=DAY)
    registered(birth_number=MAN, first_name="Jan", surname="Jiný", email="jan@hraci.example")
    page = text_of(clerk.post(LIST, {"q": typed}, follow=True))
    assert "Příkopová" in page and "Jiný" not in page


def test_a_whole_number_leads_to_the_person_at_once(clerk: Client, person: Participant) -> None:
    assert clerk.post(LIST, {"q": "000001"}).headers["Location"] == LIST + "000001/"
    assert clerk.post(LIST, {"q": "nobody"}).headers["Location"].startswith(LIST + "?s=")


def test_the_list_can_be_narrowed_to_a_state_and_a_venue(clerk: Client, person: Participant) -> None:
    Venue.objects.create(id="brno", name="Na Růžku")
    registered(birth_number=MAN, surname="Brněnský", home_venue="brno")
    assert "Příkopová" not in text_of(clerk.get(LIST, {"venue": "brno"}))
    assert "Brněnský" not in text_of(clerk.get(LIST, {"state": "refused"}))


def test_a_birth_number_is_shown_for_a_reason_alone_and_that_is_on_record(clerk: Client, person: Participant) -> None:
    address = f"{LIST}{person.number}/"
    first = text_of(clerk.get(address))
    for secret in SEALED:
        assert secret not in first
    without = text_of(clerk.post(address + "show/", {"what": "birth", "reason": " "}))
    assert WOMAN not in without and not AuditEntry.objects.filter(what="show").exists()
    shown = clerk.post(address + "show/", {"what": "birth", "reason": "Dotaz úřadu"})
    assert WOMAN in text_of(shown) and "Dlouhá 7" not in text_of(shown)
    assert "no-store" in shown.headers["Cache-Control"]
    entry = AuditEntry.objects.get(what="show")
    assert (entry.who, entry.number, entry.reason) == ("clerk", person.number, "Dotaz úřadu")
    assert entry.fields == ["birth_date", "birth_number", "document"]
    assert "Dlouhá 7" in text_of(clerk.post(address + "show/", {"what": "address", "reason": "Vrácená pošta"}))


def test_LG_7_what_stood_before_a_correction_is_shown_for_a_reason_alone(clerk: Client, person: Participant) -> None:
    from league.people.acts import By
    from league.people.correcting import correct

    correct(person, {"street": "Krátká 1", "birth_number": "513130/9997", "birth_date": ""}, By("clerk"))
    address = f"{LIST}{person.number}/"
    assert "Dlouhá 7" not in text_of(clerk.get(address))
    page = text_of(clerk.post(address + "show/", {"what": "before", "reason": "Reklamace"}))
    assert "Dlouhá 7" in page and WOMAN in page and "Krátká 1" not in page and "před 15.06.2072" in page
    assert AuditEntry.objects.get(what="show").fields == ["birth_date", "birth_number", "street"]


def test_each_view_of_somebody_is_on_record(clerk: Client, person: Participant) -> None:
    AuditEntry.objects.filter().delete()
    clerk.get(LIST)
    clerk.get(f"{LIST}{person.number}/")
    clerk.get(f"{LIST}{person.number}/correct/")
    assert [(entry.what, entry.number) for entry in AuditEntry.objects.order_by("id")] == [
        ("view", ""), ("view", person.number), ("view", person.number),
    ]  # fmt: skip


def test_LG_7_a_clerk_corrects_without_seeing_what_is_sealed(clerk: Client, person: Participant) -> None:
    address = f"{LIST}{person.number}/correct/"
    page = text_of(clerk.get(address))
    assert 'value="Příkopová"' in page
    for secret in SEALED:
        assert secret not in page
    plain = {"first_name": "Žofie", "surname": "Nová", "email": CARD["email"], "title": ""}
    page = text_of(clerk.post(address, plain | {"street": "Krátká 1"}, follow=True))
    assert "Ulice" in page and "Krátká" not in page
    private = vault.unseal(person)
    assert (private.street, private.birth_number) == ("Krátká 1", "5053079999")
    assert "Nic se nezměnilo" in text_of(clerk.post(address, plain, follow=True))
    assert 'href="#id_surname"' in text_of(clerk.post(address, plain | {"surname": ""}))


def test_LG_5_a_clerk_cancels_refuses_and_reopens(clerk: Client, person: Participant) -> None:
    address = f"{LIST}{person.number}/"
    for act, state in (("cancel", "cancelled"), ("reopen", "active"), ("refuse", "refused"), ("reopen", "active")):
        text_of(clerk.post(address + "act/", {"act": act, "side": "participant", "reason": ""}, follow=True))
        assert Participant.objects.get().state == state
    assert "už účastní" in text_of(clerk.post(address + "act/", {"act": "reopen"}, follow=True))
    text_of(clerk.post(address + "act/", {"act": "explode"}, follow=True))


def test_LG_7_a_clerk_gives_and_withdraws_consents_one_by_one(clerk: Client, person: Participant) -> None:
    address = f"{LIST}{person.number}/consent/"
    text_of(clerk.post(address, {"kind": "publication", "what": "withdraw"}, follow=True))
    assert person.consents.filter(withdrawn_at__isnull=True).count() == 3
    text_of(clerk.post(address, {"kind": "publication", "what": "give"}, follow=True))
    assert person.consents.filter(withdrawn_at__isnull=True).count() == 4
    text_of(clerk.post(address, {"kind": "everything", "what": "give"}, follow=True))
    assert person.consents.count() == 5


def test_everything_about_one_is_handed_over_as_a_file(clerk: Client, person: Participant) -> None:
    answer = clerk.post(f"{LIST}{person.number}/export/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="participant-000001.json"'
    assert json.loads(answer.content)["data"]["birth_number"] == "5053079999"
    assert AuditEntry.objects.get(what="export").number == person.number


def test_erasing_needs_the_number_once_more(clerk: Client, person: Participant) -> None:
    address = f"{LIST}{person.number}/erase/"
    text_of(clerk.get(address))
    text_of(clerk.post(address, {"number": "000002", "reason": "asked"}))
    assert Participant.objects.get().surname
    page = text_of(clerk.post(address, {"number": "000001", "reason": "asked"}, follow=True))
    assert Participant.objects.get().surname == "" and "Příkopová" not in page
    assert "Vymazat" not in page and "Zobrazit" not in page
    assert "vymazán" in text_of(clerk.get(LIST))
    for path in ("correct/", "act/", "consent/", "erase/"):
        data = {"number": "000001", "reason": "x", "act": "reopen", "kind": "media", "what": "give", "title": "x"}
        assert "vymazán" in text_of(clerk.post(f"{LIST}{person.number}/{path}", data, follow=True))


def test_a_commissioner_is_appointed_by_a_commissioner(clerk: Client, person: Participant) -> None:
    address = f"{LIST}{person.number}/role/"
    assert clerk.post(address, {"role": "commissioner"}).status_code == 403
    other = staff_client(Role.COMMISSIONER)
    text_of(other.post(address, {"role": "commissioner"}, follow=True))
    assert Participant.objects.get().role == "commissioner"
    text_of(other.post(address, {"role": "king"}, follow=True))
    text_of(other.post(address, {"role": "participant"}, follow=True))
    assert AuditEntry.objects.filter(about__startswith="role").count() == 2


def test_LG_7_a_new_text_of_a_consent_is_a_new_version(clock: None) -> None:
    client = staff_client(Role.COMMISSIONER)
    new = {"kind": "media", "text_cs": "Nový text", "text_en": "New text", "since": "2072-07-01"}
    text_of(client.get(LIST + "consents/new/"))
    page = text_of(client.post(LIST + "consents/new/", new, follow=True))
    assert "Nový text" in page and ConsentText.objects.get(version=2).made_by == "commissioner"
    assert 'href="#id_since"' in text_of(client.post(LIST + "consents/new/", new | {"since": "2072-06-14"}))


def test_retention_periods_are_changed_by_the_commissioner(clock: None) -> None:
    client = staff_client(Role.COMMISSIONER)
    text_of(client.get("/office/retention/"))
    days = {rule.subject: rule.days for rule in RetentionRule.objects.all()}
    text_of(client.post("/office/retention/change/", days | {"audit": "", "letter": 30}, follow=True))
    assert RetentionRule.objects.get(subject="audit").days is None
    assert AuditEntry.objects.filter(about__startswith="retention").count() == 2
    assert 'aria-invalid="true"' in text_of(client.post("/office/retention/change/", days | {"audit": 0}))


@pytest.mark.parametrize("role", list(Role))
def test_who_may_do_what(role: Role, person: Participant) -> None:
    client = staff_client(role)
    one = f"{LIST}{person.number}/"
    seers = {Role.CLERK, Role.COMMISSIONER, Role.AUDITOR}
    allowed = {
        LIST: seers, one: seers, LIST + "consents/": seers,
        LIST + "new/": {Role.CLERK}, one + "correct/": {Role.CLERK}, one + "erase/": {Role.CLERK},
        LIST + "consents/new/": {Role.COMMISSIONER}, "/office/retention/": {Role.COMMISSIONER, Role.AUDITOR},
    }  # fmt: skip
    for address, roles in allowed.items():
        assert client.get(address).status_code == (200 if role in roles else 403), address
    acts = {"show/": Role.CLERK, "export/": Role.CLERK, "act/": Role.CLERK, "consent/": Role.CLERK}
    for act, its in acts.items():
        assert client.post(one + act).status_code in ((200, 302) if role == its else (403,)), act
        assert client.get(one + act).status_code == (405 if role == its else 403)
    page = client.get(one).content.decode()
    assert (f'action="{one}consent/"' in page, f'action="{one}show/"' in page) == ((role == Role.CLERK,) * 2)


@pytest.mark.parametrize("script", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
def test_script_in_any_field_is_text(clerk: Client, script: str) -> None:
    changes = dict.fromkeys(("title", "first_name", "surname", "street", "town", "citizenship"), script)
    changes["title"] = script[:38]
    person = registered(**changes)
    text_of(clerk.post(f"{LIST}{person.number}/act/", {"act": "cancel", "reason": script}, follow=True))
    for page in (LIST, f"{LIST}{person.number}/", f"{LIST}{person.number}/correct/"):
        content = clerk.get(page).content.decode()
        assert "<script>alert" not in content and "<img src=x" not in content
    shown = clerk.post(f"{LIST}{person.number}/show/", {"what": "address", "reason": "test"}).content.decode()
    assert "<script>alert" not in shown and "<img src=x" not in shown


def test_who_came_by_an_import_waits_for_a_clerk_on_the_overview(clerk: Client, person: Participant) -> None:
    Participant.objects.create(number="000555", first_name="Jan", surname="Převedený")
    overview = text_of(clerk.get("/office/"))
    assert f"{LIST}?lacking=on&state=active" in overview and "účastník bez rodného čísla" in overview
    page = text_of(clerk.get(LIST, {"lacking": "on"}))
    assert "Převedený" in page and "Příkopová" not in page
    assert "nebyly zapsány" in text_of(clerk.get(LIST + "000555/"))


def test_what_is_over_waits_for_the_commissioner_on_the_overview(person: Participant) -> None:
    from datetime import timedelta

    from tests.league.people_cards import DAY

    RetentionRule.objects.filter(subject="cancelled").update(days=10)
    Participant.objects.update(state="cancelled", registered_at=DAY - timedelta(days=11))
    assert "po uplynutí doby" in text_of(staff_client(Role.COMMISSIONER).get("/office/"))
