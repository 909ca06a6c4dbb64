from django.db import migrations, models


def keep_what_was_promised(apps, schema_editor):
    """What was offered so far had the season's key copied into the announcement itself."""
    apps.get_model("rounds", "Round").objects.filter(offered_at__isnull=False).update(
        promised=models.F("announcement")
    )


class Migration(migrations.Migration):

    dependencies = [
        ("rounds", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="promised",
            field=models.JSONField(blank=True, editable=False, null=True, verbose_name="as it was announced"),
        ),
        migrations.AlterField(
            model_name="season",
            name="points_key",
            field=models.JSONField(blank=True, help_text="Empty: the default key, which the league has not confirmed. A change counts for rounds announced later; to recompute rounds that were announced before, correct the key.", null=True, verbose_name="points key"),
        ),
        migrations.RunPython(keep_what_was_promised, migrations.RunPython.noop),
    ]
