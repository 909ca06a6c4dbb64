"""Seasons, and what the league decides about their course (LG-1, LG-11)."""

from __future__ import annotations

from datetime import date

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from appliance.game.reading import CommandError
from league.keptforever import AppendOnly, Decision
from league.rounds.keys import read_key
from league.texts import check_texts


class LeastCard(models.TextChoices):
    """What a card must prove before venues take it."""

    GENUINE = "genuine", _("verified with its key")
    SIGNED = "signed", _("signed by the league")
    UID = "uid", _("known by its number")


class Season(models.Model):
    """A calendar year of play (LG-1), with its profile and its points key (RULES §6).

    The league may interrupt, shorten, extend or end it (LG-11): ``state``, ``ends_on`` and the days of the last
    interruption follow its `SeasonAct` rows. Interrupted it is on those days alone: see ``course``.
    """

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        INTERRUPTED = "interrupted", _("interrupted")
        ENDED = "ended", _("ended")

    year = models.PositiveSmallIntegerField(_("season"), unique=True)
    name = models.CharField(_("name"), max_length=120)
    profile = models.CharField(_("rules profile"), max_length=20, default="cpl-2017")
    points_key = models.JSONField(
        _("points key"),
        null=True,
        blank=True,
        help_text=_(
            "Empty: the default key, which the league has not confirmed. A change counts for rounds announced later; "
            "to recompute rounds that were announced before, correct the key."
        ),
    )
    least_card = models.CharField(
        _("cards must be at least"),
        max_length=8,
        choices=LeastCard.choices,
        default=LeastCard.SIGNED,
        help_text=_(
            "By its number alone a card can be copied by anybody. "
            "Venues hear of a change when their rosters are published."
        ),
    )

    state = models.CharField(_("state"), max_length=12, choices=State.choices, default=State.RUNNING, editable=False)
    ends_on = models.DateField(_("last day"), null=True, blank=True, editable=False)
    interrupted_from = models.DateField(_("interrupted from"), null=True, blank=True, editable=False)
    interrupted_to = models.DateField(_("interrupted to"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-year"]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def on(cls, day: date, own: Season | None = None) -> Season | None:
        """The season to which a round of that day belongs (LG-1), longer or shorter than its year as decided (LG-11).

        Where two last then, ``own``, else the earlier, which is still going on; where none lasts, that of the year.
        """
        near = Q(year=day.year) | Q(year__lt=day.year, ends_on__gte=day)
        found = [season for season in cls.objects.filter(near).order_by("year") if season.covers(day)]
        if own is not None and own in found:
            return own
        lasting = [season for season in found if season.state != cls.State.ENDED]
        return next(iter([*lasting, *found]), None) or cls.objects.filter(year=day.year).first()

    @property
    def first_day(self) -> date:
        """The day on which it begins."""
        return date(self.year, 1, 1)

    @property
    def last_day(self) -> date:
        """The day on which it ends: the year's last, unless the league decided otherwise (LG-1, LG-11)."""
        return self.ends_on or date(self.year, 12, 31)

    @property
    def days(self) -> dict[str, date]:
        """Its first and last day, to be put into a sentence."""
        return {"first": self.first_day, "last": self.last_day}

    def covers(self, day: date) -> bool:
        """Whether a day is one of the season's."""
        return self.first_day <= day <= self.last_day

    def is_over(self, day: date | None = None) -> bool:
        """Whether the league of this year lasts no longer: ended, or past its last day. Names go with it (LG-12)."""
        return self.state == self.State.ENDED or (day or timezone.localdate()) > self.last_day

    def rests(self, day: date | None = None) -> bool:
        """Whether an interruption lasts on a day, or is still to come then; today without a day."""
        last = self.interrupted_to
        return self.interrupted_from is not None and (last is None or (day or timezone.localdate()) <= last)

    @property
    def is_resting(self) -> bool:
        """Whether the season is interrupted today or an interruption is decided for later."""
        return self.state != self.State.ENDED and self.rests()

    @property
    def course(self) -> State:
        """How it stands today: interrupted only on the days of the interruption."""
        if self.state == self.State.ENDED:
            return self.State.ENDED
        today = timezone.localdate()
        return self.State.INTERRUPTED if self._pauses(today) else self.State.RUNNING

    def why_not_on(self, day: date) -> str | None:
        """Why no round of the season is played on a day: ``ended``, ``interrupted``, ``over``; None: it can be."""
        if self.state == self.State.ENDED:
            return "ended"
        if self.ends_on is not None and day > self.ends_on:
            return "over"
        return "interrupted" if self._pauses(day) else None

    def _pauses(self, day: date) -> bool:
        return self.interrupted_from is not None and self.interrupted_from <= day and self.rests(day)

    def clean(self) -> None:
        """Refuse a points key that is none and a name that cannot be shown, naming the field."""
        check_texts(self, "name")
        try:
            read_key(self.points_key)
        except CommandError as error:
            raise ValidationError({"points_key": str(error)}) from None


class KeptActs(AppendOnly["SeasonAct"]):
    """Rows that nothing changes once they are written."""


class SeasonAct(Decision):
    """The league changes the course of a season and says so (LG-11). Rows are only added.

    ``day``: from when the season is interrupted, the new last day, or the day of the end; ``until``: up to and with
    which day it is interrupted, where that is known. ``before`` is the last day that it had. ``winners``: at the end,
    the registration numbers of those with the most points (LG-8).
    """

    class What(models.TextChoices):
        INTERRUPT = "interrupt", _("interrupted")
        RESUME = "resume", _("taken up again")
        SHORTEN = "shorten", _("shortened")
        EXTEND = "extend", _("extended")
        END = "end", _("ended")

    season = models.ForeignKey(Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="acts")
    what = models.CharField(_("what"), max_length=10, choices=What.choices)
    day = models.DateField(_("day"))
    until = models.DateField(_("up to and with"), null=True, blank=True)
    before = models.DateField(_("last day before"))
    winners = models.JSONField(_("winners"), default=list, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    by = models.CharField(_("by"), max_length=150)
    at = models.DateTimeField(_("recorded at"))

    objects = KeptActs.as_manager()

    class Meta:
        verbose_name = _("decision about a season")
        verbose_name_plural = _("decisions about seasons")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.season_id and self.season.year} {self.what}"
