"""What the office plans rounds with: templates that are copied on announcing, and who has signed up (LG-2)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from league.texts import check_texts


class _Template(models.Model):
    """A named part of an announcement. A round keeps a copy, so a later edit or its end changes no round."""

    name = models.CharField(_("name"), max_length=80, unique=True)

    class Meta:
        abstract = True
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse a name that cannot be shown."""
        check_texts(self, "name")


class StructureTemplate(_Template):
    """Levels and breaks (CK-1), each as the announcement has it: ``{sb, bb, ante, minutes}`` or ``{break}``."""

    levels = models.JSONField(_("levels and breaks"), default=list)

    class Meta(_Template.Meta):
        verbose_name = _("template of a structure")
        verbose_name_plural = _("templates of structures")

    def clean(self) -> None:
        """Refuse a structure that is none."""
        super().clean()
        if not isinstance(self.levels, list) or not any("sb" in level for level in self.levels):
            raise ValidationError({"levels": _("There is no level among them.")})


class ShareTemplate(_Template):
    """Prize shares in percent by place, as decimal strings that add up to 100 (T-5)."""

    shares = models.JSONField(_("prize shares"), default=list)

    class Meta(_Template.Meta):
        verbose_name = _("template of prize shares")
        verbose_name_plural = _("templates of prize shares")


class SignUp(models.Model):
    """Somebody means to play in a round; no registration (T-2), which happens at the venue with the card.

    ``at`` is the place in the queue: who signs up again after a cancellation stands at its end.
    """

    class State(models.TextChoices):
        IN = "in", _("signed up")
        WAITING = "waiting", _("on the waiting list")
        CANCELLED = "cancelled", _("sign-up cancelled")

    round = models.ForeignKey(
        "rounds.Round", verbose_name=_("round"), on_delete=models.CASCADE, related_name="sign_ups"
    )
    participant = models.ForeignKey(
        "people.Participant", verbose_name=_("participant"), on_delete=models.CASCADE, related_name="sign_ups"
    )
    state = models.CharField(_("state"), max_length=9, choices=State.choices)
    at = models.DateTimeField(_("signed up at"))
    changed_at = models.DateTimeField(_("in this state since"))
    by = models.CharField(_("by"), max_length=150)

    class Meta:
        verbose_name = _("sign-up")
        verbose_name_plural = _("sign-ups")
        ordering = ["round", "at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "participant"], name="one_sign_up_a_participant_a_round"),
            models.CheckConstraint(condition=Q(state__in=["in", "waiting", "cancelled"]), name="sign_up_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.round_id} {self.participant.number}: {self.state}"


def in_order(state: SignUp.State, **where: Any) -> models.QuerySet[SignUp]:
    """The sign-ups in a state, first come first, with their participants."""
    return SignUp.objects.filter(state=state, **where).select_related("participant").order_by("at", "pk")


def begins(round: str = "") -> Coalesce:
    """When a round starts by the last word of league or venue, for queries; ``round``: how they come to its row."""
    return Coalesce(f"{round}told_starts_at", f"{round}starts_at")


def expected_at(venue: str, now: datetime) -> frozenset[int]:
    """Who has signed up for a round at a venue that is to come, or that began within the last day."""
    found = SignUp.objects.filter(state=SignUp.State.IN, round__venue=venue, round__cancelled_at=None).annotate(
        begins_at=begins("round__")
    )
    found = found.filter(begins_at__gt=now - _AN_EVENING)
    return frozenset(found.values_list("participant", flat=True))


_AN_EVENING = timedelta(days=1)
