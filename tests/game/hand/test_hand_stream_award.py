"""Who won which pot, told by the dealer: kept in the stream, in the export and when it is replayed (H-11, H-14)."""

from __future__ import annotations

import tomllib

import pytest

from appliance.game.hand.facts import Awarded
from appliance.game.tablestream.events import HandPlayed, decode_table_event
from appliance.game.tablestream.fold import fold_table
from appliance.game.tablestream.phh import phh_of
from tests.game.hand.table_stream import Stream, ended, state_bytes


@pytest.fixture
def all_in() -> Stream:
    """Four players, three pots, cards unknown: 325, 700 and 1500 all-in, the fourth covers (unit 25)."""
    stream = Stream().begin(325, 700, 1500, 4000, small_blind=25, big_blind=50, unit=25)
    stream.act(2, "all-in").act(3, "call").act(0, "all-in").act(1, "all-in")
    for _ in range(3):
        stream.do("deal_board")
    return stream


def test_H_11_the_winners_of_each_pot_are_told_by_one_command(all_in: Stream) -> None:
    assert [pot.amount for pot in all_in.state.hand.pots()] == [1300, 1125, 1600]  # type: ignore[union-attr]
    all_in.do("award", winners=[[0], [1], [2, 3]])
    played = next(event for event in reversed(all_in.events) if isinstance(event, HandPlayed))
    assert played.facts == (
        Awarded(1300, (0, 1, 2, 3), ((0, 1300),)),
        Awarded(1125, (1, 2, 3), ((1, 1125),)),
        Awarded(1600, (2, 3), ((2, 800), (3, 800))),
    )
    end = ended(all_in)
    assert end.stacks == {"000001": 1300, "000002": 1125, "000003": 800, "000004": 3300}
    assert not end.counted


def test_H_14_a_split_pot_is_paid_in_the_smallest_chip_in_play(all_in: Stream) -> None:
    all_in.do("award", winners=[[1, 0], [1, 3], [3]])
    assert ended(all_in).stacks == {"000001": 650, "000002": 1225, "000003": 0, "000004": 2500 + 550 + 1600}
    assert ended(all_in).busted == ("000003",)


def test_an_award_is_undone_by_one_undo(all_in: Stream) -> None:
    all_in.do("award", winners=[[0], [1], [2]]).do("undo_action")
    assert all_in.state.hand is not None
    assert not all_in.state.hand.over
    all_in.do("award", winners=[[3], [3], [3]])
    assert ended(all_in).busted == ("000001", "000002", "000003")


@pytest.mark.parametrize(
    ("winners", "code"),
    [
        ([[0]], "winners-of-pots"),
        ([[0], [1], [2, 2]], "winners-of-pots"),
        ([[0], [0], [2]], "not-eligible"),
        ([[0], [1], [9]], "not-eligible"),
    ],
)
def test_winners_that_no_pot_can_have_are_refused(all_in: Stream, winners: list[list[int]], code: str) -> None:
    assert all_in.refused("award", winners=winners) == code


def test_H_16_nobody_mucks_an_all_in_hand_in_a_tournament(all_in: Stream) -> None:
    assert all_in.refused("muck", position=1) == "all-in-shows"
    assert all_in.refused("show", position=1, cards="As??") == "all-in-shows"
    all_in.do("kill", position=1)  # a penalty takes a hand all the same
    all_in.do("award", winners=[[0], [2, 3]])
    assert ended(all_in).stacks["000002"] == 0


def test_an_all_in_hand_that_was_mucked_under_an_older_version_is_still_known(all_in: Stream) -> None:
    old = decode_table_event("hand-played/1", b'{"facts":[{"fact":"mucked","position":1}]}')
    state = fold_table(all_in.state, old, "old")
    assert state.hand is not None
    assert state.hand.mucked == (1,)


def test_no_pot_is_given_while_somebody_may_still_act() -> None:
    stream = Stream().begin(1000, 1000)
    assert stream.refused("award", winners=[[0]]) == "not-your-turn"


def test_the_table_is_the_same_when_its_stream_is_read_again(all_in: Stream) -> None:
    all_in.do("award", winners=[[0, 2], [1], [3]])
    assert state_bytes(all_in.replayed()) == state_bytes(all_in.state)


def test_winners_may_be_told_after_a_showdown_that_left_them_open() -> None:
    stream = Stream("casino-2012").begin(1000, 1000)
    stream.act(1, "call").act(0, "check")
    for _ in range(3):
        stream.do("deal_board").act(0, "check").act(1, "check")
    stream.do("settle")
    assert stream.state.hand is not None
    assert stream.state.hand.undecided
    stream.do("award", winners=[[0, 1]])
    assert ended(stream).stacks == {"000001": 1000, "000002": 1000}
    assert state_bytes(stream.replayed()) == state_bytes(stream.state)


def test_the_export_tells_what_each_won(all_in: Stream) -> None:
    all_in.do("award", winners=[[0], [1], [2, 3]])
    text = phh_of(all_in.state.log[-1])
    assert text is not None
    fields = tomllib.loads(text)
    assert fields["winnings"] == [1300, 1125, 800, 800]
    assert fields["finishing_stacks"] == [1300, 1125, 800, 3300]
