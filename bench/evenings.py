"""Whole evenings: what never happens on ten thousand of them, what a command costs, how fast an evening is replayed.

``TABLESIDE_EVENINGS`` says how many are played.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.engine import Engine, Order
from appliance.game.commands import (
    Start,
)
from appliance.game.refusal import Refusal
from appliance.game.round import INITIAL, decide, fold
from appliance.game.state import Ledger
from appliance.journal import Journal
from appliance.kinds import RoundKind
from bench.journal import STREAM, Product
from bench.measure import Figure, paired_rates
from bench.simulation import programme, promises
from bench.simulation.anything import KINDS
from bench.simulation.book import Asked
from bench.simulation.manager import TrueBook
from bench.simulation.whole import OTHER_PROMISES, Evening, play, simulate, tell

EVENINGS = int(os.environ.get("TABLESIDE_EVENINGS", "10000"))
CHUNK = 50
SMALL, LARGE = 9, 90
FIRST_SEED = 1_000_000
"""Of the evenings that are measured; those that are looked at begin with 0."""


def figures() -> Iterator[Figure]:
    """The promises, then the costs."""
    yield from _promises()
    yield _growth()
    yield _without_journal()
    yield _replay()


def _promises() -> Iterator[Figure]:
    start = time.perf_counter()
    found: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    commands = 0
    with ProcessPoolExecutor() as pool:
        for evenings in pool.map(_chunk, range(0, EVENINGS, CHUNK)):
            for evening in evenings:
                tell(evening)
                commands += evening.commands
                accepted += evening.accepted
                found.update(violation.promise for violation in evening.violations)
    a_second = EVENINGS / (time.perf_counter() - start)
    note = f"{commands} commands, {a_second:.0f} evenings a second"
    for name in _names():
        yield Figure(f"{name.replace('_', ' ')}: violations", found[name], 0, False, note)
        note = ""
    missing = [kind for kind in KINDS if not accepted[kind]]
    yield Figure("kinds of commands never accepted", len(missing), 0, False, " ".join(missing))


def _names() -> list[str]:
    return [
        *(each.__name__ for each in (*promises.EVERY_STEP, *promises.SOME_STEPS, *promises.HISTORY)),
        *OTHER_PROMISES,
    ]


def _chunk(first: int) -> list[Evening]:
    return [simulate(seed, every=7) for seed in range(first, min(first + CHUNK, EVENINGS))]


def asked_on(players: int, seed: int) -> Sequence[Asked]:
    """The commands of an evening of so many players, of as many hands as there are on one."""
    book = TrueBook(programme.SEVEN_PM - 3_600_000, seed)
    play(book, seed, players, all_in=0.1)
    return book.asked


def _given(ledger: Ledger, asked: Asked) -> Ledger:
    answer = decide(ledger, asked.command, asked.at, asked.cause, seed=FIRST_SEED)
    if not isinstance(answer, Refusal):
        for event in answer:
            ledger = fold(ledger, event, asked.at, asked.cause)
    return ledger


def _growth() -> Figure:
    """The median cost of a command, `start` aside, on evenings of 90 players against evenings of 9."""
    evenings = {
        players: [asked_on(players, FIRST_SEED + n) for n in range(count)]
        for players, count in ((SMALL, 40), (LARGE, 4))
    }
    medians = {players: statistics.median(itertools.chain(*map(_costs, asked))) for players, asked in evenings.items()}
    note = f"{medians[LARGE] / 1000:.1f} µs against {medians[SMALL] / 1000:.1f} µs, decide + fold"
    return Figure(f"median command, {LARGE} players / {SMALL}", medians[LARGE] / medians[SMALL], 1.5, False, note)


def _costs(evening: Sequence[Asked], times: int = 5) -> list[int]:
    """The least of several measurements of each command, in nanoseconds."""
    least = [1 << 60] * len(evening)
    for _ in range(times):
        ledger = INITIAL
        for place, asked in enumerate(evening):
            start = time.perf_counter_ns()
            ledger = _given(ledger, asked)
            least[place] = min(least[place], time.perf_counter_ns() - start)
    return [cost for cost, asked in zip(least, evening, strict=True) if not isinstance(asked.command, Start)]


def _without_journal() -> Figure:
    """Decide and fold whole evenings, from 9 to 90 players, against commands appended one by one."""
    evenings = [asked_on(players, FIRST_SEED + players) for players in (9, 18, 27, 45, 90)]
    ledger, commands = INITIAL, itertools.cycle(itertools.chain([None], *([*asked, None] for asked in evenings)))

    def decide_and_fold(count: int) -> None:
        nonlocal ledger
        for asked in itertools.islice(commands, count):
            ledger = INITIAL if asked is None else _given(ledger, asked)

    with tempfile.TemporaryDirectory() as name:
        appending = Product(Path(name)).commands
        ratio, ours, theirs = paired_rates(decide_and_fold, partial(_one_by_one, appending), pairs=7, step=100)
    return Figure("decide + fold / append one by one", ratio, 10, True, f"{ours:.0f}/s against {theirs:.0f}/s")


def _one_by_one(append: Callable[[int], None], count: int) -> None:
    for _ in range(count):
        append(1)


def _replay() -> Figure:
    """Open a journal and fold its evening, chain checked, against json.loads of the records' bytes."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "journal"
        raws = _written(path)

        def replayed() -> None:
            with Journal(path, read_only=True) as journal:
                Engine(journal, {"round": RoundKind()}, lambda: 0)

        ours, theirs = _least(replayed, lambda: [json.loads(raw) for raw in raws])
    each = len(raws) / 1e6
    note = f"{len(raws)} records: {ours / each:.1f} µs each against {theirs / each:.1f} µs, opening the file included"
    return Figure("replay an evening, chain checked / json.loads", theirs / ours, 0.5, True, note)


def _written(path: Path) -> list[bytes]:
    """Write the evening of 90 players to a journal, a command a commit; its records."""
    asked = asked_on(LARGE, FIRST_SEED)
    with Journal(path, device="director", key=Ed25519PrivateKey.generate()) as journal:
        engine = Engine(journal, {"round": RoundKind()}, lambda: 0)
        for number, each in enumerate(asked):
            order = Order(f"01970000-0000-7000-8000-{number:012x}", STREAM, each.command, "000007", "table-1")
            engine.as_of(each.at, partial(engine.execute, [order]))
        return [raw for raw, _ in journal.read(STREAM, journal.epochs(STREAM)[0])]


def _least(*works: Callable[[], object], times: int = 40) -> list[float]:
    """The least CPU seconds of each work, taken in turns."""
    least = [float("inf")] * len(works)
    for _ in range(times):
        for place, work in enumerate(works):
            gc.collect()
            start = time.thread_time()
            work()
            least[place] = min(least[place], time.thread_time() - start)
    return least
