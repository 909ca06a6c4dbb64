from __future__ import annotations

from typing import Any

from league.imports.people import import_people
from league.imports.telling import ImportCommand
from league.people.acts import By


class Command(ImportCommand):
    help = "Import participants from CSV; all of the file or nothing. Whoever is there already is left as they are."

    def handle(self, *args: Any, **options: Any) -> None:
        self.carry_out(lambda raw, **how: import_people(raw, By("import_people"), **how), **options)
