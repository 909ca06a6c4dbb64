"""What a commissioner takes home; a dealer nothing."""

from __future__ import annotations

import asyncio
import json

from appliance.console.exports import exports
from appliance.game.roster import RosterEntry
from tests.console.viewing import COMMISSIONER, Desk, dealer
from tests.game.conftest import Evening, number
from tests.test_journal import append, opened


def taken(tmp_path, desk, name):
    return asyncio.run(exports(tmp_path / "journal")(name, desk.asked()._replace(round="R1")))


def test_results_are_a_table_that_spreadsheets_of_the_language_read(tmp_path):
    desk = Desk(Evening().seated(range(1, 4)).bust(3), lang="cs")
    entries = {**desk.more["roster"].entries}
    entries[number(3)] = RosterEntry(participant=number(3), state="active", name="=Žluťoučký Kůň")
    desk.more["roster"] = desk.more["roster"].__class__(entries=entries)
    file = taken(tmp_path, desk, "export/results.csv")
    assert file.kind == "text/csv; charset=utf-8" and file.name == "results-R1.csv"
    lines = file.body.decode("utf-8-sig").split("\r\n")
    assert lines[0] == "Místo;Číslo;Jméno;Výhra (Kč);Body"
    assert lines[1].startswith(f"3;{number(3)};'=Žluťoučký")
    assert taken(tmp_path, Desk(Evening().seated(range(1, 4)).bust(3)), "export/results.csv").body.count(b",") == 8


def test_a_dealer_takes_nothing_home_and_nothing_else_is_there(tmp_path):
    desk = Desk(Evening().seated(range(1, 4)), dealer(1))
    assert taken(tmp_path, desk, "export/results.csv") is None
    assert taken(tmp_path, desk, "export/journal.jsonl") is None
    assert taken(tmp_path, Desk(Evening(), COMMISSIONER), "export/results.csv") is None
    assert taken(tmp_path, Desk(Evening(), COMMISSIONER), "export/device.key") is None


def test_a_journal_that_cannot_be_read_is_told_in_the_log(tmp_path, caplog):
    assert taken(tmp_path, Desk(Evening()), "export/journal.jsonl") is None
    assert "the journal is not exported" in caplog.text


def test_a_journal_is_written_as_it_is_while_it_is_written_and_nobodys_roster_leaves(tmp_path):
    opened(tmp_path / "journal", "league/brno").close()
    with opened(tmp_path / "journal") as journal:
        append(journal, 1, 2, 3)
        file = taken(tmp_path, Desk(Evening()), "export/journal.jsonl")
        append(journal, 4)
    assert (file.kind, file.name) == ("application/jsonl", "journal-brno.jsonl")
    lines = [json.loads(line) for line in file.body.splitlines()]
    assert [line["data"].get("n") for line in lines[1:]] == [1, 2, 3]
    assert {line["stream"] for line in lines} == {"round/R1"}
