"""Walks a league's databases through all their migrations, and leaves rows of every state on the way.

python -m tests.league.older_states        # on empty databases, named by the environment; prints what it left
"""

from __future__ import annotations

import datetime
import json
import os
from typing import Any

import django

PAST = datetime.datetime(2026, 5, 4, 3, 2, 1, tzinfo=datetime.UTC)
FITTING: dict[str, Any] = {
    "people.participant.number": lambda n: f"{n:06}",
    "cards.cardact.what": lambda n: "replaced",
    "rounds.device.role": lambda n: "table",
    "fleet.enrolment.wrong_tries": lambda n: 1,
}
"""What a field must look like where not anything would do."""

ENDS = {"until", "withdrawn_at"}
"""Times that come after another one of their row."""


class Walk:
    """One database on its way from nothing to today."""

    def __init__(self, alias: str) -> None:
        self.alias = alias
        self.made: dict[str, list[Any]] = {}
        self._n = 0

    def go(self, labels: set[str]) -> None:
        """Apply each migration; after one of ours, add a row to each table of its app."""
        from django.db import connections
        from django.db.migrations.executor import MigrationExecutor

        executor = MigrationExecutor(connections[self.alias])
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        executor.recorder.ensure_schema()
        state = executor._create_project_state(with_applied_migrations=True)
        for migration, _ in plan:
            state = executor.apply_migration(state, migration)
            if migration.app_label in labels:
                for model in state.apps.get_app_config(migration.app_label).get_models():
                    self.row_of(model)

    def row_of(self, model: Any) -> Any:
        """A new row, with something in every field."""
        from django.db import router

        label = model._meta.label_lower
        if not router.allow_migrate(self.alias, model._meta.app_label, model_name=model._meta.model_name):
            return None
        # a single row's table, or one with a row for each of a few kinds, may be full already
        few = any(field.name == "only" or (field.unique and field.choices) for field in model._meta.fields)
        if few and (there := model._base_manager.using(self.alias).first()):
            return there
        self._n += 1
        values = {
            field.name: self.value_of(field) for field in model._meta.local_concrete_fields if self.is_ours(field)
        }
        row = model(**values)
        row.save(using=self.alias, force_insert=True)
        self.made.setdefault(label, []).append(row.pk)
        return row

    def is_ours(self, field: Any) -> bool:
        """Whether it is for us to fill: not what the database counts, nor a field of a single row's key."""
        return not field.get_internal_type().endswith("AutoField") and field.name != "only"

    def value_of(self, field: Any) -> Any:
        """Something that the field may hold, another one in each row."""
        n, kind = self._n, field.get_internal_type()
        if fitting := FITTING.get(f"{field.model._meta.label_lower}.{field.name}"):
            return fitting(n)
        if field.is_relation:
            return self.related(field)
        if field.choices:
            return next(iter(field.choices))[0]
        if "Char" in kind or "Text" in kind or kind in ("EmailField", "SlugField"):
            return f"ž{n}"[: field.max_length or None]
        if "Integer" in kind:
            return n
        when = PAST + datetime.timedelta(seconds=n, days=1000 * (field.name in ENDS))
        simple = {
            "DateTimeField": when, "DateField": when.date() + datetime.timedelta(days=n),
            "BooleanField": True, "JSONField": {"n": n}, "BinaryField": bytes([n % 256]) * 12,
            "GenericIPAddressField": "192.0.2.1", "DecimalField": n, "TimeField": PAST.time(),
        }  # fmt: skip
        return simple[kind]

    def related(self, field: Any) -> Any:
        """A new row that it belongs to; none of its own kind."""
        target = field.remote_field.model
        return None if target._meta.label_lower == field.model._meta.label_lower else self.row_of(target)


def main() -> None:
    """Walk both databases; print the keys of the rows that were left, and of those that today's models find."""
    django.setup()
    from django.apps import apps

    labels = {config.label for config in apps.get_app_configs() if config.name.startswith("league.")}
    made: dict[str, list[Any]] = {}
    for alias in ("default", "keys"):
        walk = Walk(alias)
        walk.go(labels)
        made |= walk.made
    found = {label: [row.pk for row in apps.get_model(label)._base_manager.all()] for label in made}
    print(json.dumps({"made": made, "found": found}))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    main()
