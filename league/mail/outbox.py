"""Puts e-mail into the outbox, in the transaction of what it tells of."""

from __future__ import annotations

from league.mail.models import Letter


def post(to: str, subject: str, body: str, *, about: str | None = None) -> bool:
    """Write a letter; whether it is new: of those with the same ``about`` there is one."""
    fields = {"to": to, "subject": " ".join(subject.split())[:200], "body": body}
    if about is None:
        Letter.objects.create(**fields)
        return True
    _, is_new = Letter.objects.get_or_create(about=about[:200], defaults=fields)
    return is_new
