"""What is let loose on an evening: a schedule by the script's steps, made from the seed, and how each fault is done."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from chaos.house import House
from chaos.mqtt import FAIR, Weather
from chaos.plan import LEAGUE_BROKER, VENUE_BROKER


class Fault(NamedTuple):
    """What happens to whom when a step begins, and for how long. ``amount``: seconds a clock is set, or a number."""

    step: int
    kind: str
    who: str
    seconds: float
    amount: int = 0

    def __str__(self) -> str:
        return f"step {self.step}: {self.kind} {self.who} {self.seconds:.1f} s {self.amount or ''}".rstrip()


def schedule(seed: int, steps: int, tables: int, rate: float) -> list[Fault]:
    """Faults by step; ``rate``: how many steps have any, as a part of 1."""
    chance = random.Random(f"faults {seed}")
    kiosks = ["door", *(f"table-{number}" for number in range(1, tables + 1))]
    faults: list[Fault] = []
    for step in range(steps):
        if chance.random() < rate:
            for _ in range(chance.choice((1, 1, 1, 2, 3))):
                kind = chance.choice(list(KINDS))
                faults.append(KINDS[kind].make(chance, step, kind, kiosks))
    for part in (0.35, 0.7) if rate else ():
        if chance.random() < 0.6:
            step = round(steps * (part + chance.random() * 0.25))
            faults.append(_TAKEOVER.make(chance, step, "takeover", kiosks))
    return sorted(faults)


class Chaos:
    """Lets faults loose on a house, and mends them when their time is up."""

    def __init__(self, house: House, faults: Sequence[Fault], say: Callable[[str], None]) -> None:
        self._house, self._say = house, say
        self._by_step: dict[int, list[Fault]] = {}
        for fault in faults:
            self._by_step.setdefault(fault.step, []).append(fault)
        self._mending: list[tuple[float, str, Callable[[], object]]] = []

    def begin(self, step: int) -> list[str]:
        """A step of the script begins; the kiosks at which somebody takes over."""
        new = self._by_step.get(step, ())
        for fault in new:
            self._say(str(fault))
            mend = _KINDS[fault.kind].begin(self._house, fault)
            if mend is not None:
                self._mending.append((time.monotonic() + fault.seconds, fault.kind, mend))
        return [fault.who for fault in new if fault.kind == "takeover"]

    def tick(self) -> None:
        """Mend what is due."""
        now = time.monotonic()
        self._mend(lambda at, kind: at <= now)

    def calm(self, but: str = "") -> None:
        """Mend everything now, ``but`` faults of one kind."""
        self._mend(lambda at, kind: kind != but)

    def _mend(self, due: Callable[[float, str], bool]) -> None:
        mending, self._mending = self._mending, []
        self._mending = [each for each in mending if not due(*each[:2])]
        for at, kind, mend in mending:
            if due(at, kind):
                mend()


Mend = Callable[[], object] | None


class _Kind(NamedTuple):
    make: Callable[[random.Random, int, str, list[str]], Fault]
    begin: Callable[[House, Fault], Mend]


def _make(
    whom: Callable[[list[str]], Sequence[str]], least: float, most: float, amounts: Sequence[int] = (0,)
) -> Callable[[random.Random, int, str, list[str]], Fault]:
    def make(chance: random.Random, step: int, kind: str, kiosks: list[str]) -> Fault:
        who = chance.choice(whom(kiosks))
        return Fault(step, kind, who, round(chance.uniform(least, most), 1), chance.choice(amounts))

    return make


def _programs(kiosks: list[str]) -> Sequence[str]:
    """All programs; those of which there is one as often as all kiosks together."""
    one = ("director", "director", "uplink", "ingest", "floor", VENUE_BROKER, LEAGUE_BROKER)
    return [*one * max(1, len(kiosks) // len(one)), *kiosks]


def _routes(kiosks: list[str]) -> Sequence[str]:
    return [*("director", "uplink", "league", "floor") * max(1, len(kiosks) // 4), *kiosks]


def _cables(kiosks: list[str]) -> Sequence[str]:
    return [*("director", "broker", "floor", "league") * max(1, len(kiosks) // 4), *kiosks]


def _disks(kiosks: list[str]) -> Sequence[str]:
    return [*("director", "league", "floor") * max(1, len(kiosks) // 3), *kiosks]


def _kill(house: House, fault: Fault) -> Mend:
    house.kill(fault.who, fault.seconds)
    return None


def _freeze(house: House, fault: Fault) -> Mend:
    house.send(fault.who, signal.SIGSTOP)
    return lambda: house.send(fault.who, signal.SIGCONT)


def _unplug(house: House, fault: Fault) -> Mend:
    host = house.host_of(VENUE_BROKER if fault.who == "broker" else fault.who)
    host.plug(False)
    return lambda: host.plug(True)


GONE, CUT_OFF, BACK = range(3)
"""What becomes of the director's host when another one takes over: it is gone for good; it goes on behind a cable that
is pulled, and comes back; it is switched off, and comes back."""


def _lose_director(house: House, fault: Fault) -> Mend:
    before = house.directs
    if before == fault.who:
        return None
    host = house.hosts[before]
    host.plug(False)
    if fault.amount != CUT_OFF:
        house.switch_off(before)
    house.directs = fault.who
    if fault.amount == GONE and before != "door":  # who would let people in?
        house.gone.add(before)
        return None

    def back() -> None:
        host.plug(True)
        house.switch_on(before)

    return back


def _weather(weather: Callable[[int], Weather]) -> Callable[[House, Fault], Mend]:
    def begin(house: House, fault: Fault) -> Mend:
        house.proxy.set_weather(fault.who, weather(fault.amount))
        return lambda: house.proxy.set_weather(fault.who, FAIR)

    return begin


def _cut(house: House, fault: Fault) -> Mend:
    house.proxy.cut(fault.who)
    return None


def _fill(house: House, fault: Fault) -> Mend:
    house.hosts[fault.who].fill()
    return house.hosts[fault.who].free


def _clock(house: House, fault: Fault) -> Mend:
    house.hosts[fault.who].clock.step(fault.amount)
    return None


def _yank(house: House, fault: Fault) -> Mend:
    house.reader(fault.who, "unplug")
    return lambda: house.reader(fault.who, "plug")


_STORMS = (
    Weather(lose=0.3),
    Weather(double=0.5),
    Weather(late=0.5),
    Weather(hold_acks_s=1.5),
    Weather(delay=0.05, jitter=0.2),
    Weather(delay=0.02, jitter=0.1, lose=0.15, double=0.2, late=0.3, hold_acks_s=0.5),
)
_ONE_WAY = (Weather(up=False), Weather(down=False), Weather(up=False, down=False))
_CLOCK_STEPS = [sign * seconds for sign in (-1, 1) for seconds in (61, 240, 900, 3600)]

_TAKEOVER = _Kind(_make(lambda kiosks: kiosks, 25.0, 40.0, (GONE, CUT_OFF, BACK)), _lose_director)

KINDS: dict[str, _Kind] = {
    "kill": _Kind(_make(_programs, 0.0, 2.0), _kill),
    "kill again": _Kind(_make(_programs, 0.0, 0.5), _kill),
    "freeze": _Kind(_make(_programs, 0.3, 4.0), _freeze),
    "unplug": _Kind(_make(_cables, 0.3, 5.0), _unplug),
    "one way": _Kind(_make(_routes, 0.3, 5.0, range(len(_ONE_WAY))), _weather(lambda n: _ONE_WAY[n])),
    "storm": _Kind(_make(_routes, 1.0, 8.0, range(len(_STORMS))), _weather(lambda n: _STORMS[n])),
    "cut": _Kind(_make(_routes, 0.0, 0.0), _cut),
    "full disk": _Kind(_make(_disks, 0.3, 4.0), _fill),
    "clock": _Kind(_make(lambda kiosks: ["director", "league", "floor", *kiosks], 0.0, 0.0, _CLOCK_STEPS), _clock),
    "yank": _Kind(_make(lambda kiosks: kiosks, 0.3, 2.0), _yank),
}
"""What may come at any step."""

_KINDS = {**KINDS, "takeover": _TAKEOVER}
