"""A chip that was somebody else's before (LG-6): what was done with it then stays theirs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.utils.translation import override

from appliance.desk.ledger import opened
from league.cards import acts
from league.cards.finding import history
from league.cards.models import CardAct
from league.cards.waiting import replacements_waiting
from league.people.acts import By
from league.people.models import Card, CardEntry, Participant
from league.privacy.erasing import erase
from league.privacy.exporting import export_of
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.processes import League

UID, OTHERS = "04A1B2C3D40080", "04A1B2C3D40180"
BY = By("clerk")
LONG_AGO = datetime(2020, 3, 1, 9, tzinfo=UTC)
LATER = datetime(2100, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def card(imported: dict[str, Any]) -> Card:
    return Card.objects.get(uid=UID)


def desk(path: Path, *steps: tuple[str, str, str, int]) -> Path:
    """A ledger of the issuing desk; a step: what, of which card, whose, of which serial number."""
    now = datetime.now(UTC) - timedelta(minutes=1)
    with opened(path, "Věra", lambda: now) as book:
        book.write("key", league="cpl", key="ab" * 32)
        for what, uid, number, serial in steps:
            fields: dict[str, Any] = {"uid": uid, "participant": number, "serial": serial}
            if what == "issued":
                fields |= {"issued": now.date(), "key_version": 1}
                book.write("begun", **fields)
            book.write(what, **fields)  # type: ignore[arg-type]
        return book.path


def issue(path: Path, *steps: tuple[str, str, str, int]) -> None:
    """Have the desk do it, an hour after what the office did before."""
    CardAct.objects.update(at=F("at") - timedelta(hours=1))
    call_command("cards", str(desk(path, *steps)), stdout=StringIO())


def issued_to_another(card: Card, folder: Path) -> Participant:
    """The card was replaced, came back, and is the second participant's now; theirs before was taken back."""
    acts.declare(card, CardAct.What.DAMAGED, BY, "Věra volala")
    acts.replace(card, BY, acts.fee_now())
    Card.objects.filter(uid=OTHERS).update(state="revoked", issued_at=LONG_AGO)
    issue(folder / "ledger.jsonl", ("wiped", UID, "000101", 1), ("issued", UID, "000102", 2))
    card.refresh_from_db()
    assert (card.participant.number, card.state) == ("000102", "valid")
    return card.participant


def test_LG_7_acts_on_a_card_are_told_to_who_had_it_then(card: Card, tmp_path: Path) -> None:
    former = card.participant
    holder = issued_to_another(card, tmp_path)
    acts.declare(card, CardAct.What.LOST, BY, "Karel volal")
    assert [row["what"] for row in export_of(former)["card_acts"]] == ["damaged", "replaced"]
    assert [row["reason"] for row in export_of(holder)["card_acts"]] == ["Karel volal"]


def test_LG_7_erasing_takes_the_notes_on_a_card_that_is_anothers_now(card: Card, tmp_path: Path) -> None:
    former = card.participant
    holder = issued_to_another(card, tmp_path)
    acts.declare(card, CardAct.What.LOST, BY, "Karel volal")
    erase(former, BY)
    assert list(CardAct.objects.order_by("id").values_list("reason", flat=True)) == ["", "", "Karel volal"]
    erase(holder, BY)
    assert not CardAct.objects.exclude(reason="").exists()


def test_LG_6_a_card_issued_anew_is_found_and_replaced_like_any_other(card: Card, tmp_path: Path) -> None:
    former = card.participant
    issued_to_another(card, tmp_path)
    assert [row.holder for row in replacements_waiting()] == [former]
    acts.declare(card, CardAct.What.LOST, BY)
    acts.find(card, BY)
    page = staff_client(Role.CLERK).get(f"/office/cards/{card.pk}/").content.decode()
    assert f"/office/cards/{card.pk}/replace/" in page
    acts.replace(card, BY, acts.fee_now())
    assert {row.holder.number for row in replacements_waiting() if row.holder} == {"000101", "000102"}
    waiting = staff_client(Role.CLERK).get("/office/cards/waiting/").content.decode()
    assert "000101" in waiting and "000102" in waiting


def test_LG_6_a_card_issued_anew_to_the_same_person_can_be_replaced_again(card: Card, tmp_path: Path) -> None:
    acts.declare(card, CardAct.What.LOST, BY)
    acts.replace(card, BY, acts.fee_now())
    issue(tmp_path / "ledger.jsonl", ("wiped", UID, "000101", 1), ("issued", UID, "000101", 2))
    assert not replacements_waiting().exists()
    card.refresh_from_db()
    acts.declare(card, CardAct.What.LOST, BY)
    assert not replacements_waiting().exists()
    acts.replace(card, BY, acts.fee_now())
    assert CardAct.objects.filter(what="replaced", holder=card.participant).count() == 2


