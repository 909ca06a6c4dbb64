"""Scripts of the two nights of the year in which clocks change in Prague: deposits, levels and time order."""

from __future__ import annotations

import json
from typing import Any

import pytest

from appliance.game.rehearse import run
from appliance.game.script import ScriptError, parse_script

EVERY = ["cpl-2017", "cpl", "casino-2012", "tda-2024"]
LEVELS = [{"sb": 50 * n, "bb": 100 * n, "minutes": 30} for n in range(1, 60)]


def script(profile: str, starts_at: str, *lines: tuple[str, str, dict[str, Any]]) -> list[str]:
    """An announcement at the start's own time, three registered and playing, then these lines."""
    announced = {"venue": "brno", "starts_at": starts_at, "profile": profile, "deposit": 100, "shares": ["100"]}
    head: list[tuple[str, str, dict[str, Any]]] = [
        (starts_at, "announce", {**announced, "seats_per_table": 9, "levels": LEVELS}),
        (starts_at, "open", {}),
        *((starts_at, "register", {"participant": str(n), "identity_checked": True}) for n in (1, 2, 3)),
        (starts_at, "start", {}),
    ]
    return [json.dumps({"at": at, "do": do, "round": "R1", **fields}) for at, do, fields in [*head, *lines]]


def deposit(at: str, amount: int) -> tuple[str, str, dict[str, Any]]:
    return at, "deposit", {"participant": "1", "amount": amount}


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize(
    ("starts_at", "topped_up", "too_soon", "a_day_later", "another_day_later"),
    [
        (
            "2027-03-27T23:30:00+01:00",
            "2027-03-28T01:59:59.999+01:00",
            "2027-03-29T00:29:59.999+02:00",
            "2027-03-29T00:30:00+02:00",
            "2027-03-29T02:59:59.999+02:00",
        ),
        (
            "2027-10-30T23:30:00+02:00",
            "2027-10-31T02:59:59.999+02:00",
            "2027-10-31T22:29:59.999+01:00",
            "2027-10-31T22:30:00+01:00",
            "2027-11-01T01:59:59.999+01:00",
        ),
    ],
    ids=["forward", "back"],
)
def test_T_3_a_day_is_24_hours_in_the_nights_that_have_23_or_25(
    starts_at: str, topped_up: str, too_soon: str, a_day_later: str, another_day_later: str, profile: str
) -> None:
    lines = script(
        profile,
        starts_at,
        deposit(topped_up, 400),
        deposit(too_soon, 1),
        deposit(a_day_later, 101),
        deposit(a_day_later, 100),
        deposit(another_day_later, 400),
    )
    found = run(lines)
    refused = [(refusal["line"], refusal["detail"]["left"]) for refusal in found["refusals"]]
    assert refused == [(8, 0), (9, 100)]
    assert found["players"]["1"]["deposit"] == 1000
    assert found["chips_in_play"] == 40 * found["pool"] == 40 * 1200


@pytest.mark.parametrize("profile", EVERY)
@pytest.mark.parametrize(
    ("starts_at", "asked"),
    [
        ("2027-03-28T01:30:00+01:00", "2027-03-28T03:35:00+02:00"),
        ("2027-10-31T02:30:00+02:00", "2027-10-31T02:35:00+01:00"),
    ],
    ids=["forward", "back"],
)
def test_CK_1_levels_last_as_long_as_ever_when_the_clocks_change(starts_at: str, asked: str, profile: str) -> None:
    """65 minutes of play, whatever the wall says: the third level has begun five minutes ago."""
    clock = run(script(profile, starts_at, (asked, "next_hand", {"table": 1})))["clock"]
    assert (clock["level"], clock["remaining_s"]) == (3, 25 * 60)


def test_the_hour_that_comes_twice_goes_forward_in_a_script() -> None:
    start = "2027-10-31T02:50:00+02:00"
    assert len(parse_script(script("cpl", start, deposit("2027-10-31T02:10:00+01:00", 1)))) == 7
    with pytest.raises(ScriptError, match="earlier than line 6"):
        parse_script(script("cpl", start, deposit("2027-10-31T02:49:59.999+02:00", 1)))
