
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('rounds', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Contact',
            fields=[
                ('venue', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='contact', serialize=False, to='rounds.venue', verbose_name='venue')),
                ('online', models.BooleanField(default=False, verbose_name='online')),
                ('software', models.CharField(blank=True, max_length=200, verbose_name='software')),
                ('seen_at', models.DateTimeField(verbose_name='last contact')),
            ],
            options={
                'verbose_name': 'contact',
                'verbose_name_plural': 'contacts',
            },
        ),
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('venue', models.CharField(max_length=32, verbose_name='venue')),
                ('stream', models.CharField(blank=True, max_length=80, verbose_name='stream')),
                ('code', models.CharField(max_length=40, verbose_name='kind')),
                ('detail', models.CharField(blank=True, max_length=300, verbose_name='detail')),
                ('count', models.PositiveIntegerField(default=1, verbose_name='count')),
                ('first_at', models.DateTimeField(auto_now_add=True, verbose_name='first at')),
                ('last_at', models.DateTimeField(verbose_name='last at')),
                ('resolved_at', models.DateTimeField(blank=True, null=True, verbose_name='resolved at')),
            ],
            options={
                'verbose_name': 'alert',
                'verbose_name_plural': 'alerts',
                'ordering': ['-last_at'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('resolved_at__isnull', True)), fields=('venue', 'stream', 'code'), name='one_open_alert_of_a_kind')],
            },
        ),
        migrations.CreateModel(
            name='Quarantine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(db_index=True, max_length=80, verbose_name='stream')),
                ('epoch', models.CharField(max_length=30, verbose_name='epoch')),
                ('seq', models.PositiveBigIntegerField(verbose_name='sequence number')),
                ('reason', models.CharField(max_length=40, verbose_name='reason')),
                ('detail', models.CharField(blank=True, max_length=300, verbose_name='detail')),
                ('since', models.DateTimeField(auto_now_add=True, verbose_name='since')),
            ],
            options={
                'verbose_name': 'quarantined record',
                'verbose_name_plural': 'quarantine',
                'ordering': ['stream', 'epoch', 'seq'],
                'constraints': [models.UniqueConstraint(fields=('stream', 'epoch', 'seq', 'reason'), name='one_reason_once')],
            },
        ),
        migrations.CreateModel(
            name='RawRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(max_length=80, verbose_name='stream')),
                ('epoch', models.CharField(max_length=30, verbose_name='epoch')),
                ('seq', models.PositiveBigIntegerField(verbose_name='sequence number')),
                ('type', models.CharField(max_length=80, verbose_name='kind')),
                ('raw', models.BinaryField()),
                ('signature', models.BinaryField(null=True)),
                ('received_at', models.DateTimeField(auto_now_add=True, verbose_name='received at')),
            ],
            options={
                'verbose_name': 'record',
                'verbose_name_plural': 'records',
                'ordering': ['stream', 'epoch', 'seq'],
                'constraints': [models.UniqueConstraint(fields=('stream', 'epoch', 'seq'), name='one_record_a_place')],
            },
        ),
        migrations.CreateModel(
            name='StreamHead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(max_length=80, verbose_name='stream')),
                ('epoch', models.CharField(max_length=30, verbose_name='epoch')),
                ('epoch_number', models.PositiveIntegerField()),
                ('venue', models.CharField(db_index=True, max_length=32, verbose_name='venue')),
                ('seq', models.PositiveBigIntegerField(verbose_name='sequence number')),
                ('hash', models.CharField(max_length=64)),
                ('after_epoch', models.CharField(blank=True, max_length=30)),
                ('after_seq', models.PositiveBigIntegerField(null=True)),
            ],
            options={
                'verbose_name': 'stream head',
                'verbose_name_plural': 'stream heads',
                'ordering': ['stream', 'epoch_number', 'epoch'],
                'constraints': [models.UniqueConstraint(fields=('stream', 'epoch'), name='one_head_an_epoch')],
            },
        ),
    ]
