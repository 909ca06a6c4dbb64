"""Writes the audit log: who of the staff saw or changed what of whom, and why."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest

from league.staff.models import AuditEntry

What = AuditEntry.What


def note(
    request: HttpRequest, what: AuditEntry.What, *, number: str = "", about: str = "", fields: Iterable[str] = (),
    reason: str = "",
) -> AuditEntry:  # fmt: skip
    """An entry about what this request does; in the transaction of the change itself. ``fields``: their names."""
    who = request.user.get_username() or "-"
    return note_by(who, what, number=number, about=about, fields=fields, reason=reason, address=_address(request))


def note_by(
    who: str, what: AuditEntry.What, *, number: str = "", about: str = "", fields: Iterable[str] = (),
    reason: str = "", address: str | None = None,
) -> AuditEntry:  # fmt: skip
    """An entry of somebody who is at no page: a command, or a participant on their own page (``participant``)."""
    entry = AuditEntry(
        who=who[:150], what=what, number=number, about=about[:200], fields=sorted(fields), reason=reason[:500],
        address=address,
    )  # fmt: skip
    entry.save()
    return entry


def _address(request: HttpRequest) -> str | None:
    return request.META.get("REMOTE_ADDR") or None
