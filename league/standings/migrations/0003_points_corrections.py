import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('rounds', '0002_round_promised'),
        ('standings', '0002_empty_derived'),
    ]

    operations = [
        migrations.AddField(
            model_name='result',
            name='counted',
            field=models.PositiveIntegerField(default=0, verbose_name='half points that count'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='roundreport',
            name='key',
            field=models.JSONField(default=dict, verbose_name='points key'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='roundreport',
            name='key_corrected',
            field=models.BooleanField(default=False, verbose_name='key corrected'),
        ),
        migrations.AlterField(
            model_name='result',
            name='half_points',
            field=models.PositiveIntegerField(verbose_name='half points at the venue'),
        ),
        migrations.CreateModel(
            name='PointsCorrection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('key', models.JSONField(null=True, verbose_name='points key')),
                ('season_key', models.JSONField(null=True, verbose_name='key of the season at that time')),
                ('reason', models.CharField(max_length=500, verbose_name='reason')),
                ('by', models.CharField(max_length=150, verbose_name='by')),
                ('at', models.DateTimeField(verbose_name='recorded at')),
                ('replaces', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='standings.pointscorrection', verbose_name='replaces')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='rounds.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'correction of a points key',
                'verbose_name_plural': 'corrections of points keys',
                'ordering': ['season', 'number'],
                'constraints': [
                    models.UniqueConstraint(fields=('season', 'number'), name='corrections_follow_one_another'),
                    models.CheckConstraint(
                        condition=models.Q(('key__isnull', False), ('replaces__isnull', False), _connector='OR'),
                        name='only_a_correction_is_withdrawn',
                    ),
                ],
            },
        ),
    ]
