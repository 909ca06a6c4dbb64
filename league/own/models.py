"""Links that were sent, what came of them, and how often anybody asked for one."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Link(models.Model):
    """A one-time link in an e-mail. Who opens one is in until ``ends_at``; the session bears nothing but its id.

    ``secret``: SHA-256 of what the link says beside its id. ``mark``: keyed hash of the address that its person had:
    once it is another one, the link is good for nothing. ``sealed``: the new address that it is to confirm,
    under the person's key.
    """

    class Purpose(models.TextChoices):
        OPEN = "open", _("opens the own page")
        ADDRESS = "address", _("confirms an address")

    participant = models.ForeignKey(
        "people.Participant", verbose_name=_("participant"), on_delete=models.CASCADE, related_name="links"
    )
    purpose = models.CharField(_("purpose"), max_length=8, choices=Purpose.choices)
    secret = models.CharField(_("hash of the secret"), max_length=64)
    mark = models.CharField(_("mark of the address"), max_length=64)
    asked_at = models.DateTimeField(_("asked for at"), db_index=True)
    used_at = models.DateTimeField(_("used at"), null=True, blank=True)
    ends_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    nonce = models.BinaryField(_("nonce"), max_length=12, default=b"")
    sealed = models.BinaryField(_("sealed"), default=b"")

    class Meta:
        verbose_name = _("one-time link")
        verbose_name_plural = _("one-time links")
        constraints = [
            models.CheckConstraint(condition=Q(purpose__in=["open", "address"]), name="link_purpose_known"),
            models.CheckConstraint(condition=Q(ends_at=None) | ~Q(used_at=None), name="link_opens_when_used"),
        ]

    def __str__(self) -> str:
        return f"{self.participant_id} {self.purpose}"


class AskedCount(models.Model):
    """How many links were asked for of late: for an address, known to the league or not, or from a network address.

    ``key`` is a keyed hash: it tells nobody which addresses were typed.
    """

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveSmallIntegerField(_("count"), default=0)
    since = models.DateTimeField(_("since"), db_index=True)

    class Meta:
        verbose_name = _("count of links asked for")
        verbose_name_plural = _("counts of links asked for")

    def __str__(self) -> str:
        return f"{self.key[:8]} {self.count}"
