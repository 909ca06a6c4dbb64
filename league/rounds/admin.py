from __future__ import annotations

from django.contrib import admin

from league.office import ModelAdmin, TabularInline
from league.rounds.models import Device, Round, Season, Venue


class DeviceInline(TabularInline[Device, Venue]):
    model = Device
    extra = 0


@admin.register(Season)
class SeasonAdmin(ModelAdmin[Season]):
    list_display = ["year", "name", "profile"]


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
