"""Chips in and out, results, and who won what (C-8)."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("chips", "code"), [(39, "buy-in-minimum"), (201, "buy-in-maximum")])
def test_C_8_a_buy_in_lies_within_the_bounds(session, chips, code) -> None:
    assert session.opened().code("sit", participant="1", seat=1, chips=chips) == code


def test_C_8_chips_are_added_up_to_the_maximum(session) -> None:
    session.seated(1, 2).do("add_on", participant="1", chips=60)
    refusal = session.refusal("add_on", participant="1", chips=41)
    assert refusal.code == "buy-in-maximum" and refusal.detail == {"maximum": 200, "left": 40}
    assert session.do("add_on", participant="1", chips=40).player(1).stack == 200


def test_C_8_chips_are_added_between_hands_only(session) -> None:
    session.playing(1, 2, 3, button=3).sit(4).do("next_hand")
    assert session.code("add_on", participant="1", chips=10) == "holding-cards"
    session.do("add_on", participant="4", chips=10)
    assert session.code("add_on", participant="8", chips=10) == "not-seated"


def test_C_8_a_rebuy_from_nothing_is_at_least_a_buy_in(session) -> None:
    session.playing(1, 2, 3, button=3).do("stacks", stacks={"1": 0, "2": 200})
    assert session.code("add_on", participant="1", chips=39) == "buy-in-minimum"
    session.do("add_on", participant="1", chips=40)


def test_C_8_a_big_stack_buys_nothing_more(session) -> None:
    session.playing(1, 2, 3, button=3).do("stacks", stacks={"1": 0, "2": 250, "3": 50})
    assert session.refusal("add_on", participant="2", chips=1).detail == {"maximum": 200, "left": 0}


def test_C_8_who_leaves_cashes_out_the_whole_stack(session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand").do("result", stacks={"1": 150, "2": 50})
    session.do("leave", participant="1")
    assert session.player(1).result == 50 and session.player(1).seat is None
    table = session.table
    assert (table.chips_in, table.chips_out, table.chips) == (300, 150, 150)


def test_C_8_a_stack_counted_at_leaving_has_to_be_the_known_one(session) -> None:
    session.playing(1, 2, 3, button=3)
    refusal = session.refusal("leave", participant="1", chips=90)
    assert refusal.code == "chips-differ" and refusal.detail == {"expected": 100, "counted": 90}
    session.do("stacks", stacks={"1": 90, "3": 110}).do("leave", participant="1", chips=90)


def test_C_8_nobody_leaves_with_cards(session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand")
    assert session.code("leave", participant="1") == "holding-cards"
    assert session.code("leave", participant="7") == "not-seated"


def test_C_8_a_result_adds_up_to_the_last_chip(session) -> None:
    session.playing(1, 2, 3, button=3)
    assert session.code("result") == "no-hand"
    session.do("next_hand")
    refusal = session.refusal("result", stacks={"1": 150, "2": 51})
    assert refusal.code == "chips-differ" and refusal.detail == {"expected": 200, "counted": 201}
    assert session.code("result", stacks={"9": 0}) == "not-seated"
    session.do("result", stacks={"1": 150, "2": 50})
    assert session.table.hand is None and session.table.chips == 300


def test_C_8_a_count_is_taken_between_hands(session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand")
    assert session.code("stacks", stacks={"1": 150, "2": 50}) == "hand-in-play"
    session.do("result")
    assert session.code("stacks", stacks={"1": 150}) == "chips-differ"


def test_C_8_hands_that_nobody_tracked_go_on_and_are_counted_later(session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand").do("next_hand").do("next_hand").do("result")
    assert session.table.number == 4
    assert session.do("stacks", stacks={"1": 0, "2": 10, "3": 290}).table.chips == 300


def test_C_8_no_rake_is_taken_unless_the_table_says_so(session, new_session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand")
    assert session.code("result", stacks={"1": 149, "2": 50}, rake=1) == "rake-limit"
    other = new_session().playing(1, 2, 3, button=3, rake_maximum=2).do("next_hand")
    assert other.code("result", stacks={"1": 147, "2": 50}, rake=3) == "rake-limit"
    other.do("result", stacks={"1": 148, "2": 50}, rake=2)
    assert (other.table.rake, other.table.chips) == (2, 298)
    assert session.do("result").table.rake == 0


def test_C_8_money_is_whole_crowns_at_the_chips_value(session) -> None:
    session.playing(1, 2, 3, button=3, chip_value=5).do("next_hand").do("result", stacks={"1": 130, "2": 70})
    report = session.do("leave", participant="1").report()
    assert report["players"]["1"] == {
        "seat": None, "stack": 0, "in": 100, "out": 130, "result": 30, "result_czk": 150,
    }  # fmt: skip
    assert report["money"]["on_table_czk"] == 850 == report["money"]["in_czk"] - report["money"]["out_czk"]
    assert [row["czk"] for row in report["money"]["log"]] == [500, 500, 500, 650]


def test_C_8_over_several_visits_a_person_has_one_account(session) -> None:
    session.playing(1, 2, 3, button=3).do("leave", participant="1").sit(1, 7).do("add_on", participant="1", chips=20)
    player = session.player(1)
    assert (player.bought, player.cashed, player.stack, player.result) == (220, 100, 120, 0)


def test_C_8_at_the_end_everybody_cashes_out_and_nothing_is_left(session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand")
    assert session.code("close") == "hand-in-play"
    session.do("result", stacks={"1": 0, "2": 200}).do("close")
    assert session.table.chips == 0 and session.report()["state"] == "closed"
    assert {who: player.result for who, player in session.table.players.items()} == {"1": -100, "2": 100, "3": 0}
    assert session.code("join", participant="9") == "closed"
    assert session.do("undo").table.chips == 300


def test_undo_and_redo_take_whole_commands_back(session) -> None:
    session.playing(1, 2, 3, button=3).do("next_hand")
    before = session.state_bytes()
    session.do("result", stacks={"1": 150, "2": 50}).do("leave", participant="1").do("undo", n=2)
    assert session.state_bytes() == before
    assert session.do("redo", n=2).player(1).cashed == 150
    assert session.code("redo") == "nothing-to-redo"
    assert session.code("undo", n=100) == "nothing-to-undo"
    assert session.code("undo", of="c1") == "stale"
    session.do("undo", of=session.ledger.done.cause).sit(9, 9)
    assert session.code("redo") == "nothing-to-redo", "a new command ends what could be given again"
