"""Importing participants from CSV: all faults first, all of a file or nothing, a second time nothing (LG-5)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from league.csvout import lines as csv_lines
from league.imports.csvfile import MAX_BYTES, MAX_CELL, MAX_LINES, digest
from league.imports.exports import people_rows
from league.imports.outcome import Outcome
from league.imports.people import import_people
from league.ingest.everybody import last_change
from league.people.acts import By
from league.people.models import Consent, Participant
from league.people.registering import Duplicate
from league.privacy import vault
from league.privacy.erasing import erase
from league.privacy.models import BirthIndex, PersonKey, RetentionRule
from league.privacy.retention import due
from league.rounds.models import Venue
from league.staff.models import AuditEntry
from league.staff.roles import Role
from tests.league.office import staff_client
from tests.league.people_cards import DAY, MAN, WOMAN, registered, stand_at

PAGE = "/office/imports/participants/"
HEAD = "registrační číslo;jméno;příjmení;rodné číslo;ulice;obec;psč;e-mail;herna;souhlas se zpracováním;zveřejnění"
ZOFIE = f"000017;Žofie;Příkopová;{WOMAN};Dlouhá 7;Zábřeh;789 01;zofie@hraci.example;;2. 1. 2072;ano"
JAN = f";Jan;Ďurica;{MAN};;;;;zabreh;2072-01-02T10:00:00+01:00;"
FILE = f"{HEAD}\n{ZOFIE}\n{JAN}\n"


@pytest.fixture(autouse=True)
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_at(monkeypatch)
    Venue.objects.create(id="zabreh", name="Sokolovna")


def taken(text: str | bytes, **options: Any) -> Outcome:
    raw = text.encode() if isinstance(text, str) else text
    return import_people(raw, By("clerk"), **options)


def faults(text: str | bytes, **options: Any) -> set[tuple[int, str]]:
    outcome = taken(text, **options)
    assert not outcome.done and not Participant.objects.filter(number__lt="000900").exists()
    return {(problem.line, problem.column) for problem in outcome.problems}


def state() -> list[Any]:
    rows = Participant.objects.order_by("pk").values_list()
    consents = Consent.objects.order_by("pk").values_list()
    keys = PersonKey.objects.order_by("pk").values_list("pk")
    return [list(rows), list(consents), list(keys), list(BirthIndex.objects.order_by("pk").values_list())]


def test_LG_5_participants_come_in_with_all_that_is_sealed() -> None:
    outcome = taken(FILE)
    assert outcome.done and dict(outcome.counts) == {"added": 2} and not outcome.problems
    zofie, jan = Participant.objects.get(number="000017"), Participant.objects.get(number="000018")
    assert (zofie.full_name, zofie.email) == ("Žofie Příkopová", "zofie@hraci.example")
    assert (jan.full_name, jan.home_venue_id) == ("Jan Ďurica", "zabreh")
    sealed = vault.unseal(zofie)
    assert (sealed.birth_number, sealed.birth_date, sealed.street) == ("5053079999", "2050-03-07", "Dlouhá 7")
    given = {consent.kind: consent.given_at.isoformat() for consent in zofie.consents.all()}
    assert given["processing"] == "2072-01-01T23:00:00+00:00" and given["publication"].startswith("2072-06-15")
    assert zofie.consents.filter(text__isnull=True).count() == 2
    assert last_change() == 1
    assert AuditEntry.objects.filter(what="change", number="000017", who="clerk").exists()
    with pytest.raises(Duplicate):
        registered(birth_number=WOMAN)


@pytest.mark.parametrize("text", [FILE, FILE.replace("000017;", ";")])
def test_a_second_import_changes_nothing(text: str) -> None:
    taken(text)
    before = state()
    outcome = taken(text)
    assert dict(outcome.counts) == {"known": 2} and not outcome.remarks
    assert state() == before and last_change() == 1


def test_LG_5_numbers_that_a_spreadsheet_took_the_zeros_from_are_the_same_numbers() -> None:
    """Our own export, opened in a spreadsheet and saved."""
    taken(FILE)
    before = state()
    exported = "\n".join(csv_lines(people_rows())).replace("000017", "17").replace("000018", "18")
    assert "000017" not in exported
    outcome = taken(exported)
    assert outcome.done and dict(outcome.counts) == {"known": 2} and not outcome.remarks
    assert state() == before
    taken(f"{HEAD}\n21;Eva;Nová;;;;;;;ano;\n")
    assert Participant.objects.filter(number="000021").exists()
    Participant.objects.create(number="21", first_name="A", surname="B")
    assert {(each.line, each.column) for each in taken(f"{HEAD}\n0021;Eva;Nová;;;;;;;ano;\n").problems} == {
        (2, "number")
    }


def test_LG_5_a_foreigner_is_known_again_by_the_document_and_that_is_on_record() -> None:
    head = "registrační číslo;jméno;příjmení;datum narození;číslo dokladu;souhlas se zpracováním\n"
    taken(head + "000030;Saša;Ševčenko;28. 2. 1990;FE 123456;ano\n")
    again = ";Sasha;Shevchenko;28. 2. 1990;fe123456;ano\n"
    outcome = taken(head + again, dry_run=True)
    assert dict(outcome.counts) == {"known": 1} and len(outcome.remarks) == 1
    assert AuditEntry.objects.get(about="found as registered already").number == "000030"
    assert {each.column for each in taken(head + "000031" + again).problems} == {"document"}


def test_the_encoding_that_was_chosen_is_named_where_the_file_has_another() -> None:
    assert "UTF-8" in str(taken(FILE.encode("cp1250"), encoding="utf-8").problems[0].text)
    assert "1250" not in str(taken(FILE.encode("cp1250"), encoding="utf-8").problems[0].text)


def test_a_dry_run_writes_nothing_in_either_database() -> None:
    before = state()
    outcome = taken(FILE, dry_run=True)
    assert dict(outcome.counts) == {"added": 2} and not outcome.done and state() == before
    assert not last_change()
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1250"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_diacritics_come_whole_from_every_encoding_and_separator(encoding: str, separator: str) -> None:
    text = FILE.replace(";", separator).replace("\n", "\r\n")
    outcome = taken(text.encode(encoding))
    assert outcome.done, outcome.problems
    assert Participant.objects.filter(surname="Příkopová").count() == 1
    assert Participant.objects.filter(surname="Ďurica").count() == 1
    assert taken(text.encode(encoding), encoding="utf-8" if "utf" in encoding else encoding).counts["known"] == 2


def test_letters_in_parts_as_a_mac_writes_them_come_composed() -> None:
    taken(unicodedata.normalize("NFD", FILE))
    assert Participant.objects.filter(surname="Příkopová").count() == 1


def test_all_faults_of_all_lines_are_told_at_once_and_nothing_is_written() -> None:
    lines = [
        HEAD,
        ZOFIE.replace(WOMAN, "505307/9998"),  # 2: check digit
        JAN.replace("zabreh", "nowhere").replace("Jan;", ";"),  # 3: no such venue, no first name
        "abc;Eva;Malá;;;;;x@;;ano;",  # 4: number, e-mail
        ";Iva;Malá;;;;;x@;;ano;",  # 5: nothing to know her by, e-mail
        "000020;Iva;Malá;;;;;;;;",  # 6: no consent
        "000021;Iva;Malá;;Dlouhá 7;;;;;ano;",  # 7: half an address
        "000022;Iva;Malá;;;;;;;2072-06-16;",  # 8: a consent of tomorrow
        "000023;Iva;Malá;;;;;;;31. 2. 2070;",  # 9: no such day
        "000024;Iva;Malá;;;;;;;ano;;too many",  # 10
    ]
    assert faults("\n".join(lines)) == {
        (2, "birth_number"), (3, "home_venue"), (3, "first_name"), (4, "number"), (4, "email"), (5, "number"),
        (5, "email"), (6, "processing"), (7, "town"), (7, "postcode"), (8, "processing"), (9, "processing"), (10, ""),
    }  # fmt: skip
    assert not PersonKey.objects.exists()


def test_LG_4_nobody_under_age_comes_in() -> None:
    assert faults(
        f"{HEAD},birth_date\n".replace(",birth_date", ";birth_date;document")
        + "000017;Žofie;Příkopová;;;;;;;ano;;2060-01-01;P 1\n"
    ) == {(2, "birth_date")}


def test_nobody_is_in_a_file_twice() -> None:
    assert faults(f"{FILE}{ZOFIE}\n") == {(4, "")}
    assert faults(f"{FILE}000030;Jiná;Osoba;{MAN};;;;;;ano;\n") == {(4, "birth_number")}


def test_LG_5_a_number_or_a_birth_number_of_somebody_else_is_a_fault() -> None:
    known = registered(number="")
    Participant.objects.filter(pk=known.pk).update(number="000950")
    assert faults(f"{HEAD}\n000951;Žofie;Příkopová;{WOMAN};;;;;;ano;\n") == {(2, "birth_number")}
    assert faults(f"{HEAD}\n000950;Jiná;Osoba;;;;;;;ano;\n") == {(2, "number")}


def test_whoever_is_there_is_left_as_they_are_and_what_differs_is_named() -> None:
    taken(FILE)
    outcome = taken(FILE.replace("Dlouhá 7", "Krátká 1").replace("zofie@", "z@"))
    assert outcome.counts["known"] == 2
    (remark,) = outcome.remarks
    assert remark.line == 2 and "E-mail, Ulice a číslo" in str(remark.text)
    assert vault.unseal(Participant.objects.get(number="000017")).street == "Dlouhá 7"


def test_what_nobody_had_entered_yet_is_filled_in_once() -> None:
    person = Participant.objects.create(number="000017", first_name="Zofie", surname="PŘÍKOPOVÁ", email="old@x.example")
    assert dict(taken(FILE).counts) == {"completed": 1, "added": 1}
    person.refresh_from_db()
    assert vault.unseal(person).birth_number == "5053079999" and person.email == "old@x.example"
    assert person.surname == "PŘÍKOPOVÁ"
    assert person.rectifications.count() == 1
    assert dict(taken(FILE).counts) == {"known": 2}


def test_an_import_brings_nobody_back_who_was_erased() -> None:
    taken(FILE)
    erase(Participant.objects.get(number="000017"), By("clerk"))
    outcome = taken(FILE)
    assert [(problem.line, problem.column) for problem in outcome.problems] == [(2, "number")]
    assert Participant.objects.get(number="000017").surname == ""


def test_participants_of_the_past_need_no_consent() -> None:
    taken("number,first_name,surname,state\n000017,Žofie,Příkopová,zrušený\n000018,Jan,Malý,refused\n")
    assert list(Participant.objects.order_by("number").values_list("state", flat=True)) == ["cancelled", "refused"]


@pytest.mark.parametrize("state", ["cancelled", "refused"])
def test_retention_of_who_was_imported_counts_from_the_import(state: str) -> None:
    head = "number,first_name,surname,state,registered"
    taken(f"{head}\n000017,Žofie,Příkopová,{state},2. 1. 2040\n")
    person = Participant.objects.get()
    assert [(act.what, act.at, act.who) for act in person.acts.order_by("id")] == [
        ("registered", DAY, "clerk"), (state, DAY, "clerk")
    ]  # fmt: skip
    RetentionRule.objects.filter(subject=state).update(days=365)
    assert [found.rows.count() for found in due(DAY + timedelta(days=364)) if found.rule.subject == state] == [0]
    assert [found.rows.count() for found in due(DAY + timedelta(days=366)) if found.rule.subject == state] == [1]


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"", 0),
        (b"\n \n", 0),
        (b"PK\x03\x04 a workbook", 0),
        (FILE.encode("utf-16"), 0),
        (b"number;first_name\n\0;x", 0),
        (b"number;first_name;\x81\n", 0),
        (b"a;b;c\n1;2;3\n", 1),
        (b"number;number;first_name;surname\n", 1),
        ((";".join(f"c{n}" for n in range(61)) + ";first_name\n").encode(), 1),
        (b'number;first_name;surname\n1;"x;y\n2;a;b\n', 2),
        (b'number;first_name;surname\n1;"x"y;z\n', 2),
        (b"x" * (MAX_BYTES + 1), 0),
        (b"number;first_name;surname\n" + b"1;a;b\n" * (MAX_LINES + 1), MAX_LINES + 2),
        (b'number;first_name;surname\n1;"' + b"x" * 200_000 + b'";b\n', 2),
    ],
    ids=[
        "empty", "blank", "workbook", "utf-16", "nul", "no-encoding", "no-columns", "column-twice", "columns",
        "open-quote", "bad-quote", "bytes", "lines", "huge-cell",
    ],
)  # fmt: skip
def test_hostile_files_are_refused_whole(raw: bytes, line: int) -> None:
    outcome = taken(raw)
    assert [problem.line for problem in outcome.problems] == [line] and not outcome.done
    assert not Participant.objects.exists()


def test_a_long_cell_and_a_column_nobody_knows_are_named() -> None:
    assert faults(f"{FILE}1;{'x' * (MAX_CELL + 1)};y;;;;;;;ano;\n") == {(4, "first_name")}
    table = taken(FILE.replace("herna", "poznámka")).table
    assert table is not None and table.unused == ["poznámka"]


def test_line_numbers_are_those_of_the_file() -> None:
    text = f'sep=;\n{HEAD}\n\n"000030";"Eva\nMarie";Malá;;;;;;;ano;\nabc;Iva;Malá;;;;;;;ano;\n'
    assert faults(text) == {(6, "number")}


def test_names_that_look_like_formulas_go_out_harmless_and_come_back_as_they_were() -> None:
    evil = ["=cmd|' /C calc'!A0", "+1", "-2", "@SUM(A1)", "<script>x</script>"]
    lines = [f'{100 + n:06};{name};"Zlý; ""host""";;;;;;;ano;' for n, name in enumerate(evil)]
    assert taken("\n".join([HEAD, *lines])).done
    text = "".join(csv_lines(people_rows()))
    for name in evil[:4]:
        assert f";'{name};" in text
    before = state()
    again = taken(text)
    assert dict(again.counts) == {"known": 5} and not again.remarks and state() == before


