"""A floor that asks for anything: commands and events drawn from their types, folded as a director folds them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from appliance.game import commands as c
from appliance.game.codec import EventError
from appliance.game.command import Command
from appliance.game.events import EVENT_TYPES, decode_event, encode_event
from appliance.game.reading import CommandError
from appliance.game.results import results
from appliance.game.round import INITIAL, Refusal, can, decide, fold, set_aside, verify
from appliance.game.state import Round, Status
from tests.game.by_schema import PLAYERS, SEVEN_PM, Drawer

COMMANDS: Mapping[str, type[Command]] = {str(kind.__struct_config__.tag): kind for kind in c.AnyCommand.__args__}
OFTEN = (
    "next_hand", "bust", "deal", "stacks", "undo", "redo", "redo", "reenter", "pay", "void", "balance", "move",
    "hand_for_hand", "sanction", "break_table", "colour_up", "sit_out",
)  # fmt: skip
HOUSES: tuple[dict[str, Any], ...] = (
    {"profile": "cpl-2017", "shares": ["50", "30", "20"], "chip_up": 1000, "bonus_card": 500},
    {"profile": "cpl", "shares": ["50", "30", "20"], "chip_up": 1000, "bonus_card": 500, "breaking": [2, 1]},
    {"profile": "casino-2012", "shares": ["60", "40"], "reentry": True, "late_registration": True, "guarantee": 5000},
    {"profile": "tda-2024", "shares": ["50", "30", "20"], "reentry": True, "guarantee": 5000, "ante_by": "bb"},
)
STACKS = (0, 1, 1, 100, 4000, 10**12)


class AnyFloor:
    """A round by chance. ``ledger`` is the director's; ``forged``: events were folded that no command led to;
    ``carried_out``: how often each command was; ``told``: the events as records carry them, at what time, of which
    command."""

    def __init__(self, chance: random.Random, venue: str = "brno") -> None:
        self.chance = chance
        self.venue = venue
        self.ledger = INITIAL
        self.at = SEVEN_PM - 3_600_000
        self.forged = False
        self.told: list[tuple[str, bytes, int, str]] = []
        self.carried_out: Counter[str] = Counter()
        self._drawer = Drawer(chance)
        self._count = 0

    @property
    def _cause(self) -> str:
        return f"c{self._count}"

    def gather(self) -> None:
        """Mostly a round that runs, of three to seven players at tables of three; sometimes less than that."""
        ready = [
            {
                "do": "announce", "venue": self.venue, "starts_at": "2027-01-15T19:00:00+01:00", "deposit": 100,
                "seats_per_table": 3, "seed": self.chance.randint(0, 9), "levels": [
                    {"sb": 25, "bb": 50, "minutes": 15}, {"break": 10}, {"sb": 50, "bb": 100, "minutes": 15}
                ], **self.chance.choice(HOUSES),
            },
            {"do": "open"},
            *(
                {"do": "register", "participant": who, "identity_checked": True}
                for who in PLAYERS[: self.chance.randint(3, 7)]
            ),
            {"do": "start"},
        ]  # fmt: skip
        for fields in ready[: self.chance.choice([len(ready)] * 8 + [0, 1, 2, 4])]:
            self.at = min(self.at + self.chance.randint(0, 1_000_000), SEVEN_PM + 10**6)
            self.give(c.decode_command({"round": "R1", **fields}))

    def wait(self) -> None:
        """Nothing, a moment, or a level."""
        self.at += self.chance.choice((0, 0, 1, 1000, 60_000, 600_000))

    def ask(self) -> Refusal | None:
        """Give a command of any kind, if what was drawn can be read; why it was refused."""
        name = self.chance.choice((*COMMANDS, *OFTEN))
        fields = self._drawer.of(COMMANDS[name])
        if self.ledger.round is not None and self.chance.random() < 0.6 and name in FITTING:
            fields |= FITTING[name](self.chance, self.ledger.round)
        try:
            command = c.decode_command(json.dumps(fields))
        except CommandError:
            return None
        return self.give(command)

    def give(self, command: Command) -> Refusal | None:
        """Give a command: it raises nothing, and what it leads to is read as it was written, and folds."""
        self._count += 1
        why_not = verify(self.ledger, command, self.at)
        assert can(self.ledger, command, self.at) is (why_not is None)
        answer = decide(self.ledger, command, self.at, self._cause, seed=5)
        if isinstance(answer, Refusal):
            assert answer == why_not
            json.dumps(dict(answer.detail))
            return answer
        assert why_not is None
        self.carried_out[c.name_of(command)] += 1
        for event in answer:
            kind, raw = encode_event(event)
            if not self.forged:
                self.told.append((kind, raw, self.at, self._cause))
            if self.forged:  # of amounts that no announcement has, sums may be beyond what an event can carry
                self._fold(kind, raw, self._cause, self.at)
                continue
            read = decode_event(kind, raw)
            assert read == event
            self.ledger = fold(self.ledger, read, self.at, self._cause)
        return None

    def forge(self) -> None:
        """Fold an event of any kind, as if a director had told it."""
        self._count += 1
        kind = self.chance.choice(list(EVENT_TYPES))
        raw = json.dumps(self._drawer.of(EVENT_TYPES[kind])).encode()
        of_the_last = self.chance.random() < 0.5
        at = self.at if self.chance.random() < 0.9 else self.chance.choice((0, -1, 2**62, 10**13, -(10**13)))
        self.forged = True
        self._fold(kind, raw, f"c{self._count - of_the_last}", at)

    def _fold(self, kind: str, raw: bytes, cause: str, at_ms: int) -> None:
        self.told.append((kind, raw, at_ms, cause))
        try:
            self.ledger = fold(self.ledger, decode_event(kind, raw), at_ms, cause)
        except EventError:
            self.ledger = set_aside(self.ledger, self.at, cause)


def _in(round: Round) -> list[str]:
    return [who for who, player in round.players.items() if player.status is Status.IN] or ["1"]


def _deal(chance: random.Random, round: Round) -> dict[str, Any]:
    those, kind = _in(round), chance.choice(("icm", "chop", "manual"))
    amounts = dict.fromkeys(those, 0) | {those[0]: round.pool} if kind == "manual" else {}
    return {"kind": kind, "consents": those, "stacks": _stacks(chance, those), "amounts": amounts}


def _stacks(chance: random.Random, those: list[str]) -> dict[str, int]:
    return {who: chance.choice(STACKS) for who in those}


def _at_table(chance: random.Random, round: Round) -> tuple[int, list[str]]:
    table = chance.choice(list(round.tables.values())) if round.tables else None
    return (table.number, list(table.seats.values()) or ["1"]) if table else (1, ["1"])


def _count(chance: random.Random, round: Round) -> dict[str, Any]:
    table, those = _at_table(chance, round)
    return {"table": table, "stacks": _stacks(chance, those)}


def _colour_up(chance: random.Random, round: Round) -> dict[str, Any]:
    table, those = _at_table(chance, round)
    holdings = {who: {"25": chance.choice((0, 1, 5, 10**10)), "100": chance.choice((0, 10**9))} for who in those}
    return {"table": table, "denomination": 25, "to": 100, "holdings": holdings, "cards": {}}


def _time_call(chance: random.Random, round: Round) -> dict[str, Any]:
    table, those = _at_table(chance, round)
    return {"table": table, "participant": chance.choice(those)}


def _again(chance: random.Random, round: Round) -> dict[str, Any]:
    out = [who for who, player in round.players.items() if player.status is Status.OUT]
    return {"participant": chance.choice(out)} if out else {}


def _bust(chance: random.Random, round: Round) -> dict[str, Any]:
    return {"participant": chance.choice(_in(round)), "table": None, "by": None, "hand": chance.choice((None, 1, 2))}


def _pay(chance: random.Random, round: Round) -> dict[str, Any]:
    won = [(result.participant, result.prize) for result in results(round) if result.prize]
    who, prize = chance.choice(won or [("1", 1)])
    return {"participant": who, "amount": chance.choice((1, prize)), "seen": None}


def _move(chance: random.Random, round: Round) -> dict[str, Any]:
    return {"participant": chance.choice(_in(round)), "seat": [_at_table(chance, round)[0], chance.randint(1, 3)]}


def _sit_out(chance: random.Random, round: Round) -> dict[str, Any]:
    new = [table.seats[seat] for table in round.tables.values() for seat in table.arrivals]
    return {"participant": chance.choice(new or ["1"])}


def _present(chance: random.Random, round: Round) -> dict[str, Any]:
    away = [player.participant for player in round.players.values() if player.absent]
    return {"participant": chance.choice(away or ["1"])}


def _unseen(_chance: random.Random, _round: Round) -> dict[str, Any]:
    """As from somebody who does not say what they saw."""
    return {"seen": None}


def _ruling(chance: random.Random, round: Round) -> dict[str, Any]:
    table = chance.choice((None, _at_table(chance, round)[0]))
    return {"ruling": "I-13", "facts": {}, "decision": "a", "reason": "b", "table": table, "hand": None}


FITTING: Mapping[str, Callable[[random.Random, Round], dict[str, Any]]] = {
    "deal": _deal,
    "end_early": lambda chance, round: {"stacks": _stacks(chance, _in(round))},
    "stacks": _count,
    "colour_up": _colour_up,
    "time_call": _time_call,
    "next_hand": lambda chance, round: {"table": _at_table(chance, round)[0], "seen": None},
    "reenter": lambda chance, round: {**_again(chance, round), "deposits_24h": 0},
    "reinstate": _again,
    "bust": _bust,
    "move": _move,
    "sit_out": _sit_out,
    "pay": _pay,
    "present": _present,
    "hand_for_hand": lambda _chance, _round: {"minutes": None},
    "ruling": _ruling,
    **dict.fromkeys(
        ("next_level", "previous_level", "set_remaining", "deposit", "balance", "sanction", "final_table"), _unseen
    ),
    "undo": lambda chance, _round: {"n": chance.randint(1, 5), "of": None},
    "redo": lambda chance, _round: {"n": chance.randint(1, 5), "of": None},
}
"""Fields that fit the round as it stands, so that commands get further than to the first refusal."""
