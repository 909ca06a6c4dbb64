"""What waits at the periods' page."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from league.privacy import retention
from league.staff.roles import Role
from league.staff.todo import Task


def tasks(roles: frozenset[Role]) -> Iterable[Task]:
    """What is over by the periods and still there: the nightly command does not run."""
    if Role.COMMISSIONER in roles:
        over = sum(due.rows.count() for due in retention.due(timezone.now()))
        label = ngettext("record kept beyond its period", "records kept beyond their period", over)
        yield Task(over, label, reverse("office:privacy-periods"))
