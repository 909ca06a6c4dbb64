"""The raw layer: exactly the bytes the venues signed, and what could not be taken or understood."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _


class StreamHead(models.Model):
    """How far one epoch of a stream is stored; the newest epoch of a stream is its present one (DESIGN §3)."""

    stream = models.CharField(_("stream"), max_length=80)
    epoch = models.CharField(_("epoch"), max_length=30)
    epoch_number = models.PositiveIntegerField()
    venue = models.CharField(_("venue"), max_length=32, db_index=True)
    seq = models.PositiveBigIntegerField(_("sequence number"))
    hash = models.CharField(max_length=64)
    after_epoch = models.CharField(max_length=30, blank=True)
    after_seq = models.PositiveBigIntegerField(null=True)

    class Meta:
        verbose_name = _("stream head")
        verbose_name_plural = _("stream heads")
        ordering = ["stream", "epoch_number", "epoch"]
        constraints = [models.UniqueConstraint(fields=["stream", "epoch"], name="one_head_an_epoch")]

    def __str__(self) -> str:
        return f"{self.stream} {self.epoch} {self.seq}"


class RawRecord(models.Model):
    """One record of a stream, in the bytes its writer made, with the head signature where it carries one."""

    stream = models.CharField(_("stream"), max_length=80)
    epoch = models.CharField(_("epoch"), max_length=30)
    seq = models.PositiveBigIntegerField(_("sequence number"))
    type = models.CharField(_("kind"), max_length=80)
    raw = models.BinaryField()
    signature = models.BinaryField(null=True)
    received_at = models.DateTimeField(_("received at"), auto_now_add=True)

    class Meta:
        verbose_name = _("record")
        verbose_name_plural = _("records")
        ordering = ["stream", "epoch", "seq"]
        constraints = [models.UniqueConstraint(fields=["stream", "epoch", "seq"], name="one_record_a_place")]

    def __str__(self) -> str:
        return f"{self.stream} {self.epoch} {self.seq}"


class Quarantine(models.Model):
    """A stored record that could not be used, and why. Derived: a later version may understand it."""

    stream = models.CharField(_("stream"), max_length=80, db_index=True)
    epoch = models.CharField(_("epoch"), max_length=30)
    seq = models.PositiveBigIntegerField(_("sequence number"))
    reason = models.CharField(_("reason"), max_length=40)
    detail = models.CharField(_("detail"), max_length=300, blank=True)
    since = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("quarantined record")
        verbose_name_plural = _("quarantine")
        ordering = ["stream", "epoch", "seq"]
        constraints = [models.UniqueConstraint(fields=["stream", "epoch", "seq", "reason"], name="one_reason_once")]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq}: {self.reason}"


class Alert(models.Model):
    """Something that a person should look at: a stream that stopped, a message nobody could read."""

    venue = models.CharField(_("venue"), max_length=32)
    stream = models.CharField(_("stream"), max_length=80, blank=True)
    code = models.CharField(_("kind"), max_length=40)
    detail = models.CharField(_("detail"), max_length=300, blank=True)
    count = models.PositiveIntegerField(_("count"), default=1)
    first_at = models.DateTimeField(_("first at"), auto_now_add=True)
    last_at = models.DateTimeField(_("last at"))
    resolved_at = models.DateTimeField(_("resolved at"), null=True, blank=True)

    class Meta:
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")
        ordering = ["-last_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["venue", "stream", "code"],
                condition=models.Q(resolved_at__isnull=True),
                name="one_open_alert_of_a_kind",
            )
        ]

    def __str__(self) -> str:
        return f"{self.venue} {self.stream} {self.code}"


_MS = timedelta(milliseconds=1)
_GRACE_S = 30
"""So much later than it should have come a venue's word may be, besides one that was lost."""


