"""The published evening of eighteen players, two tables, gives its published results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from appliance.game.rehearse import run
from appliance.game.values import parse_time

DATA = Path(__file__).parent.parent / "data"
SCRIPT = DATA / "evening-18.jsonl"


def test_evening_18_gives_the_expected_results() -> None:
    expected = json.loads((DATA / "evening-18.expected.json").read_text())
    found = run(SCRIPT.read_bytes().split(b"\n"))
    found["refusals"] = [{"do": r["do"], "code": r["code"]} for r in found["refusals"]]
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("time", "state", "left"),
    [
        ("17:59", None, 0),
        ("18:00", "announced", 0),
        ("18:22", "open", 0),
        ("19:00", "running", 18),
        ("19:52", "paused", 18),
        ("20:21", "running", 16),
        ("23:41", "finished", 1),
    ],
)
def test_until_gives_the_state_at_that_time_its_commands_applied(time: str, state: str | None, left: int) -> None:
    found = run(SCRIPT.read_text().splitlines(), parse_time(f"2027-01-15T{time}:00+01:00"))
    assert found["round"] == "R1"
    assert found["state"] == state
    assert sum(player["status"] == "in" for player in found["players"].values()) == left


def test_refusals_name_their_lines() -> None:
    found = run(SCRIPT.read_text().splitlines())
    lines = SCRIPT.read_text().splitlines()
    for refusal in found["refusals"]:
        assert json.loads(lines[refusal["line"] - 1])["do"] == refusal["do"]
    assert found["refusals"][2]["detail"] == {"limit": 500, "left": 350}
    assert found["refusals"][3]["detail"] == {"limit": 500, "left": 25}


def test_an_undone_bust_leaves_no_trace_in_the_places() -> None:
    lines = SCRIPT.read_text().splitlines()
    at_2222 = next(n for n, line in enumerate(lines) if "22:22:00" in line)
    without = lines[:at_2222] + lines[at_2222 + 2 :]
    assert run(without)["results"] == run(lines)["results"]
