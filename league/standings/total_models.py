"""What each participant's results of a season add up to: kept up with every round, so that nobody adds them up anew."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class SeasonTotal(models.Model):
    """The sum of somebody's results in a season that are not void (LG-8, LG-10). Derived; points are half points.

    ``counted`` and ``rounds`` are over all of them, ``over_counted`` and ``over_rounds`` over those of rounds that are
    over; where ``rounds`` is more than ``over_rounds``, the sum is preliminary. Nobody without a result has a row.
    """

    season = models.ForeignKey("rounds.Season", verbose_name=_("season"), on_delete=models.CASCADE)
    number = models.CharField(_("registration number"), max_length=12, db_index=True)
    counted = models.PositiveIntegerField(_("half points that count"))
    rounds = models.PositiveIntegerField(_("rounds"))
    over_counted = models.PositiveIntegerField(_("half points of rounds that are over"))
    over_rounds = models.PositiveIntegerField(_("rounds that are over"))

    class Meta:
        verbose_name = _("season total")
        verbose_name_plural = _("season totals")
        ordering = ["season", "-counted", "number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="one_total_a_participant_a_season")]
        indexes = [
            models.Index(fields=["season", "-counted", "number"], name="season_order"),
            models.Index(fields=["season", "-over_counted", "number"], name="season_order_over"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id} {self.number}"
