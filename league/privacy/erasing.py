"""Erases somebody: results stay under the number, which nothing leads back from to a person (DESIGN §6)."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.utils import timezone

from league.cards.models import CardAct
from league.ingest import rosters
from league.people.acts import ERASED, ActRefused, By, note_act
from league.people.models import Card, Participant
from league.privacy import vault
from league.privacy.letters import letters_of
from league.privacy.models import Act, PaperCard
from league.privacy.router import KEYS
from league.rounds import signing_up
from league.staff import audit


def erase(person: Participant, by: By, reason: str = "") -> None:
    """Take name, e-mail, address and birth number away for good, and the key that opened them. Raises `ActRefused`.

    Cards become invalid. Consents are taken back; that they were given and when stays, under the number.
    """
    with transaction.atomic():
        fresh = Participant.objects.select_for_update().get(pk=person.pk)
        if fresh.erased_at is not None:
            raise ActRefused(ERASED)
        signing_up.cancel_all(fresh, by.who)
        letters_of(fresh).delete()
        _forget_data(fresh)
        note_act(fresh, Act.What.ERASED, by)
        by.note(audit.What.ERASE, fresh, reason=reason)
        rosters.changed()
        transaction.on_commit(scrub, robust=True)
        # last: should anything go wrong after it, the key is gone all the same, and erasing can be tried again
        vault.destroy(fresh)
    person.refresh_from_db()


def scrub() -> None:
    """Have both databases give up the pages and the journal in which what was erased may still stand."""
    for alias, tables in _SCRUBBED.items():
        connection = connections[alias]
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            else:
                cursor.execute(f"VACUUM {tables}")


_SCRUBBED = {
    KEYS: "privacy_personkey, privacy_birthindex",
    DEFAULT_DB_ALIAS: (
        "people_participant, people_card, cards_cardact, privacy_privaterecord, privacy_rectification, privacy_act, "
        "mail_letter, own_link"
    ),
}
"""The tables of each database that erasing changes."""


def _forget_data(person: Participant) -> None:
    now = timezone.now()
    person.first_name = person.surname = person.title = person.email = person.language = person.pin = ""
    person.home_venue = None
    person.role = Participant.Role.PARTICIPANT
    person.erased_at = now
    if person.state == Participant.State.ACTIVE:
        person.state = Participant.State.CANCELLED
    person.save()
    person.consents.filter(withdrawn_at__isnull=True, given_at__lte=now).update(withdrawn_at=now)
    person.cards.filter(state=Card.State.VALID).update(state=Card.State.REVOKED, state_at=now, reason="")
    person.cards.exclude(reason="").update(reason="")
    CardAct.objects.filter(holder=person).update(reason="")
    person.acts.update(reason="")
    person.rectifications.all().delete()
    person.links.all().delete()
    PaperCard.objects.filter(participant=person).delete()
    kind = ContentType.objects.get_for_model(Participant)
    LogEntry.objects.filter(content_type=kind, object_id=str(person.pk)).update(object_repr=person.number)
