"""The shapes of the API's answers, version 1, field by field as docs/api.md tells them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from league.notices.models import Announcement, Edition
from league.rounds.models import Season, Venue
from league.site import pages
from league.site.players import Player
from league.site.touch import NOTHING_KNOWN, Touch
from league.standings.table import Standings

STANDING = ("place", "participant", "name", "points", "rounds", "provisional", "open_points")
RESULT = ("place", "participant", "name", "prize", "points", "provisional")
ROUND = ("round", "name", "season", "venue", "state", "starts_at", "moved_from", "reason", "registered", "left", "pool",
         "provisional", "key_unconfirmed", "key_corrected", "as_of")  # fmt: skip
"""The columns of the CSV files, in their order: the fields of the JSON of the same names."""


def decimal_points(half_points: int) -> str:
    """Half points as the decimal string of the text interface: 260 → "130", 195 → "97.5"."""
    whole, half = divmod(half_points, 2)
    return f"{whole}.5" if half else str(whole)


def time(moment: datetime | None) -> str | None:
    """A moment in the league's own time, with its offset."""
    return None if moment is None else timezone.localtime(moment).isoformat(timespec="seconds")


def season(row: Season) -> dict[str, Any]:
    """A season (LG-1, LG-11)."""
    return {
        "season": row.year, "name": row.name, "state": str(row.course), "first_day": row.first_day.isoformat(),
        "last_day": row.last_day.isoformat(),
    }  # fmt: skip


def table(season: Season, found: Standings) -> dict[str, Any]:
    """What holds for the whole of a season's standings."""
    return {
        "season": season.year, "provisional": found.provisional, "key_unconfirmed": found.key_unconfirmed,
        "key_corrected": found.key_corrected,
    }  # fmt: skip


def standing(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the standings."""
    return {
        "place": line["place"], "participant": line["number"], "name": line["name"],
        "points": decimal_points(line["half_points"]), "rounds": line["rounds"],
        "provisional": line["open"] is not None, "open_points": decimal_points(line["open"] or 0),
    }  # fmt: skip


def round_head(line: pages.RoundLine, near: Mapping[str, Touch]) -> dict[str, Any]:
    """A round; ``near``: how venues are in touch, by their names."""
    touch = near.get(line.round.venue_id, NOTHING_KNOWN)
    report = line.report
    return {
        "round": line.round.id,
        "name": line.round.name,
        "season": line.round.season.year,
        "venue": line.round.venue_id,
        "state": line.state,
        "starts_at": time(line.starts_at),
        "moved_from": time(line.moved_from),
        "reason": line.reason,
        "registered": report.registered if report else 0,
        "left": line.left,
        "pool": report.pool if report else 0,
        "provisional": not (report and report.final),
        "key_unconfirmed": bool(report and report.key_unconfirmed),
        "key_corrected": bool(report and report.key_corrected),
        "as_of": time(touch.as_of) if line.state in pages.UNDER_WAY else None,
    }


def result(row: pages.ResultLine, provisional: bool) -> dict[str, Any]:
    """A place in a round."""
    return {
        "place": row.place, "participant": row.number, "name": row.name, "prize": row.prize,
        "points": decimal_points(row.half_points), "provisional": provisional,
    }  # fmt: skip


def player(found: Player) -> dict[str, Any]:
    """Somebody in a season."""
    return {
        "participant": found.number,
        "name": found.name,
        "season": found.season.year,
        "seasons": [one.year for one in found.seasons],
        "place": found.place,
        "of": found.of,
        "points": decimal_points(found.half_points),
        "open_points": decimal_points(found.open or 0),
        "provisional": found.open is not None,
        "key_unconfirmed": found.key_unconfirmed,
        "key_corrected": found.key_corrected,
        "results": [
            {
                "round": row.line.round.pk, "place": row.place, "registered": row.field, "prize": row.prize,
                "points": decimal_points(row.half_points), "provisional": row.provisional,
            }
            for row in found.played
        ],
    }  # fmt: skip


def venue(row: Venue) -> dict[str, Any]:
    """A venue."""
    return {"venue": row.pk, "name": row.name, "town": row.town}


def announcement(row: Announcement) -> dict[str, Any]:
    """A word of the league; without English the Czech stands for both."""
    return {
        "since": time(row.since), "until": time(row.until), "title": _both(row.title_cs, row.title_en),
        "text": _both(row.text_cs, row.text_en),
    }  # fmt: skip


def edition(row: Edition) -> dict[str, Any]:
    """An edition of the rules, the game plan or the price list; ``prices`` of the last alone."""
    said: dict[str, Any] = {
        "kind": row.kind, "number": row.number, "effective_on": row.effective_on.isoformat(), "hash": row.hash,
        "text": _both(row.text_cs, row.text_en),
    }  # fmt: skip
    if row.kind == Edition.Kind.PRICES:
        said["prices"] = [
            {"code": line.code, "label": _both(line.cs, line.en), "crowns": line.crowns} for line in row.prices
        ]
    return said


def _both(czech: str, english: str) -> dict[str, str]:
    return {"cs": czech, "en": english or czech}
