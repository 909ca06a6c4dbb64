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
CONTRADICTS: dict[str, tuple[str, ...]] = {
    What.INTERRUPT: (What.INTERRUPT, What.RESUME),
    What.RESUME: (What.INTERRUPT, What.RESUME, What.END),
    What.SHORTEN: (What.SHORTEN, What.EXTEND),
    What.EXTEND: (What.SHORTEN, What.EXTEND),
    What.END: tuple(What.values),
}
"""Of which earlier decisions what was announced no longer holds."""


class NoSuchAct(ValueError):
    """The season cannot be changed so: ``field`` says where, ``code`` why.

    Codes: ``not-running``, ``running``, ``ended``, ``not-earlier``, ``not-later``, ``too-late``, ``ends-before-start``,
    ``outside``, ``resumes-anyway``, ``ahead``, ``played-after``, ``rounds-to-come``, ``rounds-under-way``.
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


_MOSTLY_FEWER = 20
"""So many lines are read to find the winners; more only where so many are equal."""


def winners(season: Season) -> list[Standing]:
    """Those with the most points over the rounds that are over, several where they are equal (LG-8)."""
    count = _MOSTLY_FEWER
    while True:
        lines = standings(season, 0, count, over=True).lines
        first = [line for line in lines if line.place == 1 and line.half_points]
        if len(first) < count:
            return first
        count *= 2


def under_way(season: Season) -> list[Round]:
    """The season's rounds that have begun to take registrations and are not over."""
    return list(season.rounds.filter(folded__state__in=UNDER_WAY).order_by("starts_at"))


def to_come(season: Season, day: date, until: date | None = None) -> list[Round]:
    """Rounds of it after a day, or from that day to another, that stand and have not been played."""
    rounds = season.rounds.filter(cancelled_at=None).exclude(
        pk__in=season.rounds.filter(folded__state__in=("finished", "cancelled"))
    )
    start = _midnight(day + timedelta(days=1) if until is None else day)
    end = {} if until is None else {"starts_at__lt": _midnight(until + timedelta(days=1))}
    return list(rounds.filter(starts_at__gte=start, **end).order_by("starts_at"))


def in_the_way(season: Season, what: str, day: date, until: date | None = None) -> list[Round]:
    """Rounds that stand on days for which the decision leaves no play."""
    match what:
        case What.INTERRUPT:
            return to_come(season, day, until or season.last_day)
        case What.SHORTEN | What.END:
            return to_come(season, day)
        case _:
            return []


def act(
    season: Season, what: str, day: date, words: Words, by: str, *, until: date | None = None, reason: str = ""
) -> SeasonAct:
    """Change the season's course and announce it. Raises `NoSuchAct`; then nothing is written.

    What was announced of an earlier decision and no longer holds is withdrawn with it.
    """
    with transaction.atomic():
        fresh = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        check(fresh, what, day, until)
        row = SeasonAct.objects.create(
            season=fresh, what=what, day=day, until=until, before=_own_last_day(fresh), reason=reason, by=by,
            winners=[line.number for line in winners(fresh)] if what == What.END else [], at=timezone.now(),
        )  # fmt: skip
        _apply(fresh, row)
        no_more = Announcement.objects.filter(act__season=fresh, act__what__in=CONTRADICTS[what], withdrawn_at=None)
        no_more.update(withdrawn_at=row.at)
        Announcement.objects.create(**words._asdict(), act=row, since=row.at, until=_stands_until(row), by=by)
    return row


