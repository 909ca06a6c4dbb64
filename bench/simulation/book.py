"""Gives commands to the rules and keeps what became of them: the history as it counts, with undo and redo followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    decode_command,
)
from appliance.game.event import Event
from appliance.game.events import CommandsRedone, CommandsUndone
from appliance.game.round import INITIAL, Refusal, decide, fold
from appliance.game.state import Ledger, Round
from bench.simulation.accounts import chips_due, money_in

ROUND = "R1"


class Turn(NamedTuple):
    """One event with the round before and after it."""

    event: Event
    before: Round
    after: Round


class Given(NamedTuple):
    """An accepted command that counts. ``due`` and ``pool``: chips in play and CZK by the events, up to it (T-4).

    ``stacks``: what lay before each player when it was given, as the manager knows it.
    """

    cause: str
    at: int
    do: str
    turns: tuple[Turn, ...]
    due: int
    pool: int
    stacks: Mapping[str, int]


class Asked(NamedTuple):
    """A command as it was given, accepted or not."""

    command: Command
    at: int
    cause: str


class Told(NamedTuple):
    """An event as the stream has it."""

    event: Event
    at: int
    cause: str


class Book:
    """The round of one evening. ``given`` is its history without what was undone; ``told`` the whole stream,
    ``asked`` every command.
    """

    def __init__(self, at: int, seed: int) -> None:
        self.ledger: Ledger = INITIAL
        self.at = at
        self.seed = seed
        self.given: list[Given] = []
        self.undone: list[tuple[Given, Mapping[str, int]]] = []
        self.told: list[Told] = []
        self.asked: list[Asked] = []
        self.stacks: Mapping[str, int] = {}
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[tuple[str, str]] = Counter()
        self.count = 0

    @property
    def round(self) -> Round:
        """The round as it stands; only once it is announced."""
        assert self.ledger.round is not None
        return self.ledger.round

    @property
    def newest(self) -> str:
        """The id of the last command given."""
        return f"c{self.count}"

    def ask(self, do: str, **fields: Any) -> tuple[Event, ...] | Refusal:
        """Give a command as a script writes it; what it leads to is folded."""
        return self.give(decode_command({"do": do, "round": ROUND, **fields}), do)

    def give(self, command: Command, do: str) -> tuple[Event, ...] | Refusal:
        """Give a command; what it leads to is folded."""
        self.count += 1
        self.asked.append(Asked(command, self.at, self.newest))
        answer = decide(self.ledger, command, self.at, self.newest, seed=self.seed)
        if isinstance(answer, Refusal):
            self.refused[do, answer.code] += 1
            return answer
        self.accepted[do] += 1
        turns = [self._fold(event) for event in answer]
        match answer:
            case (CommandsUndone(n=n),):
                self._undo(n)
            case (CommandsRedone(n=n),):
                self._redo(n)
            case _:
                self._remember(do, turns)
        return answer

    def tell(self, turns: Iterable[Turn], stacks: Mapping[str, int]) -> Mapping[str, int]:
        """What lies before each player after these events; whoever runs a floor says so."""
        return stacks

    def _fold(self, event: Event) -> Turn | None:
        before = self.ledger.round
        self.ledger = fold(self.ledger, event, self.at, self.newest)
        self.told.append(Told(event, self.at, self.newest))
        return Turn(event, before, self.round) if before is not None else None

    def _remember(self, do: str, made: Iterable[Turn | None]) -> None:
        turns = tuple(turn for turn in made if turn is not None)
        if not turns:
            return
        before = self.given[-1] if self.given else None
        due = (before.due if before else 0) + sum(chips_due(turn.event, turn.before) for turn in turns)
        pool = (before.pool if before else 0) + sum(money_in(turn.event, turn.before) for turn in turns)
        self.given.append(Given(self.newest, self.at, do, turns, due, pool, self.stacks))
        self.undone.clear()
        self.stacks = self.tell(turns, self.stacks)

    def _undo(self, n: int) -> None:
        for _ in range(n):
            given = self.given.pop()
            self.undone.append((given, self.stacks))
            self.stacks = given.stacks

    def _redo(self, n: int) -> None:
        for _ in range(n):
            given, self.stacks = self.undone.pop()
            self.given.append(given)
