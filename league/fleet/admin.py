from __future__ import annotations

from django.contrib import admin

from league.fleet.models import Enrolment, FormerKey
from league.office import ReadOnlyAdmin


@admin.register(Enrolment)
class EnrolmentAdmin(ReadOnlyAdmin[Enrolment]):
    list_display = ["venue", "device", "role", "table", "invited_at", "ends_at", "wrong_tries", "used_at"]
    list_filter = ["venue"]
    search_fields = ["device"]


@admin.register(FormerKey)
class FormerKeyAdmin(ReadOnlyAdmin[FormerKey]):
    list_display = ["venue", "device", "role", "until", "reason"]
    list_filter = ["venue"]
    search_fields = ["device", "public_key"]
