"""Which round a screen and a card are about."""

import pytest

from appliance.evening import READ_MS, of_participant, of_tonight, on_screen
from appliance.game.commands import (
    decode_command,
)
from appliance.game.results import prizes_won
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


LATER_TONIGHT = "2027-01-15T22:00:00+01:00"
SOON = played("R2", OPEN, starts_at=LATER_TONIGHT)
MINUTE = 60_000


def paid(*commands):
    prize = prizes_won(played("R1", *DONE))["000103"]
    return played("R1", *DONE, {"do": "pay", "participant": "000103", "amount": prize}, *commands)


@pytest.mark.parametrize("table", [None, 1])
def test_LG_12_results_stay_although_the_next_round_takes_registrations_until_they_are_read_and_paid(table):
    owed = played("R1", *DONE)
    for passed in (0, READ_MS, 3 * READ_MS):
        assert on_screen([SOON, owed], START + passed, table).id == "R1", "a prize waits"
    assert on_screen([SOON, paid()], START + READ_MS - 1, table).id == "R1", "there was no time to read them"
    assert on_screen([SOON, paid()], START + READ_MS, table).id == "R2"


def test_LG_12_results_leave_the_screens_when_the_next_round_starts_there():
    owed, going = played("R1", *DONE, tables=[1]), played("R2", *GOING, tables=[2])
    assert on_screen([owed, going], START + MINUTE, 2).id == on_screen([owed, going], START + MINUTE).id == "R2"
    assert on_screen([owed, going], START + MINUTE, 1).id == "R1", "the other round does not play there"


def test_a_door_shows_the_round_that_takes_registrations_and_leaves_results_to_the_tables():
    owed = played("R1", *DONE)
    assert on_screen([SOON, owed], START + MINUTE, door=True).id == "R2"
    assert on_screen([owed], START + MINUTE, door=True).id == "R1"


def test_a_commissioner_reaches_every_round_of_the_evening_that_of_the_screen_first():
    owed, forgotten = played("R1", *DONE), played("R0", *GOING, starts_at="2027-01-08T19:00:00+01:00")
    known = [SOON, NEXT_WEEK, owed, forgotten]
    assert [r.id for r in of_tonight(known, START + MINUTE, 1)] == ["R1", "R2", "R0"]
    assert [r.id for r in of_tonight(known, START + MINUTE, door=True)] == ["R2", "R1", "R0"]
    assert [r.id for r in of_tonight([NEXT_WEEK], START)] == ["R9"], "what the screen shows is always there"
    assert of_tonight([], START) == ()


def test_LG_1_at_the_door_somebody_who_is_out_can_register_for_the_next_round_of_the_evening():
    ended = played("R1", *DONE)
    assert of_participant([SOON, ended], "000102", START + MINUTE).id == "R2"
    assert of_participant([SOON, ended], "000102", START + MINUTE, 1).id == "R1", "a table tells the place"
    still = played("R1", *GOING, {"do": "bust", "participant": "000102"})
    assert of_participant([SOON, still], "000102", START + MINUTE).id == "R2"
    assert of_participant([SOON, still], "000101", START + MINUTE).id == "R1", "who is still in has a seat"
    assert of_participant([OPEN_NEXT_WEEK, ended], "000102", START + MINUTE).id == "R1"
    both = played("R2", OPEN, *registered("000102"), starts_at=LATER_TONIGHT)
    assert of_participant([both, ended], "000102", START + MINUTE).id == "R2", "registered for it already"
