from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from league.ingest import rosters
from league.office import ModelAdmin, ReadOnlyAdmin, TabularInline
from league.people.models import Card, CardEntry, CardKey, Consent, Participant


class ConsentInline(TabularInline[Consent, Participant]):
    model = Consent
    extra = 0


class CardInline(TabularInline[Card, Participant]):
    model = Card
    extra = 0


@admin.register(Participant)
class ParticipantAdmin(ModelAdmin[Participant]):
    list_display = ["number", "surname", "first_name", "state", "role", "home_venue"]
    list_filter = ["state", "role", "home_venue"]
    search_fields = ["number", "surname", "first_name", "cards__uid"]
    inlines = [CardInline, ConsentInline]

    def has_delete_permission(self, request: HttpRequest, obj: Participant | None = None) -> bool:
        """Whoever is to be forgotten is erased on the office's page: results keep the number."""
        return False

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Cards and consents go to the venues with the person."""
        super().save_related(request, form, formsets, change)
        rosters.changed()


@admin.register(Card)
class CardAdmin(ModelAdmin[Card]):
    list_display = ["uid", "participant", "kind", "serial", "state", "state_at", "issued_at"]
    list_filter = ["state", "kind", "key_version"]
    search_fields = ["uid", "participant__number", "=serial"]
    autocomplete_fields = ["participant"]

    def save_model(self, request: HttpRequest, obj: Card, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        rosters.changed()


@admin.register(CardEntry)
class CardEntryAdmin(ReadOnlyAdmin[CardEntry]):
    list_display = ["at", "what", "uid", "participant", "serial", "reason", "who"]
    list_filter = ["what", "reason"]
    search_fields = ["uid", "participant"]


@admin.register(CardKey)
class CardKeyAdmin(ReadOnlyAdmin[CardKey]):
    list_display = ["league", "public_key"]
