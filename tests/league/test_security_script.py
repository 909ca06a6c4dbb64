"""Script in every text field of every model: whoever wrote it, it comes out as text on every page, and no formula."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Set
from contextlib import suppress
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from tests.league import office_world
from tests.league.office_crawl import Answer, Found, client_get, crawl, kind

SCRIPT = """<zz onx=1>"'><script>zz(1)</script>{{zz}}"""
FORMULA = "=cmd|'/C calc'!A0"
KEPT_APART = {
    "sessions",
    "contenttypes",
    "auth",
    "admin",
    "account",
    "mfa",
    "usersessions",
    "ingest",
    "allowances",
}
"""What the framework keeps for itself, what is sealed, and what is signed bytes."""

NO_WORDS = {
    "key",
    "mark",
    "alike",
    "cache_key",
    "value",
    "number",
    "participant",
    "epoch",
    "language",
    "profile",
    "password",
}
"""Fields of numbers, codes and secrets, which are checked wherever they come from."""

Planted = set[tuple[str, str]]


ONLY_IN_ADMIN = {
    "admin.LogEntry", "auth.User", "account.EmailAddress", "ingest.StreamHead", "ingest.RawRecord",
    "ingest.Quarantine", "ingest.Alert", "ingest.Contact",
}  # fmt: skip
"""Of what is kept apart, what the admin shows."""


def text_fields(only: Set[str]) -> Iterator[tuple[type[models.Model], models.Field[Any, Any]]]:
    """The fields, of these models or of all ours, that hold what somebody wrote: no choices, no keys."""
    for model in apps.get_models():
        if model._meta.proxy or (model._meta.label not in only if only else model._meta.app_label in KEPT_APART):
            continue
        for field in model._meta.concrete_fields:
            if isinstance(field, models.CharField | models.TextField) and not (field.choices or field.primary_key):
                yield model, field


def plant(text: str, only: Set[str] = frozenset()) -> Planted:
    """Write it into every field that would take it from anybody; which ones did."""
    planted: Planted = set()
    for model, field in text_fields(only):
        value = text[: field.max_length] if field.max_length else text
        try:
            for validator in field.validators:
                if not isinstance(field, models.EmailField):
                    validator(value)
        except ValidationError:
            continue
        if field.name in NO_WORDS:
            continue
        for pk in model._default_manager.values_list("pk", flat=True):
            unique = f"{pk}{value}"[: field.max_length] if field.unique else value
            with suppress(IntegrityError), transaction.atomic():
                models.QuerySet.update(models.QuerySet(model).filter(pk=pk), **{field.name: unique})
                planted.add((model._meta.label, field.name))
    return planted


@pytest.fixture(scope="module")
def league(_database: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with office_world.standing(tmp_path_factory.mktemp("script")):
        yield office_world.clients()


@pytest.fixture(scope="module")
def planted(league: dict[str, Any]) -> Planted:
    return plant(SCRIPT)


@pytest.fixture(scope="module")
def found(league: dict[str, Any], planted: Planted) -> Found:
    pages = crawl(client_get(league["everybody"]), "/", "/office/", "/account/second/")
    return crawl(client_get(league["participant"]), "/me/", into=pages)


def test_P_script_is_planted_in_the_fields_of_every_part(planted: Planted) -> None:
    labels = {label.partition(".")[0] for label, _ in planted}
    assert {"people", "rounds", "standings", "notices", "mail", "staff", "cards"} <= labels
    assert {("people.Participant", "surname"), ("rounds.Venue", "name"), ("notices.Edition", "text_cs"),
            ("mail.Letter", "body"), ("staff.AuditEntry", "reason"), ("people.Card", "reason")} <= planted  # fmt: skip


def test_P_script_in_any_field_is_text_on_every_page(found: Found) -> None:
    pages = found.html()
    assert len(pages) > 60 and all(answer.status < 500 for answer in found.pages.values())
    loose = {address for address, answer in pages.items() if "<zz" in answer.text or "<script>zz" in answer.text}
    assert loose == set()
    shown = {address for address, answer in pages.items() if "&lt;zz" in answer.text}
    assert len(shown) > len(pages) / 2


def test_P_what_is_planted_breaks_out_of_no_attribute(found: Found) -> None:
    from html.parser import HTMLParser

    strange: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            strange.extend(name for name, _ in attrs if name.startswith(("on", "zz", "{", "&", "<")) or name == "style")

    for answer in found.html().values():
        Reader().feed(answer.text)
    assert strange == []


@pytest.fixture
def in_admin(db: None, league: dict[str, Any], planted: Planted) -> Found:
    """All that a superuser gets to in the admin, with script in what only the admin shows, too."""
    from django.contrib.admin.models import CHANGE, LogEntry
    from django.utils import timezone

    from league.ingest.models import Alert, Quarantine
    from tests.league.office import staff_client, staff_user

    boss = staff_client(name="boss", superuser=True)
    LogEntry.objects.create(user=staff_user(name="boss", superuser=True), action_flag=CHANGE, object_repr="x")
    Quarantine.objects.create(stream="s", epoch="e", seq=1, reason="r", detail="d")
    Alert.objects.create(venue=office_world.VENUE, code="c", detail="d", last_at=timezone.now())
    wrote = plant(SCRIPT, ONLY_IN_ADMIN)
    assert {("ingest.Quarantine", "detail"), ("admin.LogEntry", "object_repr"), ("auth.User", "last_name")} <= wrote
    get, counts = client_get(boss), Counter[str]()

    def few(address: str) -> Answer:
        """Two pages of a kind, and of the lists none that is narrowed: there are hundreds."""
        counts[kind(address)] += 1
        nothing = "?" in address or counts[kind(address)] > 2 or not address.startswith("/admin/")
        return Answer(404, "", "", {}) if nothing else get(address)

    return crawl(few, "/admin/", without="/en/")


def test_P_script_in_any_field_is_text_in_the_admin(in_admin: Found) -> None:
    from html.parser import HTMLParser

    pages = {address: answer for address, answer in in_admin.html().items() if address.startswith("/admin/")}
    registered = {address.split("/")[3] for address in pages if address.count("/") > 3}
    assert {"participant", "card", "round", "season", "quarantine", "alert", "user"} <= registered
    assert len(pages) > 60 and {address for address, answer in in_admin.pages.items() if answer.status >= 500} == set()
    assert {
        address for address, answer in pages.items() if "<zz" in answer.text or "<script>zz" in answer.text
    } == set()
    assert len([address for address, answer in pages.items() if "&lt;zz" in answer.text]) > len(pages) / 3
    strange: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            strange.extend(name for name, _ in attrs if name.startswith(("on", "zz", "{", "&", "<")))

    for answer in pages.values():
        Reader().feed(answer.text)
    assert strange == []


def test_P_no_cell_of_a_file_is_a_formula(db: None, league: dict[str, Any], found: Found) -> None:
    plant(FORMULA)
    files = {address for address, answer in found.pages.items() if "csv" in answer.headers.get("Content-Type", "")}
    assert files
    for address in files:
        text = client_get(league["everybody"])(address).file.decode("utf-8-sig")
        assert FORMULA in text, address
        for row in csv.reader(io.StringIO(text), csv.Sniffer().sniff(text, ";,\t")):
            assert [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == [], address
