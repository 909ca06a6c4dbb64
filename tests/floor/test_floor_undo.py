"""What an undo says it takes back: whoever confirms it knows which command it was, whoever gave it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.floor.conftest import Desk
from tests.game.conftest import Evening, number

FOUR = {"participant": number(4)}
CHIPS = {number(n): 4000 for n in (1, 2, 3)} | {number(4): 4100}

SAID: list[tuple[str, dict[str, Any], str]] = [
    ("bust", FOUR, "Player 4 went out"),
    ("sanction", {**FOUR, "kind": "exclusion", "reason": "x"}, "Player 4 went out"),
    ("sanction", {**FOUR, "kind": "warning", "reason": "x"}, "Player 4 was given a penalty"),
    ("void", {**FOUR, "reason": "x"}, "the participation of Player 4 was made void"),
    ("deposit", {**FOUR, "amount": 50}, "Player 4 paid CZK\u00a050 more"),
    ("move", {**FOUR, "seat": [2, 9]}, "Player 4 moved: Table 2, seat 9"),
    ("absent", FOUR, "Player 4 was marked as away"),
    ("lock", {**FOUR, "on": True}, "the seat of Player 4 was fixed or released"),
    ("lock", {"seat": [1, 9], "on": True}, "a seat was locked or released"),
    ("next_hand", {"table": 2}, "hand 1 began at table 2"),
    ("stacks", {"table": 1, "stacks": CHIPS}, "chips were counted at table 1"),
    ("time_call", {**FOUR, "table": 1}, "time was called at table 1"),
    ("break_table", {"table": 2}, "new seats: 3 players"),
    ("final_table", {}, "new seats"),
    ("pause", {}, "the clock was set"),
    ("next_level", {}, "the clock was set"),
    ("begin_break", {"minutes": 5}, "the clock was set"),
    ("hand_for_hand", {"on": True}, "hand for hand began"),
    ("end_early", {"reason": "x", "stacks": {number(n): 4000 for n in range(1, 8)}}, "the round was ended"),
    ("ruling", {"ruling": "I-13", "decision": "x", "reason": "y"}, "a ruling was recorded"),
    ("deal", {"kind": "icm", "consents": list(CHIPS), "stacks": CHIPS}, "a deal was made"),
    ("bonus_card", FOUR, "Player 4 used the bonus card"),
    ("chip_up", {}, "the bonus stack was given"),
]


def house(do: str) -> dict[str, Any]:
    return {"profile": "casino-2012"} if do == "deal" else {"chip_up": 1000, "bonus_card": 500}


@pytest.mark.parametrize(("do", "fields", "said"), SAID, ids=[f"{do}-{said}" for do, _, said in SAID])
def test_an_undo_says_what_it_takes_back(do: str, fields: dict[str, Any], said: str) -> None:
    tables = ([1, 2, 3, 4],) if do == "deal" else ([1, 2, 3, 4], [5, 6, 7])
    desk = Desk(Evening().seated(*tables, **house(do)).do(do, **fields)).choose("undo")
    assert desk.reads().startswith(f"Taken back: {said}")
    desk.yes()
    assert desk.open.page == "done"
    assert desk.choose("redo").reads().startswith(f"Done again: {said}")


def test_the_last_bust_is_told_as_the_bust_it_was() -> None:
    desk = Desk(Evening().seated([1, 2, 3]).bust(1).bust(2)).choose("undo")
    assert desk.reads() == "Taken back: Player 2 went out."


@pytest.mark.parametrize(
    ("do", "fields", "said"),
    [
        ("register", {"participant": number(5), "identity_checked": True}, "Player 5 was registered"),
        ("unregister", FOUR, "Player 4 was taken off the list"),
        ("cancel", {"reason": "x"}, "the round was cancelled"),
        ("reschedule", {"starts_at": "2027-01-22T19:00:00+01:00"}, "the round was moved to another date"),
        ("start", {}, "the round was started"),
    ],
)
def test_before_the_start_it_says_so_too(do: str, fields: dict[str, Any], said: str) -> None:
    desk = Desk(Evening().opened(4).do(do, **fields), place="phone", table=None).choose("undo")
    assert desk.reads() == f"Taken back: {said}."
