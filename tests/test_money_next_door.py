"""T-3 over several rounds of one venue: whatever is asked in whatever order, nobody has more than 500 crowns in."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from appliance.game.commands import decode_command
from appliance.game.refusal import Refusal
from appliance.game.results import results
from appliance.game.roster import Roster, RosterEntry, fold_roster
from appliance.game.round import INITIAL, decide, fold
from appliance.game.state import Ledger, Phase, Status
from appliance.intake import Here, order_of
from appliance.link.envelope import CommandMessage
from appliance.link.envelope import Refusal as Refused
from appliance.record import uuid7

SEVEN_PM = 1_800_036_000_000
DAY_MS = 86_400_000
PEOPLE = [f"{n:06}" for n in range(101, 106)]
FLOOR = "000001"


class Venue:
    """Two or three rounds that share their players, as a director looks after them."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = SEVEN_PM - 3_600_000
        self.ledgers: dict[str, Ledger] = {}
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._count = 0
        self._roster = Roster()
        for who in (*PEOPLE, FLOOR):
            role = "commissioner" if who == FLOOR else "participant"
            self._roster = fold_roster(self._roster, RosterEntry(participant=who, state="active", role=role))
        for round in ("A", "B", "C")[: chance.choice((2, 3))]:
            self._announce(round)

    def _announce(self, round: str) -> None:
        announced = {
            "do": "announce", "round": round, "venue": "brno", "starts_at": "2027-01-15T19:00:00+01:00",
            "profile": self.chance.choice(("casino-2012", "tda-2024")),
            "deposit": self.chance.choice((50, 50, 100, 150)),
            "shares": ["60", "40"], "seats_per_table": 5, "seed": 1, "reentry": True, "late_registration": True,
            "levels": [{"sb": 25, "bb": 50, "minutes": 600}],
        }  # fmt: skip
        self.ledgers[round] = self._folded(INITIAL, decide(INITIAL, decode_command(announced), self.now, "a"), "a")
        self.give(round, "open")
        if self.chance.random() < 0.9:
            for who in self.chance.sample(PEOPLE, self.chance.randint(3, 5)):
                self.give(round, "register", participant=who, identity_checked=True)
            self.give(round, "start")

    def _folded(self, ledger: Ledger, events: Any, cause: str) -> Ledger:
        for event in events:
            ledger = fold(ledger, event, self.now, cause)
        return ledger

    def give(self, round: str, do: str, **fields: Any) -> None:
        """Give a command as it comes over the link; what is refused changes nothing."""
        self._count += 1
        id = uuid7(self.now, self._count.to_bytes(10, "big"))
        body = msgspec.Raw(json.dumps({"do": do, "round": round, **fields}).encode())
        here = Here("brno", {"floor"}, self._roster, self.ledgers)
        order = order_of(CommandMessage(id, "floor", FLOOR, round, 60_000, body), here, self.now)
        if isinstance(order, Refused):
            self.refused[order.code] += 1
            return
        decided = decide(self.ledgers[round], order.command, self.now, id, seed=3)
        if isinstance(decided, Refusal):
            self.refused[decided.code] += 1
            return
        self.ledgers[round] = self._folded(self.ledgers[round], decided, id)
        self.accepted[do] += 1

    def anything(self) -> None:
        """Time passes, and somebody asks for something in one of the rounds."""
        chance = self.chance
        self.now += chance.choice(
            (0, 1, 1000, 600_000, 3_600_000, *([DAY_MS - 1, DAY_MS] if chance.random() < 0.1 else []))
        )
        round, who = chance.choice(list(self.ledgers)), chance.choice(PEOPLE)
        told = {"deposits_24h": chance.choice((100, 400))} if chance.random() < 0.2 else {}
        match chance.choice(
            [
                "register",
                "deposit",
                "deposit",
                "bust",
                "reenter",
                "reenter",
                "undo",
                "redo",
                "redo",
                "reinstate",
                "void",
                "start",
                "hand",
            ]
        ):
            case "register":
                self.give(round, "register", participant=who, identity_checked=True, **told)
            case "reenter":
                self.give(round, "reenter", participant=who, **told)
            case "deposit":
                self.give(round, "deposit", participant=who, amount=chance.choice((1, 50, 100, 300, 450)))
            case "undo" | "redo" as do:
                self.give(round, do, n=chance.choice((1, 1, 2, 4)))
            case "void":
                self.give(round, "void", participant=who, reason="x")
            case "hand":
                self.give(round, "next_hand", table=1)
            case "start":
                self.give(round, "start")
            case do:
                self.give(round, do, participant=who)

    def deposited(self, who: str) -> int:
        """CZK of the last 24 hours, in all rounds."""
        rounds = [ledger.round for ledger in self.ledgers.values() if ledger.round is not None]
        deposits = (money for round in rounds if who in round.players for money in round.players[who].deposits)
        return sum(money.amount for money in deposits if self.now - money.at < DAY_MS)


@pytest.mark.parametrize("first", range(0, 120, 30))
def test_T_3_nobody_has_more_than_500_crowns_in_24_hours_in_the_rounds_of_a_venue(first: int) -> None:
    accepted: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for seed in range(first, first + 30):
        venue = Venue(random.Random(seed))
        for _ in range(80):
            venue.anything()
            assert [who for who in PEOPLE if venue.deposited(who) > 500] == [], seed
        for ledger in venue.ledgers.values():
            round = ledger.round
            assert round is not None
            paid = sum(result.prize for result in results(round))
            if round.phase is Phase.FINISHED and any(p.status is not Status.VOID for p in round.players.values()):
                assert paid == round.pool, seed
        accepted += venue.accepted
        refused += venue.refused
    assert {"deposit", "reenter", "undo", "redo", "void"} <= accepted.keys()
    assert refused["deposit-limit"] > 10
