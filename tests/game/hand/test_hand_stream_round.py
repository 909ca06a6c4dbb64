"""What the end of a tracked hand asks of the round, and what a round tells a hand."""

from __future__ import annotations

from typing import Any

import msgspec

from appliance.game.colourup import usual_chips
from appliance.game.command import Command
from appliance.game.commands import Bust, Stacks
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES
from appliance.game.state import Phase
from appliance.game.tablestream.commands import BeginHand
from appliance.game.tablestream.fold import INITIAL_TABLE
from appliance.game.tablestream.proposals import begin_of, proposals
from appliance.game.tablestream.state import TableHands
from tests.game.hand.table_stream import PROFILE, Stream


def tracked(evening: Any, profile: str, *stacks: int) -> Stream:
    """A round at one table, players 1, 2, … with these stacks on the same seats, whose first hand is tracked."""
    evening.seated(range(1, len(stacks) + 1), profile=profile)
    evening.do("stacks", table=1, stacks={f"{n:06d}": stack for n, stack in enumerate(stacks, start=1)})
    evening.do("next_hand", table=1)
    stream = Stream(profile)
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand), command
    assert not isinstance(stream.give(command), Refusal)
    return stream


def adopt(evening: Any, state: TableHands) -> list[Command]:
    """Give the round what the table proposes."""
    commands = proposals(state, evening.round)
    for command in commands:
        fields = msgspec.to_builtins(command)
        evening.do(fields.pop("do"), **{name: value for name, value in fields.items() if name != "round"})
    return list(commands)


@PROFILE
def test_S_7_a_tracked_hand_begins_with_what_the_round_has_dealt(evening: Any, profile: str) -> None:
    stream = tracked(evening, profile, 1000, 2000, 3000, 4000)
    assert evening.blinds() == (1, 2, 3)
    begun = stream.state.current.begun  # type: ignore[union-attr]
    assert [(p.participant, p.seat, p.stack) for p in begun.players] == [
        ("000002", 2, 2000),
        ("000003", 3, 3000),
        ("000004", 4, 4000),
        ("000001", 1, 1000),
    ]
    assert (begun.round, begun.venue, begun.table, begun.hand, begun.button) == ("R1", "brno", 1, 1, 1)
    assert (begun.small_blind, begun.big_blind, begun.rules) == (50, 100, PROFILES[profile])


@PROFILE
def test_S_7_heads_up_the_button_has_the_small_blind(evening: Any, profile: str) -> None:
    evening.seated([1, 2, 3], profile=profile).bust(3).do("next_hand", table=1)
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand)
    table = evening.table(1)
    assert [player.seat for player in command.players] == [table.bb, table.sb]
    stream = Stream(profile)
    stream.give(command)
    assert stream.state.hand is not None and stream.state.hand.bets == (100, 50) and stream.state.hand.opener == 1


@PROFILE
def test_S_7_with_a_dead_small_blind_the_big_blind_comes_first(evening: Any, profile: str) -> None:
    evening.seated([1, 2, 3, 4, 5], profile=profile).do("next_hand", table=1)
    evening.bust(3).do("next_hand", table=1)
    assert evening.blinds() == (2, None, 4)
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand)
    assert command.small_blind is None
    assert [player.seat for player in command.players] == [4, 5, 1, 2]


@PROFILE
def test_T_7_same_hand_busts_rank_by_themselves(evening: Any, profile: str) -> None:
    stream = tracked(evening, profile, 9000, 1000, 2000, 4000)  # positions 0 to 3: players 2, 3, 4, 1
    stream.do("deal_hole", position=0, cards="2c3d").do("deal_hole", position=1, cards="2h3s")
    stream.do("deal_hole", position=3, cards="AsAd")
    stream.act(2, "fold").act(3, "all-in").act(0, "all-in").act(1, "all-in")
    stream.do("deal_board", cards="AhKcKd").do("deal_board", cards="Qs").do("deal_board", cards="Jh")
    if stream.state.current is not None:
        stream.do("settle")
    commands = adopt(evening, stream.state)
    assert [type(command) for command in commands] == [Stacks, Bust, Bust]
    assert commands[1:] == [
        Bust(round="R1", participant="000002", table=1, hand=1, stack=1000),
        Bust(round="R1", participant="000003", table=1, hand=1, stack=2000),
    ]
    assert evening.places()[-2:] == [(3, 3), (4, 2)]
    assert {n: evening.player(n).chips for n in (1, 4)} == {1: 12000, 4: 4000}
    assert adopt(evening, stream.state) == []
    assert "chips" not in str(evening.notices())


