"""The office's pages as its navigation shows them: each app adds its own lines here."""

from __future__ import annotations

from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.staff.roles import Role, roles_of


class Entry(NamedTuple):
    """``view``: the name of the page's address; ``roles``: who sees it."""

    view: str
    label: str | Promise
    roles: frozenset[Role]


ENTRIES: tuple[Entry, ...] = (
    Entry("office:home", _("Overview"), frozenset(Role)),
    Entry("office:people-list", _("Participants"), frozenset({Role.CLERK, Role.COMMISSIONER, Role.AUDITOR})),
    Entry("office:cards-list", _("Cards"), frozenset({Role.CLERK, Role.COMMISSIONER, Role.AUDITOR})),
    Entry("office:rounds-list", _("Rounds"), frozenset({Role.CLERK, Role.COMMISSIONER, Role.AUDITOR})),
    Entry("office:season-list", _("Seasons"), frozenset({Role.CLERK, Role.COMMISSIONER, Role.AUDITOR})),
    Entry("office:notices-announcements", _("Announcements"), frozenset(Role)),
    Entry("office:notices-editions", _("Rules and prices"), frozenset(Role)),
    Entry("office:mail-list", _("Letters"), frozenset({Role.CLERK, Role.COMMISSIONER, Role.AUDITOR})),
    Entry("office:privacy-periods", _("Retention"), frozenset({Role.COMMISSIONER, Role.AUDITOR})),
    Entry("office:imports-home", _("Import and export"), frozenset(Role)),
    Entry("office:fleet-list", _("Venues and devices"), frozenset({Role.OPERATOR, Role.AUDITOR})),
    Entry("office:staff-list", _("Staff"), frozenset({Role.OPERATOR, Role.AUDITOR})),
    Entry("office:audit", _("Audit log"), frozenset({Role.AUDITOR})),
)


def entries(request: HttpRequest) -> list[dict[str, object]]:
    """What the navigation shows to who asks, with the page they are on marked."""
    have = roles_of(request.user)
    shown = [(entry, reverse(entry.view)) for entry in ENTRIES if entry.roles & have]
    here = max((url for _, url in shown if request.path.startswith(url)), key=len, default="")
    return [{"url": url, "label": entry.label, "here": url == here} for entry, url in shown]
