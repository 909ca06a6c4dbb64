from django.db import migrations, models


def as_it_was(apps, schema_editor):
    """So far every card was taken by its number."""
    apps.get_model("rounds", "Season").objects.update(least_card="uid")


class Migration(migrations.Migration):

    dependencies = [
        ("rounds", "0002_round_promised"),
    ]

    operations = [
        migrations.AddField(
            model_name="season",
            name="least_card",
            field=models.CharField(choices=[("genuine", "verified with its key"), ("signed", "signed by the league"), ("uid", "known by its number")], default="signed", help_text="By its number alone a card can be copied by anybody. Venues hear of a change when their rosters are published.", max_length=8, verbose_name="cards must be at least"),
        ),
        migrations.RunPython(as_it_was, migrations.RunPython.noop),
    ]
