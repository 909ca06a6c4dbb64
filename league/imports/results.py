"""Imports results of rounds that were played before (LG-8, LG-9): a line a participant and round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from msgspec import structs

from appliance.game.pointskey import PointsKey
from appliance.game.reading import CommandError
from appliance.plaintext import fault
from league.imports import values
from league.imports.csvfile import Problem, Row, Table
from league.imports.numbers import SEVERAL, Numbers
from league.imports.outcome import Outcome, carry_out
from league.people.acts import By
from league.rounds.keys import key_data, read_key
from league.rounds.models import Round, Season, Venue, round_validator
from league.rounds.season_import import lock_for_rounds
from league.staff import audit
from league.standings import past
from league.standings.corrections import Placed, points_by
from league.standings.models import PastResult, PastRound, RoundReport

ABOUT = gettext_noop("import of past results")

COLUMNS: dict[str, tuple[str, ...]] = {
    "round": ("kolo", "kód kola"), "name": ("název", "název kola"), "date": ("datum",), "time": ("čas", "začátek"),
    "venue": ("herna",), "number": ("registration number", "číslo", "registrační číslo"),
    "place": ("místo", "umístění", "pořadí"), "prize": ("výhra", "prize in CZK", "výhra v Kč"), "points": ("body",),
    "registered": ("přihlášeno", "registrováno", "počet hráčů", "players"),
}  # fmt: skip
NEEDED = ("round", "date", "venue", "number", "place")

MOST_REGISTERED = 1000
_SAME_ROUND = ("name", "date", "time", "venue", "registered")
"""What all lines of a round must say alike."""


class _Place(NamedTuple):
    """One line's result; ``half_points`` None: by the key."""

    line: int
    number: str
    place: int
    prize: int
    half_points: int | None


class _Heading(NamedTuple):
    """What a round's lines say of the round."""

    id: str
    name: str
    starts_at: datetime
    season: Season
    venue: Venue
    registered: int


def import_results(
    raw: bytes, by: By, *, encoding: str = "", dry_run: bool = False, replace: bool = False
) -> Outcome:  # fmt: skip
    """Take a file, all of it or nothing. ``replace``: other results of a round take the place of those imported."""

    def take(table: Table, outcome: Outcome) -> None:
        missing = [name for name in NEEDED if name not in table.columns]
        if missing:
            text = _("These columns must be there: %(names)s.") % {"names": ", ".join(missing)}
            outcome.problems.append(Problem(1, "", text))
            return
        known = Numbers()
        by_round: dict[str, list[Row]] = {}
        for row in table.rows:
            by_round.setdefault(row.cells["round"], []).append(row)
        lock_for_rounds(by_round)
        written = [id for id, rows in by_round.items() if _round(id, rows, known, by, outcome, replace)]
        if written and not outcome.problems:
            past.restore(written)
            audit.note_by(by.who, audit.What.ACT, about=f"{ABOUT}: {', '.join(written)}", address=by.address)

    return carry_out(raw, encoding, COLUMNS, take, dry_run=dry_run)


def _round(id: str, rows: list[Row], known: Numbers, by: By, outcome: Outcome, replace: bool) -> bool:
    """Take one round's lines; whether anything was written."""
    problems: list[Problem] = []
    heading = _heading(id, rows, problems)
    places = [place for row in rows if (place := _place(row, known, problems)) is not None]
    if heading is not None and not problems:
        _check_places(places, heading.registered, problems)
    if heading is None or problems:
        outcome.problems += problems
        return False
    given = places[0].half_points is not None
    key = _key(heading.season, given=given)
    results = _results(places, heading.registered, key, outcome)
    past_round = PastRound(registered=heading.registered, key=key_data(key), given=given, by=by.who[:150])
    return _keep(heading, results, past_round, outcome, rows[0].line, replace)


