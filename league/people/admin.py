from __future__ import annotations

from django.contrib import admin

from league.office import ModelAdmin, TabularInline
from league.people.models import Card, Consent, Participant


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


@admin.register(Card)
class CardAdmin(ModelAdmin[Card]):
    list_display = ["uid", "participant", "state", "issued_at"]
    list_filter = ["state"]
    search_fields = ["uid", "participant__number"]
    autocomplete_fields = ["participant"]
