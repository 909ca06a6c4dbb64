from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import URLPattern, path

from league.office import ModelAdmin, ReadOnlyAdmin, TabularInline
from league.rounds.models import Device, Round, Season, Venue
from league.standings.office import correct_points


class DeviceInline(TabularInline[Device, Venue]):
    model = Device
    extra = 0
    readonly_fields = ["adopted_by"]


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin[Season]):
    """Its pages in the office change it, and decide its course."""

    list_display = ["year", "name", "profile"]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(partial(correct_points, site=self.admin_site))
        return [path("<int:season_id>/points/", view, name="rounds_season_points"), *super().get_urls()]


@admin.register(Venue)
class VenueAdmin(ModelAdmin[Venue]):
    list_display = ["id", "name", "town"]
    search_fields = ["id", "name", "town"]
    inlines = [DeviceInline]


@admin.register(Round)
class RoundAdmin(ModelAdmin[Round]):
    list_display = ["id", "name", "venue", "starts_at", "offered_at"]
    list_filter = ["season", "venue"]
    search_fields = ["id", "name"]
    readonly_fields = ["offered_at"]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Round | None:
        """What is saved is saved over the round as it is then: nothing changes it meanwhile."""
        found = super().get_object(request, object_id, from_field)
        if found is None or request.method != "POST":
            return found
        return Round.objects.select_for_update(no_key=True).get(pk=found.pk)

    def get_readonly_fields(self, request: HttpRequest, obj: Round | None = None) -> Any:
        """What a venue was promised, or people have signed up for, is changed by the office's pages alone."""
        if obj is None or not _decided(obj):
            return self.readonly_fields
        return ["id", "season", "venue", "starts_at", "announcement", "offered_at", "promised"]

    def has_delete_permission(self, request: HttpRequest, obj: Round | None = None) -> bool:
        """A plan can be dropped; what others know of stays."""
        return super().has_delete_permission(request, obj) and (obj is None or not _decided(obj))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """None: of several at once none is locked or asked whether it may go."""
        return {}


def _decided(round: Round) -> bool:
    return round.offered_at is not None or round.cancelled_at is not None or round.sign_ups.exists()
