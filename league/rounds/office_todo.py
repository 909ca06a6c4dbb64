"""What of the rounds waits for somebody, for the office's overview."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.rounds.models import Round
from league.rounds.reminding import notice_due, to_notify, with_too_few
from league.staff.roles import Role
from league.staff.todo import Task

SOON = timedelta(days=14)


def tasks(roles: frozenset[Role]) -> Iterator[Task]:
    """Notices to municipalities, rounds that few have signed up for, plans that nobody has announced."""
    if Role.COMMISSIONER not in roles:
        return
    today, listed = timezone.localdate(), reverse("office:rounds-list")
    due = list(to_notify(today))
    late = any(notice_due(round) <= today for round in due)
    yield Task(len(due), _("notices of rounds to municipalities"), f"{listed}?show=notice", late)
    yield Task(len(with_too_few(today)), _("rounds with few sign-ups"), listed)
    now = timezone.now()
    plans = Round.objects.filter(
        promised__isnull=True, cancelled_at=None, starts_at__gte=now, starts_at__lte=now + SOON
    )
    yield Task(plans.count(), _("plans of the next two weeks that are not announced"), listed, True)
