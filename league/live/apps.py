from __future__ import annotations

from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "league.live"

    def ready(self) -> None:
        """Have what the office decides counted wherever it is written, by the staff pages too."""
        from league.live import following

        following.begin()
