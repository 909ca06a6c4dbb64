"""``tableside round`` keeps CONTRACT's form; the script goes through the real engine into a real journal."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
EVENING = (DATA / "evening-18.jsonl").read_text()


def tableside(*arguments):
    return subprocess.run([sys.executable, "-m", "appliance", *map(str, arguments)], capture_output=True)


def written(tmp_path, content):
    script = tmp_path / "script.jsonl"
    script.write_bytes(content if isinstance(content, bytes) else content.encode())
    return script


def test_the_published_evening_gives_its_results_from_a_journal_that_verifies(tmp_path):
    done = tableside("round", DATA / "evening-18.jsonl", "--json", "--journal", tmp_path / "j")
    answer, expected = json.loads(done.stdout), json.loads((DATA / "evening-18.expected.json").read_text())
    refusals = [{"do": r["do"], "code": r["code"]} for r in answer.pop("refusals")]
    assert refusals == expected.pop("refusals")
    assert {name: answer[name] for name in expected} == expected
    assert done.returncode == 0
    assert tableside("journal", "verify", tmp_path / "j").returncode == 0
    exported = tableside("journal", "export", tmp_path / "j", "-o", tmp_path / "out.jsonl")
    assert exported.returncode == 0 and len((tmp_path / "out.jsonl").read_text().splitlines()) == 50


def test_until_gives_the_state_at_that_time(tmp_path):
    done = tableside("round", DATA / "evening-18.jsonl", "--json", "--until", "2027-01-15T19:52:00+01:00")
    answer = json.loads(done.stdout)
    assert (answer["state"], answer["clock"]["level"], answer["clock"]["remaining_s"]) == ("paused", 3, 600)
    assert answer["tables"]["1"]["hand"] == 1 and answer["pool"] == 18 * 375 + 100


def test_a_given_journal_must_not_exist_and_stays(tmp_path):
    (tmp_path / "j").write_text("mine")
    done = tableside("round", DATA / "evening-18.jsonl", "--journal", tmp_path / "j")
    assert done.returncode == 2 and b"there already" in done.stderr
    assert (tmp_path / "j").read_text() == "mine"


LINES = EVENING.splitlines()


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("\n".join([*LINES[:5], "{not json"]), 6, "not JSON"),
        ("\n".join([*LINES[:3], LINES[3].replace("true", '"yes"')]), 4, "identity_checked"),
        ("\n".join([*LINES[:3], LINES[3].replace("participant", "player")]), 4, "player"),
        ("\n".join([*LINES[:4], LINES[2]]), 5, "earlier"),
        ("\n".join([*LINES[:3], LINES[3].replace("18:10", "18:1O")]), 4, "at"),
        ("\n".join([*LINES[:3], LINES[3].replace("+01:00", "")]), 4, "at"),
        ("\n".join([*LINES[:3], LINES[3].replace('"R1"', '"R2"')]), 4, "round"),
        (LINES[1].replace("375", "-375"), 1, "deposit"),
        (LINES[1].replace('"starts_at": "2027', '"starts_at": "9999'), 1, "2199"),
        (LINES[1].replace("zabreh", "x" * 1_000_000), 1, "longer"),
        (LINES[1].encode() + b"\n\xff\xfe", 2, "UTF-8"),
        (LINES[1] + "\n[1, 2]", 2, "object"),
        (LINES[1] + "\n" + "[" * 50_000, 2, "nested"),
        ("", 0, "no command"),
    ],
)
def test_a_malformed_script_is_named_by_line_and_leaves_no_journal(tmp_path, content, line, reason):
    script = written(tmp_path, content)
    done = tableside("round", script, "--journal", tmp_path / "j")
    error = done.stderr.decode()
    assert done.returncode == 2 and len(error.splitlines()) == 1
    assert str(script) + (f":{line}:" if line else ":") in error and reason in error
    assert not (tmp_path / "j").exists() and done.stdout == b""


def test_a_missing_script_is_one_line_and_2(tmp_path):
    done = tableside("round", tmp_path / "none.jsonl")
    assert done.returncode == 2 and b"none.jsonl" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_second_announce_is_a_refusal_and_the_run_goes_on(tmp_path):
    script = written(tmp_path, "\n".join([LINES[1], LINES[1], *LINES[2:5]]))
    answer = json.loads(tableside("round", script, "--json").stdout)
    assert [r["code"] for r in answer["refusals"]] == ["already-announced"]
    assert answer["state"] == "open" and len(answer["players"]) == 2


def test_T_10_the_short_report_tells_what_a_deal_gives(tmp_path):
    def line(do, **fields):
        return json.dumps({"at": "2027-01-15T19:00:00+01:00", "do": do, "round": "R1", **fields})

    announced = json.loads(LINES[1]) | {"profile": "casino-2012", "deposit": 100, "shares": ["60", "40"], "round": "R1"}
    stacks = {"1": 10_000, "2": 2_000}
    script = [
        json.dumps(announced),
        line("open"),
        *(line("register", participant=n, identity_checked=True) for n in "123"),
        line("start"),
        line("bust", participant="3"),
        line("deal", kind="chop", stacks=stacks, consents=[*stacks]),
    ]
    done = tableside("round", written(tmp_path, "\n".join(script)))
    assert "deal chop  1: 170 CZK  2: 130 CZK" in done.stdout.decode()


def test_the_short_report_tells_who_is_not_dealt_in_whose_time_runs_and_what_was_paid(tmp_path):
    """Places and clock alone do not say how an evening stands."""

    def line(do, **fields):
        return json.dumps({"at": "2027-01-15T19:00:00+01:00", "do": do, "round": "R1", **fields})

    def told(*more):
        done = tableside("round", written(tmp_path, "\n".join([*script, *more])))
        assert done.returncode == 0
        return done.stdout.decode().splitlines()

    announced = json.loads(LINES[1]) | {"deposit": 100, "shares": ["60", "40"], "round": "R1"}
    seats = {"1": [1, 1], "2": [1, 2], "3": [1, 4], "4": [2, 1], "5": [2, 2]}
    script = [
        json.dumps(announced),
        line("open"),
        *(line("register", participant=n, identity_checked=True) for n in "12345"),
        line("start", seats=seats, button=1),
        line("next_hand", table=1),
        line("move", participant="5", seat=[1, 3]),
        line("next_hand", table=1),
        line("absent", participant="1"),
        line("hand_for_hand", on=True),
        line("time_call", table=1, participant="2"),
    ]
    lines = told()
    assert "hand for hand  round 0" in lines
    assert "table 1  hand 2  button 2  sb 4  bb 1  1: 1 (absent)  2: 2  3: 5 (waits)  4: 3" in lines
    assert "table 1  time called: 2 thinking 25 s" in lines
    busts = [line("bust", participant=n) for n in "5432"]
    over = told(*busts, line("pay", participant="1", amount=300))
    assert "   1  1      300 CZK      75  paid 300" in over
    assert not [line for line in over if line.startswith("hand for hand")]


@pytest.mark.parametrize("command", ["round", "send"])
def test_the_help_names_all_that_a_line_may_do(command):
    told = " ".join(tableside(command, "--help").stdout.decode().split())
    assert "What a line may do: announce, open," in told
    for do in ("break_table", "hand_for_hand", "time_end", "fields and examples"):
        assert do in told


def test_T_5_prizes_and_P_points_from_the_command_line():
    prizes = tableside("prizes", "--pool", 1000, "--shares", "50,30,20", "--tie", "2-3")
    assert prizes.stdout.split() == [b"1", b"500", b"2", b"250", b"3", b"250"]
    points = tableside("points", "--players", 5).stdout.split()
    assert points == [b"1", b"75", b"2", b"70", b"3", b"65", b"4", b"10", b"5", b"10"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("prizes", "--pool", 100, "--shares", "50,40"),
        ("prizes", "--pool", -1, "--shares", "100"),
        ("prizes", "--pool", 100, "--shares", "100", "--tie", "3-2"),
        ("points", "--players", 91),
        ("points", "--players", 5, "--key", __file__),
    ],
)
def test_bad_input_of_the_calculators_is_one_line_and_2(arguments):
    done = tableside(*arguments)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and done.stdout == b""
