"""What venues said last of their rounds, and what was told of it: so far it was to be seen from the reports alone."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

NOT_BEGUN = ("planned", "announced", "open", "moved")


def from_reports(apps: Any, schema_editor: Any) -> None:
    """Take what the reports say: nobody is told of it again."""
    alias = schema_editor.connection.alias
    Round = apps.get_model("rounds", "Round")
    for report in apps.get_model("standings", "RoundReport").objects.using(alias).select_related("round"):
        round = report.round
        waits = round.moved_at is not None and report.state in NOT_BEGUN and report.at < round.moved_at
        Round.objects.using(alias).filter(pk=round.pk).update(
            heard_starts_at=report.starts_at,
            heard_cancelled=report.state == "cancelled",
            told_starts_at=round.starts_at if waits else report.starts_at,
        )


class Migration(migrations.Migration):
    dependencies = [("rounds", "0006_season_course"), ("standings", "0007_past_results")]

    operations = [
        migrations.AddField(
            model_name="round",
            name="heard_starts_at",
            field=models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="starts at, as the venue has it"
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="heard_cancelled",
            field=models.BooleanField(default=False, editable=False, verbose_name="cancelled by the venue"),
        ),
        migrations.AddField(
            model_name="round",
            name="told_starts_at",
            field=models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="starts at, as was told last"
            ),
        ),
        migrations.RunPython(from_reports, migrations.RunPython.noop, elidable=True),
    ]
