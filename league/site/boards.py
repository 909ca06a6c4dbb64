"""What of the public pages goes on by itself: a round, the calendar, the screens; drawn once for all who watch.

A page draws the same template, so that it is whole without a script and what comes later takes its place. Nothing in
it tells what time it is: only so is what is drawn again the same as long as nothing changed.
"""

from __future__ import annotations

import json
import time
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from appliance.game.state import Entry
from league.rounds.models import Round
from league.rounds.standing import gone_by, shown_at
from league.site import pages
from league.site.templatetags.league_format import chips
from league.site.touch import NOTHING_KNOWN, Touch, touches
from league.standings.face import Shown, entries_of, shown

MOST_SCREENS = 6
MOST_COMING = 5


def board(kind: str, key: str) -> tuple[str, dict[str, Any]] | None:
    """Template and context of what is watched under ``/live/<kind>/<key>``; None where there is no such thing."""
    if kind in ("rounds", "tv") and key:
        round = pages.public_rounds().filter(pk=key).first()
        template = "site/_live.html" if kind == "rounds" else "site/_screen.html"
        return None if round is None else (template, round_board(round))
    match kind, key:
        case "calendar", "":
            return "site/_calendar.html", {"under_way": pages.Calendar(under_way(), [])}
        case "tv", "":
            return "site/_screens.html", screens_board()
    return None


def drawn(kind: str, key: str, language: str) -> str | None:
    """The board in a language; None where there is none."""
    with translation.override(language):
        found = board(kind, key)
        return None if found is None else render_to_string(*found)


def round_board(
    round: Round, results: list[pages.ResultLine] | None = None, touch: Touch | None = None
) -> dict[str, Any]:
    """A round as it goes: its clock by that of its venue, who is left, places so far and prizes; places and ``touch``
    are asked for unless given. While the venue is away all of it is as it was heard last, and no clock goes.
    """
    line = pages.line_of(round)
    report = line.report
    if touch is None:
        touch = touches([round.venue_id]).get(round.venue_id, NOTHING_KNOWN)
    as_of = touch.as_of if line.state in pages.UNDER_WAY else None
    clock = report.clock if report and line.playing else None
    face = shown(clock, touch.venue_ms(now_ms() if as_of is None else _ms(as_of))) if clock else None
    goes = as_of is None
    return {
        "line": line,
        "report": report,
        "results": pages.results(round) if results is None else results,
        "structure": pages.structure(round),
        "substitutes": round.substitutes.filter(cancelled_at=None).select_related("venue"),
        "as_of": as_of,
        "live_now": line.playing and goes,
        "clock": _clock(clock, touch) if clock and goes else "",
        "face": face,
        "face_label": _label(face) if face else "",
        "face_blinds": "" if face is None or face.on_break else _blinds(face),
        "following": _following(face.following) if face and face.following else "",
        "ends_at": touch.league_time(face.ends_at) if face and face.ends_at and goes else None,
        "left": _left(face.left_ms) if face else "",
        "prizes": [(place, prize) for place, prize in enumerate(report.prizes, 1) if prize] if report else [],
    }


def watching(what: str) -> dict[str, Any]:
    """What a page needs that goes on by itself: the stream of a board, in the page's language."""
    return {"live": f"/live/{what}?lang={translation.get_language()}", "now": now_ms(), "now_at": timezone.now()}


def under_way() -> list[pages.RoundLine]:
    """The rounds that people play or gather for, soonest first."""
    rounds = pages.public_rounds().filter(folded__state__in=pages.UNDER_WAY).annotate(shown_at=shown_at())
    rounds = rounds.annotate(is_past=gone_by(timezone.now())).filter(is_past=False).order_by("shown_at", "id")
    return [line for line in map(pages.line_of, rounds) if line.state in pages.UNDER_WAY]


def screens_board() -> dict[str, Any]:
    """The rounds under way, each with its board, as many as fit a screen; what comes, and who leads the season."""
    lines = under_way()
    rounds = [line.round for line in lines[:MOST_SCREENS]]
    if not rounds:
        return _idle()
    results, near = pages.results_of(rounds), touches(round.venue_id for round in rounds)
    return {
        "boards": [round_board(round, results[round.pk], near.get(round.venue_id, NOTHING_KNOWN)) for round in rounds],
        "more": len(lines) - len(rounds),
    }


def _idle() -> dict[str, Any]:
    """What a screen shows while nothing is played: the next rounds that stand, and the best of the season."""
    coming = [line for line in pages.calendar(count=4 * MOST_COMING).coming if line.state != "cancelled"]
    season = pages.current_season()
    table, top = (season and pages.leaders(season)) or (None, [])
    return {"coming": coming[:MOST_COMING], "season": season, "table": table, "top": top}


def now_ms() -> int:
    """The server's time, UTC ms."""
    return time.time_ns() // 1_000_000


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _clock(clock: dict[str, Any], touch: Touch) -> str:
    """The clock for the page's script, with its texts in the page's language, and what it goes by."""
    told = {name: value for name, value in clock.items() if name != "entries"} | {"by": touch.by}
    entries = [
        {
            "ms": entry.length_ms,
            "label": _("Break") if entry.is_break else _level(entry.level),
            "blinds": "" if entry.is_break else _blinds(entry),
            "following": _following(entry),
        }
        for entry in entries_of(clock)
    ]
    return json.dumps(told | {"pause": _("Break"), "entries": entries}, ensure_ascii=False, sort_keys=True)


def _label(face: Shown) -> str:
    return _("Break") if face.on_break else _level(face.level)


def _level(level: int) -> str:
    return _("Level %(level)s") % {"level": level}


def _blinds(entry: Shown | Entry) -> str:
    blinds = f"{chips(entry.sb)} / {chips(entry.bb)}"
    return f"{blinds} · {_('ante %(ante)s') % {'ante': chips(entry.ante)}}" if entry.ante else blinds


def _following(entry: Entry) -> str:
    if entry.is_break:
        return _("Then a break")
    return _("Then level %(level)s: %(blinds)s") % {"level": entry.level, "blinds": _blinds(entry)}


def _left(left_ms: int) -> str:
    seconds = -(-left_ms // 1000)
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
