"""Results of rounds that were played before the league had venues' records: kept as they were imported."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class PastRound(models.Model):
    """A round whose results came from a file. ``registered``: the size of the field; ``key``: the points key.

    ``given``: its points came with it, and count as they are unless the league corrects the season's key.
    """

    round = models.OneToOneField(
        "rounds.Round", verbose_name=_("round"), on_delete=models.PROTECT, primary_key=True, related_name="past"
    )
    registered = models.PositiveIntegerField(_("registered"))
    key = models.JSONField(_("points key"))
    given = models.BooleanField(_("points given"), default=False)
    imported_at = models.DateTimeField(_("imported at"))
    by = models.CharField(_("by"), max_length=150)

    class Meta:
        verbose_name = _("past round")
        verbose_name_plural = _("past rounds")

    def __str__(self) -> str:
        return str(self.round_id)


class PastResult(models.Model):
    """Somebody's place in a past round. Points are half points, prizes whole CZK."""

    past = models.ForeignKey(PastRound, verbose_name=_("past round"), on_delete=models.CASCADE, related_name="results")
    number = models.CharField(_("registration number"), max_length=12, db_index=True)
    place = models.PositiveSmallIntegerField(_("place"))
    prize = models.PositiveBigIntegerField(_("prize in CZK"))
    half_points = models.PositiveIntegerField(_("half points"))

    class Meta:
        verbose_name = _("past result")
        verbose_name_plural = _("past results")
        ordering = ["past", "place", "number"]
        constraints = [models.UniqueConstraint(fields=["past", "number"], name="one_past_result_a_participant_a_round")]

    def __str__(self) -> str:
        return f"{self.past_id} {self.place}. {self.number}"
