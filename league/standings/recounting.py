"""Brings a season's derived rows to what the league decided: the corrected key that stands, and void participations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db.models import QuerySet

from league.live import changes
from league.rounds.keys import read_key
from league.rounds.models import Round, Season
from league.standings import totals
from league.standings.corrections import Counted, Layer, Placed, counted_by, layer_of, standing, voids_of
from league.standings.models import PastRound, Result, RoundReport

_AT_ONCE = 200
"""The results of so many rounds are in memory together."""

_MARKED = 200
"""So many rounds are marked one by one."""


def recount(season: Season, rounds: Collection[str] | None = None) -> None:
    """Count a season anew, or only these rounds of it, with what its results add up to.

    The season must be locked.
    """
    found = season.rounds.all() if rounds is None else season.rounds.filter(pk__in=rounds)
    layer, voids = layer_of(standing(season)), voids_of(found)
    changed: list[str] = []
    for report, results in played_rounds(found):
        before = totals.parts(results)
        if _recount_round(report, results, layer, voids.get(report.pk, frozenset())):
            changed.append(report.pk)
        if rounds is not None:
            totals.add(season, before, totals.parts(results))
    if rounds is None:
        totals.compute(season)
    tell(changed)


def tell(rounds: Sequence[str]) -> None:
    """Mark a public change of these rounds; of very many at once, as one of who knows what."""
    for round in rounds if len(rounds) <= _MARKED else [None]:
        changes.bump(round)


def _recount_round(report: RoundReport, results: list[Result], layer: Layer | None, voids: frozenset[str]) -> bool:
    """Count a round anew; whether anything is different."""
    covered = layer is not None and layer.covers(report.round)
    flags = (covered, not (layer.key if layer and covered else read_key(report.key)).confirmed)
    another = flags != (report.key_corrected, report.key_unconfirmed)
    if another:
        report.key_corrected, report.key_unconfirmed = flags
        report.save(update_fields=["key_corrected", "key_unconfirmed"])
    counted = counted_in(report, results, layer, voids)
    changed = [result for result in results if _take(result, counted[result.number])]
    Result.objects.bulk_update(changed, ["counted", "moved_up", "void"], batch_size=500)
    return another or bool(changed)


def _take(result: Result, found: Counted) -> bool:
    """Have a result count so; whether it is different from before."""
    before = Counted(result.counted, result.moved_up, result.void)
    result.counted, result.moved_up, result.void = found
    return before != found


def played_rounds(rounds: QuerySet[Round]) -> Iterator[tuple[RoundReport, list[Result]]]:
    """The reports of these rounds, in the order of play, each with its results; never all of them in memory."""
    keys = list(RoundReport.objects.filter(round__in=rounds).order_by("starts_at", "pk").values_list("pk", flat=True))
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        by_round: dict[str, list[Result]] = defaultdict(list)
        for result in Result.objects.filter(round__in=some):
            by_round[result.round_id].append(result)
        reports = RoundReport.objects.select_related("round").in_bulk(some)
        for key in some:
            yield reports[key], by_round[key]


def counted_in(
    report: RoundReport, results: Iterable[Result], layer: Layer | None, voids: frozenset[str]
) -> dict[str, Counted]:
    """What counts in a round under the layer, without the participations that are void."""
    results = list(results)
    covered = layer is not None and layer.covers(report.round)
    if not covered and voids.isdisjoint(result.number for result in results):
        return {result.number: Counted(result.half_points) for result in results}
    key = layer.key if layer is not None and covered else read_key(report.key)
    counted = counted_by(key, report.registered, (Placed(r.number, r.place) for r in results), voids)
    if not covered and PastRound.objects.filter(pk=report.pk, given=True).exists():
        # its points came with it: whoever does not move keeps them (LG-10)
        return counted | {r.number: Counted(r.half_points) for r in results if counted[r.number][1:] == (0, False)}
    return counted
