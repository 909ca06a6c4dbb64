"""Absent players in a tracked hand: they post, and their cards go by themselves, house by house."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.codec import EventError
from appliance.game.event import Event
from appliance.game.hand.facts import Folded, Killed, Posted
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.commands import BeginHand
from appliance.game.tablestream.events import HandBegun, HandEnded, HandPlayed, decode_table_event
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from appliance.game.tablestream.proposals import begin_of
from tests.game.hand.table_stream import PROFILE, Stream, state_bytes

FOLDED = [name for name, rules in PROFILES.items() if rules.absent_cards == "folded-on-turn"]
KILLED = [name for name, rules in PROFILES.items() if rules.absent_cards == "killed-after-deal"]
ALL = pytest.mark.parametrize("profile", list(PROFILES))


def gone(stream: Stream, kind: type) -> list[int]:
    """Whose cards went, in order."""
    facts = [fact for event in stream.events for fact in getattr(event, "facts", ())]
    return [fact.position for fact in facts if isinstance(fact, kind)]


def kinds(stream: Stream, last: int) -> list[type]:
    return [type(event) for event in stream.events[-last:]]


def same_again(stream: Stream) -> None:
    """The records tell the same table, byte for byte, and it can be played on."""
    again = stream.replayed()
    assert state_bytes(again) == state_bytes(stream.state)
    assert again.hand == stream.state.hand


def test_the_profiles_differ() -> None:
    assert FOLDED == ["cpl-2017", "cpl"]
    assert KILLED == ["casino-2012", "cash-2012", "tda-2024"]


@ALL
def test_S_8_absent_players_post_blinds_and_antes(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, 1000, away=(0, 1), ante=10)
    posted = [(fact.kind, fact.position, fact.amount) for fact in stream.state.current.facts]  # type: ignore[union-attr]
    assert posted == [*(("ante", n, 10) for n in range(4)), ("blind", 0, 50), ("blind", 1, 100)]
    assert all(isinstance(fact, Posted) for fact in stream.state.current.facts)  # type: ignore[union-attr]
    assert stream.state.current is not None


@pytest.mark.parametrize("profile", FOLDED)
def test_S_8_cards_of_the_absent_are_folded_on_their_turn_by_the_action_before(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, 1000, away=(3, 1))
    stream.act(2, "call")
    assert gone(stream, Folded) == [3]
    assert stream.state.hand is not None and stream.state.hand.actor == 0
    before = state_bytes(stream.state), stream.state.now
    stream.act(0, "call")  # the big blind is on turn, with a free check, and there is nobody to check
    assert gone(stream, Folded) == [3, 1]
    assert stream.state.hand.live == (0, 2)
    assert stream.state.hand.phase == "deal-board"
    same_again(stream)
    stream.do("undo_action")
    assert stream.state.now == before[1]
    same_again(stream)


@pytest.mark.parametrize("profile", FOLDED)
def test_S_8_the_first_to_act_may_be_absent(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, 1000, away=(2,))
    assert stream.refused("act", position=2, action="call") == "not-your-turn"
    stream.act(3, "raise", 300)
    assert gone(stream, Folded) == [2]
    assert stream.state.hand is not None and stream.state.hand.bets == (50, 100, 0, 300)
    same_again(stream)


@pytest.mark.parametrize("profile", FOLDED)
def test_S_8_known_cards_are_folded_as_the_last_of_them_is_dealt(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, away=(2,))
    stream.do("deal_hole", position=0, cards="AsAd").do("deal_hole", position=1, cards="KsKd")
    assert gone(stream, Folded) == []
    stream.do("deal_hole", position=2, cards="QsQd")
    assert gone(stream, Folded) == [2]
    assert stream.state.hand is not None and stream.state.hand.actor == 0
    same_again(stream)


@pytest.mark.parametrize("profile", FOLDED)
def test_S_8_an_absent_big_blind_wins_when_all_others_fold(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, away=(1,))
    stream.act(2, "fold").act(0, "fold")
    assert gone(stream, Folded) == [2, 0]
    assert stream.chips == {1: 950, 2: 1050, 3: 1000}


@pytest.mark.parametrize("profile", FOLDED)
def test_S_8_who_is_all_in_with_the_blind_has_no_turn_and_stays_in(profile: str) -> None:
    stream = Stream(profile).begin(1000, 80, 1000, away=(1,))
    stream.act(2, "call").act(0, "call")
    assert gone(stream, Folded) == []
    assert stream.state.hand is not None and stream.state.hand.live == (0, 1, 2)
    same_again(stream)


@pytest.mark.parametrize("profile", KILLED)
def test_S_8_the_absent_are_killed_as_soon_as_the_deal_is_complete(profile: str) -> None:
    stream = Stream(profile).begin(1000, 80, 1000, 1000, away=(1, 3))
    for position in range(3):
        stream.do("deal_hole", position=position)
        assert gone(stream, Killed) == []
    stream.do("deal_hole", position=3)
    assert gone(stream, Killed) == [3, 1]  # in the order of the action; the all-in blind too
    hand = stream.state.hand
    assert hand is not None and (hand.live, hand.actor, hand.bets) == ((0, 2), 2, (50, 80, 0, 0))
    same_again(stream)
    stream.act(2, "fold")
    assert stream.chips == {1: 1080, 2: 0, 3: 1000, 4: 1000}


@pytest.mark.parametrize("profile", KILLED)
def test_S_8_the_first_action_tells_of_the_deal_and_the_dead_hands(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, away=(2,))
    stream.do("declare", position=0, said="call")
    assert gone(stream, Killed) == [2]
    before = state_bytes(stream.state)
    stream.act(1, "check").do("undo_action")
    assert state_bytes(stream.state) == before
    stream.do("undo_action")
    hand = stream.state.hand
    assert hand is not None and (hand.phase, hand.live) == ("deal-hole", (0, 1, 2))
    same_again(stream)


@ALL
def test_S_8_a_hand_that_leaves_one_present_player_ends_when_the_dealer_says_so(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, away=(1,))
    assert kinds(stream, 1) == [HandBegun]
    before = state_bytes(stream.state)
    stream.do("settle")
    expected: list[type[Event]] = [HandBegun, HandPlayed, HandEnded]
    assert kinds(stream, 3) == expected
    assert stream.chips == {1: 1050, 2: 950}
    same_again(stream)
    stream.do("undo_action")
    assert state_bytes(stream.state) == before


@ALL
def test_S_8_heads_up_an_absent_player_may_come_back_before_the_cards_go(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, away=(1,))
    stream.do("player_back", position=1)
    assert stream.refused("settle") == "not-your-turn"
    stream.act(1, "call").act(0, "check")
    assert not gone(stream, Folded) and not gone(stream, Killed)
    same_again(stream)


@ALL
def test_S_8_a_hand_with_somebody_to_act_is_not_ended_so(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, away=(1,))
    assert stream.refused("settle") == "not-your-turn"


@ALL
def test_S_8_of_a_table_of_absent_players_the_big_blind_takes_the_pot(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, 1000, away=(0, 1, 2, 3)).do("settle")
    assert stream.chips == {1: 950, 2: 1050, 3: 1000, 4: 1000}
    assert gone(stream, Folded if profile in FOLDED else Killed) == [2, 3, 0]
    same_again(stream)


@ALL
def test_S_8_a_hand_can_be_ended_when_only_the_big_blind_is_present(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, away=(0, 2)).do("settle")
    assert stream.state.current is None  # nobody can act, and else the hand would never end
    assert stream.chips == {1: 950, 2: 1050, 3: 1000}


@ALL
def test_S_8_a_hand_killed_by_the_floor_before_the_deal_may_leave_only_the_absent(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, away=(0,))
    stream.do("kill", position=2)
    assert stream.chips == {1: 950, 2: 1050, 3: 1000}
    same_again(stream)


@pytest.mark.parametrize("profile", FOLDED)
def test_S_8_who_comes_back_before_their_turn_plays(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, 1000, away=(3, 1))
    before = state_bytes(stream.state)
    stream.do("player_back", position=3).act(2, "call").act(3, "raise", 300)
    same_again(stream)
    stream.act(0, "call")
    assert gone(stream, Folded) == [1]
    assert stream.refused("player_back", position=1) == "not-your-turn"
    assert stream.refused("player_back", position=3) == "not-absent"
    stream.do("undo_action").do("undo_action").do("undo_action").do("undo_action")
    assert state_bytes(stream.state) == before
    stream.act(2, "call")
    assert gone(stream, Folded)[-1] == 3


@pytest.mark.parametrize("profile", KILLED)
def test_S_8_who_comes_back_before_the_deal_is_complete_plays(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000, 1000, away=(3, 1))
    stream.do("player_back", position=3).act(2, "call").act(3, "call")
    assert gone(stream, Killed) == [1]
    assert stream.refused("player_back", position=1) == "not-your-turn"
    same_again(stream)


def test_S_8_only_who_is_absent_can_come_back() -> None:
    stream = Stream().begin(1000, 1000, 1000, away=(2,))
    assert stream.refused("player_back", position=0) == "not-absent"
    assert stream.refused("player_back", position=9) == "not-absent"
    for data in (b'{"position":0}', b'{"position":9}'):
        with pytest.raises(EventError):
            fold_table(stream.state, decode_table_event("player-back/1", data), "x")
    with pytest.raises(EventError):
        fold_table(INITIAL_TABLE, decode_table_event("player-back/1", b'{"position":2}'), "x")


def test_S_8_records_from_before_say_nothing_of_absence() -> None:
    stream = Stream().begin(1000, 1000)
    _, raw, _ = stream.log[0]
    assert b"absent" not in raw
    old = decode_table_event("hand-begun/1", raw)
    assert isinstance(old, HandBegun) and not any(player.absent for player in old.players)


@PROFILE
def test_S_8_the_round_tells_the_hand_who_is_absent(evening: Any, profile: str) -> None:
    evening.seated([1, 2, 3, 4], profile=profile).do("absent", participant="000003").do("next_hand", table=1)
    command = begin_of(evening.round, 1)
    assert isinstance(command, BeginHand)
    assert [player.participant for player in command.players if player.absent] == ["000003"]
    assert not isinstance(Stream(profile).give(command), Refusal)
