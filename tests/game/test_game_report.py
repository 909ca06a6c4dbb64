"""The report has the shape CONTRACT gives it."""

from __future__ import annotations

import json


def test_the_report_has_contracts_keys(evening) -> None:
    evening.seated([1, 2, 3, 4]).do("next_hand", table=1).bust(2)
    found = json.loads(json.dumps(evening.report()))
    assert list(found) == [
        "round", "state", "profile", "clock", "tables", "players", "pool", "chips_in_play", "balance_needed",
        "results", "notices",
    ]  # fmt: skip
    assert found["clock"] == {
        "level": 1, "sb": 50, "bb": 100, "ante": 0, "running": True, "on_break": False, "remaining_s": 1200,
    }  # fmt: skip
    seats = {"1": "000001", "3": "000003", "4": "000004"}
    assert found["tables"] == {"1": {"button": 1, "sb": 2, "bb": 3, "hand": 1, "level": 1, "seats": seats}}
    assert found["players"]["000001"] == {"status": "in", "deposit": 100, "chips": 4000, "seat": [1, 1]}
    assert found["players"]["000002"] == {"status": "out", "deposit": 100, "chips": 0, "seat": None}
    assert found["results"] == [{"place": 4, "participant": "000002", "prize": 0, "points": "10"}]


def test_the_report_before_anything_is_announced_is_empty(evening) -> None:
    found = evening.report()
    assert (found["round"], found["players"], found["results"], found["pool"]) == (None, {}, [], 0)


def test_registered_players_have_no_seat_yet(evening) -> None:
    evening.opened(1)
    player = {"status": "registered", "deposit": 100, "chips": 4000, "seat": None}
    assert evening.report()["players"] == {"000001": player}
    assert evening.report()["tables"] == {}


def test_results_that_are_shared_are_listed_by_registration_number(evening) -> None:
    evening.started(10).bust(10, table=1, hand=1).bust(9, table=1, hand=1)
    assert [r["participant"] for r in evening.report()["results"]] == ["000009", "000010"]


def test_a_count_shows_as_the_players_chips(evening) -> None:
    evening.seated([1, 2, 3]).do("stacks", table=1, stacks={"000001": 12_000, "000002": 0, "000003": 0})
    assert [p["chips"] for p in evening.report()["players"].values()] == [12_000, 0, 0]
    assert evening.do("deposit", participant="000002", amount=1).player(2).chips == 40
