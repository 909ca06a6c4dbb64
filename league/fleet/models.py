"""Invitations of devices, and keys that no longer count. The devices themselves are the venues' (`league.rounds`)."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.rounds.models import Device, Venue, code_validator, key_validator

WRONG_TRIES = 5
"""So many wrong codes end an invitation."""


class Enrolment(models.Model):
    """An invitation of a device: good once, for a time, for whoever has its code.

    ``code_key`` is made of the code by a hash: the code itself is shown once and kept nowhere.
    """

    venue = models.ForeignKey(Venue, verbose_name=_("venue"), on_delete=models.CASCADE, related_name="enrolments")
    device = models.CharField(_("device"), max_length=32, validators=[code_validator])
    role = models.CharField(_("role"), max_length=8, choices=Device.Role.choices)
    table = models.PositiveSmallIntegerField(_("table number"), null=True, blank=True)
    replaces = models.BooleanField(_("replaces the device of this name"), default=False)
    invitation = models.CharField(_("number of the invitation"), max_length=4, unique=True)
    code_key = models.CharField(max_length=64, editable=False)
    invited_at = models.DateTimeField(_("invited at"))
    ends_at = models.DateTimeField(_("ends at"))
    wrong_tries = models.PositiveSmallIntegerField(_("wrong codes"), default=0)
    used_at = models.DateTimeField(_("used at"), null=True, blank=True)
    public_key = models.CharField(_("public key"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-invited_at"]
        constraints = [
            models.CheckConstraint(condition=Q(wrong_tries__lte=WRONG_TRIES), name="no_more_tries_than_there_are"),
        ]

    def __str__(self) -> str:
        return f"{self.venue_id}/{self.device}"

    def why_closed(self, now: datetime) -> str:
        """Why it lets nobody in any more, as a code; empty while it does."""
        if self.wrong_tries >= WRONG_TRIES:
            return "too-many-tries"
        return "invitation-ended" if now >= self.ends_at else ""


class FormerKey(models.Model):
    """A key that a device signed with before it got another one: nothing that it signs now counts, under any name."""

    venue = models.ForeignKey(Venue, verbose_name=_("venue"), on_delete=models.CASCADE, related_name="former_keys")
    device = models.CharField(_("device"), max_length=32)
    role = models.CharField(_("role"), max_length=8)
    public_key = models.CharField(_("public key"), max_length=64, unique=True, validators=[key_validator])
    certificate = models.TextField(_("certificate"), blank=True)
    until = models.DateTimeField(_("until"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("former key")
        verbose_name_plural = _("former keys")
        ordering = ["-until"]

    def __str__(self) -> str:
        return f"{self.venue_id}/{self.device} {self.public_key[:8]}"


class VenueStanding(models.Model):
    """How a venue's devices stood when its uplink last said so (`league.fleet.standing`).

    ``ailing``: of those that are there, how many have something wrong; ``left_out``: devices there was no room for.
    """

    venue = models.OneToOneField(
        Venue, verbose_name=_("venue"), on_delete=models.CASCADE, primary_key=True, related_name="standing"
    )
    devices = models.JSONField(default=list)
    left_out = models.PositiveIntegerField(default=0)
    ailing = models.PositiveIntegerField(default=0)
    heard_at = models.DateTimeField(_("last contact"))

    class Meta:
        verbose_name = _("state of a venue's devices")
        verbose_name_plural = _("states of venues' devices")

    def __str__(self) -> str:
        return self.venue_id
