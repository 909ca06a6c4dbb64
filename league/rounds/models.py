"""Seasons, venues, devices and rounds: what the league decides, before anything is played (LG-1, LG-2)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from appliance.game.commands import (
    Announce,
    decode_command,
)
from appliance.game.reading import CommandError
from appliance.game.values import parse_time
from appliance.i18n import LANGUAGES
from league.rounds.announcing import faults
from league.rounds.planning import ShareTemplate, SignUp, StructureTemplate
from league.rounds.seasons import KeptActs, LeastCard, Season, SeasonAct
from league.texts import check_texts

__all__ = [
    "Device", "KeptActs", "LeastCard", "Round", "Season", "SeasonAct", "ShareTemplate", "SignUp", "StructureTemplate",
    "Venue", "code_validator", "key_validator", "round_validator",
]  # fmt: skip

code_validator = RegexValidator(r"\A[a-z0-9-]{1,32}\Z", _("Lower-case letters, digits and hyphens, at most 32."))
round_validator = RegexValidator(
    r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z", _("Letters, digits, dots, hyphens and underscores, at most 64.")
)
key_validator = RegexValidator(r"\A[0-9a-f]{64}\Z", _("An Ed25519 public key is 64 hex digits."))


class Venue(models.Model):
    """A place with tables and one venue network."""

    id = models.CharField(_("code"), max_length=32, primary_key=True, validators=[code_validator])
    name = models.CharField(_("name"), max_length=120)
    town = models.CharField(_("town"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        ordering = ["name"]

    def __str__(self) -> str:
        return f"{self.name}, {self.town}" if self.town else self.name

    def clean(self) -> None:
        """Refuse a name that cannot be shown."""
        check_texts(self, "name", "town")


class Device(models.Model):
    """A device of a venue, known by its Ed25519 key; its role says which streams it may write (DESIGN §3).

    ``opening_key``: what is sealed to it opens with this (X25519). ``certificate``: DER in base64, the league's or its
    own. ``accepted_until``: of a revoked one, what it signed before and had not sent is still taken so long.
    """

    class Role(models.TextChoices):
        DIRECTOR = "director", _("director")
        TABLE = "table", _("table")
        DOOR = "door", _("door")
        CLOCK = "clock", _("clock")
        UPLINK = "uplink", _("uplink")

    venue = models.ForeignKey(Venue, verbose_name=_("venue"), on_delete=models.CASCADE, related_name="devices")
    name = models.CharField(_("name"), max_length=32, validators=[code_validator])
    role = models.CharField(_("role"), max_length=8, choices=Role.choices)
    table = models.PositiveSmallIntegerField(_("table number"), null=True, blank=True)
    public_key = models.CharField(_("public key"), max_length=64, validators=[key_validator])
    opening_key = models.CharField(_("opening key"), max_length=64, blank=True, validators=[key_validator])
    certificate = models.TextField(_("certificate"), blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)
    revoked_reason = models.CharField(_("reason"), max_length=200, blank=True)
    accepted_until = models.DateTimeField(_("taken until"), null=True, blank=True, editable=False)
    adopted_by = models.CharField(_("adopted at the venue by"), max_length=64, blank=True, editable=False)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        ordering = ["venue", "name"]
        constraints = [
            models.UniqueConstraint(fields=["venue", "name"], name="one_device_of_a_name_a_venue"),
            models.UniqueConstraint(fields=["public_key"], name="one_device_a_key"),
            models.CheckConstraint(
                condition=Q(role="table", table__gte=1) | Q(table__isnull=True), name="table_number_for_tables_only"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.venue_id}/{self.name}"

    def clean(self) -> None:
        """Refuse a number without a table, and to take a revocation back: the venues have heard of it."""
        if self.role != self.Role.TABLE and self.table is not None:
            raise ValidationError({"table": _("Only a table's device has a table number.")})
        before = Device.objects.filter(pk=self.pk).first() if self.pk else None
        if before is not None and before.revoked_at is not None:
            if self.revoked_at is None:
                raise ValidationError({"revoked_at": _("A revoked device stays revoked: invite it anew.")})
            if self.public_key != before.public_key:
                raise ValidationError({"public_key": _("A revoked device stays revoked: invite it anew.")})

    def may_write(self, stream: str, now: datetime) -> bool:
        """Whether this device may sign the stream at ``now``; whose venue a round is, is checked elsewhere.

        Any kiosk may come to direct, any spare take a table's place (DESIGN §3, §5); who carries writes nothing.
        """
        if self.revoked_at is not None and (self.accepted_until is None or now >= self.accepted_until):
            return False
        if self.role == self.Role.UPLINK:
            return False
        if stream.startswith(f"table/{self.venue_id}-"):
            return self.role != self.Role.DIRECTOR
        return stream.startswith("round/") or stream == f"venue/{self.venue_id}"


class Round(models.Model):
    """One tournament as the league announces it; what became of it is told by its stream.

    ``promised`` is the announcement as it was sent, the season's points key copied in: a snapshot that no later
    edit of the season or of this page changes (P). The league may move it, ``first_starts_at`` is then the date that
    was announced first, or cancel it, ``reason`` is then what was told, if anything (LG-2). ``substitute_for``: the
    cancelled round in whose place it is. ``notified_on``: when the municipality was told of it.

    ``heard_starts_at`` and ``heard_cancelled``: what its venue said last. ``told_starts_at``: when it starts by the
    last word of either, which those who signed up were told; empty as long as nothing was different.
    """

    id = models.CharField(_("code"), max_length=64, primary_key=True, validators=[round_validator])
    season = models.ForeignKey(Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="rounds")
    venue = models.ForeignKey(Venue, verbose_name=_("venue"), on_delete=models.PROTECT, related_name="rounds")
    name = models.CharField(_("name"), max_length=120, blank=True)
    starts_at = models.DateTimeField(_("starts at"))
    announcement = models.JSONField(_("announcement"), help_text=_("The announce command as the venue will get it."))
    offered_at = models.DateTimeField(_("offered at"), null=True, blank=True)
    promised = models.JSONField(_("as it was announced"), null=True, blank=True, editable=False)
    first_starts_at = models.DateTimeField(_("first announced for"), null=True, blank=True, editable=False)
    moved_at = models.DateTimeField(_("moved at"), null=True, blank=True, editable=False)
    heard_starts_at = models.DateTimeField(_("starts at, as the venue has it"), null=True, blank=True, editable=False)
    heard_cancelled = models.BooleanField(_("cancelled by the venue"), default=False, editable=False)
    told_starts_at = models.DateTimeField(_("starts at, as was told last"), null=True, blank=True, editable=False)
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True, editable=False)
    reason = models.CharField(_("reason"), max_length=500, blank=True, editable=False)
    substitute_for = models.ForeignKey(
        "self", verbose_name=_("in place of"), on_delete=models.SET_NULL, null=True, blank=True, editable=False,
        related_name="substitutes",
    )  # fmt: skip
    notified_on = models.DateField(_("municipality notified on"), null=True, blank=True, editable=False)
    notified_as = models.CharField(_("reference number"), max_length=80, blank=True, editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["starts_at", "id"]

    def __str__(self) -> str:
        return self.name or self.id

    def clean(self) -> None:
        """Refuse an announcement that is no announcement, is another round's, or that the rules forbid."""
        check_texts(self, "name")
        if self.announcement is None:
            return  # missing or unreadable: the field says so itself
        try:
            command = decode_command(self.announcement) if isinstance(self.announcement, dict) else None
        except CommandError as error:
            raise ValidationError({"announcement": str(error)}) from None
        if not isinstance(command, Announce):
            raise ValidationError({"announcement": _("It must be an announce command.")})
        language = get_language()
        lang = language if language in LANGUAGES else LANGUAGES[0]
        found = [f"{fault.field}: {fault.said(lang)}" for fault in faults(command)]
        if errors := [*self._differences(command), *found]:
            raise ValidationError({"announcement": errors})
        self._check_season()

    def _check_season(self) -> None:
        """Refuse a day on which the season is not played (LG-11), unless the round was promised already."""
        if self.promised is not None or not self.season_id or not self.starts_at:
            return
        match self.season.why_not_on(timezone.localdate(self.starts_at)):
            case "interrupted":
                raise ValidationError({"starts_at": _("The season is interrupted on that day.")})
            case "ended" | "over":
                raise ValidationError({"starts_at": _("The season is over by then.")})

    def _differences(self, command: Announce) -> list[Any]:
        """Where the announcement says something else than the round's own fields."""
        starts_at = datetime.fromtimestamp(parse_time(command.starts_at) / 1000, UTC)
        pairs = (
            ("round", self.id, command.round),
            ("venue", self.venue_id, command.venue),
            ("starts_at", self.starts_at, starts_at),
        )
        text = _("%(field)s: not the same as in the field of this page.")
        return [text % {"field": field} for field, own, said in pairs if own and own != said]

    @property
    def terms(self) -> Any:
        """What holds for this round: as it was announced, else as it is planned so far."""
        return self.announcement if self.promised is None else self.promised

    @property
    def begins_at(self) -> datetime:
        """When it starts by the last word of league or venue (LG-2)."""
        return self.told_starts_at or self.starts_at

    @property
    def stream(self) -> str:
        """The stream the venue's director writes about this round."""
        return f"round/{self.id}"
