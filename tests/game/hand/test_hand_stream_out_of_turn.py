"""Actions out of turn in a table's stream: kept, held against the player, lapsed with the street, undone."""

from __future__ import annotations

from typing import Any

import pytest

from appliance.game.codec import EventError
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.events import ActedOutOfTurn, HandEnded, HandPlayed, decode_table_event
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from tests.game.hand.table_stream import Stream, state_bytes

BINDING = pytest.mark.parametrize("profile", [n for n, rules in PROFILES.items() if rules.out_of_turn == "binding"])
WITHDRAWN = pytest.mark.parametrize("profile", [n for n, rules in PROFILES.items() if rules.out_of_turn == "withdrawn"])
ALL = pytest.mark.parametrize("profile", list(PROFILES))


def begun(profile: str, players: int = 5) -> Stream:
    """Blinds 50 and 100 in front of positions 0 and 1, 2 on turn."""
    return Stream(profile).begin(*[10_000] * players)


def flop(profile: str) -> Stream:
    stream = begun(profile).act(2, "call").act(3, "call").act(4, "call").act(0, "call").act(1, "check")
    return stream.do("deal_board")


def early(stream: Stream, position: int, **what: Any) -> ActedOutOfTurn:
    stream.do("declare", position=position, out_of_turn=True, **what)
    event = next(event for event in reversed(stream.events) if isinstance(event, ActedOutOfTurn))
    assert event.acted.position == position
    again = stream.replayed()
    assert state_bytes(again) == state_bytes(stream.state)
    assert again.hand == stream.state.hand
    return event