class Contact(models.Model):
    """When the league last heard a venue's uplink, and what it said of itself."""

    venue = models.OneToOneField(
        "rounds.Venue", verbose_name=_("venue"), on_delete=models.CASCADE, primary_key=True, related_name="contact"
    )
    online = models.BooleanField(_("online"), default=False)
    software = models.CharField(_("software"), max_length=200, blank=True)
    seen_at = models.DateTimeField(_("last contact"))
    heads = models.JSONField(default=dict, blank=True)
    """How far the venue's own records went when it last said so: sequence numbers by ``<stream> <epoch>``."""
    again_s = models.PositiveSmallIntegerField(default=600)
    """After so many seconds at the latest it says again that it is there."""
    clock_at = models.DateTimeField(null=True, blank=True)
    clock_ms = models.BigIntegerField(null=True, blank=True)
    pace = models.PositiveSmallIntegerField(default=1)
    """At ``clock_at`` its director's clock stood at ``clock_ms`` (UTC ms), and goes ``pace`` times as fast as ours."""

    class Meta:
        verbose_name = _("contact")
        verbose_name_plural = _("contacts")

    def __str__(self) -> str:
        return self.venue_id

    def away_since(self, now: datetime) -> datetime | None:
        """When it was heard last, if it is not in touch: it is gone, or has long said nothing. Else None."""
        silent = now - self.seen_at > timedelta(seconds=2 * self.again_s + _GRACE_S)
        return self.seen_at if silent or not self.online else None

    def venue_ms(self, now: datetime) -> int | None:
        """What time it is by its director's clock, UTC ms; None where that was never told."""
        if self.clock_at is None or self.clock_ms is None:
            return None
        return self.clock_ms + (now - self.clock_at) // _MS * self.pace

    def backlog(self) -> int:
        """Records that the venue had when it last said so, and that are not stored."""
        rows = StreamHead.objects.filter(venue=self.venue_id).values_list("stream", "epoch", "seq")
        stored = {f"{stream} {epoch}": seq for stream, epoch, seq in rows}
        return sum(max(0, int(seq) - stored.get(place, 0)) for place, seq in self.heads.items())


class RolledBack(models.Model):
    """A venue named less of a stream of its own than is stored here: its disk was put back, or another director took
    over. It fetches what it lacks; healed once it names as much again, or writes on.
    """

    venue = models.CharField(_("venue"), max_length=32, db_index=True)
    stream = models.CharField(_("stream"), max_length=80)
    epoch = models.CharField(_("epoch"), max_length=30, blank=True)
    named = models.PositiveBigIntegerField(_("record that the venue named"))
    stored = models.PositiveBigIntegerField(_("record stored here"))
    since = models.DateTimeField(_("since"), auto_now_add=True)
    healed_at = models.DateTimeField(_("healed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("rolled-back stream")
        verbose_name_plural = _("rolled-back streams")
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["venue", "stream"], condition=models.Q(healed_at__isnull=True), name="one_open_rollback"
            )
        ]

    def __str__(self) -> str:
        return f"{self.venue} {self.stream} {self.named}/{self.stored}"


class IngestWorker(models.Model):
    """An ingest process that lives, by the database's clock."""

    name = models.CharField(max_length=120, primary_key=True)
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class ShardLease(models.Model):
    """Who takes the messages of one shard of the venues; the row after the last shard's: who tells all venues."""

    shard = models.PositiveSmallIntegerField(primary_key=True)
    owner = models.CharField(max_length=120, blank=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.shard} {self.owner}"


class RosterChange(models.Model):
    """How often something changed that venues' rosters tell, and up to which change they were told. One row at most."""

    only = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    change = models.PositiveBigIntegerField(default=0)
    told = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(only=1), name="one_count_of_roster_changes")]

    def __str__(self) -> str:
        return f"{self.told}/{self.change}"


class RosterMark(models.Model):
    """Something changed that rosters tell, and is not counted yet. Each change has a row of its own: none waits for
    another one's transaction.
    """

    def __str__(self) -> str:
        return str(self.pk)
