"""Fingers that press anything, while an evening goes on around them: nothing raises, nothing wrong is sent."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from appliance.floor.forms import Here, Option, Pairing
from appliance.floor.lines import shown
from appliance.floor.menu import Menu, Step, answered, opened, press
from appliance.floor.pages import items
from appliance.floor.phones import called
from appliance.floor.said import Text, say
from appliance.floor.state import NOWHERE
from appliance.game.commands import decode_command, encode_command, name_of
from appliance.game.refusal import Refusal
from appliance.game.round import verify
from appliance.game.state import Phase
from appliance.i18n import Translator
from bench.simulation import programme
from bench.simulation.anything import KINDS, fields_of
from bench.simulation.incidents import INCIDENTS, Incident
from bench.simulation.manager import Manager
from bench.simulation.whole import WatchedBook

TONGUES = (Translator("cs"), Translator("en"))
SEEDS = st.integers(0, 2**32)
KEYS = ("up", "down", "enter", "enter", "enter", "back", "delete", *"0123456789", "char:ř", "text:proto", "text:",
        "item:x", "item:", "card:", "card:x", "", "nonsense", "item:-1", "char:", "²")  # fmt: skip
PAIRINGS = (
    Pairing(picture="http://x/#a.b", address="http://x/", left=60), Pairing(code="4711", agent="Pixel", left=9),
    Pairing(why="phone-late"), Pairing(why="no-answer"),
)  # fmt: skip
MOST_BACKS = 40
"""No form asks so much."""


class AnyFingers(RuleBasedStateMachine):
    """A menu over an evening. Some evenings begin before the door opens."""

    @initialize(seed=SEEDS, players=st.integers(3, 24), profile=st.sampled_from(programme.PROFILES),
                start=st.booleans())  # fmt: skip
    def begin(self, seed: int, players: int, profile: str, start: bool) -> None:
        self.book = WatchedBook(programme.SEVEN_PM - 3_600_000, seed)
        self.manager = Manager(random.Random(seed), self.book)
        self.manager.gather(players, profile)
        if start:
            self.manager.start()
        self.place = {"place": "table", "table": 1}
        self.director = True
        self.menu: Menu | None = None
        self.waits = False
        self.phones: dict[str, Any] = {}

    @property
    def here(self) -> Here:
        names = {f"{n:06d}": f"Hráč {n}" for n in range(0, 60, 2)}
        return Here(
            ledger=self.book.ledger, at_ms=self.book.at, names=names, director=self.director, **self.place,  # type: ignore[arg-type]
            **self.phones,
        )  # fmt: skip

    def follow(self, step: Step) -> None:
        self.menu = step.menu
        self.waits = step.command is not None or step.request is not None
        if step.command is None:
            return
        assert decode_command(encode_command(step.command)) == step.command
        assert verify(self.book.ledger, step.command, self.book.at) is None, "sent what was refused"
        answer = self.book.give(step.command, name_of(step.command))
        refusal = answer if isinstance(answer, Refusal) else None
        assert self.menu is not None and self.menu.page == "waiting"
        self.follow(Step(answered(self.menu, refusal)))

    @rule(keys=st.lists(st.sampled_from(KEYS), min_size=1, max_size=12))
    def keys(self, keys: list[str]) -> None:
        for key in keys:
            self.follow(press(self.menu or opened(self.here), key, self.here))

    @rule(seed=SEEDS, touches=st.integers(1, 40), busy=st.booleans())
    def touch(self, seed: int, touches: int, busy: bool) -> None:
        """Somebody who wants to get something done, most of the time; if busy, so do others between the touches."""
        chance = random.Random(seed)
        self.manager.chance = chance
        for _ in range(touches):
            menu = self.menu or opened(self.here)
            keys = [item.key for item in items(menu, self.here)]
            onward = [key for key in keys if key not in ("back", "leave", "edit", "remove", "skip")]
            done = [key for key in keys if key in ("confirm", "finish", "accept")]
            key = chance.choice(
                done if done and chance.random() < 0.6 else onward if onward and chance.random() < 0.95 else keys
            )
            self.follow(press(menu, f"item:{keys.index(key)}", self.here))
            if busy and chance.random() < 0.1 and self.book.round.phase is Phase.RUNNING:
                chance.choice(list(INCIDENTS))(self.manager)
            self.it_can_be_shown()

    @rule(seed=SEEDS)
    def card(self, seed: int) -> None:
        chance = random.Random(seed)
        who = chance.choice([*self.book.round.players, "000050", "99", "000000000000"])
        self.follow(press(self.menu or opened(self.here), f"card:{who}", self.here))

    @rule(ok=st.booleans())
    def late_answer(self, ok: bool) -> None:
        if self.menu is not None:
            self.follow(Step(answered(self.menu, None if ok else Refusal("storage"))))

    @rule(
        place=st.sampled_from(["table", "door", "phone"]), table=st.sampled_from([None, 1, 2, 77]), there=st.booleans()
    )
    def elsewhere(self, place: str, table: int | None, there: bool) -> None:
        self.place, self.director = {"place": place, "table": table}, there

    @rule(
        pairing=st.sampled_from([None, *PAIRINGS]),
        signed_in=st.integers(0, 3),
        console=st.sampled_from(["", "no-console"]),
    )
    def phones_come_and_go(self, pairing: Pairing | None, signed_in: int, console: str) -> None:
        there = tuple(Option(f"{n:016x}", called("dealer", n), "Pixel") for n in range(1, signed_in + 1))
        self.phones = {"pairing": pairing, "phones": there, "console": console}

    @precondition(lambda self: self.book.round.phase is Phase.RUNNING)
    @rule(seed=SEEDS, incident=st.sampled_from(list(INCIDENTS)))
    def meanwhile(self, seed: int, incident: Incident) -> None:
        self.manager.chance = random.Random(seed)
        incident(self.manager)

    @precondition(lambda self: self.book.round.phase is Phase.RUNNING)
    @rule(hands=st.integers(1, 20))
    def hands(self, hands: int) -> None:
        for _ in range(hands):
            self.manager.play_a_hand()
            self.manager.tidy()

    @rule(seed=SEEDS, kind=st.sampled_from(KINDS))
    def anything(self, seed: int, kind: str) -> None:
        self.book.ask(kind, **fields_of(kind, random.Random(seed), self.book.round, self.book.newest))

    @invariant()
    def it_can_be_shown(self) -> None:
        if not hasattr(self, "menu") or self.menu is None:
            return
        page = shown(self.menu, self.here)
        for c in TONGUES:
            texts: list[Text] = [page.title, page.question, page.hint, page.number]
            for line in page.lines:
                texts += [line.text, line.detail, line.reason]
            assert all("{" not in say(text, c) for text in texts)
        chosen = [line for line in page.lines if line.item is not None]
        assert [line.item for line in chosen] == list(range(len(chosen)))
        assert sum(line.selected for line in chosen) == (0 if page.editing or self.menu.cursor == NOWHERE else 1)

    @invariant()
    def back_leads_out(self) -> None:
        menu = getattr(self, "menu", None)
        for _ in range(MOST_BACKS):
            if menu is None:
                return
            step = press(menu, "back", self.here)
            assert step.command is None
            menu = step.menu
        raise AssertionError("back does not lead out")


TestAnyFingers = AnyFingers.TestCase
TestAnyFingers.settings = settings(
    max_examples=25, stateful_step_count=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