@PROFILE
def test_T_6_the_last_hand_ends_the_round(evening: Any, profile: str) -> None:
    stream = tracked(evening, profile, 5000, 1000, 2000)
    stream.do("end_hand", stacks={"000001": 8000, "000002": 0, "000003": 0})
    adopt(evening, stream.state)
    assert evening.round.phase is Phase.FINISHED
    assert evening.places() == [(1, 1), (2, 3), (3, 2)]
    assert proposals(stream.state, evening.round) == ()


def test_nothing_is_proposed_while_a_hand_goes_on_nor_for_one_that_was_dropped(evening: Any) -> None:
    stream = tracked(evening, "tda-2024", 5000, 1000, 2000)
    assert proposals(stream.state, evening.round) == ()
    stream.do("drop_hand")
    assert proposals(stream.state, evening.round) == ()
    assert proposals(INITIAL_TABLE, evening.round) == ()


def test_stacks_are_not_proposed_once_the_next_hand_has_begun_but_busts_are(evening: Any) -> None:
    stream = tracked(evening, "tda-2024", 5000, 1000, 2000, 3000)
    stream.do("end_hand", stacks={"000001": 6000, "000002": 0, "000003": 2000, "000004": 3000})
    evening.do("next_hand", table=1)
    assert proposals(stream.state, evening.round) == (
        Bust(round="R1", participant="000002", table=1, hand=1, stack=1000),
    )


def test_who_has_left_the_table_is_left_alone(evening: Any) -> None:
    stream = tracked(evening, "tda-2024", 5000, 1000, 2000, 3000)
    stream.do("end_hand", stacks={"000001": 6000, "000002": 0, "000003": 2000, "000004": 3000})
    evening.bust(2)
    [stacks] = proposals(stream.state, evening.round)
    assert isinstance(stacks, Stacks) and "000002" not in stacks.stacks


def test_there_is_no_hand_to_track_before_the_first_or_without_chips(evening: Any) -> None:
    evening.seated([1, 2, 3])
    assert begin_of(evening.round, 1) == Refusal("no-hand")
    assert begin_of(evening.round, 9) == Refusal("no-hand")
    evening.do("stacks", table=1, stacks={"000002": 0}).do("next_hand", table=1)
    assert begin_of(evening.round, 1) == Refusal("no-chips", {"participant": "000002"})
    command = begin_of(evening.round, 1, {"000002": 700})
    assert isinstance(command, BeginHand)
    assert {player.participant: player.stack for player in command.players}["000002"] == 700
    evening.bust(2).bust(3)
    assert begin_of(evening.round, 1) == Refusal("finished")


def test_S_5_who_waits_for_the_button_is_not_in_the_hand(evening: Any) -> None:
    evening.seated([1, 2, 3, 4], [5, 6, 7, 8]).do("next_hand", table=1)
    evening.do("move", participant="000005", seat=[1, 9])
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand)
    assert [player.seat for player in command.players] == [2, 3, 4, 1]


def test_H_14_odd_chips_go_by_the_smallest_chip_in_play(evening: Any) -> None:
    evening.seated([1, 2, 3], chip_set=[25, 100, 500]).do("next_hand", table=1)
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand) and command.unit == 25


def test_H_14_without_an_announced_set_the_usual_chips_are_in_play(evening: Any) -> None:
    evening.seated([1, 2, 3]).do("next_hand", table=1)
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand)
    assert command.unit == min(usual_chips(evening.round)) == 25


def test_H_14_stacks_that_the_usual_chips_cannot_make_up_are_played_to_the_chip(evening: Any) -> None:
    evening.seated([1, 2, 3]).do("stacks", table=1, stacks={"000002": 3003}).do("next_hand", table=1)
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand) and command.unit == 1
