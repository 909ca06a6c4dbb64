"""The stream of a table: hands action by action, told again byte for byte, and what their end asks of the round."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from appliance.game.codec import EventError, UnknownEvent
from appliance.game.command import Command
from appliance.game.commands import Bust, Stacks
from appliance.game.event import Event
from appliance.game.hand.facts import Fact
from appliance.game.reading import CommandError
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES
from appliance.game.rulings.events import RulingMade
from appliance.game.state import Phase
from appliance.game.tablestream.commands import BeginHand, TableCommand, decode_table_command
from appliance.game.tablestream.decide import decide_table
from appliance.game.tablestream.events import (
    AnyFact,
    HandBegun,
    HandDropped,
    HandEnded,
    HandPlayed,
    InHand,
    decode_table_event,
    encode_table_event,
)
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from appliance.game.tablestream.proposals import begin_of, proposals
from appliance.game.tablestream.state import TableHands

PROFILE = pytest.mark.parametrize("profile", [name for name, rules in PROFILES.items() if rules.tournament])


class Stream:
    """A table's stream, driven as a dealer's keys would; every command and event goes through its JSON."""

    def __init__(self, profile: str = "tda-2024") -> None:
        self.rules = PROFILES[profile]
        self.state: TableHands = INITIAL_TABLE
        self.log: list[tuple[str, bytes, str]] = []
        self.events: list[Event | UnknownEvent] = []
        self.count = 0
        self.hand = 1

    def give(self, command: TableCommand) -> Refusal | tuple[Event, ...]:
        self.count += 1
        cause = f"c{self.count}"
        answer = decide_table(self.state, decode_table_command(msgspec.json.encode(command)))
        if not isinstance(answer, Refusal):
            for event in answer:
                kind, raw = encode_table_event(event)
                self.log.append((kind, raw, cause))
                self.events.append(decode_table_event(kind, raw))
                self.state = fold_table(self.state, self.events[-1], cause)
        return answer

    def begin(self, *stacks: int, hand: int = 1, **changes: Any) -> Stream:
        players = tuple(InHand(f"{n:06d}", n, stack) for n, stack in enumerate(stacks, start=1))
        numbers: dict[str, Any] = {"small_blind": 50, "big_blind": 100, "button": len(stacks), **changes}
        command = BeginHand(round="R1", venue="brno", table=1, hand=hand, players=players, rules=self.rules, **numbers)
        answer = self.give(command)
        assert not isinstance(answer, Refusal), answer
        self.hand = hand
        return self

    def ask(self, do: str, **fields: Any) -> Refusal | tuple[Event, ...]:
        return self.give(decode_table_command({"do": do, "round": "R1", "hand": self.hand, **fields}))

    def do(self, do: str, **fields: Any) -> Stream:
        answer = self.ask(do, **fields)
        assert not isinstance(answer, Refusal), answer
        return self

    def act(self, position: int, action: str, to: int | None = None) -> Stream:
        return self.do("act", position=position, action=action, **({} if to is None else {"to": to}))

    def refused(self, do: str, **fields: Any) -> str:
        before = (len(self.log), state_bytes(self.state))
        answer = self.ask(do, **fields)
        assert isinstance(answer, Refusal), answer
        assert (len(self.log), state_bytes(self.state)) == before
        return answer.code

    def replayed(self) -> TableHands:
        state = INITIAL_TABLE
        for kind, raw, cause in self.log:
            state = fold_table(state, decode_table_event(kind, raw), cause)
        return state

    @property
    def chips(self) -> dict[int, int]:
        return {int(participant): chips for participant, chips in self.state.stacks.items()}


def state_bytes(state: TableHands) -> bytes:
    return msgspec.json.encode(state)


@pytest.fixture(params=[name for name, rules in PROFILES.items() if rules.tournament])
def stream(request: pytest.FixtureRequest) -> Stream:
    return Stream(request.param)


def shown_down(stream: Stream) -> Stream:
    """Three all in before the flop: the shortest and the middle one lose their stacks to the third."""
    stream.begin(1000, 2000, 5000)
    stream.do("deal_hole", position=0, cards="2c3d").do("deal_hole", position=1, cards="2h3s")
    stream.do("deal_hole", position=2, cards="AsAd")
    stream.act(2, "all-in").act(0, "all-in").act(1, "all-in")
    return stream.do("deal_board", cards="AhKcKd").do("deal_board", cards="Qs").do("deal_board", cards="Jh")


def ended(stream: Stream) -> HandEnded:
    assert stream.state.last is not None and stream.state.last.ended is not None
    return stream.state.last.ended


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
        ("make_ruling", {"ruling": "I-2", "facts": {"weather": "bad"}, "rules": {}}, "ruling-incomplete"),
        ("make_ruling", {"ruling": "I-99", "rules": {}}, "ruling-incomplete"),
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


# With a round


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
