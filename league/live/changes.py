"""Counts what the public sees, in the transaction that changes it: a reader who finds a number finds what it counts.

The row is locked until the transaction ends, so numbers become visible in their order and none is ever passed over.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from league.live.models import PublicChange


def bump() -> int:
    """Count one more change; its number. As late in the transaction as may be, whoever comes next waits for its end."""
    with transaction.atomic():
        if not PublicChange.objects.update(number=F("number") + 1):
            PublicChange.objects.get_or_create(only=1)
            PublicChange.objects.update(number=F("number") + 1)
        return PublicChange.objects.values_list("number", flat=True).get()


def current() -> int:
    """The number of the latest change, 0 before the first."""
    return PublicChange.objects.values_list("number", flat=True).first() or 0
