from __future__ import annotations

from django.contrib import admin

from league.office import ReadOnlyAdmin, ReadOnlyInline
from league.people.models import Card, CardEntry, CardKey, Consent, Participant


class ConsentInline(ReadOnlyInline[Consent, Participant]):
    model = Consent


class CardInline(ReadOnlyInline[Card, Participant]):
    model = Card


@admin.register(Participant)
class ParticipantAdmin(ReadOnlyAdmin[Participant]):
    """To be seen: every change is an act on the office's pages, with its record, and so is erasing somebody."""

    list_display = ["number", "surname", "first_name", "state", "role", "home_venue"]
    list_filter = ["state", "role", "home_venue"]
    search_fields = ["number", "surname", "first_name", "cards__uid"]
    exclude = ["pin"]
    inlines = [CardInline, ConsentInline]


@admin.register(Card)
class CardAdmin(ReadOnlyAdmin[Card]):
    """To be seen: cards come with the desk's ledger, and are declared lost on the office's pages."""

    list_display = ["uid", "participant", "kind", "serial", "state", "state_at", "issued_at"]
    list_filter = ["state", "kind", "key_version"]
    search_fields = ["uid", "participant__number", "=serial"]


@admin.register(CardEntry)
class CardEntryAdmin(ReadOnlyAdmin[CardEntry]):
    list_display = ["at", "what", "uid", "participant", "serial", "reason", "who"]
    list_filter = ["what", "reason"]
    search_fields = ["uid", "participant"]


@admin.register(CardKey)
class CardKeyAdmin(ReadOnlyAdmin[CardKey]):
    list_display = ["league", "public_key"]
