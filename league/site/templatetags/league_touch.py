"""When it was, said as shortly as it is plain."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format

register = template.Library()


@register.filter(expects_localtime=True)
def clock_time(at: datetime) -> str:
    """The time of day, with its day unless that is today."""
    today = timezone.localtime(at).date() == timezone.localdate()
    return date_format(at, "G:i" if today else "SHORT_DATETIME_FORMAT")
