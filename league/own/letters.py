"""The letters of the own page. A link is enclosed, so that nobody at the office can read it (see `Letter`)."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.utils import translation
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.mail import outbox
from league.own.models import Link
from league.people.models import Participant


def to_open(person: Participant, email: str, link: Link, address: str, until: datetime) -> None:
    """The link that opens somebody's page, to the address that they have."""
    with translation.override(person.language or get_language()):
        body = _paragraphs(
            _("Hello,"),
            _("somebody asked for your own page in the poker league, participant %(number)s.")
            % {"number": person.number},
            _("If it was not you, do nothing: without this letter nobody gets there."),
            _("The link below opens it once, until %(time)s:") % {"time": _time(until)},
        )  # fmt: skip
        subject, enclosed = _("Your page in the poker league"), _enclosed(address)
    outbox.post(email, subject, body, about=f"own page {link.pk} {person.number}", enclosed=enclosed, until=until)


def to_confirm(person: Participant, email: str, link: Link, address: str, until: datetime) -> None:
    """The link that makes a new address somebody's, to that address."""
    with translation.override(person.language or get_language()):
        body = _paragraphs(
            _("Hello,"),
            _("a participant of the poker league wants to get their letters at this address."),
            _("If it was not you, do nothing: nothing changes then."),
            _("The link below confirms it once, until %(time)s:") % {"time": _time(until)},
        )
        subject, enclosed = _("Confirm your address"), _enclosed(address)
    outbox.post(email, subject, body, about=f"address {link.pk} {person.number}", enclosed=enclosed, until=until)


def address_changed(person: Participant, before: str, link: Link) -> None:
    """Tell the old address that it is no longer somebody's."""
    if not before:
        return
    with translation.override(person.language or get_language()):
        body = _paragraphs(
            _("Hello,"),
            _("letters to participant %(number)s go to another address from now on; it was changed on your own page.")
            % {"number": person.number},
            _("If it was not you, tell the league's office at once."),
            _("Your poker league"),
        )
        subject = _("Your address was changed")
    outbox.post(before, subject, body, about=f"address changed {link.pk} {person.number}")


def address_changed_by_office(person: Participant, before: str) -> None:
    """Tell the old address that the office has entered another one: by mistake it may be a stranger's."""
    if not before:
        return
    with translation.override(person.language or get_language()):
        body = _paragraphs(
            _("Hello,"),
            _("letters to participant %(number)s go to another address from now on; the league's office entered it.")
            % {"number": person.number},
            _("If you did not ask for it, tell the league's office at once."),
            _("Your poker league"),
        )
        subject = _("Your address was changed")
    outbox.post(before, subject, body, about=f"address changed {secrets.token_hex(6)} {person.number}")


def _time(moment: datetime) -> str:
    return date_format(localtime(moment), "TIME_FORMAT")


def _enclosed(address: str) -> str:
    return f"\n{_paragraphs(address, _('Your poker league'))}"


def _paragraphs(*texts: str) -> str:
    return "\n\n".join(texts) + "\n"
