"""The JSON that others may build on: standings and round results, version 1 of their addresses and shapes.

``/api/1/standings.json``, ``/api/1/standings/<year>.json``, ``/api/1/rounds.json``, ``/api/1/rounds/<id>.json``.
Points are decimal strings ("97.5"), those that count in the season: with ``key_corrected`` computed anew by a key that
the league corrected, with ``key_unconfirmed`` by one it has not confirmed (P). Prizes are whole CZK; ``name`` is null
without consent to publication (LG-7) and once the season is over (LG-12).
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import path, register_converter

from league.rounds.models import Season
from league.site import pages
from league.site.converters import RoundId

register_converter(RoundId, "round_id")


def standings(request: HttpRequest, year: int | None = None) -> JsonResponse:
    """Standings of a season, the current one without a year."""
    season = Season.objects.filter(year=year).first() if year is not None else pages.current_season()
    if season is None:
        return _missing("season")
    table, lines = pages.named_standings(season)
    return _answer(
        {
            "season": season.year,
            "provisional": table.provisional,
            "key_unconfirmed": table.key_unconfirmed,
            "key_corrected": table.key_corrected,
            "standings": [
                {
                    "place": line["place"],
                    "participant": line["number"],
                    "name": line["name"],
                    "points": decimal_points(line["half_points"]),
                    "rounds": line["rounds"],
                }
                for line in lines
            ],
        }
    )


def rounds(request: HttpRequest) -> JsonResponse:
    """All rounds with their states."""
    return _answer({"rounds": [_head(pages.line_of(round)) for round in pages.public_rounds()]})


def round_results(request: HttpRequest, round_id: str) -> JsonResponse:
    """One round and the places known so far."""
    round = pages.public_rounds().filter(pk=round_id).first()
    if round is None:
        return _missing("round")
    line = pages.line_of(round)
    body = _head(line) | {
        "results": [
            {
                "place": row.place,
                "participant": row.number,
                "name": row.name,
                "prize": row.prize,
                "points": decimal_points(row.half_points),
            }
            for row in pages.results(round)
        ]
    }
    return _answer(body)


def decimal_points(half_points: int) -> str:
    """Half points as the decimal string of the text interface: 260 → "130", 195 → "97.5"."""
    whole, half = divmod(half_points, 2)
    return f"{whole}.5" if half else str(whole)


def _head(line: pages.RoundLine) -> dict[str, Any]:
    report = line.report
    return {
        "round": line.round.id,
        "season": line.round.season.year,
        "venue": line.round.venue_id,
        "state": line.state,
        "starts_at": line.starts_at.isoformat(),
        "registered": report.registered if report else 0,
        "left": report.left if report else 0,
        "pool": report.pool if report else 0,
        "provisional": not (report and report.final),
        "key_unconfirmed": bool(report and report.key_unconfirmed),
        "key_corrected": bool(report and report.key_corrected),
    }


def _answer(body: dict[str, Any], status: int = 200) -> JsonResponse:
    response = JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "no-cache"
    return response


def _missing(what: str) -> JsonResponse:
    return _answer({"error": "not-found", "what": what}, status=404)


urlpatterns = [
    path("standings.json", standings, name="api-standings"),
    path("standings/<int:year>.json", standings, name="api-season"),
    path("rounds.json", rounds, name="api-rounds"),
    path("rounds/<round_id:round_id>.json", round_results, name="api-round"),
]
