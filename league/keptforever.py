"""Rows of the league's own decisions: they are only ever added, and what was decided before stays to be read."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model, covariant=True)
_KEPT = "decisions are kept as they were written"


class KeptForever(TypeError):
    """A row of the league's own decisions was to be changed or deleted: they are only ever added."""


class AppendOnly(models.QuerySet[M]):
    """Rows that nothing changes once they are written."""

    def update(self, **values: Any) -> NoReturn:
        raise KeptForever(_KEPT)

    def delete(self) -> NoReturn:
        raise KeptForever(_KEPT)

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise KeptForever(_KEPT)


class Decision(models.Model):
    """Somebody of the league decided something, when and why. Rows are only added."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Add the row. Raises `KeptForever` when it is there already."""
        if self.pk is not None:
            raise KeptForever(_KEPT)
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        """Raises `KeptForever`."""
        raise KeptForever(_KEPT)
