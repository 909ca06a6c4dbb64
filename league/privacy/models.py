"""What is kept of people under their own keys. Keys and index are in a store of their own (DESIGN §6)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class PersonKey(models.Model):
    """The key that opens one person's private record (AES-256). In the store of keys; destroyed by erasure."""

    participant = models.BigIntegerField(_("participant"), primary_key=True)
    key = models.BinaryField(_("key"), max_length=32)
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        verbose_name = _("person's key")
        verbose_name_plural = _("persons' keys")

    def __str__(self) -> str:
        return f"{self.participant}"


class BirthIndex(models.Model):
    """Finds duplicates without opening anything, by keyed hashes: HMAC-SHA256 with the key of `IndexKey`.

    ``mark``: of the birth number, empty without one. ``alike``: of name and birth date. ``document``: of the number of
    the document, empty without one; None: of who was entered before documents were looked at (`marks.catch_up`).
    """

    participant = models.BigIntegerField(_("participant"), primary_key=True)
    mark = models.CharField(_("mark"), max_length=64, db_index=True, blank=True)
    alike = models.CharField(_("mark of name and birth date"), max_length=64, db_index=True, blank=True)
    document = models.CharField(_("mark of the document"), max_length=64, db_index=True, blank=True, null=True)

    class Meta:
        verbose_name = _("birth index entry")
        verbose_name_plural = _("birth index")
        constraints = [
            models.UniqueConstraint(fields=["mark"], condition=~Q(mark=""), name="one_participant_a_birth_number")
        ]

    def __str__(self) -> str:
        return f"{self.participant}"


class IndexKey(models.Model):
    """The key of the birth index's hashes, in the store of keys. There is one row at most."""

    only = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    key = models.BinaryField(_("key"), max_length=32)

    class Meta:
        verbose_name = _("key of the birth index")
        verbose_name_plural = _("key of the birth index")
        constraints = [models.CheckConstraint(condition=Q(only=1), name="one_key_of_the_birth_index")]

    def __str__(self) -> str:
        return f"{self.only}"


class Erasure(models.Model):
    """That somebody was erased, in the store of keys: so that no older backup brings them back."""

    participant = models.BigIntegerField(_("participant"), primary_key=True)
    number = models.CharField(_("registration number"), max_length=12)
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")

    def __str__(self) -> str:
        return self.number


class HighestNumber(models.Model):
    """The highest registration number ever given, in the store of keys: an older league put back does not know it.

    There is one row at most.
    """

    only = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    number = models.BigIntegerField(_("registration number"))

    class Meta:
        verbose_name = _("highest registration number given")
        verbose_name_plural = _("highest registration number given")
        constraints = [models.CheckConstraint(condition=Q(only=1), name="one_highest_number")]

    def __str__(self) -> str:
        return f"{self.number}"


class PrivateRecord(models.Model):
    """What nobody may read from the database: sealed with the person's key (AES-256-GCM), its id as associated data."""

    participant = models.OneToOneField(
        "people.Participant",
        verbose_name=_("participant"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="private",
    )
    nonce = models.BinaryField(_("nonce"), max_length=12)
    sealed = models.BinaryField(_("sealed"))
    changed_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("private record")
        verbose_name_plural = _("private records")

    def __str__(self) -> str:
        return f"{self.participant_id}"


class PaperCard(models.Model):
    """The paper card by which somebody registered (LG-5), and how the age was proven (LG-4)."""

    class Proof(models.TextChoices):
        IDENTITY_CARD = "identity-card", _("identity card")
        PASSPORT = "passport", _("passport")
        RESIDENCE = "residence", _("residence permit")
        LICENCE = "licence", _("driving licence")

    participant = models.OneToOneField(
        "people.Participant",
        verbose_name=_("participant"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="paper_card",
    )
    signed_on = models.DateField(_("signed on"))
    handed_to = models.CharField(_("handed to"), max_length=120, blank=True)
    proof = models.CharField(_("age proven by"), max_length=16, choices=Proof.choices)
    proven_to = models.CharField(_("document seen by"), max_length=120)
    entered_at = models.DateTimeField(_("entered at"))
    entered_by = models.CharField(_("entered by"), max_length=150)

    class Meta:
        verbose_name = _("paper card")
        verbose_name_plural = _("paper cards")

    def __str__(self) -> str:
        return f"{self.participant_id}"


class Act(models.Model):
    """What became of a registration, and when; it acts from that moment (LG-4, LG-5). Rows are only added."""

    class What(models.TextChoices):
        REGISTERED = "registered", _("registered")
        REFUSED = "refused", _("refused")
        CANCELLED = "cancelled", _("cancelled")
        REOPENED = "reopened", _("re-opened")
        ERASED = "erased", _("erased")

    class Side(models.TextChoices):
        LEAGUE = "league", _("the league")
        PARTICIPANT = "participant", _("the participant")

    participant = models.ForeignKey(
        "people.Participant", verbose_name=_("participant"), on_delete=models.CASCADE, related_name="acts"
    )
    what = models.CharField(_("act"), max_length=12, choices=What.choices)
    at = models.DateTimeField(_("at"))
    side = models.CharField(_("wanted by"), max_length=12, choices=Side.choices)
    who = models.CharField(_("who"), max_length=150)
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("act on a registration")
        verbose_name_plural = _("acts on registrations")
        ordering = ["participant", "-id"]

    def __str__(self) -> str:
        return f"{self.participant_id} {self.what}"


class Rectification(models.Model):
    """One correction of somebody's data: who, when, which fields. What stood there before is sealed."""

    participant = models.ForeignKey(
        "people.Participant", verbose_name=_("participant"), on_delete=models.CASCADE, related_name="rectifications"
    )
    at = models.DateTimeField(_("at"))
    who = models.CharField(_("who"), max_length=150)
    fields = models.JSONField(_("fields"), default=list)
    nonce = models.BinaryField(_("nonce"), max_length=12)
    sealed = models.BinaryField(_("sealed"))

    class Meta:
        verbose_name = _("rectification")
        verbose_name_plural = _("rectifications")
        ordering = ["participant", "-id"]

    def __str__(self) -> str:
        return f"{self.participant_id} {self.at:%Y-%m-%d}"


class RetentionRule(models.Model):
    """How long something is kept, in days; ``retention`` applies it. Without ``days``: until somebody erases it."""

    class Subject(models.TextChoices):
        CANCELLED = "cancelled", _("data of who cancelled, after the cancellation")
        REFUSED = "refused", _("data of who was refused, after the refusal")
        RECTIFICATION = "rectification", _("what stood before a correction")
        CONSENT = "consent", _("withdrawn consents, after the withdrawal")
        LETTER = "letter", _("e-mail, after it was sent or given up")
        REFUSED_CARD = "refused-card", _("cards that kiosks refused, once somebody has seen to them")
        AUDIT = "audit", _("the audit log")

    subject = models.CharField(_("what"), max_length=16, choices=Subject.choices, primary_key=True)
    days = models.PositiveIntegerField(_("days"), null=True, blank=True)
    changed_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("retention period")
        verbose_name_plural = _("retention periods")

    def __str__(self) -> str:
        return f"{self.subject}: {self.days}"
