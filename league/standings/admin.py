from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.office import ReadOnlyAdmin
from league.site.pages import STATES
from league.site.templatetags.league_format import points
from league.standings.models import PointsCorrection, Result, RoundReport


class StateFilter(admin.SimpleListFilter):
    """The states by the names that the pages give them."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(state, name) for state, name in STATES.items() if state != "planned"]  # no report is of those

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(state=self.value()) if self.value() else queryset


@admin.register(RoundReport)
class RoundReportAdmin(ReadOnlyAdmin[RoundReport]):
    list_display = ["round", "state_named", "registered", "left", "seq"]
    list_filter = [StateFilter]
    fields = [
        "round", "state_named", "starts_at", "at", "reason", "registered", "left", "pool", "key", "key_unconfirmed",
        "key_corrected", "epoch", "seq", "unknown_records",
    ]  # fmt: skip
    readonly_fields = ["state_named"]

    @admin.display(description=_("state"), ordering="state")
    def state_named(self, report: RoundReport) -> str | Promise:
        return STATES.get(report.state, report.state)


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin[Result]):
    list_display = ["round", "place", "number", "prize", "points", "venue_points", "provisional"]
    search_fields = ["number", "round__id"]
    fields = ["round", "place", "number", "prize", "points", "venue_points", "provisional"]
    readonly_fields = ["points", "venue_points"]

    @admin.display(description=_("points"), ordering="counted")
    def points(self, result: Result) -> str:
        return points(result.counted)

    @admin.display(description=_("points at the venue"), ordering="half_points")
    def venue_points(self, result: Result) -> str:
        return points(result.half_points)


@admin.register(PointsCorrection)
class PointsCorrectionAdmin(ReadOnlyAdmin[PointsCorrection]):
    """Rows come from the page of the season, where one sees first who would move."""

    list_display = ["number", "season", "what", "replaces", "reason", "by", "at"]
    list_filter = ["season"]
    list_select_related = ["season", "replaces__season"]
    fields = ["season", "number", "what", "key", "season_key", "replaces", "reason", "by", "at"]
    readonly_fields = ["what"]

    @admin.display(description=_("key"))
    def what(self, row: PointsCorrection) -> str | Promise:
        return _("withdrawn") if row.key is None else str(row.key.get("name", ""))
