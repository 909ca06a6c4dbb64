"""Importing results of past rounds from CSV: kept for good, counted like any others (LG-8, LG-9, LG-10)."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone, translation

from league.csvout import lines as csv_lines
from league.imports import results
from league.imports.csvfile import digest
from league.imports.exports import results_rows
from league.imports.outcome import Outcome
from league.imports.results import import_results
from league.people.acts import By
from league.people.models import Participant
from league.rounds.keys import read_key
from league.rounds.models import Round, Season
from league.staff.models import AuditEntry
from league.staff.roles import Role
from league.standings import correcting, voiding
from league.standings.models import PastResult, PastRound, Result, RoundReport
from league.standings.results import Results
from league.standings.table import standings
from tests.league.office import staff_client
from tests.league.rounds_played import FLAT, announcement, moves, planned, venue_plays

PAGE = "/office/imports/results/"
HEAD = "kolo;název;datum;čas;herna;registrační číslo;umístění;výhra"
FILE = f"""{HEAD}
2025-1;Zahajovací;12. 9. 2025;19:00;zabreh;000101;1.;1 500 Kč
2025-1;Zahajovací;12. 9. 2025;19:00;zabreh;000102;2.;500
2025-1;Zahajovací;12. 9. 2025;19:00;zabreh;000103;3.;
2025-1;Zahajovací;12. 9. 2025;19:00;zabreh;000104;3.;
2025-2;;2025-10-10;;zabreh;000102;1;0
2025-2;;2025-10-10;;zabreh;000101;2;0
"""


@pytest.fixture(autouse=True)
def season_2025(imported: dict[str, Any]) -> Season:
    return Season.objects.create(year=2025, name="Ročník 2025", points_key=FLAT)


def taken(text: str, **options: Any) -> Outcome:
    return import_results(text.encode(), By("boss"), **options)


def table(season: Season) -> list[tuple[str, float]]:
    return [(line.number, line.half_points / 2) for line in standings(season).lines]


def faults(text: str) -> set[tuple[int, str]]:
    outcome = taken(text)
    assert not outcome.done and not PastRound.objects.exists() and not Round.objects.filter(pk="2025-1").exists()
    return {(problem.line, problem.column) for problem in outcome.problems}


def test_LG_8_past_results_count_by_the_seasons_key(season_2025: Season) -> None:
    outcome = taken(FILE)
    assert outcome.done and dict(outcome.counts) == {"added": 6}
    # 4 players: 40, 30, and the mean of 20 and 10 twice; 2 players: 30 (of the smallest field), 20; 10 for registering
    assert table(season_2025) == [("000101", 80), ("000102", 80), ("000103", 25), ("000104", 25)]
    round = Round.objects.get(pk="2025-1")
    assert (round.name, round.season, timezone.localtime(round.starts_at).isoformat()) == (
        "Zahajovací", season_2025, "2025-09-12T19:00:00+02:00",
    )  # fmt: skip
    assert Result.objects.get(round="2025-1", number="000101").prize == 1500
    assert not standings(season_2025).provisional
    assert AuditEntry.objects.filter(what="act", about="import of past results: 2025-1, 2025-2").exists()


def test_a_second_import_changes_nothing(season_2025: Season) -> None:
    taken(FILE)
    before = [list(model.objects.order_by("pk").values_list()) for model in (Round, PastRound, PastResult, Result)]
    outcome = taken(FILE)
    assert dict(outcome.counts) == {"known": 6} and not outcome.problems
    assert before == [
        list(model.objects.order_by("pk").values_list()) for model in (Round, PastRound, PastResult, Result)
    ]


def test_numbers_that_a_spreadsheet_took_the_zeros_from_are_the_same_numbers(season_2025: Season) -> None:
    assert taken(FILE.replace(";0001", ";1")).done
    assert dict(taken(FILE).counts) == {"known": 6}


def test_a_round_that_is_planned_here_is_nobodys_past_one() -> None:
    round = planned("2025-1")
    before = list(Round.objects.filter(pk=round.pk).values_list())
    assert {(each.line, each.column) for each in taken(FILE, replace=True).problems} == {(2, "round")}
    assert list(Round.objects.filter(pk=round.pk).values_list()) == before


def test_a_day_that_is_none_is_said_to_be_none_on_every_line() -> None:
    wrong = FILE.replace("12. 9. 2025;19:00;zabreh;000102", "20.13.2026;19:00;zabreh;000102")
    with translation.override("en"):
        assert [(each.line, each.column, str(each.text)) for each in taken(wrong).problems] == [
            (3, "date", "There is no such day or time.")
        ]


def test_a_dry_run_writes_nothing() -> None:
    rounds = Round.objects.count()
    assert dict(taken(FILE, dry_run=True).counts) == {"added": 6}
    assert Round.objects.count() == rounds and not PastRound.objects.exists() and not Result.objects.exists()


def test_P_folding_everything_anew_keeps_what_was_imported(season_2025: Season) -> None:
    taken(FILE)
    before = table(season_2025)
    Results().rebuild()
    assert table(season_2025) == before and RoundReport.objects.count() == 2


def test_LG_8_points_of_the_file_count_and_what_differs_from_the_key_is_told(season_2025: Season) -> None:
    text = 'round,date,venue,number,place,points\n2025-1,2025-09-12,zabreh,000101,1,"97,5"\n'
    outcome = taken(text + "2025-1,2025-09-12,zabreh,000102,2,30.0\n")
    assert outcome.done and [remark.line for remark in outcome.remarks] == [2]
    assert table(season_2025) == [("000101", 97.5), ("000102", 30)]
    assert not standings(season_2025).key_unconfirmed
    Results().rebuild()
    assert table(season_2025) == [("000101", 97.5), ("000102", 30)]
    assert dict(taken(text + "2025-1,2025-09-12,zabreh,000102,2,30.0\n").counts) == {"known": 2}


def test_a_larger_field_than_the_lines_counts_as_it_was(season_2025: Season) -> None:
    text = "round,date,venue,number,place,registered\n2025-1,2025-09-12,zabreh,000101,1,5\n"
    taken(text)
    assert RoundReport.objects.get().registered == 5
    assert table(season_2025) == [("000101", 50)]


def test_P_a_correction_of_the_key_and_a_void_reach_imported_rounds(season_2025: Season) -> None:
    taken(FILE)
    double = FLAT | {"winner": {"3": 130, "4": 140}}
    correcting.correct(season_2025, read_key(double), "chyba", "boss")
    assert table(season_2025)[0] == ("000101", 150 + 130)
    voiding.decide(Round.objects.get(pk="2025-1"), "000101", True, "cizí průkaz", "boss")
    assert table(season_2025)[0] == ("000102", 150 + 140)
    before = table(season_2025)
    Results().rebuild()
    assert table(season_2025) == before


def test_all_faults_are_told_with_their_lines() -> None:
    lines = [
        HEAD + ";body",
        "2025-1;A;12. 9. 2025;19:00;zabreh;000101;1;0;",  # 2
        "2025-1;B;12. 9. 2025;19:00;zabreh;000102;2;0;",  # 3: another name of the round
        "2025-3;;12. 9. 2025;;nowhere;000101;1;;",  # 4: venue
        "2025-4;;12. 9. 2024;;zabreh;000101;1;;",  # 5: no season
        "2025-5;;31. 9. 2025;;zabreh;000101;1;;",  # 6: no such day
        "-5;;1. 9. 2025;;zabreh;000101;1;;",  # 7: no such code of a round
        "2025-6;;1. 9. 2025;25:00;zabreh;999999;x;-5;1,3",  # 8: time, number, place, prize, points
        "2025-7;;1. 9. 2025;;zabreh;000101;1;;",  # 9
        "2025-7;;1. 9. 2025;;zabreh;000101;3;;",  # 10: twice, and no second place
        "2025-8;;1. 9. 2025;;zabreh;000101;1;;10",  # 11
        "2025-8;;1. 9. 2025;;zabreh;000102;2;;",  # 12: no points
        "2027-9;;31. 12. 2027;;zabreh;000101;1;;",  # 13: still to come
    ]
    assert faults("\n".join(lines)) == {
        (3, "name"), (4, "venue"), (5, "date"), (6, "date"), (7, "round"), (8, "date"), (8, "number"), (8, "place"),
        (8, "prize"), (8, "points"), (10, "number"), (10, "place"), (12, "points"), (13, "date"),
    }  # fmt: skip
    assert faults("kolo;datum\n1;2\n") == {(1, "")}


def test_other_results_of_an_imported_round_are_taken_only_when_asked_for(season_2025: Season) -> None:
    taken(FILE)
    other = FILE.replace("000103;3.", "000105;3.")
    outcome = taken(other)
    assert [(problem.line, problem.column) for problem in outcome.problems] == [(2, "round")]
    assert dict(taken(other, replace=True).counts) == {"changed": 4, "known": 2}
    assert not Result.objects.filter(number="000103").exists() and Result.objects.filter(number="000105").exists()


def test_a_round_that_its_venue_tells_of_is_not_imported(director_key: Ed25519PrivateKey) -> None:
    planned("2027-1")
    venue_plays(director_key, announcement("2027-1"), moves(["000101", "000102", "000103"]))
    before = list(Result.objects.values_list())
    Round.objects.filter(pk="2027-1").update(starts_at=timezone.now())
    outcome = taken(f"{HEAD}\n2027-1;;12. 9. 2025;;zabreh;000101;1;0\n")
    assert [(problem.line, problem.column) for problem in outcome.problems] == [(2, "round")]
    assert list(Result.objects.values_list()) == before


def test_results_of_a_round_that_was_cancelled_are_not_imported() -> None:
    at = timezone.now()
    plan = planned("2025-1")
    Round.objects.filter(pk=plan.pk).update(cancelled_at=at, reason="Voda")
    outcome = taken(FILE)
    assert [(problem.line, problem.column) for problem in outcome.problems] == [(2, "round")]
    after = Round.objects.get(pk="2025-1")
    assert (after.cancelled_at, after.starts_at, after.promised) == (at, plan.starts_at, None)


def test_a_round_imported_anew_keeps_what_else_was_written_down_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    taken(FILE)
    write = results._write_round

    def late(*args: Any) -> Round:
        Round.objects.filter(pk="2025-1").update(notified_as="MU/1")
        return write(*args)

    monkeypatch.setattr(results, "_write_round", late)
    assert taken(FILE.replace("Zahajovací", "První"), replace=True).done
    assert Round.objects.values_list("name", "notified_as").get(pk="2025-1") == ("První", "MU/1")


@pytest.mark.parametrize("language", ["", "/en"])
def test_pages_show_an_imported_round_like_any_other(language: str) -> None:
    taken(FILE)
    public = Client()
    for path in ("/", "/rounds/2025-1/", "/standings/2025/"):
        assert public.get(language + path).status_code == 200, path
    assert "1 500" in public.get(language + "/rounds/2025-1/").text.replace("\u00a0", " ").replace("1,500", "1 500")
    for path in ("/api/1/rounds.json", "/api/1/rounds/2025-1.json", "/api/1/standings/2025.json"):
        assert public.get(path).status_code == 200, path
    office = staff_client(Role.COMMISSIONER)
    for path in ("rounds/", "rounds/round/2025-1/", "rounds/?show=past", "seasons/2025/", "participants/000101/"):
        assert office.get(f"{language}/office/{path}").status_code == 200, path
    assert office.post("/office/rounds/round/2025-1/cancel/", {"reason": "x"}).status_code in (200, 302, 404)
    assert Round.objects.get(pk="2025-1").cancelled_at is None


def test_sending_all_announcements_passes_imported_rounds_by(season_2025: Season) -> None:
    Round.objects.exclude(pk__startswith="2025").delete()
    taken(FILE)
    out = StringIO()
    call_command("offer_round", "--all", stdout=out)
    assert out.getvalue() == ""


def test_results_go_out_as_csv_and_come_back_as_they_were(season_2025: Season) -> None:
    taken(FILE)
    client = staff_client(Role.AUDITOR)
    answer: Any = client.get(PAGE + "file/", {"season": "2025"})
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert text == "".join(csv_lines(results_rows(season_2025))).removeprefix("\ufeff")
    assert "Žáčková" not in text and "2025-1;Zahajovací;2025-09-12;19:00;zabreh;000101;1;1500;50;4" in text
    assert client.get(PAGE + "file/", {"season": "x"}).status_code == 302
    PastRound.objects.all().delete()
    RoundReport.objects.all().delete()
    Round.objects.filter(season=season_2025).delete()
    before = taken(text)
    assert before.done and not before.remarks
    assert table(season_2025)[0] == ("000101", 80)


@pytest.mark.parametrize("role", list(Role))
def test_commissioners_and_operators_import_results_in_two_steps(role: Role) -> None:
    client = staff_client(role)
    if role not in (Role.COMMISSIONER, Role.OPERATOR):
        assert client.get(PAGE).status_code == 403 and client.post(PAGE).status_code == 403
        return
    raw = FILE.encode("cp1250")
    checked = client.post(PAGE, {"file": SimpleUploadedFile("v.csv", raw)})
    assert "Windows-1250" in checked.text and not PastRound.objects.exists()
    assert "Žáčková" not in checked.text
    done = client.post(PAGE, {"file": SimpleUploadedFile("v.csv", raw), "seen": digest(raw)})
    assert done.status_code == 302 and PastRound.objects.count() == 2


def test_the_command_imports_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(FILE, encoding="utf-8")
    out = StringIO()
    call_command("import_results", str(path), stdout=out)
    assert out.getvalue() == "6 added\n"
    path.write_text(FILE.replace("000104;3.", "000105;3."), encoding="utf-8")
    with pytest.raises(CommandError, match="line 2: round: "):
        call_command("import_results", str(path))
    call_command("import_results", str(path), "--replace", stdout=out)
    assert Result.objects.filter(number="000105").exists()
    assert Participant.objects.filter(number="000105").exists()
