"""A cash session in a few words, for the tests of §8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from appliance.game.cash.commands import decode_cash_command
from appliance.game.cash.events import decode_cash_event, encode_cash_event
from appliance.game.cash.report import report
from appliance.game.cash.state import CashLedger, CashTable, Player, Post
from appliance.game.cash.table import EMPTY, decide, fold
from appliance.game.codec import UnknownEvent
from appliance.game.event import Event
from appliance.game.refusal import Refusal
from appliance.game.values import parse_time

EIGHT_PM = parse_time("2027-01-15T20:00:00+01:00")
STAKES = {"small_blind": 1, "big_blind": 2, "seats": 9, "buy_in_minimum": 40, "buy_in_maximum": 200, "seed": 5}


class Session:
    """A cash table driven by commands as a script writes them; every event goes through its JSON."""

    def __init__(self) -> None:
        self.ledger: CashLedger = EMPTY
        self.at = EIGHT_PM
        self.log: list[tuple[str, bytes, int, str]] = []
        self.events: list[Event | UnknownEvent] = []
        self.count = 0

    @property
    def table(self) -> CashTable:
        assert self.ledger.table is not None
        return self.ledger.table

    def ask(self, do: str, **fields: Any) -> Refusal | tuple[Event, ...]:
        """Give a command; fold what it leads to."""
        self.count += 1
        self.at += 1000
        command = decode_cash_command({"do": do, "session": "C1", **fields})
        answer = decide(self.ledger, command, seed=11)
        if not isinstance(answer, Refusal):
            for event in answer:
                kind, raw = encode_cash_event(event)
                self.log.append((kind, raw, self.at, f"c{self.count}"))
                self.events.append(decode_cash_event(kind, raw))
                self.ledger = fold(self.ledger, self.events[-1], self.at, f"c{self.count}")
        return answer

    def do(self, do: str, **fields: Any) -> Session:
        """Give a command that must be accepted."""
        answer = self.ask(do, **fields)
        assert not isinstance(answer, Refusal), answer
        return self

    def refusal(self, do: str, **fields: Any) -> Refusal:
        """Give a command that must be refused, and changes nothing."""
        before = self.ledger
        answer = self.ask(do, **fields)
        assert isinstance(answer, Refusal), answer
        assert self.ledger is before
        return answer

    def code(self, do: str, **fields: Any) -> str:
        return self.refusal(do, **fields).code

    def opened(self, **changes: Any) -> Session:
        return self.do("open", **{**STAKES, **changes})

    def seated(self, *seats: int, **changes: Any) -> Session:
        """Open, with players on these seats: on seat n sits n, with 100 chips."""
        self.opened(**changes)
        for seat in seats:
            self.sit(seat)
        return self

    def playing(self, *seats: int, button: int, **changes: Any) -> Session:
        """The same, after a first hand with this button."""
        return self.seated(*seats, **changes).hand(button=button)

    def sit(self, n: int, seat: int | None = None, **fields: Any) -> Session:
        return self.do("sit", participant=str(n), **{"seat": seat or n, "chips": 100, **fields})

    def hand(self, **fields: Any) -> Session:
        """A hand that changes no stack."""
        return self.do("next_hand", **fields).do("result")

    def hands(self, n: int) -> Session:
        for _ in range(n):
            self.hand()
        return self

    def player(self, n: int) -> Player:
        return self.table.players[str(n)]

    def blinds(self) -> tuple[int | None, int | None, int | None]:
        """Seats of button, small and big blind of the last hand."""
        return self.table.button, self.table.sb, self.table.bb

    def dealt(self) -> tuple[tuple[int, ...], dict[int, tuple[str, int, int]]]:
        """Order of seats, and by seat what was posted, of the hand dealt last."""
        started = next(e for e in reversed(self.events) if hasattr(e, "posts"))
        posts: tuple[Post, ...] = started.posts
        return started.order, {post.seat: (post.kind, post.live, post.dead) for post in posts}

    def order(self) -> tuple[int, ...]:
        return self.dealt()[0]

    def posts(self) -> dict[int, tuple[str, int, int]]:
        return self.dealt()[1]

    def report(self) -> dict[str, Any]:
        return report(self.ledger)

    def state_bytes(self) -> bytes:
        return msgspec.json.encode(self.table)

    def replayed(self) -> CashLedger:
        """The ledger made again from the encoded events."""
        ledger = EMPTY
        for kind, raw, at, cause in self.log:
            ledger = fold(ledger, decode_cash_event(kind, raw), at, cause)
        return ledger


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture(scope="session")
def new_session() -> Callable[[], Session]:
    """For tests that need several, or one a hypothesis example."""
    return Session
