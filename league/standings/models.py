"""Derived tables, emptied and filled again from the raw records whenever that is needed, and the league's own layer
over them: corrections of a season's points key, which are written once and kept (P).
"""

from __future__ import annotations

from datetime import date

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.keptforever import AppendOnly, Decision, KeptForever
from league.rounds.models import Round, Season
from league.standings.past_models import PastResult, PastRound
from league.standings.total_models import SeasonTotal

__all__ = [
    "Acceptance",
    "DeclinedProposal",
    "Exclusion",
    "ExclusionProposal",
    "KeptForever",
    "ParticipationVoid",
    "PastResult",
    "PastRound",
    "PointsCorrection",
    "Result",
    "RoundReport",
    "SeasonTotal",
]


class RoundReport(models.Model):
    """What a round's stream says so far; ``epoch`` and ``seq`` are the revision it was folded to.

    ``key`` is the points key it was played under. ``key_corrected``: its points count by the season's corrected
    key instead. ``key_unconfirmed`` is said of the key by which they count. ``clock`` is as `league.standings.face`
    writes it, ``prizes`` whole CZK by place once they are known (T-9), ``change`` the number of the public change that
    wrote this (`league.live`).
    """

    round = models.OneToOneField(
        Round, verbose_name=_("round"), on_delete=models.CASCADE, primary_key=True, related_name="folded"
    )
    epoch = models.CharField(_("epoch"), max_length=30)
    seq = models.PositiveBigIntegerField(_("sequence number"))
    state = models.CharField(_("state"), max_length=12)
    starts_at = models.DateTimeField(_("starts at"))
    at = models.DateTimeField(_("last event"))
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    registered = models.PositiveIntegerField(_("registered"), default=0)
    left = models.PositiveIntegerField(_("players left"), default=0)
    pool = models.PositiveBigIntegerField(_("deposits"), default=0)
    key_unconfirmed = models.BooleanField(_("key unconfirmed"), default=False)
    key = models.JSONField(_("points key"))
    key_corrected = models.BooleanField(_("key corrected"), default=False)
    unknown_records = models.PositiveIntegerField(_("unknown records"), default=0)
    clock = models.JSONField(_("clock"), null=True, blank=True)
    prizes = models.JSONField(_("prizes"), default=list, blank=True)
    change = models.PositiveBigIntegerField(_("public change"), default=0, db_index=True)

    class Meta:
        verbose_name = _("round report")
        verbose_name_plural = _("round reports")

    def __str__(self) -> str:
        return self.round_id

    @property
    def final(self) -> bool:
        """Whether the venue's round is over, so that its points count as more than preliminary."""
        return self.state == "finished"


class Result(models.Model):
    """One participant's place in a round. Points are half points, prizes whole CZK (RULES §6, T-5).

    ``half_points`` and ``place`` are as the venue has them, by the key the round was played under. ``counted`` are the
    points that count in the season and ``counted_place`` is the place: the same, unless the season's key was corrected
    or the league declared somebody's participation ``void`` (LG-10).
    """

    round = models.ForeignKey(Round, verbose_name=_("round"), on_delete=models.CASCADE, related_name="results")
    number = models.CharField(_("registration number"), max_length=12, db_index=True)
    place = models.PositiveSmallIntegerField(_("place"))
    prize = models.PositiveBigIntegerField(_("prize in CZK"))
    half_points = models.PositiveIntegerField(_("half points at the venue"))
    counted = models.PositiveIntegerField(_("half points that count"))
    provisional = models.BooleanField(_("provisional"), default=True)
    void = models.BooleanField(_("void"), default=False)
    moved_up = models.PositiveSmallIntegerField(_("places moved up"), default=0)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["round", F("place") - F("moved_up"), "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_result_a_participant_a_round")]
        indexes = [models.Index(fields=["round"], condition=Q(provisional=True), name="results_under_way")]

    def __str__(self) -> str:
        return f"{self.round_id} {self.place}. {self.number}"

    @property
    def counted_place(self) -> int:
        """The place that counts; of a void participation it means nothing."""
        return self.place - self.moved_up


class Acceptance(models.Model):
    """Which version of the rules or of the game plan somebody accepted by registering into a round (LG-12)."""

    round = models.ForeignKey(Round, verbose_name=_("round"), on_delete=models.CASCADE, related_name="acceptances")
    number = models.CharField(_("registration number"), max_length=12, db_index=True)
    kind = models.CharField(_("what"), max_length=16)
    version = models.PositiveIntegerField(_("version"))
    hash = models.CharField(_("hash of the text"), max_length=64)

    class Meta:
        verbose_name = _("acceptance of rules")
        verbose_name_plural = _("acceptances of rules")
        ordering = ["round", "number", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number", "kind"], name="one_acceptance_a_kind_a_round")
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.number} {self.kind} {self.version}"


