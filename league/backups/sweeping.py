"""Cleans up after backups and restores that were killed: what they had open lies in folders that nobody holds."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from league.backups import archive


def sweep(command: BaseCommand, *places: Path) -> None:
    """Delete what lies open in the data folder and in these, or beside these files, and say it."""
    for folder in dict.fromkeys([settings.DATA_DIR, *(_folder(place.absolute()) for place in places)]):
        for left in archive.sweep(folder):
            command.stdout.write(f"{left}: left open by a backup or a restore that was killed; deleted")


def _folder(place: Path) -> Path:
    return place if place.is_dir() else place.parent
