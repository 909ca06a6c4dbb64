"""E-mail on its way out: written with what it tells of, sent by a worker until a server has taken it."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _


class Letter(models.Model):
    """An e-mail to one address. ``about``: what it tells of, so that nobody gets the same twice.

    ``again_at``: when the staff had it tried anew, after it had been given up. ``enclosed``: goes out below the text
    and is its reader's alone, such as a link that opens something: no page shows it, and it is gone once the letter is
    sent or given up. ``until``: what is enclosed is of use until then; after that an unsent letter is dropped.
    ``lent_until``: it is one worker's until then; nobody else sends it meanwhile.
    """

    to = models.EmailField(_("to"))
    subject = models.CharField(_("subject"), max_length=200)
    body = models.TextField(_("text"))
    about = models.CharField(_("about"), max_length=200, unique=True, null=True, blank=True)
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    not_before = models.DateTimeField(_("not before"), auto_now_add=True, db_index=True)
    lent_until = models.DateTimeField(_("in hand until"), null=True, blank=True, editable=False)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    error = models.CharField(_("last error"), max_length=300, blank=True)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True, db_index=True)
    given_up_at = models.DateTimeField(_("given up at"), null=True, blank=True)
    again_at = models.DateTimeField(_("tried anew at"), null=True, blank=True)
    enclosed = models.TextField(_("enclosed"), blank=True)
    until = models.DateTimeField(_("of use until"), null=True, blank=True, db_index=True)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"

    @property
    def tried_from(self) -> datetime:
        """Since when it is being tried."""
        return self.again_at or self.made_at

    @property
    def lost(self) -> bool:
        """Whether what was enclosed is gone before any server took the letter: nobody would have any use for it."""
        return self.sent_at is None and self.until is not None and not self.enclosed

    @property
    def state(self) -> str:
        """``sent``, ``failed`` (given up), ``waiting`` (after an error) or ``queued``."""
        if self.sent_at is not None:
            return "sent"
        if self.given_up_at is not None:
            return "failed"
        return "waiting" if self.error else "queued"
