"""Brings the derived tables up to the rounds whose results were imported; a venue's own records count before them."""

from __future__ import annotations

from collections.abc import Iterable

from league.ingest.models import StreamHead
from league.rounds.keys import read_key
from league.rounds.models import Season
from league.standings.correcting import recount
from league.standings.models import PastRound, Result, RoundReport


def restore(rounds: Iterable[str] | None = None) -> int:
    """Write the rows of all past rounds, or of these, and count their seasons anew; how many rounds."""
    found = PastRound.objects.select_related("round")
    if rounds is not None:
        found = found.filter(pk__in=list(rounds))
    seasons: set[int] = set()
    written = 0
    for past in found.order_by("pk"):
        if not StreamHead.objects.filter(stream=past.round.stream, venue=past.round.venue_id).exists():
            _write(past)
            seasons.add(past.round.season_id)
            written += 1
    for season in Season.objects.select_for_update(no_key=True).filter(pk__in=seasons).order_by("pk"):
        recount(season)
    return written


def _write(past: PastRound) -> None:
    rows = list(past.results.all())
    values = {
        "epoch": "", "seq": 0, "state": "finished", "starts_at": past.round.starts_at, "at": past.round.starts_at,
        "registered": past.registered, "left": 0, "key": past.key, "key_unconfirmed": not read_key(past.key).confirmed,
    }  # fmt: skip
    RoundReport.objects.update_or_create(pk=past.pk, defaults=values)
    Result.objects.filter(round=past.pk).delete()
    Result.objects.bulk_create(
        Result(
            round=past.round, number=row.number, place=row.place, prize=row.prize, half_points=row.half_points,
            counted=row.half_points, provisional=False,
        )
        for row in rows
    )  # fmt: skip
