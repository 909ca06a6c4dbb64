from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OwnConfig(AppConfig):
    name = "league.own"
    verbose_name = _("Participants' own page")