def test_the_history_of_a_card_has_no_notes_about_who_had_it_before(card: Card, tmp_path: Path) -> None:
    issued_to_another(card, tmp_path)
    acts.declare(card, CardAct.What.LOST, BY, "Karel volal")
    with override("en"):
        notes = {(str(event.what), event.more) for event in history(card)}
    assert ("reported damaged", "000101") in notes and ("reported lost", "Karel volal") in notes
    assert not any("Věra" in note for _, note in notes)


def test_acts_of_an_older_league_are_given_to_who_had_the_card_then(card: Card, tmp_path: Path) -> None:
    former = card.participant
    holder = issued_to_another(card, tmp_path)
    acts.declare(card, CardAct.What.LOST, BY)
    at = dict(CardAct.objects.values_list("what", "id"))
    CardAct.objects.filter(pk=at["lost"]).update(at=LATER + timedelta(days=1))
    CardAct.objects.exclude(pk=at["lost"]).update(at=F("at") + timedelta(hours=1))
    CardEntry.objects.filter(what="issued").update(at=LATER)
    for audited in (True, False):
        CardAct.objects.update(holder=None, serial=None)
        if not audited:  # its period was over: what the desk wrote down is left
            AuditEntry.objects.all().delete()
            CardEntry.objects.create(
                id="x", at=LONG_AGO, who="Věra", what="issued", uid=UID, participant="000101", serial=1,
                taken_at=LATER,
            )  # fmt: skip
        migration = import_module("league.cards.migrations.0003_whose_acts")
        migration.whose(apps, SimpleNamespace(connection=connection))
        whose = {row.what: (row.holder, row.serial) for row in CardAct.objects.all()}
        assert whose["damaged"] == (former, None if audited else 1)
        assert whose["lost"] == (holder, 2)


@pytest.mark.parametrize("change", [{"state": "cancelled"}, {"state": "refused"}, {"erased_at": LATER}])
def test_LG_6_the_desk_gives_no_card_to_who_does_not_take_part(card: Card, tmp_path: Path, change: Any) -> None:
    Card.objects.filter(uid=UID).update(state="lost")
    person = Participant.objects.filter(number="000101")
    person.update(**change)
    path = desk(tmp_path / "ledger.jsonl", ("issued", "04958CAA5C5E80", "000101", 1))
    with pytest.raises(CommandError, match="000101 does not take part"):
        call_command("cards", str(path), stdout=StringIO())
    assert not person.get().cards.filter(state="valid").exists()
    person.update(state="active", erased_at=None)
    call_command("cards", str(path), stdout=StringIO())
    assert person.get().cards.get(state="valid").uid == "04958CAA5C5E80"


FIND = """
from league.cards import acts
from league.people.acts import ActRefused, By
from league.people.models import Card
card = Card.objects.get(uid="04A1B2C3D40080")
print("begun", flush=True)
try:
    print(acts.find(card, By("t")).what)
except ActRefused as refused:
    print("refused")
"""

TAKE = """
from pathlib import Path
from league.people import desk_ledger
entries = desk_ledger.read(Path("{path}"))
print("begun", flush=True)
print(desk_ledger.apply(entries).left)
"""


@pytest.mark.parametrize("act", [FIND, TAKE])
def test_LG_6_who_is_just_being_erased_gets_no_valid_card(league: League, tmp_path: Path, act: str) -> None:
    path = desk(tmp_path / "ledger.jsonl", ("issued", "04958CAA5C5E80", "000101", 1))
    league.change("UPDATE people_card SET state = 'lost' WHERE uid = %s", UID)
    with league.holding("UPDATE people_participant SET erased_at = %s WHERE number = %s", "2026-12-01", "000101"):
        child, _ = league.start("shell", "-v0", "-c", act.replace("{path}", str(path)), until="begun")
    assert child.stdout is not None
    said = child.stdout.read()
    assert "refused" in said or "000101 does not take part" in said
    valid = "SELECT count(*) FROM people_card c JOIN people_participant p ON p.id = c.participant_id"
    assert league.rows(f"{valid} WHERE c.state = 'valid' AND p.number = %s", "000101") == [(0,)]
