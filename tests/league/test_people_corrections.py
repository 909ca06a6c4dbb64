"""Corrections: what two people change at once, what is taken away, what is told to whom (LG-5, LG-7)."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from league.mail.models import Letter
from league.own import asking, links
from league.own.models import Link
from league.people.correcting import data_of
from league.people.models import Card, Consent, ConsentText, Participant
from league.people.registering import Duplicate
from league.privacy import marks, vault
from league.privacy.erasing import erase
from league.privacy.exporting import export_of
from league.privacy.models import BirthIndex
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.own_page import signed_in
from tests.league.people_cards import DAY, MAN, registered, stand_at

LIST = "/office/participants/"
ALIEN: dict[str, Any] = {
    "birth_number": "", "birth_date": "1990-02-28", "document": "FE 123456", "first_name": "Saša",
    "surname": "Ševčenko", "citizenship": "Ukrajina",
}  # fmt: skip


@pytest.fixture(autouse=True)
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)


@pytest.fixture
def person(clock: None) -> Participant:
    found: Participant = registered()
    return found


def form_of(client: Client, address: str) -> dict[str, str]:
    """The fields of the form there, as a browser would send them."""
    page = html.unescape(client.get(address).content.decode())
    sheet = page[page.index('<form class="sheet"') :]
    sent = {}
    for tag in re.findall(r"<input[^>]*>", sheet[: sheet.index("</form>")]):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and 'type="checkbox"' not in tag and name[1] != "csrfmiddlewaretoken":
            sent[name[1]] = value[1] if value else ""
    return sent


def test_LG_7_a_form_that_lay_open_takes_nothing_back_that_others_corrected_meanwhile(person: Participant) -> None:
    clerk, address = staff_client(Role.CLERK), f"{LIST}{person.number}/correct/"
    open_form = form_of(clerk, address)
    assert clerk.post(address, form_of(clerk, address) | {"email": "nova@hraci.example"}).status_code == 302
    assert clerk.post(address, open_form | {"surname": "Vdaná"}).status_code == 302
    person.refresh_from_db()
    assert (person.email, person.surname) == ("nova@hraci.example", "Vdaná")


def test_LG_7_where_both_changed_a_field_it_is_said_and_sent_once_more_it_counts(person: Participant) -> None:
    clerk, address = staff_client(Role.CLERK), f"{LIST}{person.number}/correct/"
    open_form = form_of(clerk, address)
    clerk.post(address, form_of(clerk, address) | {"surname": "Nováčková"})
    answer = clerk.post(address, open_form | {"surname": "Vdaná"})
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 200 and 'href="#id_surname"' in page and "Nováčková" in page
    person.refresh_from_db()
    assert person.surname == "Nováčková"
    assert 'name="initial-surname" value="Nováčková"' in page and 'name="surname" value="Vdaná"' in page
    clerk.post(address, open_form | {"surname": "Vdaná", "initial-surname": "Nováčková"})
    person.refresh_from_db()
    assert person.surname == "Vdaná"


def test_LG_7_the_own_page_takes_nothing_back_either(person: Participant) -> None:
    me, clerk = signed_in(person), staff_client(Role.CLERK)
    open_form = form_of(me, "/me/data/correct/")
    clerk.post(
        f"{LIST}{person.number}/correct/", form_of(clerk, f"{LIST}{person.number}/correct/") | {"street": "Nová 9"}
    )
    assert me.post("/me/data/correct/", open_form | {"town": "Šumperk"}).status_code == 302
    kept = data_of(person)
    assert (kept["street"], kept["town"]) == ("Nová 9", "Šumperk")
    assert me.post("/me/data/correct/", open_form | {"street": "Moje 1"}).status_code == 200
    assert data_of(person)["street"] == "Nová 9"


def test_too_many_links_leave_nothing_half_corrected(person: Participant, monkeypatch: pytest.MonkeyPatch) -> None:
    me = signed_in(person)
    monkeypatch.setattr(asking, "ADDRESS_LIMIT", 0)
    sent = form_of(me, "/me/data/correct/") | {"town": "Šumperk", "email": "jina@hraci.example"}
    assert me.post("/me/data/correct/", sent).status_code == 200
    assert data_of(person)["town"] == "Zábřeh"


def test_LG_7_an_address_changed_by_the_office_is_told_to_the_old_one(person: Participant) -> None:
    clerk, address = staff_client(Role.CLERK), f"{LIST}{person.number}/correct/"
    clerk.post(address, form_of(clerk, address) | {"surname": "Vdaná"})
    assert not Letter.objects.exists()
    clerk.post(address, form_of(clerk, address) | {"email": "nova@hraci.example"})
    letter = Letter.objects.get()
    assert letter.to == "zofie@hraci.example" and person.number in letter.body and "nova@" not in letter.body
    clerk.post(address, form_of(clerk, address) | {"email": "jina@hraci.example"})
    assert Letter.objects.filter(to="nova@hraci.example").count() == 1  # each change is told


def test_a_link_confirms_no_address_once_the_office_has_entered_another(person: Participant) -> None:
    link, token = links.mint(person.pk, Link.Purpose.ADDRESS, person.email, DAY)
    assert links.find(token, DAY) == link
    Participant.objects.update(email="uradem@hraci.example")
    assert links.find(token, DAY) is None


def test_a_mistyped_birth_number_is_corrected_by_itself(person: Participant) -> None:
    clerk, address = staff_client(Role.CLERK), f"{LIST}{person.number}/correct/"
    assert clerk.post(address, form_of(clerk, address) | {"birth_number": MAN}).status_code == 302
    private = vault.unseal(person)
    assert (private.birth_number, private.birth_date) == (MAN.replace("/", ""), "2050-03-07")
    assert clerk.post(address, form_of(clerk, address) | {"birth_number": "513130/9997"}).status_code == 302
    assert vault.unseal(person).birth_date == "2051-11-30"


def test_LG_7_what_was_entered_for_the_wrong_person_can_be_taken_away(person: Participant) -> None:
    clerk, address = staff_client(Role.CLERK), f"{LIST}{person.number}/correct/"
    away = {"away": ["birth_number", "birth_date", "document"]}
    assert clerk.post(address, {**form_of(clerk, address), **away}).status_code == 302
    private = vault.unseal(person)
    assert (private.birth_number, private.birth_date, private.street) == ("", "", "Dlouhá 7")
    row = person.rectifications.get()
    assert row.fields == ["birth_date", "birth_number"]
    assert registered(surname="Pravá").number == "000002"
    assert person.number in clerk.get(LIST, {"lacking": "on"}).content.decode()
    foreign = {**form_of(clerk, address), "birth_date": "2040-02-29", "document": "P 77"}
    assert clerk.post(address, foreign).status_code == 302
    assert clerk.post(address, {**form_of(clerk, address), "away": ["document"]}).status_code == 200
    assert vault.unseal(person).document == "P 77"


def test_LG_5_the_same_document_and_birth_date_is_the_same_person_however_they_are_written() -> None:
    first = registered(**ALIEN)
    Participant.objects.update(state=Participant.State.REFUSED)
    for written in ("FE123456", "fe-123 456"):
        with pytest.raises(Duplicate) as caught:
            registered(another=True, **ALIEN | {"document": written, "first_name": "Sasha", "surname": "Shevchenko"})
        assert (caught.value.people, caught.value.by, caught.value.sure) == ([first], "document", True)
    other = ALIEN | {"birth_date": "1991-02-28", "surname": "Jiný"}
    with pytest.raises(Duplicate) as caught:
        registered(**other)
    assert (caught.value.people, caught.value.sure) == ([first], False)
    assert registered(another=True, **other).number == "000002"


def test_LG_5_a_correction_to_somebody_elses_document_is_refused_and_on_record() -> None:
    first, other = registered(**ALIEN), registered(**ALIEN | {"document": "X 1", "surname": "Jiný"})
    clerk, address = staff_client(Role.CLERK), f"{LIST}{other.number}/correct/"
    page = clerk.post(address, form_of(clerk, address) | {"document": "FE123456"}).content.decode()
    assert 'href="#id_document"' in page and first.number in page
    assert vault.unseal(other).document == "X 1"
    assert AuditEntry.objects.get(about="found as registered already").number == first.number


def test_documents_of_before_are_entered_into_the_index_at_the_upgrade() -> None:
    first = registered(**ALIEN)
    BirthIndex.objects.update(document=None)
    assert marks.same_document("FE123456", "1990-02-28") == ([], False)
    assert marks.catch_up() == 1 and marks.catch_up() == 0
    assert marks.same_document("FE123456", "1990-02-28") == ([first], True)


def test_whose_a_birth_number_is_is_told_on_record_alone(person: Participant) -> None:
    from tests.league.test_people_pages import FORM

    AuditEntry.objects.filter().delete()
    clerk = staff_client(Role.CLERK)
    page = clerk.post(LIST + "new/", FORM | {"surname": "Jiná"}).content.decode()
    assert person.number in page
    entry = AuditEntry.objects.get(number=person.number)
    assert (entry.what, entry.about, entry.who) == ("view", "found as registered already", "clerk")


def test_a_damaged_note_keeps_nobody_from_their_export_and_their_erasure(person: Participant) -> None:
    from league.people.acts import By
    from league.people.correcting import correct

    correct(person, {"email": "nova@hraci.example"}, By("clerk"))
    row = person.rectifications.get()
    row.sealed = bytes([bytes(row.sealed)[0] ^ 1]) + bytes(row.sealed)[1:]
    row.save()
    assert export_of(person)["corrections"][0]["before"] is None
    clerk = staff_client(Role.CLERK)
    page = clerk.post(f"{LIST}{person.number}/show/", {"what": "before", "reason": "Reklamace"})
    assert page.status_code == 200 and "záznam je poškozen" in page.content.decode()
    erase(person, By("clerk"))
    person.refresh_from_db()
    assert person.erased_at is not None


@pytest.mark.parametrize(
    ("country", "postcode", "good"),
    [
        ("Česká republika", "11000x", False), ("Česká republika", "110 00", True), ("cesko", "abc", False),
        ("Česká republika", "11000", True), ("Polsko", "00-001", True), ("Velká Británie", "SW1A 1AA", True),
        ("Polsko", "abc", False), ("Polsko", "12#4", False),
    ],
)  # fmt: skip
def test_LG_5_a_postcode_is_one(country: str, postcode: str, good: bool) -> None:
    if good:
        assert vault.unseal(registered(country=country, postcode=postcode)).postcode == postcode
        return
    with pytest.raises(ValidationError) as caught:
        registered(country=country, postcode=postcode)
    assert list(caught.value.message_dict) == ["postcode"]


def test_LG_4_a_minor_with_a_birth_number_is_told_from_which_day_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch, DAY.replace(year=2068, month=3, day=6))
    with pytest.raises(ValidationError) as caught:
        registered()
    assert "2068" in caught.value.message_dict["birth_number"][0]


def test_LG_7_consents_of_a_paper_card_are_of_its_day_and_to_the_text_of_that_day() -> None:
    day = DAY.date()
    ConsentText.objects.create(kind="publication", version=2, text_cs="Nové", text_en="New", since=day)
    consent = registered().consents.get(kind="publication")
    assert (consent.text.version, consent.given_at.isoformat()) == (1, "2072-06-13T22:00:00+00:00")
    page = staff_client(Role.CLERK).get(LIST + "new/").content.decode()
    assert "Znění 2; podepsáno před 15.06.2072: znění 1" in page


def test_LG_7_a_consent_on_paper_is_entered_by_the_day_on_which_it_was_signed(person: Participant) -> None:
    clerk, address = staff_client(Role.CLERK), f"{LIST}{person.number}/consent/"
    clerk.post(address, {"kind": "media", "what": "withdraw"})
    for wrong in ("2072-06-16", "2072-06-31", "2072-06-14"):  # to come, none, before it was withdrawn
        clerk.post(address, {"kind": "media", "what": "give", "on": wrong})
        assert not person.consents.filter(kind="media", withdrawn_at=None).exists()
    Consent.objects.filter(kind="media").update(given_at=DAY.replace(month=1), withdrawn_at=DAY.replace(month=2))
    clerk.post(address, {"kind": "media", "what": "give", "on": "2072-06-14"})
    assert person.consents.get(kind="media", withdrawn_at=None).given_at.isoformat() == "2072-06-13T22:00:00+00:00"


def test_LG_7_the_consent_to_processing_is_not_withdrawn_without_a_question(person: Participant) -> None:
    clerk, address = staff_client(Role.CLERK), f"{LIST}{person.number}/"
    asked = clerk.post(address + "consent/", {"kind": "processing", "what": "withdraw"})
    assert asked.headers["Location"] == address + "end-processing/"
    person.refresh_from_db()
    assert person.state == "active" and "končí účast" in clerk.get(address + "end-processing/").content.decode()
    done = clerk.post(address + "end-processing/", follow=True).content.decode()
    person.refresh_from_db()
    assert person.state == "cancelled" and "účast v lize tím skončila" in done


def test_nobody_who_does_not_take_part_becomes_a_commissioner(person: Participant) -> None:
    boss, address = staff_client(Role.COMMISSIONER), f"{LIST}{person.number}/"
    Participant.objects.update(state=Participant.State.REFUSED)
    assert 'value="commissioner"' not in boss.get(address).content.decode()
    boss.post(address + "role/", {"role": "commissioner"})
    person.refresh_from_db()
    assert person.role == "participant"


def test_LG_6_who_has_no_card_yet_is_on_a_list_and_on_the_overview(person: Participant) -> None:
    clerk = staff_client(Role.CLERK)
    other = registered(birth_number=MAN, surname="Nový")
    Card.objects.create(uid="04AABBCC", participant=person, issued_at=DAY, state=Card.State.LOST)
    page = clerk.get(LIST, {"cardless": "on"}).content.decode()
    assert other.number in page and person.number not in page
    assert "?cardless=on" in clerk.get("/office/").content.decode()
