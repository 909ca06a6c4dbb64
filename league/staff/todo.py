"""What there is to do, for the overview: each app tells its own in a module ``office_todo``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, Protocol, cast

from django.apps import apps
from django.utils.functional import Promise

from league.staff.roles import Role


class Task(NamedTuple):
    """So many of something wait, at ``url``. ``urgent``: somebody is waiting for it, or it goes wrong by itself."""

    number: int
    label: str | Promise
    url: str
    urgent: bool = False


class Teller(Protocol):
    """A module ``league.<app>.office_todo``."""

    def tasks(self, roles: frozenset[Role]) -> Iterable[Task]:
        """What waits for somebody with these roles; tasks with number 0 are not shown."""


def tasks(roles: frozenset[Role]) -> list[Task]:
    """What waits, urgent first."""
    found = [task for teller in tellers() for task in teller.tasks(roles) if task.number]
    return sorted(found, key=lambda task: not task.urgent)


def tellers() -> Iterator[Teller]:
    """The apps' modules that tell."""
    for app in apps.get_app_configs():
        name = f"{app.name}.office_todo"
        if app.name.startswith("league.") and find_spec(name):
            yield cast(Teller, import_module(name))
