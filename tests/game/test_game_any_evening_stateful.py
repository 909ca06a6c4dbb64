"""Evenings that hypothesis makes up, step by step: floors at work, and commands that nobody would give."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from appliance.game.state import Phase
from bench.simulation import programme
from bench.simulation.anything import KINDS, fields_of
from bench.simulation.incidents import INCIDENTS, Incident
from bench.simulation.manager import Manager
from bench.simulation.whole import WatchedBook, look_back

SEEDS = st.integers(0, 2**32)
"""Of what a step leaves to chance."""

TABLES = ("next_hand", "bust", "move", "balance", "break_table", "absent", "present", "sit_out", "reinstate", "undo")
"""What moves blinds and seats about is tried oftener than the rest."""


class AnyEvening(RuleBasedStateMachine):
    """Every promise holds after every step, and at the end over all of it."""

    @initialize(seed=SEEDS, players=st.integers(3, 90), profile=st.sampled_from(programme.PROFILES))
    def begin(self, seed: int, players: int, profile: str) -> None:
        self.book = WatchedBook(programme.SEVEN_PM - 3_600_000, seed)
        self.manager = Manager(random.Random(seed), self.book)
        self.manager.gather(players, profile)
        self.manager.start()

    def by_chance(self, seed: int) -> Manager:
        self.manager.chance = random.Random(seed)
        return self.manager

    def playing(self) -> bool:
        return self.book.round.phase is Phase.RUNNING

    @rule(seed=SEEDS, kind=st.sampled_from(KINDS))
    def any_command(self, seed: int, kind: str) -> None:
        self.book.ask(kind, **fields_of(kind, random.Random(seed), self.book.round, self.book.newest))

    @rule(seed=SEEDS, kinds=st.lists(st.sampled_from(TABLES), min_size=1, max_size=6))
    def commands_at_tables(self, seed: int, kinds: list[str]) -> None:
        chance = random.Random(seed)
        for kind in kinds:
            self.book.ask(kind, **fields_of(kind, chance, self.book.round, self.book.newest))

    @precondition(lambda self: self.playing())
    @rule(seed=SEEDS, hands=st.integers(1, 12))
    def hands(self, seed: int, hands: int) -> None:
        manager = self.by_chance(seed)
        for _ in range(hands):
            manager.play_a_hand()
            manager.tidy()

    @precondition(lambda self: self.playing())
    @rule(seed=SEEDS, incident=st.sampled_from(list(INCIDENTS)))
    def incident(self, seed: int, incident: Incident) -> None:
        incident(self.by_chance(seed))

    @rule(hours=st.sampled_from([1, 2, 23, 24, 24 * 30]))
    def time_passes(self, hours: int) -> None:
        self.manager.wait(3600 * hours)

    @rule(n=st.integers(1, 40))
    def undo(self, n: int) -> None:
        self.book.ask("undo", n=min(n, self.book.ledger.undoable) or 1)

    @rule(n=st.integers(1, 40))
    def redo(self, n: int) -> None:
        self.book.ask("redo", n=min(n, self.book.ledger.redoable) or 1)

    @invariant()
    def every_promise_holds(self) -> None:
        assert self.book.violations == []

    def teardown(self) -> None:
        if hasattr(self, "book"):
            look_back(self.book)
            assert self.book.violations == []


TestAnyEvening = AnyEvening.TestCase
TestAnyEvening.settings = settings(
    max_examples=150, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
