"""Puts e-mail into the outbox, in the transaction of what it tells of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from league.mail.models import Letter

RESTORED = gettext_noop("Written before a restore: it may have been sent already.")
"""Why the letters that a backup brings back unsent are given up."""


def post(
    to: str, subject: str, body: str, *, about: str | None = None, enclosed: str = "", until: datetime | None = None
) -> bool:
    """Write a letter; whether it is new: of those with the same ``about`` there is one. The rest: see `Letter`."""
    fields: dict[str, Any] = {
        "to": to,
        "subject": " ".join(subject.split())[:200],
        "body": body,
        "enclosed": enclosed,
        "until": until,
    }
    if about is None:
        Letter.objects.create(**fields)
        return True
    _, is_new = Letter.objects.get_or_create(about=about[:200], defaults=fields)
    return is_new


def give_up_all(now: datetime) -> int:
    """After a restore: have none sent that a server may have taken since the backup; the staff can try each anew."""
    return Letter.objects.filter(sent_at=None, given_up_at=None).update(given_up_at=now, error=RESTORED)


def try_anew(letter: Letter, now: datetime, to: str | None = None) -> bool:
    """Have a letter sent that was given up, or that waits after an error; ``to``: to another address than before.

    False if the server has taken it, if what was enclosed is gone, or if it is to be sent elsewhere while it is being
    sent.
    """
    waiting = Letter.objects.filter(pk=letter.pk, sent_at=None).exclude(until__isnull=False, enclosed="")
    changes: dict[str, Any] = {"not_before": now, "given_up_at": None, "again_at": now, "attempts": 0}
    if to is not None:
        waiting = waiting.filter(until=None).exclude(lent_until__gt=now)
        changes["to"] = to
    return waiting.update(**changes) == 1
