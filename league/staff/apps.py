from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class StaffConfig(AppConfig):
    name = "league.staff"
    verbose_name = _("Staff")

    def ready(self) -> None:
        from league.staff import watching
        from league.staff.roles import make_groups

        watching.connect()
        post_migrate.connect(make_groups, sender=self, dispatch_uid="staff-roles")
