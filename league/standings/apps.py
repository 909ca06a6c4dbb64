from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StandingsConfig(AppConfig):
    name = "league.standings"
    verbose_name = _("Standings")

    def ready(self) -> None:
        """Have a season's totals follow its rounds."""
        from league.standings import totals

        totals.follow_rounds()
