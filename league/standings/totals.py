"""Keeps what each participant's results of a season add up to (LG-8): `SeasonTotal`, which nobody adds up anew.

Whoever writes results has locked their season. A round's results add their differences for that round's participants;
a whole season is added up by one statement of the database. Both must always come to the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from django.db import connection, transaction
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save

from league.rounds.models import Round, Season
from league.standings.models import Result, SeasonTotal

_ADD_UP = """
INSERT INTO standings_seasontotal (season_id, number, counted, rounds, over_counted, over_rounds)
SELECT played.season_id, result.number, SUM(result.counted), COUNT(*),
       SUM(CASE WHEN result.provisional THEN 0 ELSE result.counted END),
       SUM(CASE WHEN result.provisional THEN 0 ELSE 1 END)
FROM standings_result result JOIN rounds_round played ON played.id = result.round_id
WHERE played.season_id = %s AND NOT result.void
GROUP BY played.season_id, result.number
"""

_WRITE = """
INSERT INTO standings_seasontotal (season_id, number, counted, rounds, over_counted, over_rounds)
VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (season_id, number) DO UPDATE SET counted = excluded.counted, rounds = excluded.rounds,
    over_counted = excluded.over_counted, over_rounds = excluded.over_rounds
"""

_ADD = """
INSERT INTO standings_seasontotal (season_id, number, counted, rounds, over_counted, over_rounds)
VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (season_id, number) DO UPDATE SET counted = standings_seasontotal.counted + excluded.counted,
    rounds = standings_seasontotal.rounds + excluded.rounds,
    over_counted = standings_seasontotal.over_counted + excluded.over_counted,
    over_rounds = standings_seasontotal.over_rounds + excluded.over_rounds
"""

_AT_ONCE = 500

_FROM, _WITH = "_totals_season_before", "_totals_parts_before"
"""Where a round that is being saved or deleted carries what was before."""


class Part(NamedTuple):
    """What somebody has of a round, or of a season: as the fields of `SeasonTotal`."""

    counted: int = 0
    rounds: int = 0
    over_counted: int = 0
    over_rounds: int = 0


_FIELDS = Part._fields
_NOTHING = Part()


class Counting(Protocol):
    """A result, however it is kept."""

    @property
    def number(self) -> str: ...
    @property
    def counted(self) -> int: ...
    @property
    def void(self) -> bool: ...
    @property
    def provisional(self) -> bool: ...


def parts(results: Iterable[Counting]) -> dict[str, Part]:
    """What each participant has of a round, given its results."""
    return {
        one.number: Part(one.counted, 1, *((0, 0) if one.provisional else (one.counted, 1)))
        for one in results
        if not one.void
    }


def parts_of(round: str) -> dict[str, Part]:
    """What each participant has of a round, as its results are stored."""
    rows = Result.objects.filter(round=round, void=False).values_list("number", "counted", "provisional")
    return {number: Part(half, 1, *((0, 0) if open else (half, 1))) for number, half, open in rows}


def add(season: Season | int, before: Mapping[str, Part], after: Mapping[str, Part]) -> None:
    """Add the difference that a round makes; the season must be locked."""
    season = season.pk if isinstance(season, Season) else season
    different = sorted(
        number for number in before.keys() | after.keys() if before.get(number, _NOTHING) != after.get(number, _NOTHING)
    )
    more = {number: changed(None, before.get(number), after.get(number)) for number in different}
    if all(min(part) >= 0 for part in more.values()):
        with connection.cursor() as cursor:
            cursor.executemany(_ADD, [(season, number, *part) for number, part in more.items()])
        return
    for start in range(0, len(different), _AT_ONCE):
        some = different[start : start + _AT_ONCE]
        rows = SeasonTotal.objects.filter(season=season, number__in=some).values_list("number", *_FIELDS)
        known = {number: Part(*values) for number, *values in rows}
        now = {number: changed(known.get(number), before.get(number), after.get(number)) for number in some}
        if any(min(part) < 0 for part in now.values()):
            # what was kept is not what the results added up to: somebody has written past this
            compute(season)
            return
        _write(season, now)


def changed(known: Part | None, before: Part | None, after: Part | None) -> Part:
    """What somebody has of a season after a round makes another part of it."""
    columns = zip(known or _NOTHING, before or _NOTHING, after or _NOTHING, strict=True)
    return Part(*(had - less + more for had, less, more in columns))


def compute(season: Season | int) -> None:
    """Add up a season's results anew; the season must be locked."""
    season = season.pk if isinstance(season, Season) else season
    SeasonTotal.objects.filter(season=season).delete()
    with connection.cursor() as cursor:
        cursor.execute(_ADD_UP, [season])


def compute_all() -> None:
    """Add up all seasons anew."""
    with transaction.atomic():
        for season in lock():
            compute(season)


def lock(*which: int) -> list[Season]:
    """Lock these seasons, all of them without any, in the order in which everybody locks several."""
    seasons = Season.objects.filter(pk__in=which) if which else Season.objects.all()
    return list(seasons.select_for_update(no_key=True).order_by("pk"))


def lock_season_of(round: Round) -> Season:
    """Lock the season of which a round is, and have the round say so: it may just have moved to another one."""
    while True:
        [season] = lock(round.season_id)
        now = Round.objects.values_list("season_id", flat=True).get(pk=round.pk)
        if now == season.pk:
            return season
        round.season_id = now


def follow_rounds() -> None:
    """Have rounds that move to another season, or are dropped, take their results along wherever that is written."""
    for signal, receiver in (
        (pre_save, _before_saved), (post_save, _saved), (pre_delete, _before_deleted), (post_delete, _deleted),
    ):  # fmt: skip
        signal.connect(receiver, Round, dispatch_uid=f"season totals: {receiver.__name__}")


# -- inside ----------------------------------------------------------------------------------------------


def _before_saved(instance: Round, update_fields: frozenset[str] | None, **_said: Any) -> None:
    """Note the season from which a round moves to another one."""
    instance.__dict__.pop(_FROM, None)
    if instance._state.adding or (update_fields is not None and update_fields.isdisjoint(("season", "season_id"))):
        return
    before = Round.objects.filter(pk=instance.pk).values_list("season_id", flat=True).first()
    if before is not None and before != instance.season_id:
        instance.__dict__[_FROM] = before


def _saved(instance: Round, **_said: Any) -> None:
    """Have the round's results count in the season to which it moved."""
    before = instance.__dict__.pop(_FROM, None)
    if before is None:
        return
    with transaction.atomic():
        lock(before, instance.season_id)
        its = parts_of(instance.pk)
        add(before, its, {})
        add(instance.season_id, {}, its)


def _before_deleted(instance: Round, **_said: Any) -> None:
    """Note what goes with a round that is dropped."""
    instance.__dict__[_WITH] = parts_of(instance.pk)


def _deleted(instance: Round, **_said: Any) -> None:
    """Have its results count no more."""
    with transaction.atomic():
        lock(instance.season_id)
        add(instance.season_id, instance.__dict__.pop(_WITH, {}), {})


def _write(season: int, now: Mapping[str, Part]) -> None:
    gone = [number for number, part in now.items() if not part.rounds]
    if gone:
        SeasonTotal.objects.filter(season=season, number__in=gone).delete()
    rows = [(season, number, *part) for number, part in now.items() if part.rounds]
    with connection.cursor() as cursor:
        cursor.executemany(_WRITE, rows)
