from django.db import migrations


def empty(apps, schema_editor):
    """Rounds are folded anew when the ingest starts: it finds them behind their streams."""
    apps.get_model("standings", "Result").objects.all().delete()
    apps.get_model("standings", "RoundReport").objects.all().delete()


class Migration(migrations.Migration):
    """On its own, so that the tables are changed only after this is committed."""

    dependencies = [
        ("standings", "0001_initial"),
    ]

    operations = [migrations.RunPython(empty, migrations.RunPython.noop)]
