"""One's own page: what is shown there, what can be done there, and that it is nobody else's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from league.mail.models import Letter
from league.own import asking, urls
from league.people.models import ConsentText, Participant, published_names
from league.privacy import vault
from league.privacy.models import Act
from league.rounds.models import Round
from league.rounds.planning import SignUp
from league.staff.models import AuditEntry
from tests.league.own_page import person, signed_in
from tests.league.people_cards import CARD, WOMAN, registered, stand_at
from tests.league.rounds_played import planned

pytestmark = pytest.mark.usefixtures("imported")

ENTRANCES = {"home", "sent", "link", "leave"}
"""The pages that somebody sees who is not in."""


def pages() -> Iterator[tuple[str, URLPattern]]:
    for page in urls.urlpatterns:
        yield "/me/" + str(page.pattern).replace("<str:round_id>", "R1").replace("<str:token>", "x"), page


def noted(number: str) -> list[tuple[str, str, list[str]]]:
    """What the audit log says that somebody did at their own page."""
    rows = AuditEntry.objects.filter(number=number, who="participant").order_by("id")
    return [(row.what, row.about, row.fields) for row in rows]


def coming(id: str = "S1", **changes: Any) -> Round:
    """A round in two weeks, announced."""
    made = planned(id, **changes)
    made.starts_at = timezone.now() + timedelta(days=14)
    made.promised = made.announcement
    made.save()
    return made


def state(who: Participant, round: Round) -> str | None:
    found = SignUp.objects.filter(round=round, participant=who).first()
    return found.state if found else None


def test_P_every_page_but_the_entrances_is_only_for_whoever_is_in() -> None:
    names = {
        name
        for namespace, (_, own) in get_resolver().namespace_dict.items()
        if namespace == "own"
        for name in own.reverse_dict
        if isinstance(name, str)
    }
    assert names == {page.name for _, page in pages()} and names > ENTRANCES
    for address, page in pages():
        assert getattr(page.callback, "mine", False) == (page.name not in ENTRANCES), address
        if page.name not in ENTRANCES:
            for method in ("GET", "POST"):
                answer = Client().generic(method, address)
                assert answer.status_code == 405 or answer.headers["Location"] == "/me/", address


def test_LG_7_somebody_sees_all_that_is_kept_of_them_and_that_is_on_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_at(monkeypatch)
    who = registered()
    client = signed_in(who)
    shown = client.get("/me/data/").text
    for value in (WOMAN, "07.03.2050", "Dlouhá 7", "789 01", "Příkopová", CARD["email"], who.number):
        assert value in shown, value
    what, _, fields = noted(who.number)[-1]
    assert what == "show" and {"birth_number", "street", "email"} <= set(fields)
    assert WOMAN.replace("/", "") not in str(list(AuditEntry.objects.values_list()))


def test_LG_7_somebody_corrects_their_address_and_what_stood_there_stays_sealed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_at(monkeypatch)
    who = registered()
    client = signed_in(who)
    form = client.get("/me/data/correct/").context["form"]
    given = {field.name: field.value() or "" for field in form} | {"street": "Krátká 1", "language": "en"}
    assert client.post("/me/data/correct/", given).headers["Location"] == "/me/data/"
    who.refresh_from_db()
    assert (vault.unseal(who).street, vault.unseal(who).birth_number, who.language) == (
        "Krátká 1", WOMAN.replace("/", ""), "en",
    )  # fmt: skip
    assert who.rectifications.get().fields == ["language", "street"] and who.rectifications.get().who == "participant"
    assert Letter.objects.count() == 1
    answer = client.post("/me/data/correct/", given | {"street": " ", "email": "no address", "town": "x" * 121})
    assert answer.status_code == 200 and set(answer.context["form"].errors) == {"street", "email"}
    answer = client.post("/me/data/correct/", given | {"town": "x" * 121})
    assert set(answer.context["form"].errors) == {"town"}
    assert "Opraveno" not in answer.text


def test_LG_4_nobody_changes_by_themselves_what_was_entered_by_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)
    who = registered()
    client = signed_in(who)
    given = {"email": who.email, "street": "Dlouhá 7", "town": "Zábřeh", "postcode": "789 01", "country": "Česko"}
    forged = {
        "first_name": "Karel",
        "surname": "Jiný",
        "title": "prof.",
        "birth_number": "500307/9994",
        "birth_date": "2050-03-07",
        "document": "1",
        "citizenship": "x",
        "number": "000101",
        "state": "active",
        "role": "commissioner",
        "pin": "1",
    }
    client.post("/me/data/correct/", given | forged)
    assert who.rectifications.get().fields == ["country"]
    who.refresh_from_db()
    assert (who.full_name, who.role, vault.unseal(who).birth_number) == (
        "Ing. Žofie Příkopová", "participant", WOMAN.replace("/", ""),
    )  # fmt: skip


def test_LG_7_consents_are_given_and_withdrawn_one_by_one_to_the_text_that_was_read() -> None:
    who = person("000104")
    client = signed_in(who)
    page = client.get("/me/consents/")
    text = next(line["text"] for line in page.context["lines"] if line["kind"] == "publication")
    assert text.text_cs.split("\n")[0] in page.text
    ConsentText.objects.create(
        kind="publication", version=text.version + 1, text_cs="Nové znění", text_en="New", since=timezone.localdate()
    )
    give = {"kind": "publication", "what": "give", "text": str(text.version)}
    assert "Znění se mezitím změnilo" in client.post("/me/consents/change/", give, follow=True).text
    assert who.number not in published_names()
    assert "Nové znění" in client.get("/me/consents/").text
    client.post("/me/consents/change/", give | {"text": str(text.version + 1)})
    assert who.number in published_names()
    standing = who.consents.get(kind="publication", withdrawn_at=None)
    assert standing.text is not None and standing.text.text_cs == "Nové znění"
    client.post("/me/consents/change/", {"kind": "publication", "what": "withdraw"})
    assert who.number not in published_names()
    assert ("change", "consent withdrawn", ["consent:publication"]) in noted(who.number)
    assert "nebyl úplný" in client.post("/me/consents/change/", {"kind": "x"}, follow=True).text


@pytest.mark.parametrize(("address", "done"), [("/me/end/", "cancelled"), ("/me/consents/processing/", "withdrawn")])
def test_LG_5_somebody_ends_their_part_once_they_are_sure(address: str, done: str) -> None:
    who, round = person(), coming()
    client = signed_in(who)
    client.post(f"/me/rounds/{round.pk}/", {"what": "sign-up"})
    asked = client.post("/me/consents/change/", {"kind": "processing", "what": "withdraw"})
    assert asked.headers["Location"] == "/me/consents/processing/"
    assert client.post(address, {}).status_code == 200
    who.refresh_from_db()
    assert who.state == "active" and who.consents.filter(kind="processing", withdrawn_at=None).exists()
    client.post(address, {"sure": "on"})
    who.refresh_from_db()
    assert (who.state, state(who, round)) == ("cancelled", "cancelled")
    assert who.consents.filter(kind="processing", withdrawn_at=None).exists() == (done == "cancelled")
    act = who.acts.get(what="cancelled")
    assert (act.side, act.who) == (Act.Side.PARTICIPANT, "participant")
    shown = client.get("/me/").text
    assert "neúčastníte se ligy" in shown and f"/me/rounds/{round.pk}/" not in shown
    assert client.get("/me/data/").status_code == 200
    refused = client.post(f"/me/rounds/{round.pk}/", {"what": "sign-up"}, follow=True)
    assert "Přihlásit se může jen ten" in refused.text and state(who, round) == "cancelled"


def test_T_1_somebody_signs_up_waits_and_cancels_by_themselves() -> None:
    round = coming(capacity=3)
    people = [person(f"{101 + n:06}") for n in range(4)]
    clients = [signed_in(who) for who in people]
    assert "Na žádné nadcházející kolo." in clients[0].get("/me/").text
    for client in clients:
        client.post(f"/me/rounds/{round.pk}/", {"what": "sign-up"})
    assert [state(who, round) for who in people] == ["in", "in", "in", "waiting"]
    page = clients[3].get("/me/").text
    assert "na čekací listině, 1. v pořadí" in page and f"Kolo „{round}“ je plné" in page
    again = clients[0].post(f"/me/rounds/{round.pk}/", {"what": "sign-up"}, follow=True)
    assert "Už jste přihlášeni" in again.text
    clients[0].post(f"/me/rounds/{round.pk}/", {"what": "cancel"})
    assert [state(who, round) for who in people] == ["cancelled", "in", "in", "in"]
    assert Letter.objects.filter(to=people[3].email, about__startswith=f"place {round.pk} ").exists()
    assert ("change", f"signed up for a round: {round.pk}", []) in noted(people[3].number)
    signed = SignUp.objects.get(round=round, participant=people[1])
    assert signed.by == "participant"


def test_T_1_a_round_that_has_begun_or_is_unknown_is_nobodys_to_sign_up_for() -> None:
    who, round = person(), coming()
    client = signed_in(who)
    Round.objects.filter(pk=round.pk).update(starts_at=timezone.now() - timedelta(minutes=1))
    answer = client.post(f"/me/rounds/{round.pk}/", {"what": "sign-up"}, follow=True)
    assert "Kolo už začalo" in answer.text and state(who, round) is None
    assert client.post("/me/rounds/none/", {"what": "sign-up"}).status_code == 404


def test_P_nobody_reaches_anything_of_another_person() -> None:
    mine, other, round = person("000101"), person("000102"), coming()
    signed_in(other).post(f"/me/rounds/{round.pk}/", {"what": "sign-up"})
    before = (list(Participant.objects.filter(pk=other.pk).values()), list(other.consents.values()))
    client = signed_in(mine)
    names = {"number": other.number, "participant": str(other.pk), "person": str(other.pk), "id": str(other.pk)}
    for address, page in pages():
        if page.name == "leave":
            continue
        address = address.replace("R1", round.pk)
        for query in ("", f"?number={other.number}&participant={other.pk}"):
            for extra in ({}, {"what": "cancel"}, {"what": "withdraw", "kind": "publication"}, {"sure": "on"}):
                for answer in (client.get(address + query), client.post(address + query, names | extra)):
                    assert other.number not in answer.text and other.surname not in answer.text, address
    assert before == (list(Participant.objects.filter(pk=other.pk).values()), list(other.consents.values()))
    assert state(other, round) == "in"
    assert not [row for row in noted(other.number) if row[1] == "consent withdrawn"]


def test_P_everything_about_oneself_is_a_file_and_only_ones_own() -> None:
    who = person()
    client = signed_in(who)
    assert client.get("/me/data/export/").status_code == 405
    answer = client.post("/me/data/export/", {"number": "000102"})
    assert answer.headers["Content-Disposition"] == f'attachment; filename="participant-{who.number}.json"'
    assert "no-store" in answer.headers["Cache-Control"]
    told = json.loads(answer.content)
    assert (told["number"], told["data"]["email"]) == (who.number, who.email)
    assert [(row["purpose"], bool(row["used_at"])) for row in told["links"]] == [("open", True)]
    assert {"consents", "acts", "cards", "results", "letters", "sign_ups", "handling"} <= set(told)
    assert ("export", "everything as JSON", []) in noted(who.number)


def test_P_a_page_runs_nothing_that_somebody_typed_and_no_proxy_keeps_it() -> None:
    nasty = "<script>alert(1)</script>\"'><img src=x>"
    who = person(first_name=nasty, surname=nasty)
    coming(name=nasty)
    Round.objects.update(name=nasty)
    ConsentText.objects.create(kind="media", version=99, text_cs=nasty, text_en=nasty, since=timezone.localdate())
    client = signed_in(who)
    for prefix in ("", "/en"):
        for address in ("/me/", "/me/data/", "/me/data/correct/", "/me/consents/", "/me/end/"):
            answer = client.get(prefix + address)
            assert answer.status_code == 200 and "<script>alert" not in answer.text and "<img" not in answer.text
            assert "no-store" in answer.headers["Cache-Control"]
            policy = answer.headers["Content-Security-Policy"]
            assert "unsafe" not in policy and not re.search(r"<[^>]+\s(style|on\w+)=", answer.text)
    answer = client.post("/me/data/correct/", {"email": "a@b.example", "street": nasty})
    assert "<img" not in client.get("/me/data/").text


def test_P_a_new_address_is_asked_for_no_oftener_than_links() -> None:
    client = signed_in(person())
    for _ in range(asking.ADDRESS_LIMIT):
        client.post("/me/data/correct/", {"email": "nova@hraci.example"})
    answer = client.post("/me/data/correct/", {"email": "nova@hraci.example"})
    assert "příliš často" in answer.text and answer.context["form"].errors["email"]


def test_P_somebody_who_came_by_an_import_has_an_empty_address_and_may_fill_it_in() -> None:
    who = person()
    client = signed_in(who)
    assert client.get("/me/data/").status_code == 200
    client.post("/me/data/correct/", {"email": who.email, "town": "Zábřeh", "home_venue": "zabreh"})
    assert vault.unseal(who).town == "Zábřeh"
    assert client.post("/me/data/correct/", {"email": who.email, "home_venue": "none"}).status_code == 200
