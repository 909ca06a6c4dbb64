"""Applies the retention periods: what is over is erased or deleted, each period by its row (`RetentionRule`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from league.mail.models import Letter
from league.people.acts import By
from league.people.models import Consent, Participant
from league.privacy.erasing import erase
from league.privacy.models import Act, Rectification, RetentionRule
from league.staff import audit
from league.staff.models import AuditEntry

Subject = RetentionRule.Subject


class Due(NamedTuple):
    """What a rule would end now."""

    rule: RetentionRule
    rows: QuerySet[Any]


def due(now: datetime) -> Iterator[Due]:
    """Each rule that has a period, with what is over by it; nothing is changed."""
    for rule in RetentionRule.objects.exclude(days=None).order_by("subject"):
        assert rule.days is not None
        yield Due(rule, _OVER[Subject(rule.subject)](now - timedelta(days=rule.days)))


def apply(now: datetime, by: By) -> dict[str, int]:
    """End what is over; how much, by subject. Each rule is a transaction of its own, each person one."""
    done: dict[str, int] = {}
    for rule, rows in due(now):
        if rule.subject in (Subject.CANCELLED, Subject.REFUSED):
            people = list(rows)
            for person in people:
                erase(person, by, reason=f"retention: {rule.subject}, {rule.days} days")
            done[rule.subject] = len(people)
            continue
        with transaction.atomic():
            count, _ = rows.delete()
            if count:
                about = f"retention: {rule.subject}, {rule.days} days: {count} rows"
                audit.note_by(by.who, audit.What.ERASE, about=about, address=by.address)
        done[rule.subject] = count
    return done


def _people(state: Participant.State, what: Act.What) -> Callable[[datetime], QuerySet[Any]]:
    """Those in this state since before then: by the last such act, else by when they registered."""

    def over(before: datetime) -> QuerySet[Any]:
        last = Act.objects.filter(participant=OuterRef("pk"), what=what).order_by("-id").values("at")[:1]
        people = Participant.objects.filter(state=state, erased_at__isnull=True).annotate(since=Subquery(last))
        return people.filter(Q(since__lt=before) | Q(since__isnull=True, registered_at__lt=before)).order_by("number")

    return over


_OVER: dict[RetentionRule.Subject, Callable[[datetime], QuerySet[Any]]] = {
    Subject.CANCELLED: _people(Participant.State.CANCELLED, Act.What.CANCELLED),
    Subject.REFUSED: _people(Participant.State.REFUSED, Act.What.REFUSED),
    Subject.RECTIFICATION: lambda before: Rectification.objects.filter(at__lt=before),
    Subject.CONSENT: lambda before: Consent.objects.filter(withdrawn_at__lt=before),
    Subject.LETTER: lambda before: Letter.objects.filter(Q(sent_at__lt=before) | Q(given_up_at__lt=before)),
    Subject.AUDIT: lambda before: AuditEntry.objects.filter(at__lt=before),
}
