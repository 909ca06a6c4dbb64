
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(unique=True, verbose_name='season')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('profile', models.CharField(default='cpl-2017', max_length=20, verbose_name='rules profile')),
                ('points_key', models.JSONField(blank=True, help_text='Empty: the default key, which the league has not confirmed.', null=True, verbose_name='points key')),
            ],
            options={
                'verbose_name': 'season',
                'verbose_name_plural': 'seasons',
                'ordering': ['-year'],
            },
        ),
        migrations.CreateModel(
            name='Venue',
            fields=[
                ('id', models.CharField(max_length=32, primary_key=True, serialize=False, validators=[django.core.validators.RegexValidator('\\A[a-z0-9-]{1,32}\\Z', 'Lower-case letters, digits and hyphens, at most 32.')], verbose_name='code')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('town', models.CharField(blank=True, max_length=80, verbose_name='town')),
            ],
            options={
                'verbose_name': 'venue',
                'verbose_name_plural': 'venues',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.CharField(max_length=64, primary_key=True, serialize=False, validators=[django.core.validators.RegexValidator('\\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\Z', 'Letters, digits, dots, hyphens and underscores, at most 64.')], verbose_name='code')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='name')),
                ('starts_at', models.DateTimeField(verbose_name='starts at')),
                ('announcement', models.JSONField(help_text='The announce command as the venue will get it.', verbose_name='announcement')),
                ('offered_at', models.DateTimeField(blank=True, null=True, verbose_name='offered at')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='rounds.season', verbose_name='season')),
                ('venue', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='rounds.venue', verbose_name='venue')),
            ],
            options={
                'verbose_name': 'round',
                'verbose_name_plural': 'rounds',
                'ordering': ['starts_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=32, validators=[django.core.validators.RegexValidator('\\A[a-z0-9-]{1,32}\\Z', 'Lower-case letters, digits and hyphens, at most 32.')], verbose_name='name')),
                ('role', models.CharField(choices=[('director', 'director'), ('table', 'table'), ('uplink', 'uplink')], max_length=8, verbose_name='role')),
                ('table', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='table number')),
                ('public_key', models.CharField(max_length=64, validators=[django.core.validators.RegexValidator('\\A[0-9a-f]{64}\\Z', 'An Ed25519 public key is 64 hex digits.')], verbose_name='public key')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked at')),
                ('venue', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to='rounds.venue', verbose_name='venue')),
            ],
            options={
                'verbose_name': 'device',
                'verbose_name_plural': 'devices',
                'ordering': ['venue', 'name'],
                'constraints': [models.UniqueConstraint(fields=('venue', 'name'), name='one_device_of_a_name_a_venue'), models.UniqueConstraint(fields=('public_key',), name='one_device_a_key'), models.CheckConstraint(condition=models.Q(models.Q(('role', 'table'), ('table__gte', 1)), models.Q(models.Q(('role', 'table'), _negated=True), ('table__isnull', True)), _connector='OR'), name='table_number_for_tables_only')],
            },
        ),
    ]