class ExclusionProposal(models.Model):
    """A commissioner proposes to exclude somebody from the league (T-15); derived from the round's records."""

    round = models.ForeignKey(Round, verbose_name=_("round"), on_delete=models.CASCADE, related_name="proposals")
    number = models.CharField(_("registration number"), max_length=12, db_index=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    at = models.DateTimeField(_("recorded at"))

    class Meta:
        verbose_name = _("proposed exclusion")
        verbose_name_plural = _("proposed exclusions")
        ordering = ["-at", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_proposal_a_participant_a_round")]

    def __str__(self) -> str:
        return f"{self.round_id} {self.number}"


class DeclinedProposal(models.Model):
    """The league does not follow a proposal to exclude somebody (T-15), and why.

    Proposals are derived anew from records, so it is known by its round, participant and time: one that is made again
    later is a new one.
    """

    round = models.ForeignKey(
        Round, verbose_name=_("round"), on_delete=models.PROTECT, related_name="declined_proposals"
    )
    number = models.CharField(_("registration number"), max_length=12, db_index=True)
    proposed_at = models.DateTimeField(_("proposed at"))
    reason = models.CharField(_("why it is declined"), max_length=500)
    by = models.CharField(_("by"), max_length=150)
    at = models.DateTimeField(_("recorded at"))

    class Meta:
        verbose_name = _("declined exclusion")
        verbose_name_plural = _("declined exclusions")
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number", "proposed_at"], name="a_proposal_is_declined_once")
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.number}"


class KeptCorrections(AppendOnly["PointsCorrection"]):
    """Rows that nothing changes once they are written."""


class PointsCorrection(Decision):
    """The league corrects a season's points key, or withdraws such a correction (``key`` None). Rows are only added.

    ``number`` counts a season's rows from 1. ``replaces`` is the correction that stood before: the one a later
    correction takes the place of, or the one that is withdrawn. ``season_key`` is the season's own key at that time.
    """

    season = models.ForeignKey(Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="corrections")
    number = models.PositiveSmallIntegerField(_("number"))
    key = models.JSONField(_("points key"), null=True)
    season_key = models.JSONField(_("key of the season at that time"), null=True)
    replaces = models.ForeignKey("self", verbose_name=_("replaces"), on_delete=models.PROTECT, null=True)
    reason = models.CharField(_("reason"), max_length=500)
    by = models.CharField(_("by"), max_length=150)
    at = models.DateTimeField(_("recorded at"))

    objects = KeptCorrections.as_manager()

    class Meta:
        verbose_name = _("correction of a points key")
        verbose_name_plural = _("corrections of points keys")
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="corrections_follow_one_another"),
            models.CheckConstraint(
                condition=Q(key__isnull=False) | Q(replaces__isnull=False), name="only_a_correction_is_withdrawn"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season_id and self.season.year}/{self.number}"

    @property
    def standing(self) -> PointsCorrection | None:
        """The correction that stands after this row: itself, or what stood before the one it withdraws."""
        if self.key is not None:
            return self
        return self.replaces.replaces if self.replaces else None


class KeptVoids(AppendOnly["ParticipationVoid"]):
    """Rows that nothing changes once they are written."""


class ParticipationVoid(Decision):
    """The league declares somebody's participation in a round void, or with ``void`` False takes that back (LG-10).

    The latest row of a round and participant counts.
    """

    round = models.ForeignKey(Round, verbose_name=_("round"), on_delete=models.PROTECT, related_name="voids")
    participant = models.CharField(_("registration number"), max_length=12, db_index=True)
    void = models.BooleanField(_("void"), default=True)
    reason = models.CharField(_("reason"), max_length=500)
    by = models.CharField(_("by"), max_length=150)
    at = models.DateTimeField(_("recorded at"))

    objects = KeptVoids.as_manager()

    class Meta:
        verbose_name = _("void participation")
        verbose_name_plural = _("void participations")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.round_id} {self.participant}"


class Exclusion(models.Model):
    """Somebody is excluded from the league, from a day to another or for good (T-15): no venue takes them.

    ``proposed_by``: the commissioner; the league decides. An exclusion that is lifted stays on record.
    """

    participant = models.CharField(_("registration number"), max_length=12, db_index=True)
    since = models.DateField(_("from"))
    until = models.DateField(_("up to and with"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=500)
    round = models.ForeignKey(
        Round, verbose_name=_("round"), on_delete=models.PROTECT, null=True, blank=True, related_name="exclusions"
    )
    proposed_by = models.CharField(_("proposed by"), max_length=150, blank=True)
    by = models.CharField(_("by"), max_length=150)
    at = models.DateTimeField(_("recorded at"))
    lifted_at = models.DateTimeField(_("lifted at"), null=True, blank=True)
    lifted_by = models.CharField(_("lifted by"), max_length=150, blank=True)
    lifted_why = models.CharField(_("why it was lifted"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("exclusion")
        verbose_name_plural = _("exclusions")
        ordering = ["-since", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="exclusion_ends_after_start"
            )
        ]

    def __str__(self) -> str:
        return f"{self.participant} {self.since}"

    def acts(self, day: date) -> bool:
        """Whether it keeps them out on this day."""
        return self.lifted_at is None and self.since <= day and (self.until is None or day <= self.until)
