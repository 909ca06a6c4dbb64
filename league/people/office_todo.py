"""What waits at the participants' pages."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils.translation import ngettext

from league.people.finding import lacking_data, without_card
from league.people.models import Participant
from league.staff.roles import Role
from league.staff.todo import Task


def tasks(roles: frozenset[Role]) -> Iterable[Task]:
    """Participants whose birth number and address nobody has entered, and those who have no card yet."""
    if Role.CLERK in roles:
        count = Participant.objects.filter(lacking_data(), state=Participant.State.ACTIVE).count()
        label = ngettext(
            "participant without birth number and address", "participants without birth number and address", count
        )
        yield Task(count, label, reverse("office:people-list") + "?lacking=on&state=active")
        count = Participant.objects.filter(without_card()).count()
        label = ngettext("participant without any card", "participants without any card", count)
        yield Task(count, label, reverse("office:people-list") + "?cardless=on")
