"""One number that grows whenever something changes that the public sees (DESIGN §6)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class PublicChange(models.Model):
    """How often something public changed, as far as it was counted (`league.live.changes`). One row at most.

    ``everywhere``: the latest change that is not of one round alone.
    """

    only = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    number = models.PositiveBigIntegerField(default=0)
    everywhere = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(only=1), name="one_count_of_public_changes")]

    def __str__(self) -> str:
        return str(self.number)


class PublicMark(models.Model):
    """Something public changed, of a round or (empty) anywhere, and is not counted yet. Each change has a row of its
    own: none waits for another one's transaction.
    """

    round = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.pk} {self.round}"