def _heading(id: str, rows: list[Row], problems: list[Problem]) -> _Heading | None:
    """What the first line says of the round, if all say the same."""
    first = rows[0]
    cells = {name: first.cells.get(name, "") for name in COLUMNS}
    found: list[tuple[str, str | Promise]] = []
    try:
        round_validator(id)
    except ValidationError as error:
        found.append(("round", error.messages[0]))
    venue = Venue.objects.filter(pk=cells["venue"]).first() or Venue.objects.filter(name=cells["venue"]).first()
    if venue is None:
        found.append(("venue", _("There is no such venue.")))
    starts_at = season = None
    try:
        starts_at = values.at(values.day(cells["date"]), cells["time"])
        known = Round.objects.filter(pk=id).select_related("season").first()
        season = Season.on(timezone.localdate(starts_at), known.season if known else None)
        if starts_at > timezone.now():
            found.append(("date", _("That day has not come yet.")))
        elif season is None:
            found.append(("date", _("There is no season of that year.")))
    except (ValueError, OverflowError):
        found.append(("date", _("There is no such day or time.")))
    registered = len(rows)
    if cells["registered"]:
        registered = _number("registered", cells["registered"], found)
    if not len(rows) <= registered <= MOST_REGISTERED:
        found.append(("registered", _("Fewer than the lines of the round, or more than can be.")))
    if len(cells["name"]) > 120 or fault(cells["name"]) is not None:
        found.append(("name", _("At most 120 characters, all of which can be seen.")))
    problems += [Problem(first.line, column, text) for column, text in found]
    for row in rows[1:]:
        other = next((n for n in _SAME_ROUND if row.cells.get(n, "") != first.cells.get(n, "")), None)
        if other == "date" and not _is_day(row.cells["date"]):
            problems.append(Problem(row.line, other, _("There is no such day or time.")))
        elif other is not None:
            text = _("Not the same as on line %(line)d of the same round.") % {"line": first.line}
            problems.append(Problem(row.line, other, text))
    if problems or venue is None or starts_at is None or season is None:
        return None
    return _Heading(id, cells["name"], starts_at, season, venue, registered)


def _is_day(text: str) -> bool:
    try:
        values.day(text)
    except ValueError:
        return False
    return True


def _place(row: Row, known: Numbers, problems: list[Problem]) -> _Place | None:
    found: list[tuple[str, str | Promise]] = []
    number = row.cells["number"]
    try:
        number = known.meant(number)
    except ValueError:
        found.append(("number", SEVERAL))
    if not found and number not in known:
        found.append(("number", _("There is no participant of this number: import participants first.")))
    place = _number("place", row.cells["place"].removesuffix("."), found)
    prize = _number("prize", row.cells["prize"], found) if row.cells.get("prize") else 0
    points = None
    if row.cells.get("points"):
        try:
            points = values.half_points(row.cells["points"])
        except ValueError:
            found.append(("points", _("Points are a number, at most with a half.")))
    problems += [Problem(row.line, column, text) for column, text in found]
    return None if found else _Place(row.line, number, place, prize, points)


def _number(name: str, text: str, found: list[tuple[str, str | Promise]]) -> int:
    try:
        return values.whole(text)
    except ValueError:
        found.append((name, _("A whole number, please.")))
        return 0


def _check_places(places: list[_Place], registered: int, problems: list[Problem]) -> None:
    """Nobody twice; a place has as many before it as it says (equal ones share the better place)."""
    first: dict[str, int] = {}
    counts = Counter(place.place for place in places)
    with_points = sum(place.half_points is not None for place in places)
    for place in places:
        if place.number in first:
            text = _("The same participant as on line %(line)d.") % {"line": first[place.number]}
            problems.append(Problem(place.line, "number", text))
        first.setdefault(place.number, place.line)
        better = sum(count for other, count in counts.items() if other < place.place)
        if not 1 <= place.place <= registered or better != place.place - 1:
            text = _("Such a place cannot be: %(count)d are placed better.") % {"count": better}
            problems.append(Problem(place.line, "place", text))
        if with_points and place.half_points is None:
            problems.append(Problem(place.line, "points", _("Other lines of the round have points: this one, too.")))


