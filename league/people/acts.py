"""What becomes of a registration and of each consent. It acts from that moment, and is on the record (LG-4..LG-7)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time
from typing import NamedTuple

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.ingest import rosters
from league.people.models import Consent, ConsentKind, ConsentText, Participant
from league.privacy.models import Act
from league.rounds import signing_up
from league.staff import audit
from league.staff.models import AuditEntry

PARTICIPANT = "participant"
"""Who the audit log says it was, when somebody does it on their own page."""


class By(NamedTuple):
    """Who does something: a user name, and on whose wish; ``address``: from where."""

    who: str
    side: Act.Side = Act.Side.LEAGUE
    address: str | None = None

    @classmethod
    def staff(cls, request: HttpRequest, side: Act.Side = Act.Side.LEAGUE) -> By:
        """Somebody of the staff at a page, on the league's own wish or on the participant's."""
        return cls(request.user.get_username() or "-", side, request.META.get("REMOTE_ADDR") or None)

    @classmethod
    def participant(cls, address: str | None = None) -> By:
        """The participant on their own page."""
        return cls(PARTICIPANT, Act.Side.PARTICIPANT, address)

    def note(
        self, what: AuditEntry.What, person: Participant, *, about: str = "", fields: Iterable[str] = (),
        reason: str = "",
    ) -> None:  # fmt: skip
        """Write what they do to the audit log."""
        audit.note_by(
            self.who, what, number=person.number, about=about, fields=fields, reason=reason, address=self.address
        )


class ActRefused(ValueError):
    """It cannot be done as things stand; ``reason`` says why, for people."""

    def __init__(self, reason: str | Promise) -> None:
        super().__init__(str(reason))
        self.reason = reason


ERASED = _("This participant's data have been erased.")
_ENDED = {Participant.State.CANCELLED.value: Act.What.CANCELLED, Participant.State.REFUSED.value: Act.What.REFUSED}

_NOT_ACTIVE = _("This participant does not take part.")
_ACTIVE = _("This participant takes part already.")
_REFUSED = _("This participant has been refused already.")
_WITHDRAWN_LATER = _("This consent was withdrawn after that day: a newer one is needed.")
_NO_CONSENT = _("Without the consent to processing nobody can take part: enter it first.")


@transaction.atomic
def cancel(person: Participant, by: By, reason: str = "") -> None:
    """End somebody's part in the league, free of charge (LG-5). Raises `ActRefused`."""
    person = _locked(person)
    if person.state != Participant.State.ACTIVE:
        raise ActRefused(_NOT_ACTIVE)
    _become(person, Participant.State.CANCELLED, Act.What.CANCELLED, by, reason)


@transaction.atomic
def refuse(person: Participant, by: By, reason: str = "") -> None:
    """The league will not have somebody, and need not say why (LG-4). Raises `ActRefused`."""
    person = _locked(person)
    if person.state == Participant.State.REFUSED:
        raise ActRefused(_REFUSED)
    _become(person, Participant.State.REFUSED, Act.What.REFUSED, by, reason)


@transaction.atomic
def reopen(person: Participant, by: By, reason: str = "") -> None:
    """Have somebody take part again. Raises `ActRefused`."""
    person = _locked(person)
    if person.state == Participant.State.ACTIVE:
        raise ActRefused(_ACTIVE)
    if not person.consents.filter(kind=ConsentKind.PROCESSING, withdrawn_at__isnull=True).exists():
        raise ActRefused(_NO_CONSENT)
    _become(person, Participant.State.ACTIVE, Act.What.REOPENED, by, reason)


@transaction.atomic
def give_consent(person: Participant, kind: ConsentKind, by: By, at: datetime | None = None) -> Consent:
    """Record a consent to the text in force (LG-7). One that stands already stays as it is. Raises `ActRefused`.

    ``at``: when it was given, and the text was read, where that was not now: see `on_paper`.
    """
    person = _locked(person)
    standing = person.consents.filter(kind=kind, withdrawn_at__isnull=True).first()
    if standing is not None:
        return standing
    if at is not None and person.consents.filter(kind=kind, withdrawn_at__gt=at).exists():
        raise ActRefused(_WITHDRAWN_LATER)
    at = at or timezone.now()
    consent = Consent.objects.create(participant=person, kind=kind, given_at=at, text=text_in_force(kind, at))
    by.note(audit.What.CHANGE, person, about="consent given", fields=[f"consent:{kind.value}"])
    rosters.changed()
    return consent


@transaction.atomic
def withdraw_consent(person: Participant, kind: ConsentKind, by: By) -> bool:
    """Take a consent back at once; whether there was one. Without that to processing the part in the league ends."""
    person = _locked(person)
    consent = person.consents.filter(kind=kind, withdrawn_at__isnull=True).first()
    if consent is None:
        return False
    consent.withdrawn_at = max(timezone.now(), consent.given_at)
    consent.save(update_fields=["withdrawn_at"])
    by.note(audit.What.CHANGE, person, about="consent withdrawn", fields=[f"consent:{kind.value}"])
    rosters.changed()
    if kind == ConsentKind.PROCESSING and person.state == Participant.State.ACTIVE:
        _become(person, Participant.State.CANCELLED, Act.What.CANCELLED, by, "")
    return True


def on_paper(day: date) -> datetime:
    """The time of what was signed on paper on this day: its beginning in the league's time zone; of today it is now."""
    now = timezone.now()
    return now if day >= timezone.localdate(now) else timezone.make_aware(datetime.combine(day, time.min))


def text_in_force(kind: ConsentKind, at: datetime) -> ConsentText | None:
    """What is consented to at that time."""
    day = timezone.localdate(at)
    return ConsentText.objects.filter(kind=kind, since__lte=day).order_by("-since", "-version").first()


def note_act(person: Participant, what: Act.What, by: By, reason: str = "") -> None:
    """Write an act to somebody's own record."""
    Act.objects.create(
        participant=person, what=what, at=timezone.now(), side=by.side, who=by.who[:150], reason=reason[:500]
    )


def note_import(person: Participant, by: By) -> None:
    """Write to the record that somebody came by an import as one who does not take part.

    Nobody knows since when: what is kept of them is kept from the import on.
    """
    if person.state in _ENDED:
        note_act(person, _ENDED[person.state], by, "import")


def _become(person: Participant, state: Participant.State, what: Act.What, by: By, reason: str) -> None:
    person.state = state
    person.save(update_fields=["state"])
    note_act(person, what, by, reason)
    # the reason stands with the act alone, where erasing takes it away: it may name somebody
    by.note(audit.What.ACT, person, about=what.value, fields=["state"])
    rosters.changed()
    if state != Participant.State.ACTIVE:
        signing_up.cancel_all(person, by.who)


def _locked(person: Participant) -> Participant:
    """The row as it is now, and nobody else's until the transaction ends."""
    fresh = Participant.objects.select_for_update(no_key=True).get(pk=person.pk)
    if fresh.erased_at is not None:
        raise ActRefused(ERASED)
    return fresh
