"""What became of cards at the office, and which cards venues' kiosks refused (LG-6)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from league.people.models import Card, Participant


class RefusedCard(models.Model):
    """A kiosk refused a card: as its venue's stream tells it, each record once. ``reason``: the kiosk's code.

    ``settled_at``: somebody of the office has seen to it, by recording the card as kept or as given back.
    """

    venue = models.CharField(_("venue"), max_length=32, db_index=True)
    epoch = models.CharField(_("epoch"), max_length=30)
    seq = models.PositiveBigIntegerField(_("sequence number"))
    at = models.DateTimeField(_("at"))
    device = models.CharField(_("kiosk"), max_length=64)
    reason = models.CharField(_("reason"), max_length=64)
    uid = models.CharField(_("card"), max_length=64, blank=True, db_index=True)
    participant = models.CharField(_("registration number"), max_length=64, blank=True, db_index=True)
    settled_at = models.DateTimeField(_("settled at"), null=True, blank=True)
    settled_by = models.CharField(_("settled by"), max_length=150, blank=True)

    class Meta:
        verbose_name = _("refused card")
        verbose_name_plural = _("refused cards")
        ordering = ["-at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["venue", "epoch", "seq"], name="one_refusal_a_record")]

    def __str__(self) -> str:
        return f"{self.venue} {self.device} {self.uid} {self.reason}"


class Heard(models.Model):
    """How far one epoch of a venue's stream was read for refused cards."""

    venue = models.CharField(_("venue"), max_length=32)
    epoch = models.CharField(_("epoch"), max_length=30)
    seq = models.PositiveBigIntegerField(_("sequence number"), default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["venue", "epoch"], name="cards_one_reading_an_epoch")]

    def __str__(self) -> str:
        return f"{self.venue} {self.epoch} {self.seq}"


class CardAct(models.Model):
    """One act of the office on a card, from that moment on. Without ``card``: one that the league never issued.

    ``holder`` and ``serial``: whose the card was then, and by which issue; the chip may have been issued anew since.
    ``device`` of ``venue``: the kiosk that refused a confiscated card, ``kept_by`` the commissioner who has it; without
    them it was at the office. ``fee``: for a replacement, whole CZK, of version ``price_list`` of the price list.
    """

    class What(models.TextChoices):
        LOST = "lost", _("reported lost")
        STOLEN = "stolen", _("reported stolen")
        DAMAGED = "damaged", _("reported damaged")
        REVOKED = "revoked", _("taken back")
        FOUND = "found", _("found again")
        KEPT = "kept", _("confiscated")
        REPLACED = "replaced", _("replacement ordered")
        UNDONE = "undone", _("replacement ordered by mistake, taken back")

    card = models.ForeignKey(
        Card, verbose_name=_("card"), on_delete=models.PROTECT, null=True, blank=True, related_name="acts"
    )
    holder = models.ForeignKey(
        Participant, verbose_name=_("holder"), on_delete=models.PROTECT, null=True, blank=True, related_name="card_acts"
    )
    serial = models.BigIntegerField(_("serial number"), null=True, blank=True)
    uid = models.CharField(_("identifier"), max_length=64, blank=True, db_index=True)
    what = models.CharField(_("what"), max_length=8, choices=What.choices)
    at = models.DateTimeField(_("at"))
    who = models.CharField(_("who"), max_length=150)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    venue = models.CharField(_("venue"), max_length=32, blank=True)
    device = models.CharField(_("kiosk"), max_length=64, blank=True)
    kept_by = models.CharField(_("kept by commissioner"), max_length=12, blank=True)
    refusal = models.OneToOneField(
        RefusedCard, verbose_name=_("refusal"), on_delete=models.SET_NULL, null=True, blank=True, related_name="act"
    )
    fee = models.PositiveIntegerField(_("fee in CZK"), null=True, blank=True)
    price_list = models.PositiveSmallIntegerField(_("version of the price list"), null=True, blank=True)

    class Meta:
        verbose_name = _("act on a card")
        verbose_name_plural = _("acts on cards")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                F("card"),
                F("holder"),
                Coalesce(F("serial"), 0),
                condition=Q(what="replaced"),
                name="an_issue_of_a_card_is_replaced_once",
            ),
            models.CheckConstraint(
                condition=Q(what="replaced") | Q(fee__isnull=True), name="only_a_replacement_has_a_fee"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.uid} {self.what}"


def acts_on(card: Card) -> QuerySet[CardAct]:
    """What was done with a card since it was issued to who has it now, the latest first."""
    return CardAct.objects.filter(card=card, holder_id=card.participant_id, serial=card.serial)
