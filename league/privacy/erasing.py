"""Erases somebody: results stay under the number, which nothing leads back from to a person (DESIGN §6)."""

from __future__ import annotations

import contextlib
from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from league.cards.models import CardAct
from league.ingest import rosters
from league.people.acts import ERASED, PARTICIPANT, ActRefused, By, note_act
from league.people.locking import few
from league.people.models import Card, Participant
from league.privacy import vault
from league.privacy.letters import letters_of
from league.privacy.models import Act, Erasure, PaperCard
from league.privacy.router import KEYS
from league.rounds import signing_up
from league.staff import audit
from league.staff.models import AuditEntry
from league.standings.models import DeclinedProposal, Exclusion, ExclusionProposal, ParticipationVoid


def erase(person: Participant, by: By, reason: str = "") -> None:
    """Take name, e-mail, address and birth number away for good, and the key that opened them. Raises `ActRefused`.

    Cards become invalid. Consents are taken back; that they were given and when stays, under the number, and so do the
    league's decisions, without the words they were given with.
    """
    with transaction.atomic():
        fresh = Participant.objects.select_for_update(no_key=True).get(pk=person.pk)
        if fresh.erased_at is not None:
            raise ActRefused(ERASED)
        signing_up.cancel_all(fresh, by.who)
        letters_of(fresh).delete()
        _forget_data(fresh)
        _forget_words(fresh.number)
        note_act(fresh, Act.What.ERASED, by)
        by.note(audit.What.ERASE, fresh, reason=reason)
        rosters.changed()
        transaction.on_commit(scrub, robust=True)
        # last: should anything go wrong after it, the key is gone all the same, and erasing can be tried again
        vault.destroy(fresh)
    person.refresh_from_db()


def cut_off() -> dict[Participant, datetime]:
    """Whose key is gone though they are here, and since when: erasing was cut off between the two databases."""
    begun = {pk: (number, at) for pk, number, at in Erasure.objects.values_list("pk", "number", "at")}
    here = (each for some in few(begun) for each in Participant.objects.filter(pk__in=some, erased_at=None))
    return {person: begun[person.pk][1] for person in here if begun[person.pk][0] == person.number}


def finish(by: By) -> list[str]:
    """Erase to the end whoever was not; their registration numbers."""
    done = []
    for person, at in cut_off().items():
        with contextlib.suppress(ActRefused):  # somebody else was first
            erase(person, by, reason=f"begun on {timezone.localdate(at)}, and cut off")
            done.append(person.number)
    return done


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
        "privacy_papercard, mail_letter, own_link, django_admin_log, staff_auditentry, standings_exclusion, "
        "standings_exclusionproposal, standings_declinedproposal, standings_participationvoid"
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
    # given by a clock that was ahead, or that is behind now
    person.consents.filter(withdrawn_at__isnull=True).update(withdrawn_at=F("given_at"))
    person.cards.filter(state=Card.State.VALID).update(state=Card.State.REVOKED, state_at=now, reason="")
    person.cards.exclude(reason="").update(reason="")
    CardAct.objects.filter(holder=person).update(reason="")
    person.acts.update(reason="")
    person.rectifications.all().delete()
    person.links.all().delete()
    PaperCard.objects.filter(participant=person).delete()
    kind = ContentType.objects.get_for_model(Participant)
    entries = LogEntry.objects.filter(content_type=kind, object_id=str(person.pk))
    entries.update(object_repr=person.number, change_message="")


def _forget_words(number: str) -> None:
    """What was written about them, and where from they came to their own page. Decisions stay, under the number."""
    CardAct.objects.filter(refusal__participant=number).update(reason="")
    ExclusionProposal.objects.filter(number=number).update(reason="")
    DeclinedProposal.objects.filter(number=number).update(reason="")
    Exclusion.objects.filter(participant=number).update(reason="", lifted_why="")
    # not by their manager: nothing of a decision changes, but the words that gave a reason go
    QuerySet(ParticipationVoid).filter(participant=number).update(reason="")
    AuditEntry.objects.filter(number=number).update(reason="")
    AuditEntry.objects.filter(number=number, who=PARTICIPANT).update(address=None)
