from __future__ import annotations

from django.contrib import admin
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

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
    """How each venue's way to the league stands: when it was heard, what waits there, what was put aside here."""

    list_display = ["venue", "online", "seen_at", "backlog", "quarantined", "open_alerts", "software"]
    list_filter = ["online"]
    fields = ["venue", "online", "seen_at", "software", "backlog", "quarantined", "open_alerts"]

    @admin.display(description=_("waiting there, as last said"))
    def backlog(self, contact: Contact) -> int:
        return contact.backlog()

    @admin.display(description=_("quarantine"))
    def quarantined(self, contact: Contact) -> int:
        theirs = StreamHead.objects.filter(venue=contact.pk, stream=OuterRef("stream"), epoch=OuterRef("epoch"))
        return Quarantine.objects.filter(Exists(theirs)).count()

    @admin.display(description=_("open alerts"))
    def open_alerts(self, contact: Contact) -> str:
        found = Alert.objects.filter(venue=contact.pk, resolved_at__isnull=True).order_by("code")
        return ", ".join(found.values_list("code", flat=True).distinct()) or "–"
