"""What of the fleet waits for somebody, for the office's overview."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.fleet import overview
from league.ingest.fates import open_alerts
from league.staff.roles import Role
from league.staff.todo import Task


def tasks(roles: frozenset[Role]) -> Iterator[Task]:
    """Venues that are not heard of and play soon, and alerts that nobody has seen to."""
    if Role.OPERATOR not in roles:
        return
    listed = reverse("office:fleet-list")
    silent = overview.silent(timezone.now()).count()
    yield Task(silent, _("venues that play soon and were not heard of for a day"), f"{listed}?show=silent", True)
    yield Task(open_alerts().count(), _("alerts of venues that are open"), f"{listed}?show=trouble")
