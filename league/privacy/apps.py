from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PrivacyConfig(AppConfig):
    name = "league.privacy"
    verbose_name = _("Privacy")
