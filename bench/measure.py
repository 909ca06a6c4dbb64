"""How figures are taken and told."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Figure(NamedTuple):
    """A ratio with its limit: ``at_least`` or at most ``limit``; ``note`` tells the absolute figures behind it.

    ``target``: the limit is an absolute figure, which hangs on the machine and its other work: told, never failed.
    """

    name: str
    ratio: float
    limit: float
    at_least: bool
    note: str
    target: bool = False

    @property
    def holds(self) -> bool:
        """Whether the ratio keeps its limit."""
        return self.ratio >= self.limit if self.at_least else self.ratio <= self.limit


def rate(work: Callable[[int], None], seconds: float, step: int = 1) -> float:
    """Units of work a second over a slice of time; ``work(n)`` does n units."""
    done = 0
    start = time.perf_counter()
    while (now := time.perf_counter()) - start < seconds:
        work(step)
        done += step
    return done / (now - start)


def paired_rates(
    product: Callable[[int], None],
    floor: Callable[[int], None],
    *,
    seconds: float = 0.5,
    pairs: int = 15,
    step: int = 1,
) -> tuple[float, float, float]:
    """Median ratio of product to floor over alternating slices, and both median rates."""
    ratios, ours, theirs = [], [], []
    for index in range(pairs):
        order = (product, floor) if index % 2 else (floor, product)
        measured = {work: rate(work, seconds, step) for work in order}
        ours.append(measured[product])
        theirs.append(measured[floor])
        ratios.append(measured[product] / measured[floor])
    return statistics.median(ratios), statistics.median(ours), statistics.median(theirs)


def percentile(values: list[float], share: float) -> float:
    """The value below which ``share`` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