def check(season: Season, what: str, day: date, until: date | None = None) -> None:
    """Raises `NoSuchAct` where the season cannot be changed so."""
    ended = season.state == Season.State.ENDED
    match what:
        case What.INTERRUPT:
            if ended or season.rests():
                raise NoSuchAct("day", "ended" if ended else "not-running")
            _check_within(season, day, until)
        case What.RESUME:
            _check_resumed(season, day, ended)
        case What.SHORTEN | What.EXTEND:
            if ended:
                raise NoSuchAct("day", "ended")
            if what == What.SHORTEN and day >= season.last_day:
                raise NoSuchAct("day", "not-earlier")
            if what == What.EXTEND and day <= season.last_day:
                raise NoSuchAct("day", "not-later")
            if what == What.EXTEND and day.year > season.year + 1:
                raise NoSuchAct("day", "too-late")
            if what == What.SHORTEN:
                _check_played(season, day)
        case _:
            _check_end(season, day)


def _check_within(season: Season, day: date, until: date | None = None) -> None:
    """The days are the season's own."""
    last = _own_last_day(season)
    if not season.first_day <= day <= last:
        raise NoSuchAct("day", "outside")
    if until is not None and until < day:
        raise NoSuchAct("until", "ends-before-start")
    if until is not None and until > last:
        raise NoSuchAct("until", "outside")


def _check_resumed(season: Season, day: date, ended: bool) -> None:
    if not ended and not season.rests():
        raise NoSuchAct("day", "running")
    if not ended and season.interrupted_to is not None and day > season.interrupted_to:
        raise NoSuchAct("day", "resumes-anyway")
    _check_within(season, day)


def _check_played(season: Season, day: date) -> None:
    """A season ends with a day of its own, and not before a round that was played."""
    _check_within(season, day)
    after = season.rounds.filter(starts_at__gte=_midnight(day + timedelta(days=1)))
    if after.filter(folded__state__in=(*UNDER_WAY, "finished")).exists():
        raise NoSuchAct("day", "played-after")


def _check_end(season: Season, day: date) -> None:
    if under_way(season) or Result.objects.filter(round__season=season, provisional=True).exists():
        raise NoSuchAct("day", "rounds-under-way")
    if day > timezone.localdate():
        raise NoSuchAct("day", "ahead")
    _check_played(season, day)
    if to_come(season, day):
        raise NoSuchAct("day", "rounds-to-come")


def _own_last_day(season: Season) -> date:
    """The last day that it has, or had before it was ended, however often."""
    day = season.last_day
    if season.state == Season.State.ENDED:
        for row in season.acts.order_by("-pk"):
            if row.what != What.END:
                break
            day = row.before
    return day


def declared(season: Season) -> list[str]:
    """The winners as they were declared at the end, none while it goes on."""
    if season.state != Season.State.ENDED:
        return []
    row = season.acts.filter(what=What.END).last()
    return list(row.winners) if row else []


def _apply(season: Season, row: SeasonAct) -> None:
    match row.what:
        case What.INTERRUPT:
            season.interrupted_from, season.interrupted_to = row.day, row.until
        case What.RESUME:
            if season.state == Season.State.ENDED:
                season.state, season.ends_on = Season.State.RUNNING, row.before
            _cut_short(season, row.day)
        case What.SHORTEN | What.EXTEND:
            season.ends_on = row.day
        case _:
            season.state, season.ends_on = Season.State.ENDED, row.day
    season.save(update_fields=["state", "ends_on", "interrupted_from", "interrupted_to"])


def _cut_short(season: Season, day: date) -> None:
    """Have an interruption last up to the day before this one."""
    if season.interrupted_from is None or not season.rests(day):
        return
    if day <= season.interrupted_from:
        season.interrupted_from = season.interrupted_to = None
    else:
        season.interrupted_to = day - timedelta(days=1)


def _stands_until(row: SeasonAct) -> datetime | None:
    """An interruption is announced for as long as it lasts, the rest for two months."""
    if row.what == What.INTERRUPT:
        if row.until is None:
            return None
        if row.until >= timezone.localdate():
            return _midnight(row.until + timedelta(days=1))
    return row.at + timedelta(days=60)


def _midnight(day: date) -> datetime:
    """When a day begins."""
    return timezone.make_aware(datetime.combine(day, time.min))
