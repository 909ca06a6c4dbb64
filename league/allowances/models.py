"""Where each participant's allowance of deposits is (T-3, DESIGN §6): at the league, or at one venue."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import models
from django.utils.translation import gettext_lazy as _

from appliance.game.tokens import Account


class InForce(models.Model):
    """There is one row while deposits need an allowance, at every venue; without it venues count for themselves."""

    since = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("allowances in force")
        verbose_name_plural = _("allowances in force")

    def __str__(self) -> str:
        return str(self.since)


class Allowance(models.Model):
    """One participant's. ``account`` is the truth; the other columns are of it, to be looked for.

    ``venue``: where it is, empty: at the league. ``wanted_by``: the venue that it goes to as soon as it is back, if
    that is before ``wanted_until``. Times are UTC milliseconds.
    """

    participant = models.OneToOneField(
        "people.Participant",
        verbose_name=_("participant"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="allowance",
    )
    account = models.JSONField(_("account"), default=dict)
    venue = models.CharField(_("at the venue"), max_length=32, blank=True, db_index=True)
    epoch = models.CharField(max_length=64, blank=True)
    until_ms = models.BigIntegerField(null=True)
    wanted_by = models.CharField(_("wanted by"), max_length=32, blank=True, db_index=True)
    wanted_until_ms = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("allowance")
        verbose_name_plural = _("allowances")
        ordering = ["participant"]

    def __str__(self) -> str:
        return f"{self.participant_id} {self.venue}"

    def read(self) -> Account:
        """The account as the rules have it."""
        return msgspec.convert(self.account, Account)

    def keep(self, account: Account) -> None:
        """Store the account and what is looked for of it."""
        kept: Any = msgspec.to_builtins(account)
        live = account.live
        self.account, self.venue = kept, account.venue
        self.epoch, self.until_ms = (live.epoch, live.until) if live else ("", None)
        if account.venue and account.venue == self.wanted_by:
            self.wanted_by, self.wanted_until_ms = "", None
        self.save()


class Heard(models.Model):
    """How far one epoch of a venue's stream was read for what it says of allowances."""

    venue = models.CharField(_("venue"), max_length=32)
    epoch = models.CharField(_("epoch"), max_length=64)
    seq = models.PositiveBigIntegerField(_("sequence number"), default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["venue", "epoch"], name="one_reading_an_epoch")]

    def __str__(self) -> str:
        return f"{self.venue} {self.epoch} {self.seq}"
