"""What is kept of people under their own keys. Keys and index are in a store of their own (DESIGN §6)."""

from __future__ import annotations

from django.db import models
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
    """Finds duplicates without opening anything: a keyed hash of the birth number, or of birth date and surname.

    In the store of keys, beside the hash's own key.
    """

    participant = models.BigIntegerField(_("participant"), primary_key=True)
    mark = models.CharField(_("mark"), max_length=64, db_index=True)

    class Meta:
        verbose_name = _("birth index entry")
        verbose_name_plural = _("birth index")

    def __str__(self) -> str:
        return f"{self.participant}"


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
