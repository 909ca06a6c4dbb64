"""The menu's pages for a takeover, and for what only an old director had."""

from __future__ import annotations

import json

from msgspec.structs import replace

from appliance.floor.catalogue import BY_ID
from appliance.floor.forms import Lone
from appliance.floor.lone import words
from appliance.floor.menu import answered
from appliance.floor.said import say
from appliance.game.refusal import Refusal
from tests.floor.conftest import ENGLISH, Desk
from tests.game.conftest import Evening

ONE = Lone("c-1", "Next hand · Table 1", "21:04 · Jana · door")
TWO = Lone("c-2", "Bust · Jan", "21:05 · Jana · door")


def desk(**place: object) -> Desk:
    return Desk(Evening().seated([1, 2, 3]), **place)


def test_where_nobody_directs_one_confirmation_is_enough_and_stands_at_the_way_back() -> None:
    alone = desk(director=False, can_take_over=True).choose("take_over")
    assert alone.open.page == "confirm" and alone.keys()[alone.open.cursor] == "back"
    assert [say(line.text, ENGLISH) for line in alone.shown.lines if line.small]
    assert alone.yes().requests == ["take-over"] and alone.open.page == "waiting"


def test_from_a_director_that_answers_it_is_taken_over_only_if_that_is_said_of_it_by_name() -> None:
    there = desk(directs="director", can_take_over=True).choose("take_over")
    assert there.open.page == "field" and "director directs" in say(there.shown.lines[0].text, ENGLISH)
    there.take("yes")
    assert "instead of director" in say(there.shown.question, ENGLISH)
    assert there.keys() == ["confirm", "back"]
    assert there.yes().requests == ["take-over"]


def test_a_director_that_came_back_while_somebody_confirmed_is_not_taken_over_from() -> None:
    there = desk(director=False, can_take_over=True).choose("take_over")
    there.place.update(director=True, directs="director")
    there.yes()
    assert there.requests == [] and there.open.page == "refused"


def test_a_device_that_directs_does_not_offer_to_take_over_from_itself() -> None:
    assert "take_over" not in desk(directs="table-1", can_take_over=False).offered()


def test_a_device_that_the_others_would_not_follow_says_why_before_anything_is_tried() -> None:
    for code in ("device-revoked", "not-in-hosts"):
        assert desk(director=False, can_take_over=True, hindrance=code).offered()["take_over"] == code
        assert len(ENGLISH.refusal(code, {})) > 20 and code not in ENGLISH.refusal(code, {})
    assert desk(director=False, can_take_over=False).offered()["take_over"] == "cannot-take-over"


def test_that_the_venue_will_be_cut_off_from_the_league_is_said_before_and_after() -> None:
    said = "no way to the league"
    alone = desk(director=False, can_take_over=True, cut_off=True).choose("take_over")
    read = [say(line.text, ENGLISH) for line in alone.shown.lines if line.item is None and not line.small]
    assert len(read) == 1 and said in read[0]
    alone.yes()
    alone.menu = answered(alone.open, None)
    assert any(said in say(line.text, ENGLISH) for line in alone.shown.lines)
    shut_out = desk(director=False, can_take_over=True, shut_out_by="table-3").choose("take_over")
    assert say(shut_out.shown.lines[0].text, ENGLISH).startswith("table-3 directs")
    well = desk(director=False, can_take_over=True).choose("take_over")
    assert not any(said in say(line.text, ENGLISH) for line in well.shown.lines)


def test_what_only_an_old_director_had_is_offered_as_long_as_there_is_some() -> None:
    assert "settle_lone" not in desk().offered()
    assert desk(lone=(ONE,)).offered()["settle_lone"] is None
    assert desk(lone=(ONE,), director=False).offered()["settle_lone"] == "no-answer"


def test_each_entry_says_what_it_was_and_is_given_anew_at_one_press_or_void_at_two() -> None:
    listed = desk(lone=(ONE, TWO)).choose("settle_lone")
    assert [say(line.text, ENGLISH) for line in listed.shown.lines if line.detail] == [ONE.what, TWO.what]
    listed.take("c-1", "accept")
    assert "in your name" in say(listed.shown.question, ENGLISH) and listed.keys()[listed.open.cursor] == "confirm"
    assert listed.press("enter").requests == ["settle-lone"]
    assert listed.open.answers == {"entry": "c-1", "what": "accept"}
    void = desk(lone=(ONE, TWO)).choose("settle_lone").take("c-2", "drop")
    assert void.keys()[void.open.cursor] == "back" and ONE.what not in say(void.shown.question, ENGLISH)


def test_an_entry_that_somebody_else_has_settled_meanwhile_is_said_to_be() -> None:
    listed = desk(lone=(ONE, TWO)).choose("settle_lone").take("c-1", "accept")
    listed.place["lone"] = (TWO,)
    assert "Somebody else" in say(listed.shown.question, ENGLISH)


def test_a_command_reads_as_the_menu_calls_it_with_whom_and_what_it_is_about() -> None:
    def told(**command: object) -> str:
        body = json.dumps({"round": "R1", **command}).encode()
        return say(words(body, "busted/1", BY_ID.get, lambda number: f"Player {number}"), ENGLISH)

    assert told(do="bust", participant="000101").endswith(" · Player 000101")
    assert told(do="next_hand", table=3).endswith(" · Table 3")
    assert told(do="deposit", participant="000101", amount=100).endswith(" · Player 000101 · CZK\xa0100")
    assert told(do="sanction", participant="000101", kind="sit-out", hands=5, reason="Phone") == (
        "Give a penalty · Player 000101 · Sits out · Hands to sit out: 5 · Phone"
    )
    assert told(do="lock", on=False, seat=[3, 7]) == "Release a seat · Table 3, seat 7"
    assert told(do="time_end", table=2, outcome="ran-out") == "End the time: it ran out · Table 2"
    assert told() == "busted", "a record that does not tell its command"


def test_a_device_that_only_the_old_director_let_in_reads_as_what_it_is() -> None:
    body = json.dumps({"type": "device-adopted/1", "device": "spare-1a2b3c", "role": "table", "table": 2}).encode()
    said = say(words(body, "device-adopted/1", BY_ID.get, str), ENGLISH)
    assert said == "Let a device in · spare-1a2b3c · Table 2"


def test_whether_it_counts_is_asked_below_the_entry_and_why_it_cannot_be_given_anew() -> None:
    over = replace(ONE, refusal=Refusal("finished"))
    asked = desk(lone=(over, TWO)).choose("settle_lone").take("c-1")
    read = [say(line.text, ENGLISH) for line in asked.shown.lines if line.item is None]
    assert read[:2] == [ONE.what, ONE.given] and "The round is over" in read[2]
    assert asked.keys()[asked.open.cursor] == "option:drop"
    asked.take("drop")
    assert "void" in say(asked.shown.question, ENGLISH)


def test_after_a_refusal_it_is_asked_again_whether_the_entry_counts() -> None:
    refused = desk(lone=(ONE, TWO)).choose("settle_lone").take("c-1", "accept").press("enter")
    refused.menu = answered(refused.open, Refusal("finished"))
    refused.turn_to("form")
    assert refused.open.page == "field" and refused.open.field == "what"
    assert refused.take("drop").open.answers == {"entry": "c-1", "what": "drop"}
