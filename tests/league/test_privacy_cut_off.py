"""What is cut off between the two stores, left over in one, or done by a clock that was set back, mixes nobody up."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from league.imports.people import import_people
from league.people.acts import ActRefused, By
from league.people.correcting import correct
from league.people.models import Participant
from league.privacy import erasing, marks, vault
from league.privacy.models import BirthIndex, PersonKey, PrivateRecord
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.staff.todo import tasks
from tests.league.office import staff_client
from tests.league.people_cards import CARD, DAY, MAN, WOMAN, registered, stand_at

CLERK = By("clerk")
MANS = MAN.replace("/", "")
LINE = CARD | {"birth_number": MAN, "first_name": "Adam", "surname": "První", "processing": "ano"}


@pytest.fixture(autouse=True)
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)


def imported_line(**changes: str) -> Any:
    line = LINE | changes
    return import_people("\n".join(map(";".join, (line, line.values()))).encode(), CLERK)


def never_there() -> int:
    """The id of somebody of whom a killed import left key and index behind, and nothing else."""
    person = registered(birth_number=MAN, first_name="Adam", surname="První")
    PrivateRecord.objects.filter(pk=person.pk).delete()
    BirthIndex.objects.filter(pk=person.pk).update(participant=person.pk + 1)
    PersonKey.objects.filter(pk=person.pk).update(participant=person.pk + 1)
    person.erased_at = DAY
    person.first_name = person.surname = ""
    person.save()
    return int(person.pk) + 1


def test_nobody_new_gets_the_key_and_the_index_of_who_was_never_there_for_good() -> None:
    left = never_there()
    Participant.objects.create(pk=left, number="000777", first_name="Karel", surname="Jiný")
    assert not PersonKey.objects.filter(pk=left).exists() and not BirthIndex.objects.filter(pk=left).exists()
    outcome = imported_line()
    assert (outcome.done, dict(outcome.counts)) == (True, {"added": 1})
    assert not PrivateRecord.objects.filter(pk=left).exists()
    assert marks.same_birth_number(MANS) == Participant.objects.get(surname="První")


def test_the_index_finds_nobody_of_whom_something_else_is_sealed() -> None:
    person, other = registered(), registered(birth_number=MAN, surname="Jiná")
    BirthIndex.objects.filter(pk=other.pk).delete()
    BirthIndex.objects.filter(pk=person.pk).update(participant=other.pk)
    assert marks.same_birth_number(WOMAN.replace("/", "")) is None


@pytest.fixture(params=["gone", "another"])
def lost(request: pytest.FixtureRequest) -> Participant:
    """Somebody whose key is gone, or is another one than it was."""
    person: Participant = registered(birth_number=MAN, first_name="Adam", surname="První")
    correct(person, {"title": "Mgr."}, CLERK)
    if request.param == "gone":
        PersonKey.objects.filter(pk=person.pk).delete()
    else:
        PersonKey.objects.filter(pk=person.pk).update(key=bytes(32))
    return person


def test_LG_7_what_opens_no_more_can_be_entered_anew(lost: Participant) -> None:
    assert vault.closed() == [lost.number]
    assert correct(lost, {"street": "Nová 1", "town": "Brno"}, CLERK) == ["street", "town"]
    assert vault.unseal(lost) == vault.Private(street="Nová 1", town="Brno")
    assert marks.same_birth_number(MANS) is None or marks.same_birth_number(MANS) == lost
    correct(lost, {"birth_number": MAN}, CLERK)
    assert marks.same_birth_number(MANS) == lost
    assert vault.closed() == []


def test_LG_7_the_page_says_that_it_opens_no_more_and_takes_it_anew(lost: Participant) -> None:
    client, path = staff_client(Role.CLERK), f"/office/participants/{lost.number}/correct/"
    assert "klíč je ztracen" in client.get(path).content.decode()
    kept = {name: CARD[name] for name in ("email", "postcode", "country")}
    form = {"first_name": "Adam", "surname": "První", "title": "Mgr.", "street": "Nová 1", "town": "Brno"} | kept
    assert client.post(path, form).status_code == 302
    assert vault.unseal(lost).street == "Nová 1"
    assert "klíč je ztracen" not in client.get(path).content.decode()


def test_an_import_completes_what_opens_no_more_of_the_same_person_alone(lost: Participant) -> None:
    strange = imported_line(surname="Cizí", number=lost.number)
    assert not strange.done and strange.problems
    outcome = imported_line(number=lost.number)
    assert (outcome.done, dict(outcome.counts)) == (True, {"completed": 1})
    assert vault.unseal(lost).birth_number == MANS


def cut_off(monkeypatch: pytest.MonkeyPatch) -> Participant:
    """Somebody whose key was destroyed in the moment before the league's own database had it."""
    person: Participant = registered()
    destroy = vault.destroy

    def and_die(whom: Participant) -> None:
        destroy(whom)
        raise InterruptedError

    with monkeypatch.context() as patched, pytest.raises(InterruptedError):
        patched.setattr(vault, "destroy", and_die)
        erasing.erase(person, CLERK)
    person.refresh_from_db()
    assert person.surname and person.erased_at is None
    return person


def retention(**options: Any) -> str:
    out = StringIO()
    call_command("retention", stdout=out, **options)
    return out.getvalue()


def test_an_erasure_that_was_cut_off_is_told_and_nothing_is_kept_of_them_again(monkeypatch: pytest.MonkeyPatch) -> None:
    person = cut_off(monkeypatch)
    told = [task for task in tasks(frozenset({Role.CLERK})) if "výmaz" in str(task.label)]
    assert [(task.number, task.url) for task in told] == [(1, f"/office/participants/{person.number}/")]
    assert f"erasure cut off: {person.number}" in retention()
    with pytest.raises(ActRefused):
        correct(person, {"street": "Nová 1"}, CLERK)
    with pytest.raises(vault.Erased):
        vault.seal(person, vault.Private(street="Nová 1"))


@pytest.mark.parametrize("command", ["retention", "ingest"])
def test_an_erasure_that_was_cut_off_is_finished_by_the_next_run(
    monkeypatch: pytest.MonkeyPatch, settings_dir: Path, command: str
) -> None:
    person = cut_off(monkeypatch)
    if command == "retention":
        assert f"{person.number}: erased to the end" in retention(apply=True)
    else:
        assert f"erased to the end, which was cut off: {person.number}" in started(monkeypatch)
    person.refresh_from_db()
    assert (person.full_name, person.email, person.erased_at) == ("", "", DAY)
    assert AuditEntry.objects.get(what="erase").who == command
    assert erasing.cut_off() == {}


def started(monkeypatch: pytest.MonkeyPatch) -> str:
    """What ingest says that has nothing to receive."""
    from league.ingest.management.commands import ingest

    class Idle:
        counts: dict[str, int] = {}

        def __init__(self, *_given: object) -> None:
            pass

        def run(self) -> None:
            pass

    monkeypatch.setattr(ingest, "Worker", Idle)
    monkeypatch.setattr("signal.signal", lambda *_given: None)
    out = StringIO()
    call_command("ingest", stdout=out)
    return out.getvalue()


def test_LG_7_who_is_erased_with_the_clock_behind_has_no_consent_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    person = registered()
    stand_at(monkeypatch, DAY - timedelta(days=9))
    erasing.erase(person, CLERK)
    assert not person.consents.filter(withdrawn_at=None).exists()