def _key(season: Season, *, given: bool) -> PointsKey:
    """The season's key; where points are given, it is what counts should a participation be declared void."""
    try:
        key = read_key(season.points_key)
    except CommandError:
        key = read_key(None)
    return structs.replace(key, confirmed=True) if given else key


def _results(places: list[_Place], registered: int, key: PointsKey, outcome: Outcome) -> dict[str, _Place]:
    """The results with their points. Those given may differ from the key's: that is told."""
    counted = points_by(key, registered, (Placed(place.number, place.place) for place in places))
    for place in places:
        if place.half_points is not None and place.half_points != counted[place.number]:
            text = _("Other points than by the season's key (%(points)s): those of the file count.")
            points = f"{counted[place.number] / 2:g}"
            outcome.remarks.append(Problem(place.line, "points", text % {"points": points}))
    return {
        place.number: place if place.half_points is not None else place._replace(half_points=counted[place.number])
        for place in places
    }


def _keep(
    heading: _Heading, results: dict[str, _Place], row: PastRound, outcome: Outcome, line: int, replace: bool
) -> bool:
    """Write a round with its results, unless it is there as it is; whether it was written."""
    round = Round.objects.filter(pk=heading.id).first()
    known = PastRound.objects.filter(pk=heading.id).first()
    if round is not None and known is None:
        outcome.problems.append(Problem(line, "round", _why_not_over(round)))
        return False
    if known is not None and round is not None and _same(round, known, heading, results, row.given):
        outcome.counts["known"] += len(results)
        return False
    if known is not None and not replace:
        outcome.problems.append(Problem(line, "round", _("This round was imported with other results.")))
        return False
    row.round, row.imported_at = _write_round(heading, round), timezone.now()
    row.save()
    row.results.all().delete()
    PastResult.objects.bulk_create(_rows(row, results.values()))
    outcome.counts["changed" if known else "added"] += len(results)
    return True


def _rows(past: PastRound, results: Iterable[_Place]) -> list[PastResult]:
    return [
        PastResult(past=past, number=one.number, place=one.place, prize=one.prize, half_points=one.half_points or 0)
        for one in results
    ]


def _why_not_over(round: Round) -> Promise:
    """Why an import takes no round that was planned here: people signed up for it, and its venue plays it."""
    if round.cancelled_at is not None:
        return _("This round was cancelled: it has no results.")
    if _is_venues(round):
        return _("This round was announced to its venue: it tells its results.")
    return _("A round of this code is planned here: give the past one another code.")


def _is_venues(round: Round) -> bool:
    return round.promised is not None or RoundReport.objects.filter(pk=round.pk).exists()


def _same(round: Round, known: PastRound, heading: _Heading, results: dict[str, _Place], given: bool) -> bool:
    """Whether the file says what was imported before; points that are computed stay as they were."""
    before = set(known.results.values_list("number", "place", "prize"))
    points = dict(known.results.values_list("number", "half_points"))
    return (
        before == {(one.number, one.place, one.prize) for one in results.values()}
        and known.given == given
        and (not given or all(points[one.number] == one.half_points for one in results.values()))
        and (round.venue_id, round.starts_at, round.name) == (heading.venue.pk, heading.starts_at, heading.name)
        and known.registered == heading.registered
    )


def _write_round(heading: _Heading, round: Round | None) -> Round:
    """The round, over for the league: nobody announces it any more."""
    kept = round or Round(id=heading.id)
    kept.season, kept.venue, kept.name = heading.season, heading.venue, heading.name
    kept.starts_at = kept.offered_at = heading.starts_at
    told = {"do": "announce", "round": heading.id, "venue": heading.venue.pk, "profile": heading.season.profile}
    kept.announcement = kept.promised = told | {"starts_at": timezone.localtime(heading.starts_at).isoformat()}
    if round is None:
        kept.save(force_insert=True)
    else:
        kept.save(update_fields=["season", "venue", "name", "starts_at", "offered_at", "announcement", "promised"])
    return kept
