"""What of seasons waits for somebody, for the office's overview."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from league.staff.roles import Role
from league.staff.todo import Task
from league.standings.excluded import open_proposals


def tasks(roles: frozenset[Role]) -> Iterator[Task]:
    """Exclusions that venues' commissioners propose (T-15)."""
    if Role.COMMISSIONER in roles:
        yield Task(len(open_proposals()), _("proposed exclusions from the league"), reverse("office:season-exclusions"))
