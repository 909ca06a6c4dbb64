"""An interruption is known by its days alone, and a season that was ended ends with the day that was decided."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import migrations


def by_days(apps: Any, schema_editor: Any) -> None:
    """Of those that were ended, the day is that of the last decision, where it is one of the season's."""
    alias = schema_editor.connection.alias
    seasons = apps.get_model("rounds", "Season").objects.using(alias)
    seasons.filter(state="interrupted").update(state="running")
    for season in seasons.filter(state="ended"):
        end = apps.get_model("rounds", "SeasonAct").objects.using(alias).filter(season=season).order_by("pk").last()
        last = season.ends_on or date(season.year, 12, 31)
        if end is not None and end.what == "end" and date(season.year, 1, 1) <= end.day <= last:
            seasons.filter(pk=season.pk).update(ends_on=end.day)


class Migration(migrations.Migration):
    dependencies = [("rounds", "0007_what_was_told")]

    operations = [migrations.RunPython(by_days, migrations.RunPython.noop, elidable=True)]
