"""Names as searches compare them, in a column; and an index for look-ups by address."""

from typing import Any

from django.db import migrations, models
from django.db.models.functions import Lower

from league.privacy.marks import fold


def fold_names(apps: Any, schema_editor: Any) -> None:
    """Fill the column of everybody who is there."""
    people = apps.get_model("people", "Participant").objects
    last = 0
    while batch := list(people.filter(pk__gt=last).order_by("pk").only("pk", "first_name", "surname")[:1000]):
        for person in batch:
            person.folded = f"{fold(person.first_name)} {fold(person.surname)}"
        people.bulk_update(batch, ["folded"], batch_size=200)
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("people", "0005_card_confiscated")]

    operations = [
        migrations.AddField("participant", "folded", models.TextField(blank=True, default="", editable=False)),
        migrations.AddIndex("participant", models.Index(Lower("email"), name="participant_address")),
        migrations.RunPython(fold_names, migrations.RunPython.noop, elidable=True),
    ]
