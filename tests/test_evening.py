"""Which round a screen and a card are about."""

import pytest

from appliance.evening import of_participant, on_screen
from appliance.game.commands import (
    decode_command,
)
from appliance.game.round import INITIAL, decide, fold

DAY = 24 * 3_600_000
START = 1_800_036_000_000  # 2027-01-15T18:00:00Z
AT = "2027-01-15T19:00:00+01:00"


def played(number, *commands, starts_at=AT, at=START, tables=None, late=False):
    announce = {
        "do": "announce", "venue": "brno", "starts_at": starts_at, "profile": "casino-2012" if late else "cpl-2017",
        "deposit": 100, "shares": ["100"], "seats_per_table": 9, "seed": 7, "late_registration": late,
        "levels": [{"sb": 25, "bb": 50, "ante": 0, "minutes": 15}, {"break": 10}],
    }  # fmt: skip
    ledger = INITIAL
    for n, fields in enumerate([announce | ({"tables": tables} if tables else {}), *commands]):
        events = decide(ledger, decode_command({"round": number, **fields}), at, str(n))
        assert isinstance(events, tuple), events
        for event in events:
            ledger = fold(ledger, event, at, str(n))
    return ledger.round


def registered(*numbers):
    return [{"do": "register", "participant": number, "identity_checked": True} for number in numbers]


OPEN = {"do": "open"}
PLAYERS = ("000101", "000102", "000103")
GOING = [OPEN, *registered(*PLAYERS), {"do": "start"}]
DONE = [*GOING, {"do": "bust", "participant": "000101"}, {"do": "bust", "participant": "000102"}]
NEXT_WEEK = played("R9", starts_at="2027-01-22T19:00:00+01:00")
OPEN_NEXT_WEEK = played("R9", OPEN, starts_at="2027-01-22T19:00:00+01:00")


def test_nothing_is_on_where_nothing_is():
    assert on_screen([], START) is None and of_participant([], "000101", START) is None


def test_the_round_in_play_comes_before_one_that_is_open_and_that_before_an_announced_one():
    rounds = [played("R1", OPEN), played("R2", *GOING), played("R3")]
    assert on_screen(rounds, START).id == "R2"
    assert on_screen([rounds[0], rounds[2]], START).id == "R1"


@pytest.mark.parametrize("later", [NEXT_WEEK, OPEN_NEXT_WEEK])
@pytest.mark.parametrize("commands", [DONE, [OPEN, *registered(*PLAYERS), {"do": "cancel"}]])
def test_LG_12_what_has_just_ended_is_shown_although_next_week_is_announced(commands, later):
    ended = played("R1", *commands)
    assert on_screen([later, ended], START + 3_600_000).id == "R1"
    assert on_screen([later, ended], START + 2 * DAY).id == "R9"


def test_a_player_of_the_finished_round_gets_their_place_and_not_next_weeks_date():
    ended = played("R1", *DONE)
    assert of_participant([NEXT_WEEK, ended], "000102", START + 60_000).id == "R1"


def test_a_round_that_nobody_ended_does_not_block_the_next_evening():
    forgotten, tonight = played("R1", *GOING), played("R2", OPEN, starts_at="2027-01-22T19:00:00+01:00")
    assert on_screen([forgotten, tonight], START + 7 * DAY).id == "R2"


def test_LG_1_two_rounds_at_once_each_on_its_own_tables():
    one, two = played("R1", *GOING, tables=[1]), played("R2", OPEN, *registered("000201"), tables=[2])
    assert on_screen([one, two], START, 1).id == "R1"
    assert on_screen([one, two], START, 2).id == "R2"
    assert on_screen([one, two], START).id == "R1"
    assert on_screen([one, NEXT_WEEK], START, 2).id == "R1", "a table that is not used shows the evening's clock"


def test_LG_1_a_card_is_about_the_round_its_owner_plays_in_else_about_one_that_still_takes_them():
    one, two = played("R1", *GOING, tables=[1]), played("R2", OPEN, *registered("000201"), tables=[2])
    rounds = [one, two]
    assert of_participant(rounds, "000101", START).id == "R1"
    assert of_participant(rounds, "000201", START).id == "R2"
    assert of_participant(rounds, "000777", START).id == "R2", "the first round takes nobody any more"
    late = played("R3", *GOING, late=True)
    assert of_participant([one, late], "000777", START).id == "R3"
