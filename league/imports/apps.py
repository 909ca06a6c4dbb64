from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ImportsConfig(AppConfig):
    name = "league.imports"
    verbose_name = _("Import and export")
