"""A hand of which every action is keyed in: which keys the dealer presses, and what they lead to. Pure.

The rules of the hand are asked while the script is made, by the dealer's keys themselves; a stage of a hand is what its
table's stream tells by then. So a dealer who knows the stage knows the next keys, and one who sees another stage has
pressed a key that came twice, and takes it back.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from appliance import pad
from appliance.game.commands import Stacks, encode_command
from appliance.game.hand.facts import Fact
from appliance.game.refusal import Refusal
from appliance.game.state import Round
from appliance.game.tablestream.commands import BeginHand, TableCommand
from appliance.game.tablestream.decide import decide_table
from appliance.game.tablestream.fold import fold_table
from appliance.game.tablestream.proposals import begin_of, proposals
from appliance.game.tablestream.state import TableHands
from appliance.pad import KEYBOARD, At, Pad
from appliance.pad_state import Here
from appliance.pad_winners import asked

UNDO = "u"
_RAISES_MOST = 3
_KEYS_MOST = 400


class Stage(NamedTuple):
    """What a table's stream tells of the hand, and the keys that lead on."""

    facts: tuple[Fact, ...]
    keys: tuple[str, ...]


class Deal(NamedTuple):
    """A hand of a table. ``stacks``: as it ends. ``asks``: what the table then asks of the round, in order."""

    table: int
    hand: int
    stages: tuple[Stage, ...]
    stacks: Mapping[str, int]
    asks: tuple[dict[str, Any], ...]

    def is_over(self, hands: TableHands) -> bool:
        """Whether it has ended, and as it must."""
        last = hands.last
        return (
            hands.current is None and last is not None and last.begun.hand == self.hand
            and last.ended is not None and last.ended.stacks == self.stacks
        )  # fmt: skip

    def stage(self, hands: TableHands) -> int | None:
        """At which stage it is; None if it is not on, or at none."""
        if hands.current is None or hands.current.begun.hand != self.hand:
            return None
        facts = hands.current.facts
        return next((place for place, stage in enumerate(self.stages) if stage.facts == facts), None)

    def keys(self, hands: TableHands) -> tuple[str, ...]:
        """The next keys; nothing if the hand is not there yet."""
        at = self.stage(hands)
        if at is not None:
            return self.stages[at].keys
        told = hands.current or hands.last
        return (UNDO,) if told is not None and told.begun.hand == self.hand else ()


def deal(round: Round, table: int, hands: TableHands, chance: random.Random) -> tuple[Deal, TableHands] | None:
    """Play the hand that a round has begun at a table, after these; None if it cannot be tracked."""
    begin = begin_of(round, table)
    if isinstance(begin, Refusal):
        return None
    begin = replace(begin, again=True)
    hands, number = _after(hands, begin, 0), 1
    stages: list[Stage] = []
    raises = 0
    while (current := hands.current) is not None and number < _KEYS_MOST:
        for keys in _wishes(hands, round, table, chance, raises < _RAISES_MOST):
            command = _pressed(keys, At(hands, round, table))
            if command is not None and not isinstance(decide_table(hands, command), Refusal):
                break
        else:
            raise AssertionError(f"no key makes sense at {current}")
        raises += keys[-1] == "r"
        stages.append(Stage(current.facts, keys))
        hands, number = _after(hands, command, number), number + 1
    assert hands.last is not None and hands.last.ended is not None
    return Deal(table, begin.hand, tuple(stages), hands.last.ended.stacks, _asks(hands, round, begin)), hands


def _wishes(
    hands: TableHands, round: Round, table: int, chance: random.Random, raise_: bool
) -> Sequence[tuple[str, ...]]:
    """What the dealer might key in now, the likeliest wish first."""
    here = Here.of(hands)
    assert here is not None
    legal = here.ready.legal()
    if legal is None:
        return (
            [("return",)] if here.hand.phase == "deal-board" else [_winners(hands, round, table, chance), ("return",)]
        )
    what = chance.random()
    wishes: list[tuple[str, ...]] = [("c",), ("f",)]
    if what < 0.25 and raise_ and legal.raise_min is not None:
        wishes.insert(0, (*str(legal.raise_min), "r"))
    elif what < 0.27:
        wishes.insert(0, ("a",))
    elif what < 0.65:
        wishes.insert(0, ("f",))
    return wishes


def _winners(hands: TableHands, round: Round, table: int, chance: random.Random) -> tuple[str, ...]:
    """Who wins, pot by pot."""
    at, keys = At(hands, round, table), ["w"]
    here = Here.of(hands)
    assert here is not None
    typed = pad.press(Pad(), "win", at).pad
    while typed.mode == "winners" and (eligible := asked(typed, here)):
        seat = str(here.seat(chance.choice(eligible)) % 10)
        typed = pad.press(pad.press(typed, seat, at).pad, "done", at).pad
        keys += [seat, "d"]
    return tuple(keys)


def _pressed(keys: Sequence[str], at: At) -> TableCommand | None:
    """The command that some keys lead to."""
    typed = Pad()
    for key in keys:
        pressed = pad.press(typed, KEYBOARD[key], at)
        if pressed.table_command is not None:
            return pressed.table_command
        typed = pressed.pad
    return None


def _after(hands: TableHands, command: TableCommand, number: int) -> TableHands:
    decided = decide_table(hands, command)
    assert not isinstance(decided, Refusal), decided
    for event in decided:
        hands = fold_table(hands, event, str(number))
    return hands


def _asks(hands: TableHands, round: Round, begun: BeginHand) -> tuple[dict[str, Any], ...]:
    found = proposals(hands, round)
    dated = (replace(each, hand=begun.hand) if isinstance(each, Stacks) else each for each in found)
    return tuple(msgspec.json.decode(encode_command(each)) for each in dated)
