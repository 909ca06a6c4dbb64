"""A commissioner with nothing but a knob in front of a menu, and the engine behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from appliance.floor.forms import Here, Request
from appliance.floor.lines import Shown, shown
from appliance.floor.menu import Menu, Step, answered, opened, press
from appliance.floor.offering import offers
from appliance.floor.pages import items
from appliance.floor.said import Text, say
from appliance.game.command import Command
from appliance.game.commands import decode_command, encode_command
from appliance.game.refusal import Refusal
from appliance.game.round import decide, fold
from appliance.i18n import Translator
from tests.game.conftest import Evening, number

ENGLISH = Translator("en")
NAMES = {number(n): f"Player {n}" for n in range(1, 100)}


class Desk:
    """One menu over one evening. What the menu sends goes to the engine; its answer comes back to the menu."""

    def __init__(self, evening: Evening, **place: Any) -> None:
        self.evening = evening
        self.place: dict[str, Any] = {"table": 1, "names": NAMES, **place}
        self.menu: Menu | None = None
        self.sent: list[Command] = []
        self.requests: list[Request] = []

    @property
    def here(self) -> Here:
        return Here(ledger=self.evening.ledger, at_ms=self.evening.at, **self.place)

    @property
    def open(self) -> Menu:
        assert self.menu is not None, "the menu has been left"
        return self.menu

    def begin(self) -> Desk:
        self.menu = opened(self.here)
        return self

    def press(self, *keys: str) -> Desk:
        """Keys in order; the director answers at once."""
        for key in keys:
            self._follow(press(self.open, key, self.here))
        return self

    def _follow(self, step: Step) -> None:
        self.menu = step.menu
        if step.request is not None:
            self.requests.append(step.request)
        if step.command is not None:
            self.sent.append(step.command)
            refusal = self.give(step.command)
            if self.menu is not None:
                self.menu = answered(self.menu, refusal)

    def give(self, command: Command) -> Refusal | None:
        """What the director does with a command: it reads it as it comes over the network."""
        evening, read = self.evening, decode_command(encode_command(command))
        evening.count += 1
        cause = f"c{evening.count}"
        answer = decide(evening.ledger, read, evening.at, cause, seed=11)
        if isinstance(answer, Refusal):
            return answer
        for event in answer:
            evening.ledger = fold(evening.ledger, event, evening.at, cause)
        return None

    def keys(self) -> list[str]:
        return [item.key for item in items(self.open, self.here)]

    def turn_to(self, key: str) -> Desk:
        """Turn the knob to a line and press it: nothing but up, down and enter."""
        if self.open.editing:
            self.press("enter")
        assert key in self.keys(), (key, self.keys())
        for _ in range(len(self.keys())):
            if self.open.cursor == self.keys().index(key):
                return self.press("enter")
            self.press("down")
        raise AssertionError(f"{key} cannot be reached")

    def dial(self, value: int) -> Desk:
        """Turn the knob to a number and accept it."""
        for _ in range(10_000):
            now = self.open.value or 0
            if now == value:
                return self.press("enter").turn_to("accept")
            self.press("up" if now < value else "down")
        raise AssertionError(f"{value} cannot be reached")

    def choose(self, action: str) -> Desk:
        """From the beginning to the form of an action."""
        self.begin()
        if f"action:{action}" in self.keys():
            return self.turn_to(f"action:{action}")
        group = next(offer.action.group for offer in offers(self.here) if offer.action.id == action)
        return self.turn_to(f"group:{group}").turn_to(f"action:{action}")

    def take(self, *values: str) -> Desk:
        """Choose these options one after another."""
        for value in values:
            self.turn_to(f"option:{value}")
        return self

    def yes(self) -> Desk:
        return self.turn_to("confirm")

    @property
    def shown(self) -> Shown:
        return shown(self.open, self.here)

    def reads(self, text: Text | None = None) -> str:
        return say(self.shown.question if text is None else text, ENGLISH)

    def offered(self) -> dict[str, str | None]:
        """The ids of the list, with the code of why not now."""
        return {offer.action.id: offer.refusal.code if offer.refusal else None for offer in offers(self.here)}

    def at(self, **place: Any) -> Desk:
        self.place |= place
        return self


@pytest.fixture
def desk() -> Callable[..., Desk]:
    return Desk
