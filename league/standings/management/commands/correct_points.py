from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError, CommandParser

from appliance.game.points import decode_key, points_text
from appliance.game.pointskey import PointsKey
from appliance.game.reading import MAX_COMMAND_BYTES
from appliance.game.reading import CommandError as BadKey
from league.command import LeagueCommand, read_file, whole_number
from league.rounds.models import Season
from league.standings.correcting import (
    Move,
    NothingToCorrect,
    OutOfDate,
    Preview,
    correct,
    preview_correction,
    preview_withdrawal,
    withdraw,
)


class Command(LeagueCommand):
    help = (
        "Show who would move if a season's points key were corrected; with --apply record the correction and compute "
        "the season anew. Places, prizes and what the venues sent stay as they are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--season", type=whole_number, required=True, metavar="YEAR", help="the season's year")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--key", type=Path, metavar="FILE", help="the right points key as JSON")
        what.add_argument("--withdraw", action="store_true", help="withdraw the correction that stands")
        parser.add_argument("--apply", action="store_true", help="record it; without, nothing is changed")
        parser.add_argument("--reason", default="", help="why, kept with the correction; with --apply")
        parser.add_argument("--by", default="", metavar="STAFF", help="user name of the member of staff; with --apply")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        key = None if options["withdraw"] else _key(options["key"])
        season = Season.objects.filter(year=options["season"]).first()
        if season is None:
            raise CommandError(f"--season: there is no season {options['season']}", returncode=2)
        if options["apply"]:
            _check_audit(options["reason"], options["by"])
        try:
            preview = preview_withdrawal(season) if key is None else preview_correction(season, key)
            if options["apply"]:
                seen, reason, by = preview.digest, options["reason"].strip(), options["by"]
                withdraw(season, reason, by, seen) if key is None else correct(season, key, reason, by, seen)
        except NothingToCorrect as error:
            self._nothing(season, f"{error}; nothing was changed", options["json"])
            return
        except (OutOfDate, BadKey) as error:
            raise CommandError(f"{error}; nothing was changed") from None
        self.stdout.write(_as_json(preview, options["apply"]) if options["json"] else _as_text(preview))
        if not options["json"]:
            done = (
                "recorded" if options["apply"] else "preview: nothing was changed; --apply --reason … --by … records it"
            )
            self.stdout.write(done)

    def _nothing(self, season: Season, message: str, as_json: bool) -> None:
        told = {"season": season.year, "moved": 0, "applied": False, "message": message}
        self.stdout.write(json.dumps(told, ensure_ascii=False) if as_json else message)


def _key(path: Path) -> PointsKey:
    try:
        return decode_key(read_file(path, MAX_COMMAND_BYTES))
    except (BadKey, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"{path}: {reason}", returncode=2) from None


def _check_audit(reason: str, by: str) -> None:
    """A correction is recorded with a reason and the member of staff who answers for it."""
    if not 1 <= len(reason.strip()) <= 500:
        raise CommandError("--reason: needed with --apply, at most 500 characters", returncode=2)
    if not User.objects.filter(username=by, is_staff=True, is_active=True).exists():
        raise CommandError(f"--by: there is no member of staff {by!r}", returncode=2)


def _as_json(preview: Preview, applied: bool) -> str:
    return json.dumps(preview.data() | {"applied": applied}, ensure_ascii=False)


def _as_text(preview: Preview) -> str:
    lines = [_title(preview), ""]
    for line in preview.rounds:
        change = f"{line.before} → {line.after}" if line.before != line.after else line.after
        lines.append(f"{line.round.pk}: {line.registered} registered, played under {line.played}; counts by {change}")
    lines += ["", f"{'participant':<12}  {'points':>20}  {'':>8}  {'place':>12}"]
    lines += map(_move, preview.moves)
    lines += ["", f"{len(preview.moved)} of {len(preview.moves)} participants move"]
    return "\n".join(lines)


def _title(preview: Preview) -> str:
    season, stands = preview.season, preview.replaces
    if preview.key is None:
        return f"Season {season.year}: correction {stands.number if stands else ''} is withdrawn"
    title = f"Season {season.year}: points key corrected to {preview.key.name}"
    title += "" if preview.key.confirmed else " (unconfirmed)"
    return f"{title}, in place of correction {stands.number}" if stands else title


def _move(move: Move) -> str:
    before, after = points_text(move.points_before), points_text(move.points_after)
    gained = f"{'+' if move.gained > 0 else '-'}{points_text(abs(move.gained))}" if move.gained else ""
    places = f"{move.place_before}. → {move.place_after}."
    return f"{move.number:<12}  {before + ' → ' + after:>20}  {gained:>8}  {places:>12}"
