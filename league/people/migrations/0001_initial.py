
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('rounds', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=12, unique=True, validators=[django.core.validators.RegexValidator('\\A[0-9]{1,12}\\Z', 'A registration number is 1 to 12 digits.')], verbose_name='registration number')),
                ('first_name', models.CharField(max_length=80, verbose_name='first name')),
                ('surname', models.CharField(max_length=80, verbose_name='surname')),
                ('title', models.CharField(blank=True, max_length=40, verbose_name='title')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail')),
                ('state', models.CharField(choices=[('active', 'active'), ('cancelled', 'cancelled'), ('refused', 'refused')], default='active', max_length=12, verbose_name='state')),
                ('role', models.CharField(choices=[('participant', 'participant'), ('commissioner', 'commissioner')], default='participant', max_length=12, verbose_name='role')),
                ('registered_at', models.DateTimeField(blank=True, null=True, verbose_name='registered at')),
                ('home_venue', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='residents', to='rounds.venue', verbose_name='home venue')),
            ],
            options={
                'verbose_name': 'participant',
                'verbose_name_plural': 'participants',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Consent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('processing', 'processing of data'), ('publication', 'publication of name and results'), ('marketing', 'marketing'), ('media', 'photos and video')], max_length=12, verbose_name='kind')),
                ('given_at', models.DateTimeField(verbose_name='given at')),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True, verbose_name='withdrawn at')),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='consents', to='people.participant', verbose_name='participant')),
            ],
            options={
                'verbose_name': 'consent',
                'verbose_name_plural': 'consents',
                'ordering': ['participant', 'kind', 'given_at'],
            },
        ),
        migrations.CreateModel(
            name='Card',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.CharField(max_length=20, unique=True, validators=[django.core.validators.RegexValidator('\\A([0-9A-F]{2}){4,10}\\Z', "A card's identifier is 4 to 10 bytes in hex.")], verbose_name='identifier')),
                ('state', models.CharField(choices=[('valid', 'valid'), ('lost', 'lost'), ('revoked', 'revoked')], default='valid', max_length=8, verbose_name='state')),
                ('issued_at', models.DateTimeField(verbose_name='issued at')),
                ('participant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cards', to='people.participant', verbose_name='participant')),
            ],
            options={
                'verbose_name': 'participant card',
                'verbose_name_plural': 'participant cards',
                'ordering': ['participant', '-issued_at'],
            },
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['active', 'cancelled', 'refused'])), name='participant_state_known'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('participant', 'kind'), name='one_consent_in_force_of_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='consent',
            constraint=models.CheckConstraint(condition=models.Q(('withdrawn_at__isnull', True), ('withdrawn_at__gte', models.F('given_at')), _connector='OR'), name='consent_withdrawn_after_given'),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'valid')), fields=('participant',), name='one_valid_card_a_participant'),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['valid', 'lost', 'revoked'])), name='card_state_known'),
        ),
    ]
