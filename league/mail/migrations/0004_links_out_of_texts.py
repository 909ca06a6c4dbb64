"""Letters of before had their links in the text, where the office reads them, for as long as the letter is kept."""

import re
from datetime import timedelta

from django.db import migrations

_LINK = re.compile(r"https?://\S+/account/password/\S+")
_GOOD = timedelta(days=3)


def take_out(apps, schema_editor):
    letters = apps.get_model("mail", "Letter").objects.using(schema_editor.connection.alias)
    for letter in letters.filter(body__contains="/account/password/"):
        found = _LINK.search(letter.body)
        letter.body = _LINK.sub("(…)", letter.body)
        if found and letter.sent_at is None:
            letter.enclosed, letter.until = f"\n{found[0]}\n", letter.made_at + _GOOD
        letter.save(update_fields=["body", "enclosed", "until"])


class Migration(migrations.Migration):

    dependencies = [
        ("mail", "0003_enclosed"),
    ]

    operations = [migrations.RunPython(take_out, migrations.RunPython.noop, elidable=True)]
