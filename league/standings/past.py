"""Brings the derived tables up to the rounds whose results were imported; a venue's own records count before them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from league.ingest.models import StreamHead
from league.rounds.keys import read_key
from league.rounds.models import Season
from league.standings import totals
from league.standings.models import PastRound, Result, RoundReport
from league.standings.recounting import recount, tell


def restore(rounds: Iterable[str] | None = None) -> int:
    """Write the rows of all past rounds, or of these, and count their seasons anew; how many rounds."""
    found = PastRound.objects.select_related("round")
    if rounds is not None:
        found = found.filter(pk__in=list(rounds))
    written: dict[Season, list[str]] = defaultdict(list)
    seasons = {season.pk: season for season in totals.lock()} if found.exists() else {}
    for past in found.order_by("pk"):
        if not StreamHead.objects.filter(stream=past.round.stream, venue=past.round.venue_id).exists():
            _write(past)
            written[seasons[past.round.season_id]].append(past.pk)
    for season, rounds in written.items():
        recount(season, rounds)
        tell(rounds)
    return sum(map(len, written.values()))


def _write(past: PastRound) -> None:
    rows = list(past.results.all())
    values = {
        "epoch": "", "seq": 0, "state": "finished", "starts_at": past.round.starts_at, "at": past.round.starts_at,
        "registered": past.registered, "left": 0, "key": past.key, "key_unconfirmed": not read_key(past.key).confirmed,
    }  # fmt: skip
    RoundReport.objects.update_or_create(pk=past.pk, defaults=values)
    before = totals.parts_of(past.pk)
    Result.objects.filter(round=past.pk).delete()
    Result.objects.bulk_create(
        Result(
            round=past.round, number=row.number, place=row.place, prize=row.prize, half_points=row.half_points,
            counted=row.half_points, provisional=False,
        )
        for row in rows
    )  # fmt: skip
    totals.add(past.round.season_id, before, totals.parts_of(past.pk))
