"""Counts what the public sees, in the transaction that changes it: a reader who finds a number finds what it counts.

A change is marked by a row of its own, which locks nothing. Whoever looks (`league.live.looking`) counts the marks.
"""

from __future__ import annotations

from django.db import connection, transaction
from django.db.models import F

from league.live.models import PublicChange, PublicMark
from league.standings.models import RoundReport

_AT_ONCE = 5000


def bump(round_id: str | None = None) -> None:
    """Mark one more change of a round, or of who knows what; in the transaction of the change itself."""
    PublicMark.objects.create(round=round_id or "")


def current() -> int:
    """The number of the latest change, counted already or only marked; 0 before the first."""
    with connection.cursor() as cursor:
        # in one statement: between two of them marks may just be counted
        cursor.execute(
            "SELECT COALESCE((SELECT number FROM live_publicchange), 0) + (SELECT COUNT(*) FROM live_publicmark)"
        )
        return int(cursor.fetchone()[0])


def counted() -> PublicChange:
    """Count what was marked; where the count is now."""
    while PublicMark.objects.exists() and _count():
        pass
    return PublicChange.objects.first() or PublicChange()


def _count() -> bool:
    """Count some of the marks; whether there may be more that can be counted.

    Marks of a round that somebody is just writing wait: nothing here waits for anybody else's transaction.
    """
    with transaction.atomic():
        row, _ = PublicChange.objects.select_for_update(no_key=True).get_or_create(only=1)
        marks = list(PublicMark.objects.order_by("pk").values_list("pk", "round")[:_AT_ONCE])
        reports = RoundReport.objects.filter(pk__in={round for _, round in marks if round})
        known = set(reports.values_list("pk", flat=True))
        free = set(reports.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True))
        now = [(pk, round) for pk, round in marks if round in free or round not in known]
        number = row.number + len(now)
        RoundReport.objects.filter(pk__in=free).update(change=number)
        elsewhere = any(round not in free for _, round in now)
        PublicChange.objects.filter(only=1).update(number=number, everywhere=number if elsewhere else F("everywhere"))
        PublicMark.objects.filter(pk__in=[pk for pk, _ in now]).delete()
    return bool(now)
