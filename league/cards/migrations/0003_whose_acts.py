from datetime import timedelta

from django.db import migrations

AT_ONCE = timedelta(seconds=10)
"""An act and its entry in the audit log are of one transaction."""


def whose(apps, schema_editor):
    if schema_editor.connection.alias != 'default':
        return
    acts = apps.get_model('cards', 'CardAct').objects.filter(card__isnull=False)
    for act in acts.select_related('card').order_by('id').iterator(chunk_size=500):
        act.serial, holder = _issue(apps, act)
        act.holder_id = _of(apps, _audited(apps, act)) or _of(apps, holder) or act.card.participant_id
        if act.serial is None and act.holder_id == act.card.participant_id and not _issued(apps, act).exists():
            act.serial = act.card.serial
        act.save(update_fields=['holder', 'serial'])


def _issue(apps, act):
    """The serial number and the holder of the card as it was last issued at the desk before the act."""
    last = _issued(apps, act).filter(at__lte=act.at).order_by('-at', '-taken_at').first()
    return (last.serial or None, last.participant) if last else (None, '')


def _issued(apps, act):
    return apps.get_model('people', 'CardEntry').objects.filter(uid=act.card.uid, what='issued')


def _audited(apps, act):
    """Whom the audit log names beside the act: known to it even where the desk had not issued the card."""
    entries = apps.get_model('staff', 'AuditEntry').objects.filter(what='act', about__endswith=f': {act.card.uid}')
    beside = entries.filter(at__gte=act.at - AT_ONCE, at__lte=act.at + AT_ONCE).exclude(number='')
    return next(iter(beside.order_by('id').values_list('number', flat=True)[:1]), '')


def _of(apps, number):
    people = apps.get_model('people', 'Participant').objects
    return people.filter(number=number).values_list('pk', flat=True).first() if number else None


class Migration(migrations.Migration):

    dependencies = [
        ('cards', '0002_holders'),
        ('staff', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(whose, migrations.RunPython.noop),
    ]
