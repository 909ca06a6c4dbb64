"""Commands that nobody on a floor would give, or not now: any kind, with fields that fit or do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from appliance.game.commands import (
    AnyCommand,
)
from appliance.game.state import Round
from bench.simulation import programme

T = TypeVar("T")
KINDS: tuple[str, ...] = tuple(str(kind.__struct_config__.tag) for kind in AnyCommand.__args__)
"""Every command there is."""


class Pick:
    """Draws fields of commands for a round: mostly what is there, sometimes what is not."""

    def __init__(self, chance: random.Random, round: Round | None, newest: str) -> None:
        self.chance = chance
        self.round = round
        self.newest = newest

    def one(self, things: Sequence[T]) -> T:
        return self.chance.choice(things)

    def often(self, make: Callable[[], Any]) -> Any:
        """Something in an optional field, in half of the cases."""
        return make() if self.chance.random() < 0.5 else None

    def participant(self) -> str:
        players = list(self.round.players) if self.round else []
        return self.one(players) if players and self.chance.random() < 0.9 else f"{self.chance.randint(1, 999):06d}"

    def participants(self, most: int = 12) -> list[str]:
        return sorted({self.participant() for _ in range(self.chance.randint(1, most))})

    def table(self) -> int:
        tables = list(self.round.tables) if self.round else []
        return self.one(tables) if tables and self.chance.random() < 0.9 else self.chance.randint(1, 30)

    def seat(self) -> list[int]:
        return [self.table(), self.chance.randint(1, 11)]

    def amount(self) -> int:
        return self.one((0, 1, 25, 100, 999, 4000, 10**12, self.chance.randint(0, 20_000)))

    def positive(self) -> int:
        return self.amount() or 1

    def stacks(self) -> dict[str, int]:
        if self.round and self.round.tables and self.chance.random() < 0.6:
            seats = self.round.tables[self.one(list(self.round.tables))].seats
            return {who: self.amount() for who in seats.values()} or {self.participant(): 1}
        everybody = [who for who, player in self.round.players.items() if player.seat] if self.round else []
        if everybody and self.chance.random() < 0.6:
            return {who: self.amount() for who in everybody}
        return {who: self.amount() for who in self.participants()}

    def cards(self) -> list[str]:
        return [self.one("23456789TJQKA") + self.one("shdc") for _ in range(self.chance.randint(1, 3))]

    def elsewhere(self) -> Any:
        return self.one((0, self.chance.randint(0, 600), [[programme.STARTS_AT, self.chance.randint(0, 500)]]))


def _cut(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _denominations(pick: Pick) -> dict[str, Any]:
    smaller, larger = sorted(pick.chance.sample(programme.CHIP_SET, 2))
    holdings = {who: {smaller: pick.chance.randint(0, 9), larger: 1} for who in pick.stacks()}
    cards = {who: pick.cards() for who in list(holdings)[:3]} if pick.chance.random() < 0.3 else {}
    return {"denomination": smaller, "to": larger, "holdings": holdings, "cards": cards}


def _deal(pick: Pick) -> dict[str, Any]:
    stacks = pick.stacks()
    kind = pick.one(("icm", "chop", "manual"))
    amounts = {who: pick.amount() for who in stacks} if kind == "manual" else {}
    return {"kind": kind, "consents": list(stacks)[pick.chance.randint(0, 1) :], "stacks": stacks, "amounts": amounts}


_FIELDS: dict[str, Callable[[Pick], dict[str, Any]]] = {
    "announce": lambda p: programme.announcement(p.chance, p.chance.randint(3, 90)),
    "open": lambda p: _cut({"reason": p.often(lambda: "rain")}),
    "cancel": lambda p: _cut({"reason": p.often(lambda: "rain")}),
    "reschedule": lambda p: {"starts_at": p.one((programme.STARTS_AT, "2027-01-16T19:00:00+01:00"))},
    "register": lambda p: _cut(
        {
            "participant": p.participant(),
            "identity_checked": p.chance.random() < 0.9,
            "deposits_24h": p.elsewhere(),
            "seat": p.often(p.seat),
        }
    ),
    "deposit": lambda p: {"participant": p.participant(), "amount": p.one((1, 50, 100, 400, 501))},
    "start": lambda p: _cut(
        {
            "seats": p.often(lambda: {who: p.seat() for who in p.participants(4)}),
            "button": p.often(lambda: p.chance.randint(1, 11)),
        }
    ),
    "begin_break": lambda p: {"minutes": p.chance.randint(1, 30)},
    "set_remaining": lambda p: {"seconds": p.one((0, 1, 60, 86_400))},
    "next_hand": lambda p: {"table": p.table()},
    "stacks": lambda p: {"table": p.table(), "stacks": p.stacks()},
    "bust": lambda p: _cut(
        {
            "participant": p.participant(),
            "table": p.often(p.table),
            "hand": p.often(lambda: p.chance.randint(1, 40)),
            "stack": p.often(p.positive),
            "by": p.often(p.participant),
        }
    ),
    "busts": lambda p: {"stacks": {who: p.positive() for who in ("000001", "000002", p.participant())}},
    "undo": lambda p: _cut({"n": p.one((1, 1, 2, 5, 100_000)), "of": p.often(lambda: p.one((p.newest, "c1")))}),
    "redo": lambda p: _cut({"n": p.one((1, 1, 2, 100_000)), "of": p.often(lambda: p.one((p.newest, "c1")))}),
    "unregister": lambda p: {"participant": p.participant()},
    "reinstate": lambda p: {"participant": p.participant()},
    "pay": lambda p: {"participant": p.participant(), "amount": p.positive()},
    "move": lambda p: {"participant": p.participant(), "seat": p.seat()},
    "end_early": lambda p: {"reason": "fire", "stacks": p.stacks()},
    "sit_out": lambda p: {"participant": p.participant()},
    "absent": lambda p: {"participant": p.participant()},
    "present": lambda p: {"participant": p.participant()},
    "break_table": lambda p: {"table": p.table()},
    "hand_for_hand": lambda p: _cut(
        {"on": p.chance.random() < 0.6, "minutes": p.often(lambda: p.chance.randint(0, 4))}
    ),
    "chip_up": lambda p: _cut({"participant": p.often(p.participant)}),
    "bonus_card": lambda p: _cut({"participant": p.participant(), "holding": p.often(lambda: p.one((True, False)))}),
    "reenter": lambda p: {"participant": p.participant(), "deposits_24h": p.elsewhere()},
    "sanction": lambda p: _cut(
        {
            "participant": p.participant(),
            "kind": p.one(("warning", "dead-hand", "sit-out", "sit-out", "exclusion")),
            "reason": "x",
            "hands": p.often(lambda: p.chance.randint(1, 9)),
            "minutes": p.often(lambda: p.chance.randint(1, 60)),
            "league": p.chance.random() < 0.2,
        }
    ),
    "ruling": lambda p: _cut(
        {
            "ruling": p.one(("I-13", "I-5", "I-99")),
            "facts": p.one(({}, {"error": "no-burn", "acted": 0})),
            "decision": p.often(lambda: "the pot is split"),
            "reason": p.often(lambda: "the cards were mixed"),
            "table": p.often(p.table),
            "hand": p.often(lambda: p.chance.randint(1, 40)),
        }
    ),
    "colour_up": lambda p: {"table": p.table(), **_denominations(p)},
    "deal": _deal,
    "void": lambda p: {"participant": p.participant(), "reason": "another's card"},
    "lock": lambda p: {
        "on": p.chance.random() < 0.6,
        **({"participant": p.participant()} if p.chance.random() < 0.5 else {"seat": p.seat()}),
    },
    "time_call": lambda p: {"table": p.table(), "participant": p.participant()},
    "time_end": lambda p: {"table": p.table(), "outcome": p.one(("acted", "ran-out"))},
}


def fields_of(kind: str, chance: random.Random, round: Round | None, newest: str) -> dict[str, Any]:
    """Fields that make a command of this kind, whatever the rules will say to it."""
    make = _FIELDS.get(kind)
    return make(Pick(chance, round, newest)) if make else {}
