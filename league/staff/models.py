"""What the staff did and saw of people: an audit log that is only ever added to."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """One view or change of personal data, or an act of weight. ``fields``: which; never what stands in them.

    ``number``: whose registration number; ``reason``: why, where a birth number or an address was shown.
    """

    class What(models.TextChoices):
        VIEW = "view", _("viewed")
        SHOW = "show", _("shown in the clear")
        CHANGE = "change", _("changed")
        EXPORT = "export", _("exported")
        ERASE = "erase", _("erased")
        ACT = "act", _("done")

    at = models.DateTimeField(_("at"), auto_now_add=True, db_index=True)
    who = models.CharField(_("who"), max_length=150)
    what = models.CharField(_("what"), max_length=8, choices=What.choices)
    number = models.CharField(_("registration number"), max_length=12, blank=True, db_index=True)
    about = models.CharField(_("about"), max_length=200, blank=True)
    fields = models.JSONField(_("fields"), default=list, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    address = models.GenericIPAddressField(_("from"), null=True, blank=True)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.who} {self.what} {self.number or self.about}"

    def save(self, **options: Any) -> None:
        """Write a new entry; raises `TypeError` for one that is there already."""
        if self.pk is not None:
            raise TypeError("an audit entry is never changed")
        super().save(**options)

    def delete(self, *_args: Any, **_options: Any) -> tuple[int, dict[str, int]]:
        """Raises `TypeError`: entries end with their retention period only."""
        raise TypeError("an audit entry is never deleted")


class SignInCount(models.Model):
    """Failed sign-ins of late, of a name or from an address; while ``until`` is ahead, none is looked at.

    ``key`` is a keyed hash: people type passwords where their name belongs.
    """

    key = models.CharField(max_length=64, primary_key=True)
    failures = models.PositiveSmallIntegerField(_("failures"), default=0)
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("closed until"), null=True, blank=True, db_index=True)

    class Meta:
        verbose_name = _("count of failed sign-ins")
        verbose_name_plural = _("counts of failed sign-ins")

    def __str__(self) -> str:
        return f"{self.key[:8]} {self.failures}"


class Passing(models.Model):
    """What web processes share for a while (Django's cache): codes used up, requests counted."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("passing value")
        verbose_name_plural = _("passing values")

    def __str__(self) -> str:
        return self.cache_key
