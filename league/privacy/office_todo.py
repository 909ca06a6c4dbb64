"""What waits at the periods' page."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from league.privacy import retention
from league.privacy.erasing import cut_off
from league.staff.roles import Role
from league.staff.todo import Task


def tasks(roles: frozenset[Role]) -> Iterable[Task]:
    """What is over by the periods and still there: the nightly command does not run. Whose erasure was cut off."""
    if Role.COMMISSIONER in roles or Role.CLERK in roles:
        numbers = sorted(person.number for person in cut_off())
        label = ngettext("erasure that was cut off", "erasures that were cut off", len(numbers))
        yield Task(len(numbers), label, reverse("office:people-person", args=numbers[:1] or ["0"]), urgent=True)
    if Role.COMMISSIONER in roles:
        over = sum(due.rows.count() for due in retention.due(timezone.now()))
        label = ngettext("record kept beyond its period", "records kept beyond their period", over)
        yield Task(over, label, reverse("office:privacy-periods"))
