"""Interrupting, shortening, extending and ending a season, each with its announcement (LG-11), and who won (LG-8)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from league.notices.models import Announcement
from league.rounds.models import Round, Season, SeasonAct
from league.standings.models import Result
from league.standings.table import Standing, standings

What = SeasonAct.What
UNDER_WAY = ("open", "running", "paused")


class NoSuchAct(ValueError):
    """The season cannot be changed so: ``field`` says where, ``code`` why.

    Codes: ``not-running``, ``running``, ``ended``, ``not-earlier``, ``not-later``, ``ends-before-start``,
    ``rounds-under-way``.
    """

    def __init__(self, field: str, code: str) -> None:
        super().__init__(f"{field}: {code}")
        self.field, self.code = field, code


class Words(NamedTuple):
    """What is announced of it; without English the Czech stands for both."""

    title_cs: str
    title_en: str = ""
    text_cs: str = ""
    text_en: str = ""


def winners(season: Season) -> list[Standing]:
    """Those with the most points over the rounds that are over, several where they are equal (LG-8)."""
    first = standings(season, 0, 1, over=True).lines
    if not first or not first[0].half_points:
        return []
    return [line for line in standings(season, over=True).lines if line.place == 1]


def under_way(season: Season) -> list[Round]:
    """The season's rounds that have begun to take registrations and are not over."""
    return list(season.rounds.filter(folded__state__in=UNDER_WAY).order_by("starts_at"))


def to_come(season: Season, day: date) -> list[Round]:
    """Rounds that are planned for later than the end of a day: a shorter season has no place for them."""
    midnight = timezone.make_aware(datetime.combine(day, time.max))
    over = season.rounds.filter(folded__state__in=("finished", "cancelled"))
    return list(season.rounds.filter(starts_at__gt=midnight).exclude(pk__in=over).order_by("starts_at"))


def act(
    season: Season, what: str, day: date, words: Words, by: str, *, until: date | None = None, reason: str = ""
) -> SeasonAct:
    """Change the season's course and announce it. Raises `NoSuchAct`; then nothing is written."""
    with transaction.atomic():
        fresh = Season.objects.select_for_update().get(pk=season.pk)
        check(fresh, what, day, until)
        row = SeasonAct.objects.create(
            season=fresh, what=what, day=day, until=until, before=fresh.last_day, reason=reason, by=by,
            winners=[line.number for line in winners(fresh)] if what == What.END else [], at=timezone.now(),
        )  # fmt: skip
        _apply(fresh, row)
        Announcement.objects.create(**words._asdict(), since=row.at, until=_stands_until(row), by=by)
    return row


def check(season: Season, what: str, day: date, until: date | None = None) -> None:
    """Raises `NoSuchAct` where the season cannot be changed so."""
    ended = season.state == Season.State.ENDED
    match what:
        case What.INTERRUPT:
            if season.state != Season.State.RUNNING:
                raise NoSuchAct("day", "ended" if ended else "not-running")
            if until is not None and until < day:
                raise NoSuchAct("until", "ends-before-start")
        case What.RESUME:
            if season.state == Season.State.RUNNING:
                raise NoSuchAct("day", "running")
        case What.SHORTEN | What.EXTEND:
            if ended:
                raise NoSuchAct("day", "ended")
            if what == What.SHORTEN and day >= season.last_day:
                raise NoSuchAct("day", "not-earlier")
            if what == What.EXTEND and day <= season.last_day:
                raise NoSuchAct("day", "not-later")
        case _:
            if under_way(season) or Result.objects.filter(round__season=season, provisional=True).exists():
                raise NoSuchAct("day", "rounds-under-way")


def declared(season: Season) -> list[str]:
    """The winners as they were declared at the end, none while it goes on."""
    if season.state != Season.State.ENDED:
        return []
    row = season.acts.filter(what=What.END).last()
    return list(row.winners) if row else []


def _apply(season: Season, row: SeasonAct) -> None:
    match row.what:
        case What.INTERRUPT:
            season.state = Season.State.INTERRUPTED
            season.interrupted_from, season.interrupted_to = row.day, row.until
        case What.RESUME:
            season.state = Season.State.RUNNING
            season.interrupted_from = season.interrupted_to = None
        case What.SHORTEN | What.EXTEND:
            season.ends_on = row.day
        case _:
            season.state = Season.State.ENDED
    season.save(update_fields=["state", "ends_on", "interrupted_from", "interrupted_to"])


def _stands_until(row: SeasonAct) -> datetime | None:
    """An interruption is announced for as long as it lasts, the rest for two months."""
    last = row.until if row.what == What.INTERRUPT and row.until else None
    if last is not None and last >= timezone.localdate():
        return timezone.make_aware(datetime.combine(last, time(23, 59, 59)))
    return row.at + timedelta(days=60)
