
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('rounds', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='RoundReport',
            fields=[
                ('round', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='folded', serialize=False, to='rounds.round', verbose_name='round')),
                ('epoch', models.CharField(max_length=30, verbose_name='epoch')),
                ('seq', models.PositiveBigIntegerField(verbose_name='sequence number')),
                ('state', models.CharField(max_length=12, verbose_name='state')),
                ('starts_at', models.DateTimeField(verbose_name='starts at')),
                ('at', models.DateTimeField(verbose_name='last event')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='reason')),
                ('registered', models.PositiveIntegerField(default=0, verbose_name='registered')),
                ('left', models.PositiveIntegerField(default=0, verbose_name='players left')),
                ('pool', models.PositiveBigIntegerField(default=0, verbose_name='deposits')),
                ('key_unconfirmed', models.BooleanField(default=False, verbose_name='key unconfirmed')),
                ('unknown_records', models.PositiveIntegerField(default=0, verbose_name='unknown records')),
            ],
            options={
                'verbose_name': 'round report',
                'verbose_name_plural': 'round reports',
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(db_index=True, max_length=12, verbose_name='registration number')),
                ('place', models.PositiveSmallIntegerField(verbose_name='place')),
                ('prize', models.PositiveBigIntegerField(verbose_name='prize in CZK')),
                ('half_points', models.PositiveIntegerField(verbose_name='half points')),
                ('provisional', models.BooleanField(default=True, verbose_name='provisional')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='rounds.round', verbose_name='round')),
            ],
            options={
                'verbose_name': 'result',
                'verbose_name_plural': 'results',
                'ordering': ['round', 'place', 'number'],
                'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='one_result_a_participant_a_round')],
            },
        ),
    ]