def refusal(stream: Stream, do: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    answer = stream.ask(do, **fields)
    assert isinstance(answer, Refusal), answer
    return answer.code, dict(answer.detail)


def waiting(stream: Stream) -> list[tuple[int, str, int]]:
    return [(each.position, each.action, each.to) for each in stream.state.now.early]


# Binding


@BINDING
def test_H_9_a_raise_out_of_turn_is_kept_and_binds_when_the_turn_comes(profile: str) -> None:
    stream = begun(profile)
    acted = early(stream, 4, said="raise", amount=400, chips=[500]).acted
    assert (acted.action, acted.to, acted.returned, acted.reason) == ("raise", 400, 500, "out-of-turn-waits")
    assert stream.state.hand is not None and stream.state.hand.stacks[4] == 10_000
    stream.act(2, "fold").act(3, "call")
    bound = ("bound-by-earlier", {"action": "raise", "to": 400, "reason": "action-not-changed"})
    assert refusal(stream, "act", position=4, action="fold") == bound
    assert refusal(stream, "act", position=4, action="call") == bound
    assert refusal(stream, "act", position=4, action="raise", to=500) == bound
    assert refusal(stream, "declare", position=4, said="fold") == bound
    assert refusal(stream, "declare", position=4, said="all-in") == bound
    stream.act(4, "raise", 400)
    assert isinstance(stream.events[-1], HandPlayed) and stream.events[-1].reason == "action-not-changed"
    assert waiting(stream) == []
    stream.act(0, "raise", 1000)


@BINDING
def test_H_9_what_was_declared_again_as_it_was_is_accepted(profile: str) -> None:
    stream = begun(profile)
    early(stream, 3, said="call")
    stream.act(2, "call").do("declare", position=3, chips=[500])
    assert isinstance(stream.events[-1], HandPlayed) and stream.events[-1].reason == "action-not-changed"


@BINDING
def test_H_9_a_raise_by_the_skipped_player_frees_in_the_stream(profile: str) -> None:
    stream = begun(profile)
    early(stream, 3, said="raise", amount=400)
    stream.act(2, "raise", 300).act(3, "fold")
    assert waiting(stream) == []


@BINDING
def test_H_9_it_survives_a_restart_and_an_undo(profile: str) -> None:
    stream = begun(profile)
    before = state_bytes(stream.state)
    early(stream, 3, said="raise", amount=400)
    kept = stream.state.now
    stream.act(2, "fold").act(3, "raise", 400).do("undo_action")
    assert stream.refused("act", position=3, action="fold") == "bound-by-earlier"
    stream.do("undo_action")
    assert stream.state.now == kept
    stream.state = stream.replayed()
    stream.act(2, "fold")
    assert stream.refused("act", position=3, action="fold") == "bound-by-earlier"
    stream.do("undo_action").do("undo_action")
    assert state_bytes(stream.state) == before
    stream.act(2, "fold").act(3, "fold")


@BINDING
def test_H_9_a_call_of_a_raise_out_of_turn_is_read_as_a_call_of_that_raise(profile: str) -> None:
    stream = begun(profile)
    early(stream, 3, said="raise", amount=400)
    assert early(stream, 4, said="call").acted.to == 400
    stream.act(2, "fold").act(3, "raise", 400)
    assert refusal(stream, "act", position=4, action="fold")[1]["to"] == 400
    stream.act(4, "call")


@BINDING
def test_H_10_a_choice_left_open_by_an_undercall_out_of_turn_is_made_on_turn(profile: str) -> None:
    stream = begun(profile).act(2, "raise", 400)
    early(stream, 4, chips=[100, 100])
    stream.act(3, "fold")
    assert stream.refused("act", position=4, action="raise", to=900) == "bound-by-earlier"
    assert stream.refused("act", position=4, action="fold") == "bound-by-earlier"  # the chips would be saved
    again = {"position": 4, "chips": [100, 100]}
    assert stream.refused("declare", **again) == "choice-open"
    stream.do("declare", **again, choice="fold")
    assert stream.state.hand is not None and stream.state.hand.stacks[4] == 9800


# Skipped


@BINDING
def test_H_9_who_said_nothing_until_two_put_chips_in_may_change_nothing(profile: str) -> None:
    stream = begun(profile)
    assert early(stream, 3, said="raise", amount=400).acted.skipped == ()
    assert early(stream, 4, said="call").acted.skipped == (2,)
    assert refusal(stream, "act", position=2, action="raise", to=900) == ("call-or-fold", {"reason": "skipped"})
    assert stream.refused("declare", position=2, said="all-in") == "call-or-fold"
    stream.act(2, "call").act(3, "raise", 400).act(4, "call").act(0, "fold").act(1, "fold")
    stream.act(2, "raise", 900)


@BINDING
def test_H_9_three_actions_of_any_kind_are_substantial(profile: str) -> None:
    stream = flop(profile)
    early(stream, 1, said="check")
    assert early(stream, 2, said="check").acted.skipped == ()
    assert early(stream, 3, said="fold").acted.skipped == (0,)
    assert stream.refused("act", position=0, action="all-in") == "call-or-fold"
    stream.act(0, "check")
    assert stream.refused("act", position=1, action="raise", to=500) == "bound-by-earlier"


@BINDING
def test_H_9_the_floor_may_rule_the_skipped_hand_dead(profile: str) -> None:
    stream = begun(profile)
    early(stream, 3, said="raise", amount=400)
    early(stream, 4, said="call")
    stream.do("kill", position=2).act(3, "raise", 400).act(4, "call")
    assert stream.state.hand is not None and stream.state.hand.actor == 0


@WITHDRAWN
def test_H_9_where_actions_are_withdrawn_nobody_is_skipped(profile: str) -> None:
    stream = begun(profile)
    early(stream, 3, said="raise", amount=400)
    assert early(stream, 4, said="call").acted.skipped == ()
    stream.act(2, "raise", 900)


# Withdrawn


@WITHDRAWN
def test_H_9_who_bet_out_of_turn_must_check_after_a_check(profile: str) -> None:
    stream = flop(profile)
    early(stream, 1, chips=[500])
    stream.act(0, "check")
    must = ("bound-by-earlier", {"action": "check", "to": 0, "reason": "nobody-bet"})
    assert refusal(stream, "act", position=1, action="raise", to=500) == must
    assert refusal(stream, "act", position=1, action="fold") == must
    stream.act(1, "check").act(2, "raise", 300).act(3, "fold").act(4, "fold").act(0, "fold").act(1, "raise", 900)


@WITHDRAWN
def test_H_9_against_a_bet_no_larger_a_raise_is_refused(profile: str) -> None:
    stream = flop(profile)
    early(stream, 1, said="bet", amount=500)
    stream.act(0, "raise", 500)
    assert refusal(stream, "act", position=1, action="raise", to=1500) == (
        "call-or-fold",
        {"reason": "bet-is-no-larger"},
    )
    assert stream.refused("act", position=1, action="all-in") == "call-or-fold"
    assert stream.refused("declare", position=1, said="raise") == "call-or-fold"
    stream.act(1, "call")


@WITHDRAWN
def test_H_9_against_a_larger_bet_everything_is_open(profile: str) -> None:
    stream = flop(profile)
    early(stream, 1, said="bet", amount=500)
    stream.act(0, "raise", 600).act(1, "raise", 2000)


# In every house


@ALL
def test_H_9_a_fold_out_of_turn_is_played_at_once_and_undone_with_its_record(profile: str) -> None:
    stream = begun(profile)
    before = state_bytes(stream.state)
    early(stream, 4, said="fold")
    assert [type(event) for event in stream.events[-2:]] == [ActedOutOfTurn, HandPlayed]
    assert stream.state.hand is not None and 4 not in stream.state.hand.live
    stream.do("undo_action")
    assert state_bytes(stream.state) == before


@ALL
def test_H_9_a_fold_out_of_turn_may_end_the_hand(profile: str) -> None:
    stream = begun(profile, 2)
    early(stream, 0, said="fold")
    assert isinstance(stream.events[-1], HandEnded)
    assert stream.chips == {1: 9900, 2: 10_100}


@ALL
def test_H_9_a_fold_takes_the_place_of_what_was_kept(profile: str) -> None:
    stream = begun(profile)
    early(stream, 4, said="call")
    kept = ("out-of-turn-kept", {"position": 4, "action": "call", "to": 100})
    assert refusal(stream, "declare", position=4, out_of_turn=True, said="raise") == kept
    early(stream, 4, said="fold")
    assert stream.state.hand is not None and 4 not in stream.state.hand.live


@ALL
def test_H_9_what_is_kept_lapses_with_the_street(profile: str) -> None:
    stream = flop(profile)
    early(stream, 4, said="bet", amount=500)
    stream.do("kill", position=4)
    for position in range(4):
        stream.act(position, "check")
    stream.do("deal_board")
    assert waiting(stream) == []
    stream.act(0, "raise", 300)


@ALL
def test_H_9_a_hand_that_is_given_up_keeps_nothing(profile: str) -> None:
    stream = begun(profile)
    early(stream, 4, said="call")
    stream.do("drop_hand")
    assert waiting(stream) == []


@ALL
def test_H_9_nothing_is_out_of_turn_without_being_said_to_be(profile: str) -> None:
    stream = begun(profile)
    assert stream.refused("declare", position=4, said="call") == "not-your-turn"
    assert stream.refused("declare", position=2, said="call", out_of_turn=True) == "on-turn"
    assert stream.refused("declare", position=1, said="raise", out_of_turn=True, chips_first=True) == "bad-notation"
    stream.act(2, "call")
    assert stream.refused("declare", position=2, said="call", out_of_turn=True) == "not-your-turn"


def test_H_9_what_was_done_out_of_turn_needs_a_hand_and_a_player_in_it() -> None:
    stream = begun("tda-2024", 3)
    kind = "out-of-turn/1"
    early(stream, 1, said="call")
    raw = next(raw for told, raw, _ in stream.log if told == kind)
    with pytest.raises(EventError):
        fold_table(INITIAL_TABLE, decode_table_event(kind, raw), "x")
    with pytest.raises(EventError):
        fold_table(stream.state, decode_table_event(kind, raw.replace(b'"position":1', b'"position":7')), "x")