# -- the page and the command ----------------------------------------------------------------------------


def sent(client: Client, text: str | bytes, **fields: str) -> Any:
    raw = text.encode() if isinstance(text, str) else text
    return client.post(PAGE, {"file": SimpleUploadedFile("lidé.csv", raw, "text/csv"), **fields})


@pytest.fixture
def clerk() -> Iterator[Client]:
    yield staff_client(Role.CLERK)


def test_a_file_is_imported_only_as_it_was_checked(clerk: Client) -> None:
    checked = sent(clerk, FILE)
    assert checked.status_code == 200 and "Zkontrolováno: lze importovat" in checked.text
    assert f'value="{digest(FILE.encode())}"' in checked.text and not Participant.objects.exists()
    other = sent(clerk, FILE.replace("Jan", "Jen"), seen=digest(FILE.encode()))
    assert other.status_code == 200 and not Participant.objects.exists()
    done = sent(clerk, FILE, seen=digest(FILE.encode()))
    assert done.status_code == 302 and Participant.objects.count() == 2
    assert AuditEntry.objects.filter(what="act", about="import of participants: 2").exists()
    assert "není tu nic nového" in sent(clerk, FILE).text


@pytest.mark.parametrize(("language", "said"), [("", "Poslední číslice"), ("/en", "The last digit")])
def test_the_page_names_each_fault_with_its_line(clerk: Client, language: str, said: str) -> None:
    file = SimpleUploadedFile("x.csv", FILE.replace(WOMAN, "505307/9998").replace("Jan", "<b>").encode())
    answer = clerk.post(language + PAGE, {"file": file})
    assert (
        said in answer.text
        and "rodné číslo" in answer.text
        and "505307" not in answer.text
        and "<b>" not in answer.text
    )
    assert not Participant.objects.exists()


