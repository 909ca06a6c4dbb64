"""An evening in a few words, for the tests of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from appliance.game.clock import ClockFace, face
from appliance.game.codec import UnknownEvent
from appliance.game.commands import (
    decode_command,
)
from appliance.game.event import Event
from appliance.game.events import decode_event, encode_event
from appliance.game.report import report
from appliance.game.results import results
from appliance.game.round import INITIAL, Refusal, decide, fold
from appliance.game.state import Ledger, Player, Round, Table
from appliance.game.values import parse_time

SEVEN_PM = parse_time("2027-01-15T19:00:00+01:00")

TEN_LEVELS = [{"sb": 50 * n, "bb": 100 * n, "ante": 0, "minutes": 20} for n in range(1, 11)]

ANNOUNCEMENT: dict[str, Any] = {
    "venue": "brno",
    "starts_at": "2027-01-15T19:00:00+01:00",
    "profile": "cpl-2017",
    "deposit": 100,
    "shares": ["50", "30", "20"],
    "seats_per_table": 9,
    "levels": [*TEN_LEVELS[:3], {"break": 10}, *TEN_LEVELS[3:]],
    "seed": 7,
}


def number(n: int) -> str:
    """Registration number n."""
    return f"{n:06d}"


class Evening:
    """A round driven by commands as a script writes them; every event goes through its JSON."""

    def __init__(self) -> None:
        self.ledger: Ledger = INITIAL
        self.at = SEVEN_PM - 3_600_000
        self.log: list[tuple[str, bytes, int, str]] = []
        self.events: list[Event | UnknownEvent] = []
        self.count = 0

    @property
    def round(self) -> Round:
        assert self.ledger.round is not None
        return self.ledger.round

    def ask(self, do: str, *, drawn: int | None = 11, **fields: Any) -> Refusal | tuple[Event, ...]:
        """Give a command; fold what it leads to. ``drawn``: the director's seed."""
        self.count += 1
        command_id = f"c{self.count}"
        command = decode_command({"do": do, "round": "R1", **fields})
        answer = decide(self.ledger, command, self.at, command_id, seed=drawn)
        if not isinstance(answer, Refusal):
            for event in answer:
                kind, raw = encode_event(event)
                self.log.append((kind, raw, self.at, command_id))
                self.events.append(decode_event(kind, raw))
                self.ledger = fold(self.ledger, self.events[-1], self.at, command_id)
        return answer

    def do(self, do: str, **fields: Any) -> Evening:
        """Give a command that must be accepted."""
        answer = self.ask(do, **fields)
        assert not isinstance(answer, Refusal), answer
        return self

    def refusal(self, do: str, **fields: Any) -> Refusal:
        """Give a command that must be refused."""
        answer = self.ask(do, **fields)
        assert isinstance(answer, Refusal), answer
        return answer

    def code(self, do: str, **fields: Any) -> str:
        return self.refusal(do, **fields).code

    def announce(self, **changes: Any) -> Evening:
        return self.do("announce", **{**ANNOUNCEMENT, **changes})

    def register(self, *numbers: int, **fields: Any) -> Evening:
        for n in numbers:
            self.do("register", participant=number(n), identity_checked=True, **fields)
        return self

    def opened(self, players: int, **changes: Any) -> Evening:
        """Announced, open, and so many registered."""
        return self.announce(**changes).do("open").register(*range(1, players + 1))

    def started(self, players: int, *, button: int | None = None, **changes: Any) -> Evening:
        """Running since seven, everybody drawn a seat."""
        self.opened(players, **changes)
        self.at = SEVEN_PM
        return self.do("start", **({} if button is None else {"button": button}))

    def seated(self, *tables: Sequence[int], button: int = 1, **changes: Any) -> Evening:
        """Running since seven with these players at tables 1, 2, …, seats 1, 2, … in order."""
        self.announce(**changes).do("open")
        self.register(*sorted(n for table in tables for n in table))
        seats = {number(n): [t, s] for t, table in enumerate(tables, start=1) for s, n in enumerate(table, start=1)}
        self.at = SEVEN_PM
        return self.do("start", seats=seats, button=button)

    def bust(self, n: int, **fields: Any) -> Evening:
        return self.do("bust", participant=number(n), **fields)

    def after(self, *, minutes: int = 0, seconds: int = 0, ms: int = 0) -> Evening:
        """Let time pass."""
        self.at += minutes * 60_000 + seconds * 1000 + ms
        return self

    def player(self, n: int) -> Player:
        return self.round.players[number(n)]

    def table(self, n: int) -> Table:
        return self.round.tables[n]

    def blinds(self, table: int = 1) -> tuple[int | None, int | None, int | None]:
        """Seats of button, small and big blind."""
        found = self.table(table)
        return found.button, found.sb, found.bb

    def face(self) -> ClockFace:
        return face(self.round, self.at)

    def report(self) -> dict[str, Any]:
        return report(self.ledger, self.at)

    def notices(self) -> dict[str, Any]:
        return {notice["code"]: notice["detail"] for notice in self.report()["notices"]}

    def places(self) -> list[tuple[int, int]]:
        """(place, registration number), best first."""
        return [(result.place, int(result.participant)) for result in results(self.round)]

    def prizes(self) -> dict[int, int]:
        return {int(result.participant): result.prize for result in results(self.round)}

    def state_bytes(self) -> bytes:
        """The round as bytes, to compare whole states."""
        return msgspec.json.encode(self.round)

    def replayed(self) -> Ledger:
        """The ledger made again from the encoded events."""
        ledger = INITIAL
        for kind, raw, at, cause in self.log:
            ledger = fold(ledger, decode_event(kind, raw), at, cause)
        return ledger


@pytest.fixture
def evening() -> Evening:
    return Evening()


@pytest.fixture(scope="session")
def new_evening() -> Callable[[], Evening]:
    """For tests that need several, or one a hypothesis example."""
    return Evening
