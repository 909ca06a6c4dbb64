"""What waits for an operator among the staff's own accounts."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.staff import lockout
from league.staff.roles import Role
from league.staff.todo import Task


def tasks(roles: frozenset[Role]) -> Iterable[Task]:
    """Accounts without a second factor, and sign-ins that are closed."""
    if Role.OPERATOR not in roles:
        return
    page = reverse("office:staff-list")
    bare = User.objects.filter(is_active=True, authenticator__isnull=True).distinct()
    yield Task(bare.count(), _("accounts without a second factor"), page)
    yield Task(lockout.closed_names().count(), _("sign-ins closed after failures"), page, urgent=True)
