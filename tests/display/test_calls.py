"""A call for time is seen at its table: who is to act, how long still, and how the hand ends (CK-4)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from appliance.display.fonts import FontBook
from appliance.display.from_call import call
from appliance.display.from_round import Link, Scene, Venue, later, next_change_ms, table_view
from appliance.display.layout import draw_list
from appliance.display.layout_call import call_text
from appliance.display.ops import Text
from appliance.display.view import Call, TableView
from appliance.game.rehearse import step
from appliance.game.roster import Roster
from appliance.game.round import INITIAL, Refusal
from appliance.game.script import parse_script
from appliance.game.state import Ledger
from appliance.i18n import LANGUAGES, NBSP, Translator

PLAYERS = ("000101", "000102", "000103")
CALLED = Call(who="000102", phase="thinking", remaining_s=18, ends="check-or-fold")


def played(profile: str, *more: dict[str, Any]) -> tuple[Ledger, int]:
    """A round in its first hand at table 1, and what else is told; when the last of it was, UTC ms."""
    commands: list[dict[str, Any]] = [
        {
            "do": "announce", "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00", "profile": profile,
            "deposit": 100, "shares": ["100"], "seats_per_table": 9, "seed": 7,
            "levels": [{"sb": 25, "bb": 50, "minutes": 15}],
        },
        {"do": "open"},
        *({"do": "register", "participant": who, "identity_checked": True} for who in PLAYERS),
        {"do": "start"},
        {"do": "next_hand", "table": 1},
        *more,
    ]  # fmt: skip
    lines = [json.dumps({"at": "2027-01-15T19:00:00+01:00", "round": "R1", **command}) for command in commands]
    ledger = INITIAL
    for line in parse_script(lines):
        answer = step(ledger, line, seed=1)
        assert not isinstance(answer, Refusal), answer
        ledger = answer
    return ledger, line.at_ms


def scene(ledger: Ledger, at_ms: int) -> Scene:
    return Scene(round=ledger.round, roster=Roster(), link=Link(), venue=Venue("Brno"), at_ms=at_ms)


CALL = {"do": "time_call", "table": 1, "participant": "000102"}


def test_CK_4_of_players_of_one_name_the_seat_tells_whose_time_it_is() -> None:
    ledger, at_ms = played("cpl-2017", CALL)
    assert ledger.round is not None
    seat = next(n for n, who in ledger.round.tables[1].seats.items() if who == "000102")
    alike = call(ledger.round, at_ms, lambda _: "Jan N.", 1)
    assert alike is not None
    assert alike.seat == seat
    assert call_text(alike, Translator("cs")).replace(NBSP, " ").startswith(f"Čas: Jan N. (místo {seat})")


@pytest.mark.parametrize(
    ("profile", "think_s", "count_s", "ends"),
    [
        ("cpl-2017", 25, 5, "check-or-fold"),
        ("cpl", 25, 5, "check-or-fold"),
        ("casino-2012", 60, 10, "fold"),
        ("tda-2024", 25, 5, "check-or-fold"),
    ],
)
def test_CK_4_the_table_shows_who_is_to_act_and_for_how_long(
    profile: str, think_s: int, count_s: int, ends: Any
) -> None:
    ledger, at_ms = played(profile, CALL)

    def shown(after_s: int) -> Call | None:
        return table_view(scene(ledger, at_ms + after_s * 1000), 1).call

    assert shown(0) == Call(who="000102", phase="thinking", remaining_s=think_s, ends=ends)
    assert shown(think_s) == Call(who="000102", phase="counting", remaining_s=count_s, ends=ends)
    assert shown(think_s + count_s) == Call(who="000102", phase="over", remaining_s=0, ends=ends)
    assert table_view(scene(ledger, at_ms), 2).call is None


def test_CK_4_nothing_is_shown_once_it_has_ended() -> None:
    ledger, at_ms = played("cpl", CALL, {"do": "time_end", "table": 1})
    assert table_view(scene(ledger, at_ms), 1).call is None


def test_CK_4_nothing_is_shown_when_the_round_is_over() -> None:
    ledger, at_ms = played(
        "cpl", CALL, {"do": "bust", "participant": "000101"}, {"do": "bust", "participant": "000103"}
    )
    assert table_view(scene(ledger, at_ms), 1).call is None


def test_CK_4_the_seconds_of_a_call_are_carried_on_with_the_clock() -> None:
    ledger, at_ms = played("cpl", CALL)
    before = scene(ledger, at_ms)
    for after in (1_000, 24_999, 25_000, 29_001, 31_000):
        following = replace(before, at_ms=at_ms + after)
        assert later(table_view(before, 1), following) == table_view(following, 1)


def test_CK_4_a_screen_is_drawn_anew_each_second_of_a_call_though_the_clock_stands() -> None:
    ledger, at_ms = played("cpl", {"do": "pause"}, CALL)
    assert next_change_ms(ledger.round, at_ms) == 1000
    assert next_change_ms(ledger.round, at_ms + 25_300) == 700
    assert next_change_ms(ledger.round, at_ms + 30_000) == 30_000


@pytest.mark.parametrize(
    ("call", "en", "cs"),
    [
        (CALLED, "Time: 000102, 18 s", "Čas: 000102, 18 s"),
        (replace(CALLED, phase="counting", remaining_s=4), "Count: 000102, 4 s", "Odpočet: 000102, 4 s"),
        (
            replace(CALLED, phase="over", remaining_s=0),
            "Time is up: 000102, check or fold",
            "Čas vypršel: 000102, check nebo fold",
        ),
        (
            replace(CALLED, phase="over", remaining_s=0, ends="fold"),
            "Time is up: 000102, fold",
            "Čas vypršel: 000102, fold",
        ),
    ],
)
def test_a_call_is_said_in_both_languages(call: Call, en: str, cs: str) -> None:
    assert (call_text(call, Translator("en")), call_text(call, Translator("cs"))) == (en, cs)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (800, 480), (480, 800)])
def test_a_call_is_large_enough_to_be_seen_across_the_table(
    evening: TableView, fonts: FontBook, size: tuple[int, int], lang: str
) -> None:
    said = call_text(CALLED, Translator(lang))
    ops = draw_list(replace(evening, call=CALLED), size, Translator(lang), fonts)
    (written,) = [op for op in ops if isinstance(op, Text) and op.text == said]
    names = [op for op in ops if isinstance(op, Text) and op.text == "000107"]
    assert written.size > max(op.size for op in names)
