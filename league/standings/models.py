"""Derived tables: emptied and filled again from the raw records whenever that is needed."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.rounds.models import Round


class RoundReport(models.Model):
    """What a round's stream says so far; ``epoch`` and ``seq`` are the revision it was folded to."""

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
    unknown_records = models.PositiveIntegerField(_("unknown records"), default=0)

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
    """One participant's place in a round. Points are half points, prizes whole CZK (RULES §6, T-5)."""

    round = models.ForeignKey(Round, verbose_name=_("round"), on_delete=models.CASCADE, related_name="results")
    number = models.CharField(_("registration number"), max_length=12, db_index=True)
    place = models.PositiveSmallIntegerField(_("place"))
    prize = models.PositiveBigIntegerField(_("prize in CZK"))
    half_points = models.PositiveIntegerField(_("half points"))
    provisional = models.BooleanField(_("provisional"), default=True)

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["round", "place", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="one_result_a_participant_a_round")]

    def __str__(self) -> str:
        return f"{self.round_id} {self.place}. {self.number}"
