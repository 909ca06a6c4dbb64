"""Announcements know of which decision about a season they tell."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_initial"), ("rounds", "0008_season_days")]

    operations = [
        migrations.AddField(
            model_name="announcement",
            name="act",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="announcements",
                to="rounds.seasonact",
                verbose_name="decision about a season",
            ),
        ),
    ]
