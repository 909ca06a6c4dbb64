"""Which e-mail is about one person: letters bear an address, and what they are about, but nobody's key."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from league.mail.models import Letter
from league.people.correcting import what_stood
from league.people.models import Participant, with_address
from league.privacy import vault


def letters_of(person: Participant) -> QuerySet[Letter]:
    """Those about this person's number, and all to addresses, past ones too, that nobody else of the league has.

    A family may share one: what is about another of them is not this person's.
    """
    theirs = Q(about__endswith=f" {person.number}")
    for address in _addresses(person):
        if not with_address(address).exclude(pk=person.pk).exists():
            theirs |= Q(to__iexact=address)
    return Letter.objects.filter(theirs).order_by("id")


def _addresses(person: Participant) -> set[str]:
    """What is and ever was their e-mail address."""
    addresses = {person.email}
    for row in person.rectifications.all():
        if "email" in row.fields:
            try:
                addresses.add(what_stood(row).get("email", ""))
            except (vault.Erased, vault.Damaged):
                continue
    return addresses - {""}
