"""Cards at the office (LG-6): what becomes of them, who may do it, and that every venue hears of it at once."""

from __future__ import annotations

import html
import json
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from appliance.desk.ledger import opened
from appliance.kinds import CardRefused
from league.cards import acts, hearing
from league.cards.acts import Fee, Where
from league.cards.models import CardAct, RefusedCard
from league.cards.waiting import replacements_waiting
from league.ingest.everybody import last_change
from league.ingest.outbox import Pen
from league.ingest.publishing import told
from league.ingest.rosters import RosterTeller
from league.ingest.store import VenueStore
from league.notices import editions
from league.notices.models import Edition, Price, write_prices
from league.people.acts import ActRefused, By
from league.people.models import Card, Participant
from league.privacy.erasing import erase
from league.privacy.exporting import export_of
from league.rounds.models import Venue
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.scribe import Scribe

LIST = "/office/cards/"
UID = "04A1B2C3D40080"
BY = By("clerk")
AT = 1_800_000_000_000
LONG_AGO = datetime(2020, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def card(imported: dict[str, Any]) -> Card:
    return Card.objects.get(uid=UID)


@pytest.fixture
def clerk(card: Card) -> Client:
    return staff_client(Role.CLERK)


@pytest.fixture
def key(director_key: Ed25519PrivateKey) -> Ed25519PrivateKey:
    return director_key


def prices(fee: int | None = 150) -> None:
    rows = [Price("card-replacement", "Nový průkaz", "New card", fee)] if fee is not None else []
    draft = Edition.objects.create(
        kind="prices", effective_on=timezone.localdate(),
        price_rows=write_prices([Price("entry", "Vklad", "Deposit", 500), *rows]),
    )  # fmt: skip
    editions.publish(draft, "boss")


def refusal(key: Ed25519PrivateKey, *notes: dict[str, Any], stream: str = "venue/zabreh") -> Scribe:
    scribe = Scribe(stream, "director", key)
    for note in notes:
        data = json.dumps({"type": "card-refused/1"} | note).encode()
        scribe.write(str(CardRefused.__struct_config__.tag), data, AT, "0198f0a0-0000-7000-8000-000000000001")
    VenueStore("zabreh").absorb(scribe.stream, scribe.epoch, [(raw, None) for raw in scribe.raws])
    return scribe


def page_of(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status, answer.content.decode()[:2000]
    return html.unescape(answer.content.decode())


@pytest.mark.parametrize("what", ["lost", "stolen", "damaged", "revoked"])
def test_LG_6_a_withdrawn_card_reaches_the_rosters_of_all_venues_at_once(
    clerk: Client, card: Card, key: Ed25519PrivateKey, what: str
) -> None:
    Venue.objects.create(id="brno", name="Brno")
    teller = RosterTeller(Pen(key, lambda: AT))
    while teller.turn(0.0):
        pass
    clerk.post(f"{LIST}{card.pk}/state/", {"what": what, "reason": "volala"})
    card.refresh_from_db()
    assert (card.state, card.reason) == (what, "volala") and card.state_at is not None
    heard = [venue for second in range(4) for venue in teller.turn(10.0 + second)]
    assert sorted(heard) == ["brno", "zabreh"]
    for venue in ("brno", "zabreh"):
        assert told(venue).by_uid(UID) is None and told(venue).withdrawn_as(UID) == what


def test_LG_6_a_confiscated_card_is_revoked_at_venues(card: Card, key: Ed25519PrivateKey) -> None:
    acts.keep(UID, Where("zabreh", "table-1", "000900"), BY)
    teller = RosterTeller(Pen(key, lambda: AT))
    teller.turn(0.0)
    assert told("zabreh").withdrawn_as(UID) == "revoked"


def test_LG_6_each_act_is_recorded_and_audited(clerk: Client, card: Card) -> None:
    clerk.post(f"{LIST}{card.pk}/state/", {"what": "lost"})
    row = CardAct.objects.get()
    assert (row.card, row.uid, row.what, row.who) == (card, UID, "lost", "clerk")
    entry = AuditEntry.objects.get(what="act", number="000101")
    assert (entry.number, entry.who, entry.about) == ("000101", "clerk", f"card reported lost: {UID}")
    page = page_of(clerk.get(f"{LIST}{card.pk}/"))
    assert "nahlášen jako ztracený" in page and "clerk" in page


def test_LG_6_a_replacement_costs_the_fee_of_the_price_list_in_force(clerk: Client, card: Card) -> None:
    prices(150)
    page = page_of(clerk.get(f"{LIST}{card.pk}/"))
    assert "150 Kč" in page and 'name="crowns" value="150"' in page
    clerk.post(f"{LIST}{card.pk}/replace/", {"crowns": "150", "price_list": "1"})
    row = CardAct.objects.get(what="replaced")
    card.refresh_from_db()
    assert (row.fee, row.price_list, card.state) == (150, 1, "replaced")
    assert "000101" in page_of(clerk.get(LIST + "waiting/"))
    Card.objects.create(uid="04FFFFFFFFFF80", participant=card.participant, issued_at=timezone.now())
    assert "000101" not in page_of(clerk.get(LIST + "waiting/"))


def test_LG_6_a_fee_that_changed_since_it_was_shown_is_shown_again(card: Card) -> None:
    prices(150)
    seen = acts.fee_now()
    prices(200)
    with pytest.raises(ActRefused):
        acts.replace(card, BY, seen)
    assert acts.replace(card, BY, acts.fee_now()).fee == 200


def test_LG_6_a_replacement_ordered_by_mistake_is_taken_back_with_its_fee(clerk: Client, card: Card) -> None:
    prices(150)
    address = f"{LIST}{card.pk}/"
    order = {"crowns": "150", "price_list": "1"}
    clerk.post(address + "replace/", order)
    assert "Vzít objednávku zpět" in page_of(clerk.get(address))
    assert "vzata zpět" in page_of(clerk.post(address + "replace/back/", follow=True))
    card.refresh_from_db()
    assert card.state == "valid" and CardAct.objects.get().fee is None
    assert "000101" not in page_of(clerk.get(LIST + "waiting/"))
    assert AuditEntry.objects.filter(number="000101", about=f"order of a replacement taken back: {card.uid}").exists()
    with pytest.raises(ActRefused):
        acts.undo_replacement(card, BY)
    acts.declare(card, CardAct.What.LOST, BY)
    clerk.post(address + "replace/", order)
    acts.undo_replacement(card, BY)
    card.refresh_from_db()
    assert card.state == "lost"
    clerk.post(address + "replace/", order)
    Card.objects.create(uid="04FFFFFFFFFF80", participant=card.participant, issued_at=timezone.now())
    assert "Vzít objednávku zpět" not in page_of(clerk.get(address))
    with pytest.raises(ActRefused):
        acts.undo_replacement(card, BY)


def test_LG_6_without_a_published_fee_nothing_is_charged(clerk: Client, card: Card) -> None:
    assert "nic se neplatí" in page_of(clerk.get(f"{LIST}{card.pk}/"))
    clerk.post(f"{LIST}{card.pk}/replace/", {"crowns": "", "price_list": ""})
    assert CardAct.objects.get().fee == 0
    CardAct.objects.all().delete()
    Card.objects.filter(pk=card.pk).update(state="lost")
    prices(None)
    assert acts.replace(card, BY, Fee(None, 1)).fee == 0


def test_LG_6_a_fee_is_waived_for_a_reason_only(clerk: Client, card: Card) -> None:
    prices()
    asked = {"crowns": "150", "price_list": "1", "waived": "on"}
    assert "Napište, proč se poplatek nevybírá" in page_of(clerk.post(f"{LIST}{card.pk}/replace/", asked))
    clerk.post(f"{LIST}{card.pk}/replace/", asked | {"reason": "vada čipu"})
    assert (CardAct.objects.get().fee, CardAct.objects.get().reason) == (0, "vada čipu")


def test_LG_6_a_card_is_replaced_once_and_only_for_who_takes_part(card: Card) -> None:
    acts.declare(card, CardAct.What.LOST, BY)
    acts.replace(card, BY, acts.fee_now())
    with pytest.raises(ActRefused):
        acts.replace(card, BY, acts.fee_now())
    with pytest.raises(ActRefused):
        acts.find(card, BY)
    other = Card.objects.get(participant__number="000102")
    Participant.objects.filter(pk=other.participant_id).update(state="cancelled")
    with pytest.raises(ActRefused):
        acts.replace(other, BY, acts.fee_now())


def test_LG_6_a_replacement_is_ordered_and_paid_once_until_the_new_card_is_there(card: Card) -> None:
    prices(150)
    older = Card.objects.create(uid="04EEEEEEEEEE80", participant=card.participant, state="lost", issued_at=LONG_AGO)
    Card.objects.filter(pk=card.pk).update(issued_at=LONG_AGO)
    acts.declare(card, CardAct.What.LOST, BY)
    acts.replace(older, BY, acts.fee_now())
    with pytest.raises(ActRefused):
        acts.replace(card, BY, acts.fee_now())
    assert CardAct.objects.get(what="replaced").card == older
    assert "/replace/" not in page_of(staff_client(Role.CLERK).get(f"{LIST}{card.pk}/"))
    fresh = Card.objects.create(uid="04FFFFFFFFFF80", participant=card.participant, issued_at=timezone.now())
    acts.declare(fresh, CardAct.What.LOST, BY)
    assert not replacements_waiting().exists()
    assert acts.replace(fresh, BY, acts.fee_now()).fee == 150
    assert [row.card for row in replacements_waiting()] == [fresh]


def test_LG_6_a_lost_card_found_again_is_valid_unless_there_is_another(card: Card) -> None:
    with pytest.raises(ActRefused):
        acts.find(card, BY)
    acts.declare(card, CardAct.What.LOST, BY)
    acts.find(card, BY)
    card.refresh_from_db()
    assert card.state == "valid"
    acts.declare(card, CardAct.What.LOST, BY)
    Card.objects.create(uid="04FFFFFFFFFF80", participant=card.participant, issued_at=timezone.now())
    with pytest.raises(ActRefused):
        acts.find(card, BY)


def test_LG_6_a_confiscated_card_stays_confiscated(card: Card) -> None:
    acts.keep(UID, Where(), BY)
    with pytest.raises(ActRefused):
        acts.keep(UID, Where(), BY)
    with pytest.raises(ActRefused):
        acts.declare(card, CardAct.What.LOST, BY)
    with pytest.raises(ActRefused):
        acts.find(card, BY)
    card.refresh_from_db()
    assert card.state == "kept"


def test_LG_6_the_league_reads_which_kiosk_refused_a_card(card: Card, key: Ed25519PrivateKey) -> None:
    told_of = {"device": "table-1", "reason": "lost", "uid": UID, "participant": "000101"}
    refusal(key, told_of, {"device": "door", "reason": "phone"}, {"nonsense": 1})
    assert hearing.catch_up() == 2 and hearing.catch_up() == 0
    row = RefusedCard.objects.get(reason="lost")
    assert (row.venue, row.device, row.uid, row.participant) == ("zabreh", "table-1", UID, "000101")
    assert row.at == datetime.fromtimestamp(AT / 1000, UTC)
    assert hearing.update("round/cpl") == 0 and hearing.update("venue/nowhere") == 0


def test_what_the_league_reads_of_a_refusal_is_what_kiosks_write() -> None:
    assert set(hearing._Told.__struct_fields__) == set(CardRefused.__struct_fields__)


def test_LG_6_a_commissioner_records_who_kept_a_card_that_a_kiosk_refused(card: Card, key: Ed25519PrivateKey) -> None:
    refusal(key, {"device": "table-1", "reason": "stolen", "uid": UID, "participant": "000101"})
    hearing.catch_up()
    row = RefusedCard.objects.get()
    client = staff_client(Role.COMMISSIONER)
    assert f"?refusal={row.pk}" in page_of(client.get(LIST + "refused/"))
    form = f"{LIST}confiscated/?refusal={row.pk}"
    assert "table-1" in page_of(client.get(form))
    assert 'href="#id_kept_by"' in page_of(client.post(form, {}))
    assert 'href="#id_kept_by"' in page_of(client.post(form, {"kept_by": "000101"}))
    assert client.post(form, {"kept_by": "000900"}).headers["Location"] == f"{LIST}{card.pk}/"
    act = CardAct.objects.get()
    assert (act.card, act.venue, act.device, act.kept_by, act.refusal) == (card, "zabreh", "table-1", "000900", row)
    assert "000900" in page_of(client.get(f"{LIST}{card.pk}/"))
    assert f"?refusal={row.pk}" not in page_of(client.get(LIST + "refused/?show=all"))


def test_LG_6_a_forged_card_is_kept_though_it_is_nobodys(card: Card, key: Ed25519PrivateKey) -> None:
    refusal(key, {"device": "door", "reason": "forged", "uid": "04DEADBEEF"})
    hearing.catch_up()
    client = staff_client(Role.COMMISSIONER)
    form = f"{LIST}confiscated/?refusal={RefusedCard.objects.get().pk}"
    assert client.post(form, {"kept_by": "000900"}).headers["Location"] == LIST + "refused/"
    act = CardAct.objects.get()
    assert (act.card, act.uid) == (None, "04DEADBEEF")
    assert "000900" in page_of(client.get(LIST + "refused/?show=all"))


def test_a_refused_card_that_was_not_kept_is_settled_once(card: Card, key: Ed25519PrivateKey) -> None:
    refusal(key, {"device": "door", "reason": "damaged", "uid": UID, "participant": "000101"})
    hearing.catch_up()
    row = RefusedCard.objects.get()
    client = staff_client(Role.COMMISSIONER)
    assert "byl" in page_of(client.post(f"{LIST}refused/{row.pk}/back/", follow=True))
    assert AuditEntry.objects.filter(what="act", number="000101").exists()
    with pytest.raises(ActRefused):
        acts.keep(UID, Where(), BY, "", row)
    card.refresh_from_db()
    assert card.state == "valid"


def test_what_a_venue_makes_up_is_shown_as_text_and_breaks_nothing(card: Card, key: Ed25519PrivateKey) -> None:
    evil = "<script>alert(1)</script>"
    refusal(key, {"device": evil, "reason": "revoked", "uid": "<b>\0x</b>", "participant": "٣٣"})
    hearing.catch_up()
    client = staff_client(Role.COMMISSIONER)
    answer = client.get(LIST + "refused/")
    assert evil not in answer.content.decode() and evil in page_of(answer)
    row = RefusedCard.objects.get()
    assert client.post(f"{LIST}refused/{row.pk}/back/").status_code == 302


@pytest.mark.parametrize("typed", [UID.lower(), "04:a1:b2", "000101", "zackova", "věra"])
def test_a_card_is_found_by_what_a_clerk_has(clerk: Client, card: Card, typed: str) -> None:
    page = page_of(clerk.post(LIST, {"q": typed}, follow=True))
    assert UID in page


def test_cards_are_taken_out_as_csv_that_no_spreadsheet_runs(clerk: Client, card: Card) -> None:
    Participant.objects.filter(pk=card.participant_id).update(first_name="=cmd|' /C calc'!A0", surname="")
    Card.objects.filter(pk=card.pk).update(reason="@SUM(1)")
    answer: Any = clerk.get(LIST + "file/", {"q": "000101"})
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert "'=cmd" in text and "'@SUM" in text and UID in text
    assert AuditEntry.objects.filter(what="export").count() == 1


@pytest.mark.parametrize("language", ["", "/en"])
@pytest.mark.parametrize("role", [Role.CLERK, Role.COMMISSIONER, Role.AUDITOR])
def test_pages_of_cards_open_for_their_roles(card: Card, role: Role, language: str) -> None:
    client = staff_client(role)
    for path in ("", f"{card.pk}/", "refused/", "refused/?show=all", "waiting/", "?state=valid"):
        page = page_of(client.get(language + LIST + path))
        forms = page.replace('action="/office/cards/" role="search"', "")
        assert (role != Role.AUDITOR) or 'action="/office/cards/' not in forms
    assert client.get(f"{LIST}confiscated/").status_code == (403 if role == Role.AUDITOR else 200)
    assert client.get(f"{LIST}confiscated/?refusal=9999999999999999999").status_code in (403, 404)


def test_erasing_somebody_takes_the_notes_on_their_cards(card: Card) -> None:
    acts.declare(card, CardAct.What.LOST, BY, "Věra volala")
    assert export_of(card.participant)["card_acts"][0]["reason"] == "Věra volala"
    erase(card.participant, BY)
    card.refresh_from_db()
    assert (CardAct.objects.get().reason, card.reason) == ("", "")


def test_LG_6_the_overview_says_what_waits(card: Card, key: Ed25519PrivateKey) -> None:
    refusal(key, {"device": "door", "reason": "lost", "uid": UID, "participant": "000101"})
    hearing.catch_up()
    acts.replace(card, BY, acts.fee_now())
    page = page_of(staff_client(Role.CLERK).get("/office/"))
    assert f'href="{LIST}refused/"' in page and f'href="{LIST}waiting/"' in page
    assert f'href="{LIST}refused/"' not in page_of(staff_client(Role.OPERATOR).get("/office/"))


def test_LG_6_what_the_desk_withdrew_reaches_venues_once_its_ledger_came_in(
    card: Card, tmp_path: Path, key: Ed25519PrivateKey
) -> None:
    teller = RosterTeller(Pen(key, lambda: AT))
    teller.turn(0.0)
    with opened(tmp_path / "ledger.jsonl", "Věra", lambda: datetime(2027, 3, 1, 9, tzinfo=UTC)) as book:
        book.write("key", league="cpl", key="ab" * 32)
        fields: dict[str, Any] = {"uid": UID, "participant": "000101", "serial": 1, "issued": date(2027, 3, 1)}
        book.write("begun", **fields, key_version=1)
        book.write("issued", **fields, key_version=1)
        book.withdraw(book.book.cards[UID], "stolen")
        path = book.path
    call_command("cards", str(path), dry_run=True, stdout=StringIO())
    assert teller.turn(10.0) == []
    call_command("cards", str(path), stdout=StringIO())
    assert teller.turn(20.0) == ["zabreh"] and told("zabreh").withdrawn_as(UID) == "stolen"
    assert teller.turn(30.0) == []
    call_command("cards", str(path), stdout=StringIO())
    assert last_change() == 1


def test_LG_6_a_confiscated_card_is_not_called_lost_by_the_desks_ledger(card: Card, tmp_path: Path) -> None:
    with opened(tmp_path / "ledger.jsonl", "Věra", lambda: datetime(2027, 3, 1, 9, tzinfo=UTC)) as book:
        book.write("key", league="cpl", key="ab" * 32)
        fields: dict[str, Any] = {"uid": UID, "participant": "000101", "serial": 1, "issued": date(2027, 3, 1)}
        book.write("begun", **fields, key_version=1)
        book.write("issued", **fields, key_version=1)
        call_command("cards", str(book.path), stdout=StringIO())
        acts.keep(UID, Where("zabreh", "table-1", "000900"), BY)
        book.withdraw(book.book.cards[UID], "lost")
        call_command("cards", str(book.path), stdout=StringIO())
    card.refresh_from_db()
    assert card.state == "kept"
