"""The audit log is read in Czech, too: what entries are about, and the fields they name (P)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from league.imports import people, results
from league.people.checking import FIELDS
from league.people.models import ConsentKind
from league.privacy.models import Act
from league.staff import audit
from league.staff.abouts import TEXTS, about_text, reads
from league.staff.labels import field_name
from league.staff.models import AuditEntry

LEAGUE = Path(__file__).parents[2] / "league"
THE_SAME = {"e-mail", "role", "role: 7", "marketing"}
"""What Czech calls alike."""

VOID = "round R7: participation declared void"


def arguments(name: str) -> Iterator[ast.expr]:
    """What the code gives as this argument when it writes to the audit log."""
    for file in sorted(LEAGUE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _called(node.func) in ("note", "note_by"):
                yield from (each.value for each in node.keywords if each.arg == name)


def _called(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def abouts() -> Iterator[str]:
    """The words for what entries are about, 7 for each name and number in them."""
    for value in arguments("about"):
        if isinstance(value, ast.Constant):
            yield str(value.value)
        elif isinstance(value, ast.JoinedStr) and isinstance(value.values[0], ast.Constant):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "7" for each in value.values)


def fields() -> Iterator[str]:
    """The names of fields that entries give."""
    yield from (*FIELDS, *people.COLUMNS, *results.COLUMNS, *(f"consent:{kind}" for kind in ConsentKind.values))
    for value in arguments("fields"):
        if isinstance(value, ast.List):
            yield from (str(each.value) for each in value.elts if isinstance(each, ast.Constant))


@pytest.mark.parametrize("about", sorted({*TEXTS, *abouts(), *Act.What.values}))
def test_P_what_an_audit_entry_is_about_is_told_in_czech(about: str) -> None:
    with translation.override("cs"):
        assert about_text(about) != about or about in THE_SAME
    with translation.override("en"):
        assert about_text(about) == about


@pytest.mark.parametrize("name", sorted(set(fields())))
def test_P_the_fields_of_an_audit_entry_are_told_in_czech(name: str) -> None:
    with translation.override("cs"):
        told = field_name(name)
    with translation.override("en"):
        assert told != field_name(name) or told in THE_SAME
        assert "_" not in field_name(name)


@pytest.mark.parametrize(
    ("about", "told"),
    [
        ("round R7: participation declared void", "kolo R7: účast prohlášena za neplatnou"),
        ("season 2027: points key withdrawn", "ročník 2027: bodový klíč – oprava stažena"),
        ("season 2027: winners", "ročník 2027: vítězové"),
        ("publish: prices 3", "zveřejněno: ceník 3"),
        ("consent text media 2", "text souhlasu (fotografie a video) 2"),
        ("card: 04A1", "průkaz: 04A1"),
        ("Žofie: příští", "Žofie: příští"),
        ("", ""),
    ],
)
def test_P_names_and_numbers_stay_what_they_are(about: str, told: str) -> None:
    with translation.override("cs"):
        assert about_text(about) == told


@pytest.mark.parametrize(
    ("words", "language", "found"),
    [
        ("registrováno", "cs", ["registered"]), ("REGISTROVANO", "cs", ["registered"]),
        ("registered", "cs", ["registered"]),
        ("odmítnut", "cs", ["refused"]), ("registrováno", "en", []), ("refused", "en", ["refused"]),
        ("neplatnou", "cs", [VOID]), ("ceník", "cs", ["publish: prices 3"]),
        ("ukončen", "cs", ["account's sessions ended: eva", "season 2027: end"]), ("R7", "cs", [VOID]),
        ("eva", "cs", ["account's sessions ended: eva"]), ("%", "cs", []), ("nic takového", "cs", []),
    ],
)  # fmt: skip
def test_P_the_audit_log_is_searched_in_the_words_that_it_shows(
    db: None, words: str, language: str, found: list[str]
) -> None:
    abouts = ["registered", "refused", VOID, "publish: prices 3", "season 2027: end",
              "account's sessions ended: eva"]  # fmt: skip
    for about in abouts:
        audit.note_by("x", audit.What.ACT, about=about)
    with translation.override(language):
        assert sorted(AuditEntry.objects.filter(reads(words)).values_list("about", flat=True)) == sorted(found)
