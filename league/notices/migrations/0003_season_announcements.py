"""Of what was announced of seasons so far, what no longer holds is withdrawn, and winners stand there by their numbers."""

from __future__ import annotations

import re
from typing import Any

from django.db import migrations
from django.utils import timezone

CONTRADICTS = {
    "interrupt": ("interrupt", "resume"),
    "resume": ("interrupt", "resume", "end"),
    "shorten": ("shorten", "extend"),
    "extend": ("shorten", "extend"),
    "end": ("interrupt", "resume", "shorten", "extend", "end"),
}
WINNERS = re.compile(r"((?:Vítěz|Společní vítězové|The winner|Joint winners): ).+\.\s*\Z", re.DOTALL)


def link(apps: Any, schema_editor: Any) -> None:
    """By the moment and the person: an announcement was written with its decision."""
    alias = schema_editor.connection.alias
    announcements = apps.get_model("notices", "Announcement").objects.using(alias)
    for act in apps.get_model("rounds", "SeasonAct").objects.using(alias).select_related("season").order_by("pk"):
        row = announcements.filter(since=act.at, by=act.by, act=None).first()
        earlier = announcements.filter(act__season=act.season, act__what__in=CONTRADICTS[act.what], withdrawn_at=None)
        earlier.update(withdrawn_at=timezone.now())
        if row is None:
            continue
        row.act = act
        names = _names(apps, act.winners)
        row.text_cs, row.text_en, row.title_cs, row.title_en = (
            _numbers_alone(text, act.winners, names) for text in (row.text_cs, row.text_en, row.title_cs, row.title_en)
        )
        if act.what == "interrupt" and act.until is None:
            row.until = None
        row.save()


def _names(apps: Any, numbers: list[str]) -> dict[str, str]:
    people = apps.get_model("people", "Participant").objects.filter(number__in=numbers)
    return {one.number: " ".join(part for part in (one.title, one.first_name, one.surname) if part) for one in people}


def _numbers_alone(text: str, winners: list[str], names: dict[str, str]) -> str:
    """A text without the winners' names: as it was filled in, else where somebody wrote them as they are known."""
    if winners and all(number in text for number in winners):
        text = WINNERS.sub(lambda found: f"{found[1]}{', '.join(winners)}.", text)
    for number, name in names.items():
        if name:
            text = text.replace(f"{name} ({number})", number).replace(name, number)
    return text


class Migration(migrations.Migration):
    dependencies = [("notices", "0002_announcement_act"), ("people", "0005_card_confiscated")]

    operations = [migrations.RunPython(link, migrations.RunPython.noop, elidable=True)]
