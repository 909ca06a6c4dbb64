"""One number that grows whenever something changes that the public sees (DESIGN §6)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class PublicChange(models.Model):
    """How often something public changed. One row at most: whoever shows it asks for this number alone."""

    only = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(only=1), name="one_count_of_public_changes")]

    def __str__(self) -> str:
        return str(self.number)
