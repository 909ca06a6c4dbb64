from __future__ import annotations

from django.apps import AppConfig
from django.core.checks import register
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _


class PrivacyConfig(AppConfig):
    name = "league.privacy"
    verbose_name = _("Privacy")

    def ready(self) -> None:
        """Watch what the store of keys is to remember, and how it is set up."""
        from league.privacy import checks, numbers, vault

        register(checks.keys_are_apart)
        post_save.connect(numbers.note_given, sender="people.Participant", dispatch_uid="privacy.numbers")
        post_save.connect(vault.forget_left_over, sender="people.Participant", dispatch_uid="privacy.left_over")
