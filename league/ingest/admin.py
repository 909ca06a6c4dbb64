from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from league.ingest.models import Alert, Contact, Quarantine, RawRecord, StreamHead
from league.office import ModelAdmin, ReadOnlyAdmin


@admin.register(StreamHead)
class StreamHeadAdmin(ReadOnlyAdmin[StreamHead]):
    list_display = ["stream", "venue", "epoch", "seq"]
    list_filter = ["venue"]
    search_fields = ["stream"]


@admin.register(RawRecord)
class RawRecordAdmin(ReadOnlyAdmin[RawRecord]):
    list_display = ["stream", "epoch", "seq", "type", "received_at"]
    search_fields = ["stream"]
    show_full_result_count = False


@admin.register(Quarantine)
class QuarantineAdmin(ReadOnlyAdmin[Quarantine]):
    list_display = ["stream", "seq", "reason", "detail", "since"]
    list_filter = ["reason"]


@admin.register(Alert)
class AlertAdmin(ModelAdmin[Alert]):
    list_display = ["venue", "stream", "code", "detail", "count", "last_at", "resolved_at"]
    list_filter = ["venue", "code"]
    readonly_fields = ["venue", "stream", "code", "detail", "count", "first_at", "last_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Contact)
class ContactAdmin(ReadOnlyAdmin[Contact]):
    list_display = ["venue", "online", "seen_at"]
    fields = ["venue", "online", "seen_at"]
