"""One-time links: signed, good for a quarter of an hour, once. The database holds nothing that would open a page."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta

from django.core.signing import BadSignature, Signer
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from league.own.models import Link
from league.people.models import Participant
from league.privacy import vault

VALID = timedelta(minutes=15)
"""So long a link can be used."""
STAY = timedelta(hours=1)
"""So long somebody is in whom it let in."""
KEPT = timedelta(days=1)
AHEAD = timedelta(minutes=1)
"""So much may clocks of several web processes differ. What is further ahead is of before the clock was set back."""

_SEP = "."
_SPENT = ""
_signer = Signer(sep=_SEP, salt="league.own.links")


def mark_of(address: str) -> str:
    """An address as links remember it."""
    return salted_hmac("league.own.address", address.strip().casefold(), algorithm="sha256").hexdigest()


def mint(participant: int, purpose: Link.Purpose, address: str, now: datetime) -> tuple[Link, str]:
    """A new link, good while somebody has this address, and the token that goes into it and is kept nowhere."""
    secret = secrets.token_urlsafe(18)
    link = Link.objects.create(
        participant_id=participant, purpose=purpose, secret=_hash(secret), mark=mark_of(address), asked_at=now
    )
    return link, _signer.sign(f"{link.pk}{_SEP}{secret}")


def find(token: str, now: datetime) -> Link | None:
    """The link with this token, if it can be used now. It is not used by that."""
    try:
        id, _sep, secret = _signer.unsign(token).partition(_SEP)
    except BadSignature:
        return None
    _end_unused(now)
    link = _usable(now).select_related("participant").filter(pk=int(id)).first()
    if link is None or not hmac.compare_digest(link.secret, _hash(secret)) or not _holds(link):
        return None
    return link


def use(link: Link, now: datetime) -> bool:
    """Use a link that was found; False if somebody was first. Of several at once one is let in."""
    ends_at = now + STAY if link.purpose == Link.Purpose.OPEN else None
    return _usable(now).filter(pk=link.pk).update(used_at=now, ends_at=ends_at) == 1


def who_is_in(pk: object, now: datetime) -> Link | None:
    """The link that let somebody in, while they are in."""
    if not isinstance(pk, int):
        return None
    found = Link.objects.select_related("participant", "participant__home_venue")
    until = now + STAY + AHEAD
    link = found.filter(pk=pk, purpose=Link.Purpose.OPEN, ends_at__gt=now, ends_at__lte=until).first()
    return link if link is not None and _holds(link) else None


def end(link: Link, now: datetime) -> None:
    """Let somebody out."""
    Link.objects.filter(pk=link.pk, ends_at__gt=now).update(ends_at=now)


def seal_address(person: Participant, link: Link, address: str) -> None:
    """Keep with a link which address it is to confirm."""
    link.nonce, link.sealed = vault.seal_note(person, f"link {link.pk}", {"email": address})
    link.save(update_fields=["nonce", "sealed"])


def address_in(link: Link) -> str:
    """Which address a link is to confirm. Raises `vault.Erased`."""
    note = vault.unseal_note(link.participant, f"link {link.pk}", bytes(link.nonce), bytes(link.sealed))
    return note["email"]


def forget_old(now: datetime) -> None:
    """Links are kept for a day. One that is over stays so, whatever becomes of the clock."""
    Link.objects.filter(asked_at__lt=now - KEPT).delete()
    _end_unused(now)


def _usable(now: datetime) -> QuerySet[Link]:
    return Link.objects.filter(used_at=None, asked_at__gt=now - VALID, asked_at__lte=now + AHEAD).exclude(secret=_SPENT)


def _end_unused(now: datetime) -> None:
    Link.objects.filter(used_at=None, asked_at__lte=now - VALID).exclude(secret=_SPENT).update(secret=_SPENT)


def _holds(link: Link) -> bool:
    """Whether its person is still who they were: not erased, and with the address that they had then."""
    person = link.participant
    return person.erased_at is None and link.mark == mark_of(person.email)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
