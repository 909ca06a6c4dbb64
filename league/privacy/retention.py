"""Applies the retention periods: what is over is erased or deleted, each period by its row (`RetentionRule`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import DatabaseError, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from league.cards.labels import HANDED_IN
from league.cards.models import RefusedCard
from league.mail.models import Letter
from league.people.acts import ActRefused, By
from league.people.models import Consent, Participant
from league.privacy import vault
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


class Done(NamedTuple):
    """What ended, how much by subject, and what would not: each as ``subject: reason``, a person by their number."""

    counts: dict[str, int]
    left: list[str]


def apply(now: datetime, by: By) -> Done:
    """End what is over. Each rule is a transaction of its own, each person one; what one refuses stops no other."""
    done = Done({}, [])
    for each in due(now):
        if each.rows.model is Participant:
            done.counts[each.rule.subject] = sum(_erase(number, each, by, done.left) for number in _numbers(each))
            continue
        try:
            done.counts[each.rule.subject] = _delete(each, by)
        except DatabaseError as error:
            done.left.append(f"{each.rule.subject}: {_why(error)}")
    return done


def _numbers(due: Due) -> list[str]:
    return list(due.rows.values_list("number", flat=True))


def _erase(number: str, due: Due, by: By, left: list[str]) -> bool:
    """Erase one of those listed, unless something became of them since; whether it was done."""
    subject, days = due.rule.subject, due.rule.days
    try:
        with transaction.atomic():
            # locked first: only then does the list say what holds until the end
            person = Participant.objects.select_for_update(no_key=True).get(number=number)
            if not due.rows.filter(pk=person.pk).exists():
                return False
            erase(person, by, reason=f"retention: {subject}, {days} days")
    except (ActRefused, vault.Damaged, DatabaseError) as error:
        left.append(f"{subject} {number}: {_why(error)}")
        return False
    return True


def _why(error: Exception) -> str:
    """The first line: below it a database may name what stood in the row."""
    return str(error).partition("\n")[0] or type(error).__name__


def _delete(due: Due, by: By) -> int:
    """Delete what is over; how many rows."""
    with transaction.atomic():
        count, _ = due.rows.delete()
        if count:
            about = f"retention: {due.rule.subject}, {due.rule.days} days: {count} rows"
            audit.note_by(by.who, audit.What.ERASE, about=about, address=by.address)
    return count


def _people(state: Participant.State, what: Act.What) -> Callable[[datetime], QuerySet[Any]]:
    """Those in this state since before then: by the last such act, else by when they registered."""

    def over(before: datetime) -> QuerySet[Any]:
        last = Act.objects.filter(participant=OuterRef("pk"), what=what).order_by("-id").values("at")[:1]
        people = Participant.objects.filter(state=state, erased_at__isnull=True).annotate(since=Subquery(last))
        return people.filter(Q(since__lt=before) | Q(since__isnull=True, registered_at__lt=before)).order_by("number")

    return over


def _refused_cards(before: datetime) -> QuerySet[Any]:
    """Those that somebody has seen to, and those that nobody has to; the others wait at the overview."""
    nobodys = Q(settled_at__isnull=True, at__lt=before) & ~Q(reason__in=HANDED_IN)
    return RefusedCard.objects.filter(Q(settled_at__lt=before) | nobodys)


_OVER: dict[RetentionRule.Subject, Callable[[datetime], QuerySet[Any]]] = {
    Subject.CANCELLED: _people(Participant.State.CANCELLED, Act.What.CANCELLED),
    Subject.REFUSED: _people(Participant.State.REFUSED, Act.What.REFUSED),
    Subject.RECTIFICATION: lambda before: Rectification.objects.filter(at__lt=before),
    Subject.CONSENT: lambda before: Consent.objects.filter(withdrawn_at__lt=before),
    Subject.LETTER: lambda before: Letter.objects.filter(Q(sent_at__lt=before) | Q(given_up_at__lt=before)),
    Subject.REFUSED_CARD: _refused_cards,
    Subject.AUDIT: lambda before: AuditEntry.objects.filter(at__lt=before),
}
