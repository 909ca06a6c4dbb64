"""Tables that go on while no director is there, and two directors at once, of whom one only answers the floor."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from appliance import kinds
from appliance.allowance import NO_ALLOWANCE
from appliance.engine import Engine
from appliance.journal import Journal, JournalError
from appliance.record import Epoch, Head
from chaos.faults import Chaos
from chaos.house import House
from chaos.mind import Apart, Step
from chaos.people import ROUND, VENUE

if TYPE_CHECKING:
    from chaos.play import Play

_STREAM = f"round/{ROUND}"
_PATIENCE_S = 150.0
_KEY_S = 10.0
"""A key that has led to nothing for so long is pressed again."""


class Broken(Exception):
    """A promise did not hold; there is no point in going on with the script."""


class Partings:
    """Those of one evening."""

    def __init__(self, play: Play, house: House, chaos: Chaos, seed: int, say: Callable[[str], None]) -> None:
        self._play, self._house, self._chaos, self._seed, self._say = play, house, chaos, seed, say
        self._before = ""
        self.decided: list[Apart] = []
        """What the floor decided of what an old director alone had."""

    # -- tables that go on by themselves -----------------------------------------------------------------

    def prepare(self, step: Step) -> None:
        """Have the tables see what the floor sees: what they do alone goes on from there."""
        self._chaos.calm(but="takeover")
        self.level(f"table-{table}" for table in step.hands)
        self._before = self._house.directs

    def ahead(self, step: Step, number: int, takers: list[str]) -> None:
        """No director, and keys at tables; then the same director again, or another one, who hears of the hands."""
        self._chaos.calm(but="takeover")
        back = None if takers else self._lose(number)
        for table, last in step.hands.items():
            if f"table-{table}" not in (self._before, *self._absent()):
                self._press(table, last)
        if back is not None:
            back()
        if takers and self._house.directs != self._before:
            self._play.take_over(self._house.directs)
        at = {f"table-{table}" for table in step.hands} - {self._before, *self._absent()}
        self._play.must(
            "the hands that were played alone",
            lambda: not [table for table in self._play.missing(step) if f"table-{table}" in at],
        )
        for table in self._play.missing(step):
            for hand in range(self._play.hand(table) + 1, step.hands[table] + 1):
                self._play.by_the_floor(table, hand)

    def _lose(self, number: int) -> Callable[[], None]:
        host = self._house.hosts[self._house.directs]
        if random.Random(f"ahead {self._seed} {number}").random() < 0.5:
            host.plug(False)
            return lambda: host.plug(True)
        self._house.switch_off(host.name)
        return lambda: self._house.switch_on(host.name)

    def _press(self, table: int, last: int) -> None:
        kiosk, until = f"table-{table}", time.monotonic() + _PATIENCE_S
        while (at := self._at(kiosk, table)) < last:
            if time.monotonic() > until:
                raise Broken(f"{kiosk} did not go on alone from hand {at} to {last} within {_PATIENCE_S:.0f} s")
            if self._house.reader(kiosk, "key return"):
                self._play.counts["keys alone"] += 1
                self._house.wait_for(lambda: self._at(kiosk, table) > at, _KEY_S, 0.1)
            else:
                self._house.wait_for(lambda: False, 0.5)
        self._say(f"{kiosk} is at hand {last}, alone")

    def _at(self, kiosk: str, table: int) -> int:
        """The hand that a table is at, by its own disk."""
        try:
            with Journal(self._house.data(kiosk) / "journal", read_only=True) as journal:
                engine = Engine(journal, kinds.KINDS, lambda: 0)
                round = engine.state(_STREAM).round
                alone: kinds.TableState = engine.state(f"table/{VENUE}-{table}")
        except (OSError, JournalError):
            return -1
        hand = round.tables[table].hand if round is not None and table in round.tables else 0
        return max([hand, *(offer.hand for offer in alone.offers.pending)])

    # -- two directors -----------------------------------------------------------------------------------

    def apart(self, step: Step, number: int) -> None:
        """The floor and its director are cut off, and go on; somebody takes over elsewhere. Then the floor decides."""
        if not self._house.lan.roams:  # the broker is with one of the two only
            for each in step.apart:
                if each.accept:
                    self._ask(each, number)
            return
        self._chaos.calm()
        self.level(name for name in self._house.kiosks if name not in self._absent())
        old, epoch = self._house.directs, self._head("floor")
        others = [name for name in self._house.kiosks if name not in (old, *self._absent())]
        kiosk = random.Random(f"apart {self._seed} {number}").choice(others)
        self._say(f"step {number}: {old} and the floor are cut off, {kiosk} takes over")
        self._house.cut_off(old, "floor")
        alone = [each for each in step.apart if self._has_it(each, number)]
        self._house.directs = kiosk
        self._play.take_over(kiosk, lambda: self._directs_anew(epoch))
        self._house.join(old, "floor")
        self._play.must("the floor's device to follow", lambda: self._play.sees("directs") == self._house.called(kiosk))
        self._play.must(
            "the list of what only the old director had",
            lambda: {each.id for each in alone} <= set(self._play.sees("lone") or ()),
        )
        for each in step.apart:
            if each in alone:
                self._decide(each)
            elif each.accept:
                self._ask(each, number)

    def _has_it(self, each: Apart, number: int) -> bool:
        """Whether the old director takes it: where an allowance has not come yet, it is asked for later.

        Raises `Broken` if it is refused for anything else.
        """
        told = self._play.until_answered(each.fields, each.id, number)
        if not told["ok"] and told["detail"].get("reason") != NO_ALLOWANCE:
            raise Broken(f"step {number} {each.fields}: the old director said {told}")
        return bool(told["ok"])

    def _ask(self, each: Apart, number: int) -> None:
        told = self._play.with_allowance(each.fields, self._play.fresh_id(), number)
        if not told["ok"]:
            raise Broken(f"step {number} {each.fields}: {told}")

    def _decide(self, each: Apart) -> None:
        self.decided.append(each)
        until = time.monotonic() + _PATIENCE_S
        while not self._is_settled(each):
            if time.monotonic() > until:
                raise Broken(f"{each} was decided, and is still in the list")
            self._play.floor({"settle": each.id, "accept": each.accept})
            self._house.wait_for(lambda: self._is_settled(each), 3.0, 0.1)

    def _is_settled(self, each: Apart) -> bool:
        listed = self._play.sees("lone")
        return isinstance(listed, list) and each.id not in listed

    def _directs_anew(self, before: Head | None) -> bool:
        now = self._head(self._house.directs, "director", "journal")
        return now is not None and before is not None and Epoch.parse(now.epoch) > Epoch.parse(before.epoch)

    # -- what is on the disks ----------------------------------------------------------------------------

    def _absent(self) -> set[str]:
        return self._house.gone | self._house.off

    def level(self, kiosks: Iterable[str]) -> None:
        """See that these see what the floor sees."""
        there = [name for name in kiosks if name not in self._absent()]
        self._play.must(
            "copies as long as the floor's",
            lambda: (head := self._head("floor")) is not None and all(self._head(name) == head for name in there),
        )

    def _head(self, device: str, *inside: str) -> Head | None:
        """How far a device's copy of the round goes."""
        try:
            with Journal(self._house.data(device).joinpath(*(inside or ("journal",))), read_only=True) as journal:
                return next((head for head in journal.heads() if head.stream == _STREAM), None)
        except (OSError, JournalError):
            return None
