"""People and cards of a season file change by the acts of the office: on record, told to venues, or refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from django.utils.translation import override

from league.cards import acts as card_acts
from league.cards.models import CardAct
from league.ingest.everybody import last_change
from league.ingest.models import RosterChange, RosterMark
from league.people import acts
from league.people.acts import By
from league.people.correcting import correct
from league.people.models import Card, ConsentKind, Participant
from league.privacy.erasing import erase
from league.privacy.models import PersonKey, Rectification
from league.rounds.models import Round
from league.rounds.planning import SignUp
from league.rounds.signing_up import sign_up
from league.staff.models import AuditEntry

Writer = Callable[[dict[str, Any]], Path]
CLERK = By("clerk")
UID = "04A1B2C3D40080"
BEFORE = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def people(imported: dict[str, Any]) -> list[dict[str, Any]]:
    """The file's participants as they were imported, to be changed; venues have heard of them."""
    RosterMark.objects.all().delete()
    RosterChange.objects.all().delete()
    return copy.deepcopy(imported["participants"])


def run(path: Path, *options: str) -> str:
    out = StringIO()
    call_command("import_season", str(path), *options, stdout=out)
    return out.getvalue()


def refused(path: Path) -> str:
    with override("en"), pytest.raises(CommandError) as caught:
        run(path)
    assert caught.value.returncode == 2
    return str(caught.value)


def first() -> Participant:
    return Participant.objects.get(number="000101")


def noted(number: str = "000101") -> QuerySet[AuditEntry, tuple[str, str]]:
    return AuditEntry.objects.filter(who="import_season", number=number).values_list("what", "about")


@pytest.mark.parametrize("state", ["cancelled", "refused"])
def test_LG_5_who_is_ended_by_a_file_leaves_the_rounds_they_signed_up_for(
    people: list[dict[str, Any]], write_season: Writer, state: str
) -> None:
    call_command("offer_round", "--all", stdout=StringIO())
    sign_up(first(), Round.objects.get(), "clerk", now=BEFORE)
    path = write_season({"participants": [people[0] | {"state": state}]})
    assert "participant: 0 added, 1 changed, 0 unchanged" in run(path)
    assert (SignUp.objects.get().state, first().state) == ("cancelled", state)
    assert ("act", state) in noted() and first().acts.get().reason == "import"
    assert last_change() > 0
    assert "participant: 0 added, 0 changed, 1 unchanged" in run(path)
    assert first().acts.count() == 1


def test_LG_5_who_ended_at_the_office_does_not_come_back_by_an_older_file(
    people: list[dict[str, Any]], write_season: Writer
) -> None:
    Participant.objects.filter(number="000101").update(email="vera@hraci.example", role="commissioner")
    acts.cancel(first(), CLERK)
    card_acts.declare(Card.objects.get(uid=UID), CardAct.What.STOLEN, CLERK)
    del people[0]["home"]
    said = run(write_season({"participants": people}))
    assert "card: 0 added, 0 changed, 18 unchanged" in said and "participant: 0 added, 0 changed" in said
    person = first()
    assert (person.state, person.email, person.role) == ("cancelled", "vera@hraci.example", "commissioner")
    assert (person.home_venue_id, Card.objects.get(uid=UID).state) == ("zabreh", "stolen")


def test_LG_4_a_file_has_somebody_take_part_again_only_with_their_consent(
    people: list[dict[str, Any]], write_season: Writer
) -> None:
    acts.withdraw_consent(first(), ConsentKind.PROCESSING, CLERK)
    again = people[0] | {"state": "active"}
    path = write_season({"participants": [again]})
    assert "participants[0].state: 000101: Without the consent to processing" in refused(path)
    assert first().state == "cancelled"
    again["consents"] = {"processing": "2027-02-02T10:00:00+01:00"}
    run(write_season({"participants": [again]}))
    assert first().state == "active" and ("act", "reopened") in noted()
    again["state"] = "refused"
    run(write_season({"participants": [again]}))
    again["state"] = "cancelled"
    assert "participants[0].state: 000101: This participant does not take part." in refused(
        write_season({"participants": [again]})
    )


def test_LG_7_a_file_does_not_bring_the_erased_back(people: list[dict[str, Any]], write_season: Writer) -> None:
    erase(first(), CLERK)
    assert "participants[0]: 000101 has been erased: take them out of the file" in refused(
        write_season({"participants": people})
    )
    assert (first().full_name, first().home_venue) == ("", None)


def test_LG_7_what_a_file_corrects_stays_on_record(people: list[dict[str, Any]], write_season: Writer) -> None:
    path = write_season({"participants": [people[0] | {"surname": "Nová", "home": None, "role": "commissioner"}]})
    assert "1 changed" in run(path, "--dry-run")
    assert not PersonKey.objects.exists() and not Rectification.objects.exists()
    run(path)
    assert (first().surname, first().home_venue, first().role) == ("Nová", None, "commissioner")
    assert Rectification.objects.get().fields == ["home_venue", "surname"]
    assert {("change", "corrected"), ("change", "role: commissioner")} <= set(noted())
    correct(first(), {"email": "v@hraci.example"}, CLERK)
    said = refused(write_season({"participants": [people[0] | {"email": "", "state": "cancelled"}]}))
    assert "participants[0].email: " in said and first().state == "active"


@pytest.mark.parametrize(
    ("state", "recorded"),
    [("lost", ["lost"]), ("damaged", ["damaged"]), ("kept", ["kept"]), ("replaced", [])],
)
def test_LG_6_a_card_changes_by_a_file_as_at_the_office(
    people: list[dict[str, Any]], write_season: Writer, state: str, recorded: list[str]
) -> None:
    people[0]["cards"][0]["state"] = state
    path = write_season({"participants": people[:1]})
    assert "card: 0 added, 1 changed, 0 unchanged" in run(path)
    assert "card: 0 added, 0 changed, 1 unchanged" in run(path)
    assert (Card.objects.get(uid=UID).state, last_change() > 0) == (state, True)
    assert list(CardAct.objects.values_list("what", flat=True)) == recorded
    assert noted().filter(what="act", about__endswith=UID).count() == 1


@pytest.mark.parametrize(("before", "after"), [("kept", "lost"), ("stolen", "valid"), ("replaced", "valid")])
def test_LG_6_what_the_office_does_with_no_card_a_file_does_not_either(
    people: list[dict[str, Any]], write_season: Writer, before: str, after: str
) -> None:
    Card.objects.filter(uid=UID).update(state=before)
    people[0]["cards"][0]["state"] = after
    said = refused(write_season({"participants": people[:1]}))
    assert f"participants[0].cards[0].state: {UID}: " in said and Card.objects.get(uid=UID).state == before


def test_LG_6_a_new_card_may_come_as_a_confiscated_one(people: list[dict[str, Any]], write_season: Writer) -> None:
    new = {"uid": "04FFFFFFFFFF80", "issued_at": "2026-03-01T10:00:00+01:00", "state": "kept"}
    people[0]["cards"].append(new)
    run(write_season({"participants": people[:1]}))
    assert Card.objects.get(uid="04FFFFFFFFFF80").state == "kept"
    assert ("change", "import of participants") in noted()