def test_a_request_that_no_file_can_need_is_refused_by_its_length(clerk: Client) -> None:
    assert sent(clerk, b"x" * (MAX_BYTES + 100_000)).status_code == 413


def test_without_a_file_the_page_says_so_and_the_form_needs_its_token(clerk: Client) -> None:
    assert 'href="#id_file"' in clerk.post(PAGE, {}).text
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = clerk.cookies
    assert sent(strict, FILE).status_code == 403


@pytest.mark.parametrize("role", list(Role))
def test_only_clerks_import_and_take_out_participants(role: Role) -> None:
    client = staff_client(role)
    wanted = 200 if role == Role.CLERK else 403
    assert client.get(PAGE).status_code == wanted and client.post(PAGE + "file/").status_code == wanted
    assert client.get("/office/imports/").status_code == 200


def test_taking_out_participants_is_audited_and_tells_nothing_sealed(clerk: Client) -> None:
    taken(FILE)
    answer: Any = clerk.post(PAGE + "file/")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert "Příkopová" in text and "9999" not in text and "Dlouhá" not in text
    assert AuditEntry.objects.filter(what="export", who="clerk").exists()


def test_the_command_tells_all_faults_and_imports_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(FILE.replace(WOMAN, "505307/9998"), encoding="cp1250")
    with pytest.raises(CommandError) as error:
        call_command("import_people", str(path))
    assert error.value.returncode == 2 and "line 2: birth_number: " in str(error.value)
    path.write_text(FILE, encoding="utf-8-sig")
    out = StringIO()
    call_command("import_people", str(path), "--dry-run", stdout=out)
    assert "2 added" in out.getvalue() and not Participant.objects.exists()
    call_command("import_people", str(path), stdout=out)
    call_command("import_people", str(path), stdout=out)
    assert "2 known" in out.getvalue() and Participant.objects.count() == 2
    with pytest.raises(CommandError):
        call_command("import_people", str(tmp_path / "nothing.csv"))
