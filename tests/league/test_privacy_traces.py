"""What an erasure leaves in either database: nothing that anybody wrote about the person, in no table there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connections, models
from django.utils import timezone

from league.ingest.models import RawRecord
from league.mail.models import Letter
from league.people.acts import By
from league.people.models import Participant
from league.privacy.erasing import _SCRUBBED, erase
from league.staff.models import AuditEntry
from tests.league.people_cards import registered, stand_at
from tests.league.test_people_acts import _rows

MARKER = "Zprudka"
STAFF = {"who", "by", "entered_by", "made_by", "lifted_by", "proposed_by", "settled_by", "kept_by"}
"""Who did it: a user name, or a commissioner's number."""

OURS = {
    "uid", "venue", "device", "epoch", "wanted_by", "account", "number", "participant", "object_id", "hash", "kind",
    "people.cardentry.id", "people.cardentry.what", "people.cardentry.reason", "cards.refusedcard.reason",
    "staff.auditentry.about", "staff.auditentry.fields", "mail.letter.about",
}  # fmt: skip
"""Codes, words and identifiers of the programs and of things: nobody writes them."""

_TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def about_people() -> Iterator[tuple[type[models.Model], str]]:
    """Each table that says of its rows who they are about, and the field that does."""
    for model in apps.get_models():
        if model in (Participant, RawRecord):  # raw records stay as they were signed
            continue
        for field in model._meta.local_concrete_fields:
            by_number = field.name in ("number", "participant") and isinstance(field, models.CharField)
            if field.related_model is Participant or by_number:
                yield model, field.name
                break
    yield Letter, "about"
    yield LogEntry, "object_id"


def is_written(model: type[models.Model], field: Any) -> bool:
    """Whether somebody may write into it what they like."""
    if not isinstance(field, _TEXTS) or field.choices or field.name in STAFF:
        return False
    return field.name not in OURS and f"{model._meta.label_lower}.{field.name}" not in OURS


def row_about(person: Participant, model: type[models.Model], by: str) -> models.QuerySet[Any]:
    """The rows about somebody, of which there is one now at least."""
    field = model._meta.get_field(by)
    whose: Any = {"about": f"moved R1 {person.number}", "object_id": str(person.pk)}.get(by, person.number)
    rows: models.QuerySet[Any] = models.QuerySet(model).filter(**{by: person if field.related_model else whose})
    if not rows.exists():
        made(model, **{by: person if field.related_model else whose})
    return rows


def made(model: type[models.Model], **given: Any) -> Any:
    """A new row, past all that the model would say to it."""
    values = {each.name: something(each) for each in model._meta.local_concrete_fields if each.name not in given}
    values = {name: value for name, value in values.items() if value is not None}
    rows: models.QuerySet[Any] = models.QuerySet(model)
    return rows.bulk_create([model(**values | given)])[0]


def something(field: Any) -> Any:
    """What fits into a field; None: nothing has to."""
    kind = field.get_internal_type()
    if field.related_model is ContentType:
        return ContentType.objects.get_for_model(Participant)
    if field.null or field.has_default() or kind.endswith("AutoField"):
        return None
    if field.related_model:
        return models.QuerySet(field.related_model).first() or made(field.related_model)
    fitting = {"DateTimeField": timezone.now(), "DateField": timezone.localdate(), "JSONField": [], "BinaryField": b""}
    if "Integer" in kind:
        return 1
    return fitting.get(kind, field.choices[0][0] if field.choices else "x")


def marked(field: Any) -> Any:
    if isinstance(field, models.JSONField):
        return [MARKER]
    return MARKER.encode() if isinstance(field, models.BinaryField) else MARKER[: field.max_length]


@pytest.fixture
def person(imported: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Participant:
    """Somebody about whom there is a row in every table that has any, with the marker wherever one can write."""
    from django.contrib.auth.models import User

    stand_at(monkeypatch)
    User.objects.create_user("somebody")
    texts: dict[str, Any] = dict.fromkeys(("title", "first_name", "surname", "street", "town"), MARKER)
    somebody: Participant = registered(**texts | {"email": f"{MARKER}@hraci.example"})
    for model, by in about_people():
        rows = row_about(somebody, model, by)
        words = [field for field in model._meta.local_concrete_fields if is_written(model, field)]
        if words and model._meta.label not in ("privacy.PrivateRecord", "privacy.BirthIndex"):
            assert rows.update(**{field.name: marked(field) for field in words})
    return somebody


def everything() -> dict[str, str]:
    return {alias: "\n".join(_rows(connections[alias])) for alias in ("default", "keys")}


def test_P_nothing_that_was_written_of_somebody_outlives_their_erasure(person: Participant) -> None:
    tables = {model._meta.db_table for model, _ in about_people()}
    assert {"standings_exclusion", "standings_participationvoid", "cards_cardact", "mail_letter"} <= tables
    assert everything()["default"].count(MARKER) > len(tables)
    erase(person, By("clerk"))
    found = [line for told in everything().values() for line in told.splitlines() if MARKER.lower() in line.lower()]
    assert found == []


def test_P_the_address_that_somebody_came_from_goes_with_them(person: Participant) -> None:
    own, theirs = By.participant("192.0.2.77"), By("clerk", address="192.0.2.88")
    for by in (own, theirs):
        by.note(AuditEntry.What.VIEW, person)
    erase(person, theirs)
    addresses = AuditEntry.objects.filter(number=person.number).values_list("address", flat=True)
    assert "192.0.2.88" in addresses and "192.0.2.77" not in addresses
    assert AuditEntry.objects.filter(number=person.number, who="participant").exists()


def test_P_every_table_that_an_erasure_empties_is_scrubbed(person: Participant) -> None:
    """Those with the marker are those that change: their old rows must leave the pages, too."""
    marked_tables = {alias: _tables_with_marker(alias) for alias in ("default", "keys")}
    erase(person, By("clerk"))
    for alias, scrubbed in _SCRUBBED.items():
        names = set(scrubbed.split(", "))
        assert names <= set(connections[alias].introspection.table_names())
        assert marked_tables[alias] <= names


def _tables_with_marker(alias: str) -> set[str]:
    found = set()
    for table in connections[alias].introspection.table_names():
        with connections[alias].cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')
            if MARKER in repr([[bytes(v) if isinstance(v, memoryview) else v for v in row] for row in cursor]):
                found.add(table)
    return found
