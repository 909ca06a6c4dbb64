"""Closes the sign-in for a while after failures: of a name, whoever tries it, and from an address, whatever it tries.

The counts stand in the database, for several web processes. A try counts before it is looked at, so that many at once
are not looked at either; one that succeeds is taken back, and a whole sign-in forgets those of its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.staff import audit
from league.staff.models import SignInCount

NAME_LIMIT = 5
ADDRESS_LIMIT = 30
"""More than a name's: a whole office may come from one address."""
WINDOW = timedelta(minutes=15)
"""Failures further apart do not add up."""
CLOSED = timedelta(minutes=15)
_AHEAD = timedelta(minutes=1)
"""So much may clocks differ. What is further ahead is of before the clock was set back, and does not count."""


class SignInClosedError(ValidationError):
    """The sign-in is closed: says until when."""

    def __init__(self, until: datetime) -> None:
        self.until = until
        at = date_format(timezone.localtime(until), "TIME_FORMAT")
        text = _(
            "After repeated failures this sign-in is closed until %(at)s. Try again then, or ask the operator of the "
            "league's office to open it."
        )
        super().__init__(text % {"at": at}, code="sign-in-closed")


@dataclass(frozen=True, slots=True)
class Attempt:
    """A try that was counted."""

    keys: tuple[str, ...]

    def succeeded(self) -> None:
        """It was right: take it back."""
        with transaction.atomic():
            for row in SignInCount.objects.select_for_update().filter(pk__in=self.keys, failures__gt=0).order_by("pk"):
                row.failures -= 1
                row.until = None
                row.save()

    def failed(self) -> None:
        """It was wrong. Raises `SignInClosedError` when it was one too many."""
        until = closed_until(*self.keys)
        if until is not None:
            raise SignInClosedError(until)


def attempt(name: str, address: str) -> Attempt:
    """Count a try with this name from this address. Raises `SignInClosedError` while closed; then it is not counted."""
    limits = {key_of("name", name): NAME_LIMIT, key_of("address", address): ADDRESS_LIMIT}
    until = closed_until(*limits)
    if until is not None:
        raise SignInClosedError(until)
    with transaction.atomic():
        shut = [key for key in sorted(limits) if _count(key, limits[key])]
    if shut:
        audit.note_by("-", audit.What.ACT, about="sign-in closed", address=address or None)
    return Attempt(tuple(limits))


def closed_until(*keys: str) -> datetime | None:
    """Until when any of these keys is closed; None where none is."""
    found = closed_names().filter(pk__in=keys).order_by("-until").first()
    return found.until if found else None


def open_again(name: str) -> bool:
    """Forget the failures of a name; whether there were any."""
    return bool(SignInCount.objects.filter(pk=key_of("name", name)).delete()[0])


def closed_names() -> QuerySet[SignInCount]:
    """What is closed now, names and addresses alike."""
    now = timezone.now()
    return SignInCount.objects.filter(until__gt=now, until__lte=now + CLOSED + _AHEAD)


def key_of(kind: str, value: str) -> str:
    """Under which key the failures of a name or an address are counted."""
    return salted_hmac("league.staff.lockout", f"{kind}:{value.strip().casefold()}", algorithm="sha256").hexdigest()


def _count(key: str, limit: int) -> bool:
    """Count one more; whether that closes the key. Raises `SignInClosedError` where another was first to close it."""
    now = timezone.now()
    row, _new = SignInCount.objects.select_for_update(no_key=True).get_or_create(pk=key, defaults={"since": now})
    if row.until and now < row.until <= now + CLOSED + _AHEAD:
        raise SignInClosedError(row.until)
    if not now - WINDOW <= row.since <= now + _AHEAD:
        row.failures, row.since, row.until = 0, now, None
        SignInCount.objects.filter(since__lt=now - timedelta(days=1)).exclude(pk=key).delete()
    row.failures += 1
    if row.failures >= limit:
        row.until = now + CLOSED
    row.save()
    return row.failures == limit
