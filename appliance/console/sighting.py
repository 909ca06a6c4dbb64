"""Makes what the console's pages are drawn from, in the engine thread, whenever something has changed."""

from __future__ import annotations

import time
from collections import ChainMap
from collections.abc import Callable, Mapping
from typing import NamedTuple

from appliance import kinds
from appliance.console.given import Givers
from appliance.console.sight import Given, Sight
from appliance.engine import Engine
from appliance.game.righttime import Times
from appliance.game.state import Ledger
from appliance.game.tablestream.state import TableHands
from appliance.link.commands import ONE_COPY_S
from appliance.link.envelope import PadShown, Spares
from appliance.link.rights import UPLINK
from appliance.phone import Phone

RECENT_MS = 36 * 3_600_000
"""Of a round whose last record is older it is not looked up who gave which command: nobody undoes anything there."""


class Around(NamedTuple):
    """What the engine thread knows beside its streams. ``holders``: the devices that have stored a record;
    ``alone``: whether no other device of the venue could; ``carries``: whether one of them is to carry all to the
    league."""

    times: Callable[[], Times]
    ledgers: Callable[[], Mapping[str, Ledger]]
    devices: Callable[[], list[str]]
    places: Callable[[], Mapping[int, str]]
    spares: Callable[[], Spares]
    holders: Callable[[str, str, int], list[str]]
    alone: Callable[[], bool]
    now_ms: Callable[[], int]
    carries: Callable[[], bool] = lambda: False


class Maker:
    """Remembers what the last one was made of."""

    def __init__(self, engine: Engine, venue: str, around: Around) -> None:
        self._engine, self._venue, self._around = engine, venue, around
        self._givers = Givers(engine.journal)
        self._states: Mapping[str, object] = {}
        self._copied_at = 0.0
        self._recent: list[str] = []
        self._sight = Sight(venue=venue)

    def changed(self, pads: Mapping[int, PadShown], phones: tuple[Phone, ...]) -> bool:
        """Whether another one would tell something else."""
        states, before = self._engine.states, self._states
        if len(states) != len(before) or any(before.get(name) is not state for name, state in states.items()):
            return True
        now = self._beside(pads, phones)
        if now.copies and self._sight.copies:  # one more is no news
            now = now._replace(copies=self._sight.copies)
        return now != self._sight

    @property
    def due(self) -> float | None:
        """When it is to be said that there is one copy only."""
        return self._copied_at + ONE_COPY_S if self._sight.copies and not self._copies() else None

    def make(self, pads: Mapping[int, PadShown], phones: tuple[Phone, ...]) -> Sight:
        """The next one."""
        engine, around, venue = self._engine, self._around, self._venue
        states = self._states = dict(engine.states)
        self._recent = self._recently_written()
        ledgers, notes = dict(around.ledgers()), engine.state(f"venue/{venue}")
        heads = {head.stream: head for name in ledgers if (head := engine.journal.newest(f"round/{name}"))}
        sight = self._beside(pads, phones)._replace(
            ledgers=ledgers, heads={stream: head.seq for stream, head in heads.items()}, notes=notes,
            roster=engine.state(f"league/{venue}"), tables=self._tables(states),
            given=self._given(),
        )  # fmt: skip
        self._sight = sight._replace(n=self._sight.n + 1)
        return self._sight

    def _beside(self, pads: Mapping[int, PadShown], phones: tuple[Phone, ...]) -> Sight:
        """The last one with what no stream tells as it is now."""
        around = self._around
        spares, devices = around.spares(), tuple(around.devices())
        cut_off = around.carries() and UPLINK not in devices
        return self._sight._replace(
            pads=dict(pads), phones=phones, devices=devices, places=dict(around.places()), spares=spares.asking,
            taken=spares.taken, copies=self._copies_by_now(), alone=around.alone(), times=around.times(),
            uplink=False if cut_off else None,
        )  # fmt: skip

    def _copies_by_now(self) -> int:
        """What was written a moment ago is on its way: only after a while it counts as lying here alone (DESIGN §3)."""
        copies, now = self._copies(), time.monotonic()
        if copies:
            self._copied_at = now
        elif self._around.devices() and now < self._copied_at + ONE_COPY_S:
            return self._sight.copies
        return copies

    def _copies(self) -> int:
        """How many other devices have stored all that there is of the venue's streams and of its newest rounds."""
        holding = set(self._around.devices())
        for stream in self._recent if holding else ():
            if head := self._engine.journal.newest(stream):
                holding.intersection_update(self._around.holders(head.stream, head.epoch, head.seq))
        return len(holding)

    def _recently_written(self) -> list[str]:
        """The streams of which a phone's person may have written something."""
        journal, since = self._engine.journal, self._around.now_ms() - RECENT_MS
        own = (name for name in journal.streams() if name == f"venue/{self._venue}" or name.startswith("round/"))
        return [name for name in own if journal.last_at(name) >= since]

    def _given(self) -> Mapping[str, Given]:
        found = [self._givers.of(name) for name in self._recent if name.startswith("round/")]
        return ChainMap(*(dict(each) for each in found)) if len(found) > 1 else (found[0] if found else {})

    def _tables(self, states: Mapping[str, object]) -> dict[int, TableHands]:
        found = {}
        for name, state in states.items():
            number = name.removeprefix(f"table/{self._venue}-")
            if number != name and number.isdecimal() and isinstance(state, kinds.TableState):
                found[int(number)] = state.hands
        return found
