"""Letters that nobody took, for the office's overview."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from league.mail.models import Letter
from league.mail.office import READERS
from league.staff.roles import Role
from league.staff.todo import Task


def tasks(roles: frozenset[Role]) -> Iterator[Task]:
    """Letters that were given up, and those that wait after an error."""
    if not roles & READERS:
        return
    listed = reverse("office:mail-list")
    failed = Letter.objects.filter(sent_at=None).exclude(given_up_at=None)
    yield Task(failed.count(), _("letters that could not be sent"), f"{listed}?state=failed", True)
    waiting = Letter.objects.filter(sent_at=None, given_up_at=None).exclude(error="")
    yield Task(waiting.count(), _("letters that wait after an error"), f"{listed}?state=waiting")
