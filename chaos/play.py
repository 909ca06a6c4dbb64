"""Plays a script in a house, as people do: asks until there is an answer, taps and presses until it is so."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from appliance.allowance import NO_ALLOWANCE
from appliance.record import uuid7
from chaos import floor
from chaos.dealer import Dealer
from chaos.faults import Chaos
from chaos.house import COMMISSIONERS_CARD, House
from chaos.mind import Apart, Step
from chaos.partings import Broken, Partings
from chaos.people import player
from chaos.script import Script
from chaos.sparing import Sparing
from chaos.tracked import Deal

PATIENCE_S = 150.0
"""How long anything may take before it counts as never; far longer than any fault lasts."""

_ANSWER_S = floor.TTL_MS / 1000 + 2.0
_AGAIN = ("no-answer", "storage")
"""Not answered, or not on any disk: asked again under the same id."""


_KEY_S = 0.9
"""A page of the floor menu takes no key until it has been seen."""
_TAKE_OVER = ("key 9", "key 1", "key down", "key return")
"""The last group; that it is meant, which is asked where a director is there, else the 1 is no line's number; from the
way back, the last line, down over the end to the first one, "yes".
"""


class Answered(NamedTuple):
    """A command's answer, as a person saw it."""

    id: str
    do: str
    ok: bool
    stream: str
    epoch: str
    seq: int
    records: int


