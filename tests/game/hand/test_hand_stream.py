"""The stream of a table: hands action by action, told again byte for byte."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from appliance.game.codec import EventError, UnknownEvent
from appliance.game.hand.facts import Fact
from appliance.game.reading import CommandError
from appliance.game.ruleset import PROFILES
from appliance.game.rulings.events import RulingMade
from appliance.game.tablestream.commands import decode_table_command
from appliance.game.tablestream.events import (
    AnyFact,
    HandBegun,
    HandDropped,
    HandEnded,
    HandPlayed,
    decode_table_event,
)
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from appliance.game.tablestream.state import TableHands
from tests.game.hand.table_stream import PROFILE, Stream, ended, shown_down, state_bytes


@pytest.fixture(params=[name for name, rules in PROFILES.items() if rules.tournament])
def stream(request: pytest.FixtureRequest) -> Stream:
    return Stream(request.param)


def test_H_5_blinds_stand_in_the_stream_as_they_were_posted(stream: Stream) -> None:
    stream.begin(1000, 80, 1000, ante=10)
    [begun] = stream.events
    assert isinstance(begun, HandBegun)
    posted = {(f.kind, f.position): f.amount for f in begun.facts}  # type: ignore[union-attr]
    assert posted == {("ante", 0): 10, ("ante", 1): 10, ("ante", 2): 10, ("blind", 0): 50, ("blind", 1): 70}


def test_a_hand_that_everybody_folds_ends_by_itself(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000).act(2, "fold").act(0, "fold")
    assert stream.state.current is None and stream.state.hand is None
    assert stream.chips == {1: 950, 2: 1050, 3: 1000}
    assert ended(stream) == HandEnded(hand=1, stacks={"000001": 950, "000002": 1050, "000003": 1000})


def test_a_hand_without_cards_is_tracked_to_the_last_who_did_not_muck(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000)
    stream.act(2, "raise", 300).act(0, "fold").act(1, "call")
    for _ in range(3):
        stream.do("deal_board").act(1, "check").act(2, "check")
    assert stream.state.current is not None
    stream.do("muck", position=1)
    assert stream.chips == {1: 950, 2: 700, 3: 1350}


def test_H_12_a_showdown_settles_itself(stream: Stream) -> None:
    stream = shown_down(stream)
    if stream.state.current is not None:  # where an all-in does not lay the hands open
        stream.do("settle")
    assert stream.chips == {1: 0, 2: 0, 3: 8000}
    assert set(ended(stream).busted) == {"000001", "000002"}


def test_nobody_knows_the_winner_until_the_stacks_are_counted(stream: Stream) -> None:
    stream.begin(1000, 1000).act(1, "call").act(0, "check")
    for _ in range(3):
        stream.do("deal_board").act(0, "check").act(1, "check")
    stream.do("settle")
    assert stream.state.current is not None
    assert stream.refused("end_hand", stacks={"000001": 1000}) == "stacks-missing"
    assert stream.refused("end_hand", stacks={"000001": 1000, "000002": 900}) == "chips-differ"
    assert stream.refused("end_hand", stacks={"000001": 1000, "000002": 900, "000003": 100}) == "not-in-hand"
    stream.do("end_hand", stacks={"000001": 900, "000002": 1100})
    assert stream.chips == {1: 900, 2: 1100}
    assert ended(stream).counted


def test_the_same_records_tell_the_same_table_byte_for_byte(stream: Stream) -> None:
    stream = shown_down(stream)
    stream.do("undo_action").do("undo_action").do("deal_board", cards="Qs")
    stream.begin(900, 800, 700, hand=2).act(2, "call").do("kill", position=1).do("undo_action")
    stream.do("make_ruling", ruling="I-13", decision="a", reason="b", rules=msgspec.to_builtins(stream.rules))
    assert state_bytes(stream.replayed()) == state_bytes(stream.state)
    assert stream.replayed().hand == stream.state.hand


def test_the_fold_takes_stacks_and_busts_from_the_events_and_asks_no_rule(stream: Stream) -> None:
    begun = stream.begin(1000, 1000).events[0]
    told = HandEnded(hand=1, stacks={"000001": 0, "000002": 2000}, busted=("000001",))
    state = fold_table(fold_table(INITIAL_TABLE, begun, "a"), told, "b")
    assert state.stacks == {"000001": 0, "000002": 2000}


def test_what_cannot_be_played_again_is_kept_and_leaves_the_hand_in_doubt(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000).act(2, "fold")
    strange = decode_table_event("hand-played/1", b'{"facts":[{"fact":"raised","position":1,"amount":7,"to":7}]}')
    stream.state = fold_table(stream.state, strange, "x")
    assert stream.state.current is not None and len(stream.state.current.facts) > 3
    assert stream.refused("act", position=0, action="fold") == "hand-in-doubt"
    assert stream.refused("undo_action", of="c2") == "stale"
    stream.do("undo_action", of="x").act(0, "fold")
    assert stream.chips == {1: 950, 2: 1050, 3: 1000}


def test_a_command_of_a_later_version_leaves_the_hand_in_doubt_until_it_is_undone(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000)
    stream.state = fold_table(stream.state, UnknownEvent("hand-moved/9", b"{}"), "x")
    assert stream.refused("act", position=2, action="fold") == "hand-in-doubt"
    stream.do("undo_action").act(2, "fold")


@pytest.mark.parametrize(
    ("do", "fields", "code"),
    [
        ("act", {"position": 0, "action": "fold"}, "not-your-turn"),
        ("act", {"position": 2, "action": "check"}, "cannot-check"),
        ("act", {"position": 2, "action": "raise", "to": 150}, "raise-too-small"),
        ("act", {"position": 2, "action": "raise", "to": 1001}, "not-enough-chips"),
        ("act", {"position": 9, "action": "all-in"}, "not-your-turn"),
        ("deal_board", {"cards": "AsKsQs"}, "not-your-turn"),
        ("deal_hole", {"position": 0, "cards": "AsAs"}, "card-repeated"),
        ("deal_hole", {"position": 0, "cards": "Zz"}, "not-a-card"),
        ("show", {"position": 0}, "not-your-turn"),
        ("muck", {"position": 0}, "not-your-turn"),
        ("settle", {}, "not-your-turn"),
        ("kill", {"position": 7}, "not-your-turn"),
        ("restrict", {"position": 7}, "not-your-turn"),
        ("act", {"hand": 2, "position": 2, "action": "fold"}, "wrong-hand"),
        ("act", {"round": "R2", "position": 2, "action": "fold"}, "wrong-hand"),
        ("undo_action", {"hand": 2}, "wrong-hand"),
        ("undo_action", {"of": "c9"}, "stale"),
        ("make_ruling", {"ruling": "I-13", "rules": {}}, "ruling-incomplete"),
        ("make_ruling", {"ruling": "I-2", "facts": {"weather": "bad"}, "rules": {}}, "fact-not-asked"),
        ("make_ruling", {"ruling": "I-99", "rules": {}}, "no-such-ruling"),
    ],
)
def test_a_refusal_changes_nothing(stream: Stream, do: str, fields: dict[str, Any], code: str) -> None:
    stream.begin(1000, 1000, 1000)
    assert stream.refused(do, **fields) == code


@PROFILE
def test_H_6_one_large_chip_is_a_call_and_the_stream_says_why(profile: str) -> None:
    stream = Stream(profile).begin(1000, 1000, 1000).do("declare", position=2, chips=[500])
    event = stream.events[-1]
    assert isinstance(event, HandPlayed) and event.reason == "oversized-chip"
    assert stream.state.hand is not None and stream.state.hand.bets == (50, 100, 100)
    assert state_bytes(stream.replayed()) == state_bytes(stream.state)


@pytest.mark.parametrize("profile", [name for name, rules in PROFILES.items() if rules.unseen_raise == "fold-or-call"])
def test_H_10_who_did_not_see_the_raise_chooses_and_may_leave_the_chips(profile: str) -> None:
    stream = Stream(profile).begin(2000, 2000, 2000).act(2, "raise", 1200)
    pushed = {"position": 0, "said": "call", "chips": [100, 100], "unseen": True}
    assert stream.refused("declare", **pushed) == "choice-open"
    stream.do("declare", **pushed, choice="fold")
    assert [type(fact).__name__ for fact in stream.events[-1].facts] == ["Forfeited", "Folded"]  # type: ignore[union-attr]
    assert state_bytes(stream.replayed()) == state_bytes(stream.state)
    assert stream.replayed().hand == stream.state.hand
    stream.act(1, "fold")
    assert stream.chips == {1: 1750, 2: 1900, 3: 2350}


def test_a_declaration_that_is_none_is_refused(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000)
    assert stream.refused("declare", position=0, said="call") == "not-your-turn"
    assert stream.refused("declare", position=2, said="check") == "cannot-check"
    assert stream.refused("declare", position=2) == "bad-notation"


def test_no_hand_no_actions(stream: Stream) -> None:
    for do, fields in [("act", {"position": 0, "action": "fold"}), ("drop_hand", {}), ("end_hand", {"stacks": {}})]:
        assert stream.refused(do, **fields) == "no-hand"
    assert stream.refused("undo_action") == "nothing-to-undo"


def test_a_hand_begins_once(stream: Stream) -> None:
    stream.begin(1000, 1000).act(1, "fold")
    command = {"venue": "brno", "table": 1, "button": 1, "small_blind": 5, "big_blind": 10, "rules": {}}
    players = [["000001", 1, 100], ["000002", 2, 100]]
    as_objects = [dict(zip(("participant", "seat", "stack"), player, strict=True)) for player in players]
    assert stream.refused("begin_hand", players=as_objects, **command) == "hand-begun"
    twice = [as_objects[0], as_objects[0]]
    assert stream.refused("begin_hand", players=twice, **{**command, "hand": 2}) == "twice-in-hand"


def test_the_next_hand_gives_up_one_that_is_still_tracked_and_its_undo_takes_it_up_again(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000).act(2, "raise", 400)
    before = stream.state.now
    stream.begin(1000, 1000, 1000, hand=2)
    assert [type(event) for event in stream.events[-2:]] == [HandDropped, HandBegun]
    assert [told.ended for told in stream.state.log] == [None]
    stream.do("undo_action")
    assert stream.state.now == before
    stream.hand = 1
    stream.act(0, "fold")


def test_the_last_action_is_taken_back_the_end_of_the_hand_with_it(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000).act(2, "fold")
    before = state_bytes(TableHands(stream.state.now))
    stream.act(0, "fold")
    assert stream.state.log
    stream.do("undo_action")
    assert state_bytes(TableHands(stream.state.now)) == before
    stream.act(0, "call").act(1, "check")
    stream.do("undo_action").do("undo_action").do("undo_action").do("undo_action")
    assert stream.state.current is None and not stream.state.log
    assert stream.refused("undo_action") == "nothing-to-undo"


def test_an_undo_of_another_command_cannot_follow(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000).act(2, "fold")
    with pytest.raises(EventError):
        fold_table(stream.state, decode_table_event("action-undone/1", b'{"command":"c1"}'), "x")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("hand-played/1", b'{"facts":[{"fact":"checked","position":0}]}'),
        ("hand-ended/1", b'{"hand":1,"stacks":{}}'),
        ("hand-dropped/1", b'{"hand":1}'),
        ("action-undone/1", b'{"command":"c1"}'),
    ],
)
def test_what_needs_a_hand_cannot_come_without_one(kind: str, data: bytes) -> None:
    with pytest.raises(EventError):
        fold_table(INITIAL_TABLE, decode_table_event(kind, data), "x")


def test_the_end_of_a_hand_tells_the_stacks_of_those_in_it(stream: Stream) -> None:
    stream.begin(1000, 1000)
    for data in (b'{"hand":1,"stacks":{"000001":2000}}', b'{"hand":2,"stacks":{"000001":0,"000002":2000}}'):
        with pytest.raises(EventError):
            fold_table(stream.state, decode_table_event("hand-ended/1", data), "x")


def test_I_13_a_ruling_stands_in_the_stream_and_no_undo_takes_it_away(stream: Stream) -> None:
    stream.begin(1000, 1000, 1000).act(2, "fold")
    rules = msgspec.to_builtins(stream.rules)
    stream.do("make_ruling", ruling="I-13", decision="Bank se dělí.", reason="Dealer smíchal karty.", rules=rules)
    stream.do("undo_action")
    ruling = RulingMade(
        ruling="I-13", facts={}, outcome="commissioner-decides", decision="Bank se dělí.",
        reason="Dealer smíchal karty.", hand=1, round="R1",
    )  # fmt: skip
    assert stream.state.rulings == (ruling,)
    assert stream.state.hand is not None and len(stream.state.hand.live) == 3


def test_I_13_a_ruling_between_hands_needs_no_hand(stream: Stream) -> None:
    rules = msgspec.to_builtins(stream.rules)
    stream.do("make_ruling", hand=None, ruling="I-13", decision="a", reason="b", rules=rules)
    assert [ruling.hand for ruling in stream.state.rulings] == [None]


def test_I_13_a_ruling_goes_by_the_rules_of_the_hand_where_it_brings_none(stream: Stream) -> None:
    assert stream.refused("make_ruling", ruling="I-13", decision="a", reason="b") == "ruling-incomplete"
    stream.begin(1000, 1000, 1000)
    stream.do("make_ruling", ruling="I-13", decision="a", reason="b")
    assert [ruling.outcome for ruling in stream.state.rulings] == ["commissioner-decides"]


def test_every_fact_of_a_hand_has_its_place_in_the_stream() -> None:
    assert set(get_args(AnyFact)) == set(Fact.__subclasses__())


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "act", "position": 0, "action": "raise"},
        {"do": "act", "position": 0, "action": "call", "to": 5},
        {"do": "act", "position": -1, "action": "call"},
        {"do": "shuffle"},
        {"do": "drop_hand", "more": 1},
    ],
)
def test_what_is_no_command_is_an_error(fields: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        decode_table_command({"round": "R1", "hand": 1, **fields})


@PROFILE
def test_H_4_all_in_is_a_call_where_nobody_else_has_chips_behind(profile: str) -> None:
    stream = Stream(profile).begin(100, 60, 80, small_blind=10, big_blind=20).act(2, "all-in")
    assert stream.refused("act", position=0, action="raise", to=100) == "raise-not-reopened"
    hand = stream.act(0, "all-in").state.hand
    assert hand is not None and (hand.actor, hand.stacks, hand.bets) == (1, (20, 40, 0), (80, 20, 80))


@PROFILE
def test_H_4_all_in_said_in_a_script_is_what_the_key_does(profile: str) -> None:
    """Where all of it may not be raised, less is, or it is a call; the words and the command lead to the same."""
    for stacks in ((1000, 1000, 130), (500, 700, 130), (60, 100, 200), (150, 150, 5000)):
        told, said = Stream(profile).begin(*stacks), Stream(profile).begin(*stacks)
        while told.state.hand is not None and (position := told.state.hand.actor) is not None:
            if told.state.hand.phase != "betting":
                break
            told.act(position, "all-in")
            said.do("declare", position=position, said="all-in")
            assert state_bytes(told.state) == state_bytes(said.state)
