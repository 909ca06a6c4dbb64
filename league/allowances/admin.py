from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from league.allowances.models import Allowance
from league.office import ReadOnlyAdmin


@admin.register(Allowance)
class AllowanceAdmin(ReadOnlyAdmin[Allowance]):
    list_display = ["participant", "venue", "ends", "wanted_by"]
    list_filter = ["venue"]
    search_fields = ["participant__number", "participant__surname"]
    fields = ["participant", "venue", "ends", "wanted_by", "account"]

    @admin.display(description=_("until"))
    def ends(self, row: Allowance) -> datetime | None:
        return None if row.until_ms is None else datetime.fromtimestamp(row.until_ms / 1000, UTC)