class Play:
    """One evening's people."""

    def __init__(self, house: House, script: Script, chaos: Chaos, seed: int, say: Callable[[str], None]) -> None:
        self._house, self._script, self._chaos, self._say = house, script, chaos, say
        self.hasty = False
        self.minutes = 60.0
        self._chance = random.Random(f"people {seed}")
        self._partings = Partings(self, house, chaos, seed, say)
        self._dealer = Dealer(self, house, Sparing(self, house, say))
        self.answered: list[Answered] = []
        self.counts: Counter[str] = Counter()
        self.slowest = (0.0, "nothing")
        self._ids: dict[str, str] = {}
        """Under which id a step's command was answered, by that of the script."""

    @property
    def dealt(self) -> list[Deal]:
        """The hands that were keyed in."""
        return self._dealer.dealt

    @property
    def apart(self) -> list[Apart]:
        """What an old director alone has done, and what was decided of it."""
        return self._partings.decided

    def run(self) -> None:
        """All steps. Raises `Broken`."""
        people = len({step.fields.get("participant") for step in self._script.steps if "participant" in step.fields})
        self.must("the league's word at the floor's device", lambda: self.sees("roster") >= people)
        self.must("tonight's round", lambda: self.sees("phase"))
        self.must("the door's reader", lambda: self._house.reader("door", "key f"))
        over_at = time.monotonic() + 60 * self.minutes
        for number, step in enumerate(self._script.steps):
            begun = time.monotonic()
            if begun > over_at:
                raise Broken(f"after {self.minutes} minutes only {number} of {len(self._script.steps)} steps are done")
            if step.kind == "ahead":
                self._partings.prepare(step)
            takers = self._chaos.begin(number)
            if takers and step.kind != "ahead":
                self._chaos.calm(but="takeover")
                self.take_over(takers[-1])
            match step.kind:
                case "ask":
                    self._ask(step, number)
                case "tap":
                    self._tap(step.fields["participant"])
                case "hands":
                    self._hands(step)
                case "ahead":
                    self._partings.ahead(step, number, takers)
                case "apart":
                    self._partings.apart(step, number)
                case "deal":
                    # without a director a table goes on by what it has seen, and dealers see who sits there
                    self._partings.level(f"table-{table}" for table in step.hands)
                    self._hands(step)
                    self._dealer.deal(step)
            self._house.tick()
            took = time.monotonic() - begun
            self.slowest = max(self.slowest, (took, f"step {number} {step.kind} {step.fields.get('do', step.hands)}"))

    # -- what people do ----------------------------------------------------------------------------------

    def _ask(self, step: Step, number: int) -> None:
        fields = {**step.fields, "of": self._ids[of]} if (of := step.fields.get("of")) in self._ids else step.fields
        told = self.with_allowance(fields, step.id, number)
        if (told["code"] if not told["ok"] else "") != step.code:
            raise Broken(f"step {number} {fields}: must be {step.code or 'accepted'}, and was answered {told}")
        self._ids[step.id] = told["id"]
        self._note(told, str(fields["do"]), step.records)
        if self._chance.random() < 0.1:  # a re-sent command, long after its answer
            again = self.until_answered(fields, told["id"], number)
            if again != told:
                raise Broken(f"step {number} {fields}: asked again it was answered {again}, before {told}")
            self.counts["asked twice"] += 1

    def with_allowance(self, fields: dict[str, Any], id: str, number: int) -> dict[str, Any]:
        """The answer once the participant's allowance is here: until then the command is given anew, as people do."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            told = self.until_answered(fields, id, number)
            if told["detail"].get("reason") != NO_ALLOWANCE or time.monotonic() > deadline:
                return told
            self._note(told, str(fields["do"]), 0)
            self.counts["no allowance yet"] += 1
            self._house.wait_for(lambda: False, 1.0)
            id = self.fresh_id()

    def until_answered(self, fields: dict[str, Any], id: str, number: int) -> dict[str, Any]:
        """The answer to a command of the floor's, which is asked for under the same id until there is one."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            told = self.floor({"ask": fields, "id": id})
            why = "no device" if told is None else "one copy" if told.pop("one_copy") else told["code"]
            if told is not None and why not in ("one copy", *_AGAIN):
                return told
            self.counts[f"asked again: {why}"] += 1
            self._house.wait_for(lambda: False, 0.1)
        raise Broken(f"step {number} {fields}: asked for {PATIENCE_S:.0f} s and never answered")

    def floor(self, asked: dict[str, Any], seconds: float = _ANSWER_S) -> dict[str, Any] | None:
        """Ask the floor's device in a thread of its own, so that faults go on meanwhile."""
        return self._house.meanwhile(lambda: floor.ask(self._house.plan.floor_socket, asked, seconds))

    def _tap(self, who: str) -> None:
        uid = next(p.uid for p in map(player, range(1000)) if p.number == who)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            self.counts["taps"] += 1
            self._house.reader("door", f"tap {uid}")
            self._house.reader("door", f"tap {COMMISSIONERS_CARD}")
            if self._house.wait_for(lambda: who in (self.sees("players") or ()), 1.5):
                return
        raise Broken(f"{who} tapped for {PATIENCE_S:.0f} s and was not registered")

    def _hands(self, step: Step) -> None:
        for table in step.hands:
            self.counts["keys"] += self._house.reader(f"table-{table}", "key return")
        self._house.wait_for(lambda: not self.missing(step), 2.5)
        for table in self.missing(step):
            self.by_the_floor(table, step.hands[table])

    def hand(self, table: int) -> int:
        """The hand at a table, as the floor's device shows it."""
        hands: dict[str, int] = self.sees("hands") or {}
        return hands.get(str(table), -1)

    def take_over(self, kiosk: str, serves: Callable[[], bool] | None = None) -> None:
        """The commissioner's card at a kiosk, and its keys, until it directs; not again once it has begun to.

        ``serves``: how that is seen, where the floor cannot; nobody misses a director then.
        """
        device = self._house.called(kiosk)
        if not self.hasty and serves is None:
            self.must("the floor's device to miss the director", lambda: self.sees("directs") in ("", device))
        begun = time.monotonic()
        while time.monotonic() < begun + PATIENCE_S:
            if not self._house.is_directing(kiosk):
                self.counts["takeovers tried"] += 1
                for act in ("key escape", "key escape", f"tap {COMMISSIONERS_CARD}", *_TAKE_OVER):
                    self._house.reader(kiosk, act)
                    self._house.wait_for(lambda: False, _KEY_S)
            if self._house.wait_for(serves or (lambda: self.sees("directs") == device), 10.0, 0.1):
                self._say(f"{kiosk} directs after {time.monotonic() - begun:.1f} s")
                return
        raise Broken(f"{kiosk} did not take over within {PATIENCE_S:.0f} s")

    def missing(self, step: Step) -> list[int]:
        """Tables that are not at their hand yet."""
        hands = self.sees("hands") or {}
        return [table for table, hand in step.hands.items() if hands.get(str(table), -1) < hand]

    def by_the_floor(self, table: int, hand: int) -> None:
        """The key did not get through: the floor begins the hand. The key's wish may still come, and is stale then."""
        self.counts["hands by the floor"] += 1
        fields = {"do": "next_hand", "round": self._script.round.id, "table": table, "seen": hand - 1}
        told = self.until_answered(fields, self.fresh_id(), -1)
        if told["ok"]:
            self._note(told, "next_hand", 1)
        elif told["code"] != "stale":
            raise Broken(f"hand {hand} at table {table}: {told}")

    def fresh_id(self) -> str:
        """An id of a command that the script does not know."""
        return uuid7(time.time_ns() // 1_000_000, self._chance.randbytes(10))

    def told_by_the_floor(self, fields: dict[str, Any], records: int) -> None:
        """A table that is no more would have told it. Raises `Broken`."""
        told = self.until_answered(fields, self.fresh_id(), -1)
        if not told["ok"]:
            raise Broken(f"{fields}, told by the floor: {told}")
        self._note(told, str(fields["do"]), records)

    # -- what they see -----------------------------------------------------------------------------------

    def sees(self, what: str) -> Any:
        """What the floor's device shows; 0 if it is not there."""
        told = floor.ask(self._house.plan.floor_socket, {}, 1.0)
        return told.get(what, 0) if told else 0

    def must(self, what: str, holds: Callable[[], object]) -> None:
        """Wait for something. Raises `Broken`."""
        if not self._house.wait_for(holds, PATIENCE_S, 0.1):
            raise Broken(f"waited {PATIENCE_S:.0f} s for {what}")

    def _note(self, told: dict[str, Any], do: str, records: int) -> None:
        self.answered.append(
            Answered(told["id"], do, told["ok"], told["stream"] or "", told["epoch"] or "", told["seq"] or 0, records)
        )
