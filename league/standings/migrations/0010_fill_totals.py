from django.db import migrations

ADD_UP = """
INSERT INTO standings_seasontotal (season_id, number, counted, rounds, over_counted, over_rounds)
SELECT played.season_id, result.number, SUM(result.counted), COUNT(*),
       SUM(CASE WHEN result.provisional THEN 0 ELSE result.counted END),
       SUM(CASE WHEN result.provisional THEN 0 ELSE 1 END)
FROM standings_result result JOIN rounds_round played ON played.id = result.round_id
WHERE NOT result.void
GROUP BY played.season_id, result.number
"""


def fill(apps, schema_editor):
    """Add up the results that are there already."""
    apps.get_model("standings", "SeasonTotal").objects.all().delete()
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(ADD_UP)


class Migration(migrations.Migration):

    dependencies = [("standings", "0009_totals")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
