"""A table's stream driven by commands, for the tests of tracked hands; every event goes through its JSON."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
import pytest

from appliance.game.codec import UnknownEvent
from appliance.game.event import Event
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.commands import BeginHand, TableCommand, decode_table_command
from appliance.game.tablestream.decide import decide_table
from appliance.game.tablestream.events import (
    HandEnded,
    InHand,
    decode_table_event,
    encode_table_event,
)
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from appliance.game.tablestream.state import TableHands

PROFILE = pytest.mark.parametrize("profile", [name for name, rules in PROFILES.items() if rules.tournament])


def state_bytes(state: TableHands) -> bytes:
    return msgspec.json.encode(state)


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

    def begin(self, *stacks: int, hand: int = 1, away: Collection[int] = (), **changes: Any) -> Stream:
        """A hand at its beginning; ``away``: positions of absent players."""
        players = tuple(InHand(f"{n:06d}", n, stack, n - 1 in away) for n, stack in enumerate(stacks, start=1))
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
