from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import URLPattern, path

from league.office import ModelAdmin, TabularInline
from league.rounds.models import Device, Round, Season, Venue
from league.standings.office import correct_points


class DeviceInline(TabularInline[Device, Venue]):
    model = Device
    extra = 0
    readonly_fields = ["adopted_by"]


@admin.register(Season)
class SeasonAdmin(ModelAdmin[Season]):
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

    def get_readonly_fields(self, request: HttpRequest, obj: Round | None = None) -> Any:
        """What a venue was promised is not edited; an offer can be withdrawn."""
        if obj is None or obj.offered_at is None:
            return self.readonly_fields
        return ["id", "season", "venue", "starts_at", "announcement", "offered_at", "promised"]
