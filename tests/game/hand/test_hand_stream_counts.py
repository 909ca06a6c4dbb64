"""A count during a tracked hand: it goes on as if it had begun with those stacks, in the records too."""

from __future__ import annotations

import pytest

from appliance.game.codec import EventError
from appliance.game.tablestream.events import decode_table_event
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from tests.game.hand.table_stream import Stream, state_bytes


def whose(stream: Stream, position: int) -> str:
    assert stream.state.current is not None
    return stream.state.current.begun.players[position].participant


def same_again(stream: Stream) -> None:
    again = stream.replayed()
    assert state_bytes(again) == state_bytes(stream.state) and again.hand == stream.state.hand


def test_a_count_changes_the_stacks_the_hand_began_with_and_all_played_since_stands() -> None:
    stream = Stream().begin(1000, 1000, 1000).act(2, "raise", 300)
    stream.do("correct_stacks", stacks={whose(stream, 2): 1500}, unit=100)
    hand = stream.state.hand
    assert hand is not None and hand.stacks[2] == 1200 and hand.bets[2] == 300 and hand.unit == 100
    same_again(stream)
    stream.act(0, "fold").act(1, "fold")
    assert stream.chips == {1: 950, 2: 900, 3: 1650}
    same_again(stream)


def test_an_undo_of_what_was_played_before_it_keeps_the_count() -> None:
    stream = Stream().begin(1000, 1000, 1000).act(2, "raise", 300).act(0, "call")
    stream.do("correct_stacks", stacks={whose(stream, 0): 700})
    stream.do("undo_action").do("undo_action")
    assert stream.state.current is not None and stream.state.current.begun.players[0].stack == 700
    same_again(stream)
    stream.act(2, "fold").act(0, "all-in")
    assert stream.state.hand is not None and stream.state.hand.bets[0] == 700


def test_a_count_below_what_was_bet_is_refused_and_changes_nothing() -> None:
    stream = Stream().begin(1000, 1000, 1000).act(2, "raise", 300)
    before = state_bytes(stream.state)
    assert stream.refused("correct_stacks", stacks={whose(stream, 2): 200}) == "count-too-late"
    assert stream.refused("correct_stacks", stacks={"999999": 200}) == "not-in-hand"
    assert state_bytes(stream.state) == before


def test_a_count_of_a_hand_that_is_not_in_play_changes_no_table() -> None:
    with pytest.raises(EventError):
        fold_table(INITIAL_TABLE, decode_table_event("stacks-corrected/1", b'{"hand":1,"stacks":{"000101":5}}'), "x")
