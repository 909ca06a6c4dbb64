from __future__ import annotations

from django.contrib import admin

from league.office import ReadOnlyAdmin
from league.standings.models import Result, RoundReport


@admin.register(RoundReport)
class RoundReportAdmin(ReadOnlyAdmin[RoundReport]):
    list_display = ["round", "state", "registered", "left", "seq"]
    list_filter = ["state"]


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin[Result]):
    list_display = ["round", "place", "number", "prize", "half_points", "provisional"]
    search_fields = ["number", "round__id"]
