"""Asks for a link by e-mail. Whether the league knows the address shows neither in the answer nor in the work done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language

from league.own import letters, links
from league.own.links import AHEAD
from league.own.models import AskedCount, Link
from league.people.acts import ERASED, ActRefused
from league.people.models import Participant, with_address

ADDRESS_LIMIT = 5
FROM_LIMIT = 60
"""More than an address's: a whole venue may come from one network address."""
WINDOW = timedelta(hours=1)
FAMILY = 10
"""So many people with one address get a link each."""

AddressOf = Callable[[str, str], str]
"""The whole address of the page of a token, in a language."""


class TooMany(ValueError):
    """Too many links were asked for; ``until``: when there will be another one."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until.isoformat())
        self.until = until


def ask(email: str, come_from: str, address_of: AddressOf, now: datetime) -> None:
    """Send a link to everybody with this address. Raises `TooMany`, for known addresses and others alike."""
    count(email, come_from, now)
    with transaction.atomic():
        # locked first: whoever is being erased meanwhile is waited for, and gets nothing
        theirs = with_address(email).select_for_update(no_key=True).filter(erased_at=None)
        known = list(theirs.order_by("pk")[:FAMILY])
        links.forget_old(now)
        for person in known or [Participant(pk=0, number="0")]:
            with transaction.atomic():
                _send(person, email, address_of, now)
                if not known:
                    transaction.set_rollback(True)


def ask_to_confirm(person: Participant, email: str, come_from: str, address_of: AddressOf, now: datetime) -> None:
    """Send a link that confirms a new address to it. Raises `TooMany`, and `ActRefused` for whom was erased."""
    count(email, come_from, now)
    with transaction.atomic():
        if not Participant.objects.select_for_update(no_key=True).filter(pk=person.pk, erased_at=None).exists():
            raise ActRefused(ERASED)
        link, token = links.mint(person.pk, Link.Purpose.ADDRESS, person.email, now)
        links.seal_address(person, link, email)
        letters.to_confirm(person, email, link, address_of(token, _language(person)), now + links.VALID)


def count(email: str, come_from: str, now: datetime) -> None:
    """Count one more. Raises `TooMany`; then it is not counted. The counts are all web processes' together."""
    limits = {key_of("address", email): ADDRESS_LIMIT, key_of("from", come_from): FROM_LIMIT}
    with transaction.atomic():
        AskedCount.objects.filter(since__lt=now - timedelta(days=1)).delete()
        rows = [
            AskedCount.objects.select_for_update(no_key=True).get_or_create(pk=key, defaults={"since": now})[0]
            for key in sorted(limits)
        ]
        for row in rows:
            if not now - WINDOW < row.since <= now + AHEAD:
                row.count, row.since = 0, now
        over = [row.since + WINDOW for row in rows if row.count >= limits[row.key]]
        if not over:
            for row in rows:
                row.count += 1
                row.save()
    if over:
        raise TooMany(max(over))


def key_of(kind: str, value: str) -> str:
    """Under which key it is counted."""
    return salted_hmac("league.own.asking", f"{kind}:{value.strip().casefold()}", algorithm="sha256").hexdigest()


def _send(person: Participant, email: str, address_of: AddressOf, now: datetime) -> None:
    link, token = links.mint(person.pk, Link.Purpose.OPEN, email, now)
    letters.to_open(person, email, link, address_of(token, _language(person)), now + links.VALID)


def _language(person: Participant) -> str:
    return person.language or get_language() or "cs"
