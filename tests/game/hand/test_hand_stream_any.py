"""Any hand, keyed in at random with slips and undone steps: the stream tells it again, chips stay, undo goes back."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from appliance.game.codec import EventError
from appliance.game.event import Event
from appliance.game.hand.cards import DECK, cards_text
from appliance.game.hand.hand import Hand
from appliance.game.refusal import Refusal
from appliance.game.ruleset import PROFILES
from appliance.game.tablestream.commands import decode_table_command
from appliance.game.tablestream.decide import decide_table
from appliance.game.tablestream.events import decode_table_event, encode_table_event
from appliance.game.tablestream.fold import INITIAL_TABLE, fold_table
from appliance.game.tablestream.state import TableHands

PROFILE = pytest.mark.parametrize("profile", [name for name, rules in PROFILES.items() if rules.tournament])


def begin(chance: random.Random, profile: str, number: int) -> dict[str, Any]:
    count = chance.randint(2, 9)
    unit = chance.choice([1, 25])
    stacks = [unit * chance.choice([1, 4, 20, 100]) * chance.randint(1, 9) for _ in range(count)]
    return {
        "do": "begin_hand", "hand": number, "venue": "brno", "table": 1, "button": count, "unit": unit,
        "players": [
            {"participant": f"{n:06d}", "seat": n, "stack": s, "absent": chance.random() < 0.15}
            for n, s in enumerate(stacks, 1)
        ],
        "small_blind": chance.choice([None, 4 * unit, 4 * unit]), "big_blind": 8 * unit,
        "ante": unit * chance.choice([0, 0, 1, 8]), "ante_by": chance.choice(["player", "bb"]),
        "rules": msgspec.to_builtins(PROFILES[profile]),
    }  # fmt: skip


def key(chance: random.Random, hand: Hand | None, deck: list[int]) -> dict[str, Any]:
    """Something that a dealer might press now, most often something that fits."""
    position = hand.actor if hand is not None and hand.actor is not None else chance.randrange(9)
    if chance.random() < 0.1:
        do = chance.choice(["kill", "restrict", "muck", "show", "settle", "undo_action", "player_back"])
        return {"do": do} if do in ("settle", "undo_action") else {"do": do, "position": chance.randrange(9)}
    phase = hand.phase if hand is not None else "over"
    if phase == "deal-hole" and chance.random() < 0.7:
        cards = cards_text(deck.pop() for _ in range(chance.choice([1, 2, 2]))) if chance.random() < 0.7 else ""
        return {"do": "deal_hole", "position": chance.randrange(9), "cards": cards}
    if phase == "deal-board":
        known = chance.random() < 0.9
        return (
            {"do": "deal_board", "cards": cards_text(deck.pop() for _ in range(3)) if known else ""}
            if (hand is not None and not hand.street)
            else {"do": "deal_board", "cards": cards_text([deck.pop()]) if known else ""}
        )
    if phase == "showdown":
        return chance.choice(
            [{"do": "show", "position": position}, {"do": "muck", "position": position}, {"do": "settle"}]
        )
    if chance.random() < 0.2:
        said = chance.choice(["fold", "check", "call", "call", "raise", "all-in", "bet"])
        choice = chance.choice([None, "call", "fold"])
        whose = chance.choice(hand.live) if hand is not None and chance.random() < 0.9 else chance.randrange(9)
        chips: list[int] = chance.choice([[], [], [25], [25, 25, 25], [100]])
        declared = {"do": "declare", "said": said, "chips": chips, "unseen": chance.random() < 0.2}
        early = chance.random() < 0.6
        return {**declared, "position": whose if early else position, "out_of_turn": early, "choice": choice}
    action = chance.choice(["fold", "check", "call", "call", "raise", "all-in"])
    if action != "raise":
        return {"do": "act", "position": position, "action": action}
    legal = hand.legal() if hand is not None else None
    low, high = (legal.raise_min, legal.raise_max) if legal is not None else (None, None)
    to = chance.choice([low, high, chance.randint(1, 5000)]) or 1
    return {"do": "act", "position": position, "action": "raise", "to": to}


class Played:
    """A stream that is keyed in; every state by the number of records before it."""

    def __init__(self) -> None:
        self.state: TableHands = INITIAL_TABLE
        self.log: list[tuple[str, bytes, str]] = []
        self.count = 0

    def give(self, fields: dict[str, Any]) -> Refusal | tuple[Event, ...]:
        self.count += 1
        answer = decide_table(self.state, decode_table_command({"round": "R1", **fields}))
        if not isinstance(answer, Refusal):
            for event in answer:
                self.log.append((*encode_table_event(event), f"c{self.count}"))
                self.state = fold_table(self.state, decode_table_event(*self.log[-1][:2]), f"c{self.count}")
        return answer


def told(state: TableHands) -> tuple[bytes, Hand | None]:
    return msgspec.json.encode(state), state.hand


def chips_of(state: TableHands) -> int:
    hand = state.hand
    if hand is None:
        return sum(state.stacks.values())
    if hand.over:
        return sum(hand.stacks) + sum(award.amount for award in hand.awards if not award.shares)
    return sum(hand.stacks) + sum(hand.bets) + hand.paid.total


@PROFILE
@pytest.mark.parametrize("seed", range(60))
def test_any_hand_is_told_again_and_every_step_can_be_taken_back(profile: str, seed: int) -> None:
    chance = random.Random(f"{profile}/{seed}")
    table = Played()
    for number in (1, 2, 3):
        assert not isinstance(table.give(begin(chance, profile, number)), Refusal)
        deck = chance.sample(DECK, 52)
        chips = chips_of(table.state)
        for _ in range(chance.choice([10, 60, 60])):
            if len(deck) < 12:
                break
            before, records = told(table.state), len(table.log)
            fields = {"hand": number, **key(chance, table.state.hand, deck)}
            answer = table.give(fields)
            if isinstance(answer, Refusal):
                assert told(table.state) == before and len(table.log) == records
                continue
            here = table.state.current or table.state.last
            if here is None or here.begun.hand != number:
                break  # the beginning was undone
            assert table.state.current is None or table.state.hand is not None, (fields, table.log[-3:])
            assert chips_of(table.state) == chips
            if fields["do"] != "undo_action" and chance.random() < 0.3:
                assert not isinstance(table.give({"do": "undo_action", "hand": number}), Refusal)
                assert told(table.state) == before
            if table.state.current is None:
                break
    state = INITIAL_TABLE
    for kind, raw, cause in table.log:
        state = fold_table(state, decode_table_event(kind, raw), cause)
    assert told(state) == told(table.state)


def test_the_keys_above_meet_absent_players_and_actions_out_of_turn() -> None:
    met: Counter[str] = Counter()
    for seed in range(150):
        chance = random.Random(seed)
        table = Played()
        table.give(begin(chance, "tda-2024", 1))
        deck = chance.sample(DECK, 52)
        for _ in range(40):
            if len(deck) > 12:
                answer = table.give({"hand": 1, **key(chance, table.state.hand, deck)})
                met[answer.code if isinstance(answer, Refusal) else "done"] += 1
        met.update(kind for kind, _, _ in table.log)
    assert met["out-of-turn/1"] > 20
    assert min(met["bound-by-earlier"], met["on-turn"], met["out-of-turn-kept"]) > 0


@pytest.mark.parametrize("seed", range(40))
def test_events_in_any_order_are_folded_or_refused_as_untrue(seed: int) -> None:
    chance = random.Random(seed)
    table = Played()
    for number in (1, 2):
        table.give(begin(chance, "tda-2024", number))
        deck = chance.sample(DECK, 52)
        for _ in range(40):
            if len(deck) > 12:
                table.give({"hand": number, **key(chance, table.state.hand, deck)})
    state, folded = INITIAL_TABLE, 0
    for kind, raw, cause in chance.choices(table.log, k=200):
        try:
            state = fold_table(state, decode_table_event(kind, raw), cause)
            folded += 1
        except EventError:
            continue
    assert folded
