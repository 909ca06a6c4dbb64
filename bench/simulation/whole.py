"""One whole evening from a seed, looked at after every command; or so many of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from appliance.game import clock as clocks
from appliance.game.codec import UnknownEvent
from appliance.game.command import (
    Command,
)
from appliance.game.event import Event
from appliance.game.events import decode_event, encode_event
from appliance.game.refusal import Refusal
from appliance.game.report import report
from appliance.game.round import INITIAL, fold
from appliance.game.state import Ledger, Phase, Round
from bench.simulation import programme, promises
from bench.simulation.incidents import befall
from bench.simulation.manager import Manager, TrueBook

MOST_COMMANDS = 2500
"""A floor that is still playing then ends early."""


OTHER_PROMISES = (
    "what_was_stays",
    "refusals_change_nothing",
    "tables_are_even",
    "undo_is_as_if_never_given",
    "undo_counts",
    "undo_gives_the_announcement",
    "redo_gives_it_back",
    "replay_gives_the_same",
)
"""Those that are not of `promises`: they need the book, or what was refused."""


class Violation(NamedTuple):
    """A promise that did not hold: on which evening, after which command, and what was seen."""

    promise: str
    seed: int
    cause: str
    what: str


class Evening(NamedTuple):
    """What became of an evening."""

    seed: int
    commands: int
    accepted: Counter[str]
    refused: Counter[tuple[str, str]]
    violations: tuple[Violation, ...]
    finished: bool


class WatchedBook(TrueBook):
    """A book that looks after every command whether all promises hold; ``every``: how often at the costly ones."""

    def __init__(self, at: int, seed: int, every: int = 1) -> None:
        super().__init__(at, seed)
        self.violations: list[Violation] = []
        self.every = every

    def give(self, command: Command, do: str) -> tuple[Event, ...] | Refusal:
        before = self.ledger
        costly = self.count % self.every == 0
        image = _image(before) if costly else b""
        answer = super().give(command, do)
        if costly and _image(before) != image:
            self.broken("what_was_stays", "the round before the command was changed in place")
        if isinstance(answer, Refusal):
            if self.ledger is not before:
                self.broken("refusals_change_nothing", answer.code)
            if do == "balance" and before.round is not None and before.round.phase is Phase.RUNNING:
                for what in promises.tables_are_even(answer, self.round):
                    self.broken("tables_are_even", what)
        elif self.given:
            self.look(promises.EVERY_STEP)
        if costly:
            self.look(promises.SOME_STEPS if self.given else ())
            self.shown()
        return answer

    def look(self, steps: tuple[promises.Step, ...]) -> None:
        """Look at the last command that counts."""
        for step in steps:
            for what in step(self.given[-1], self.round):
                self.broken(step.__name__, what)

    def shown(self) -> None:
        """Whatever screens ask for can be told, now and later."""
        if self.ledger.round is not None:
            msgspec.json.encode(report(self.ledger, self.at))
            clocks.face(self.ledger.round, self.at + 3_600_000)

    def broken(self, promise: str, what: str) -> None:
        self.violations.append(Violation(promise, self.seed, self.newest, what))


def _image(ledger: Ledger) -> bytes:
    return msgspec.json.encode(ledger.round)


def simulate(seed: int, *, players: int | None = None, profile: str | None = None, every: int = 1) -> Evening:
    """Play an evening; the same seed plays the same one. What the rules raise, if they do, names the seed."""
    book = WatchedBook(programme.SEVEN_PM - 3_600_000, seed, every)
    try:
        play(book, seed, players, profile)
        look_back(book)
    except Exception as error:
        error.add_note(f"seed {seed}, {book.newest}")
        raise
    finished = book.round.phase is Phase.FINISHED
    return Evening(seed, book.count, book.accepted, book.refused, tuple(book.violations), finished)


def play(
    book: TrueBook,
    seed: int,
    players: int | None = None,
    profile: str | None = None,
    all_in: float | None = None,
) -> None:
    """Give the commands of an evening, from the announcement to the last prize."""
    chance = random.Random(seed)
    manager = Manager(chance, book)
    manager.all_in = manager.all_in if all_in is None else all_in
    manager.gather(players or programme.field_size(chance), profile)
    if seed % 40 == 13:
        manager.ask("cancel", reason="the heating is out")
    else:
        manager.start()
        _play(manager, ends_early=seed % 25 == 3)
        _afterwards(manager)


def _play(manager: Manager, *, ends_early: bool) -> None:
    fewest = manager.chance.randint(2, max(2, manager.round.left - 1)) if ends_early else 1
    while manager.book.count < MOST_COMMANDS and manager.goes_on():
        manager.tidy()
        if manager.chance.random() < 0.3 and manager.running():
            befall(manager)
        if manager.running():
            manager.mind_the_money()
            manager.play_a_hand()
        if manager.running() and manager.round.left <= fewest:
            break
    if manager.running():
        manager.ask("end_early", reason="fire", stacks={who: manager.stack(who) for who in manager.playing()})


def _afterwards(manager: Manager) -> None:
    chance = manager.chance
    if chance.random() < 0.15:
        manager.ask("void", participant=chance.choice(list(manager.round.players)), reason="another's card")
    manager.pay_all()
    undone = chance.randint(1, 3)
    if chance.random() < 0.2 and manager.done("undo", n=undone):
        for _ in range(undone):
            manager.ask("redo")
    if chance.random() < 0.1:
        manager.ask("void", participant=chance.choice(list(manager.round.players)), reason="another's card")


def look_back(book: WatchedBook) -> None:
    """At the end: the history's promises, undo and redo of everything, and the journal's replay."""
    for history in promises.HISTORY:
        for what in history(book.given):
            book.broken(history.__name__, what)
    if book.given:
        book.look(promises.SOME_STEPS)
        if _with_clock_of(book.given[-1].turns[-1].after, book.round) != book.round:
            book.broken("undo_is_as_if_never_given", "the round is not as the last command that counts left it")
    undo_and_redo(book)
    replay(book)


def undo_and_redo(book: WatchedBook) -> None:
    """Undo of everything gives the announcement's state, redo gives all of it back; the clock goes its own way."""
    count = book.ledger.undoable
    if count != len(book.given):
        book.broken("undo_counts", f"{count} can be undone, {len(book.given)} were accepted")
    if not count:
        return
    before, announced = book.round, book.given[0].turns[0].before
    book.ask("undo", n=count)
    if msgspec.json.encode(book.round) != msgspec.json.encode(announced):
        book.broken("undo_gives_the_announcement", "another state")
    book.ask("redo", n=count)
    if msgspec.json.encode(_with_clock_of(book.round, before)) != msgspec.json.encode(before):
        book.broken("redo_gives_it_back", "another state")


def _with_clock_of(round: Round, other: Round) -> Round:
    return msgspec.structs.replace(round, clock=other.clock)


def replay(book: WatchedBook) -> None:
    """The stream as a journal keeps it gives the same ledger, byte for byte."""
    ledger = INITIAL
    for event, at, cause in book.told:
        read = decode_event(*encode_event(event))
        if isinstance(read, UnknownEvent):
            book.broken("replay_gives_the_same", f"{type(event).__name__} is read as unknown")
        ledger = fold(ledger, read, at, cause)
    same = _image(ledger) == _image(book.ledger)
    if not same or (ledger.undoable, ledger.redoable) != (book.ledger.undoable, book.ledger.redoable):
        book.broken("replay_gives_the_same", "another state")


def tell(evening: Evening, say: Callable[[str], object] = print) -> None:
    """Say what broke."""
    for violation in evening.violations:
        say(f"seed {violation.seed}, {violation.cause}: {violation.promise}: {violation.what}")
