"""Somebody at their own page, for tests: the link is read from the letter, as they would."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.test import Client

    from league.people.models import Participant


def person(number: str = "000101", **changes: Any) -> Participant:
    """A participant of the season, with an address."""
    from league.people.models import Participant

    found = Participant.objects.get(number=number)
    for name, value in ({"email": f"p{number}@hraci.example"} | changes).items():
        setattr(found, name, value)
    found.save()
    return found


def ask(email: str, client: Client | None = None, prefix: str = "") -> Any:
    """Ask for a link."""
    from django.test import Client

    return (client or Client()).post(f"{prefix}/me/", {"email": email})


def links() -> list[str]:
    """The paths of all links in the letters that wait, the oldest first."""
    from league.mail.models import Letter

    texts = Letter.objects.order_by("pk").values_list("enclosed", flat=True)
    return [found[1] for text in texts if (found := re.search(r"https?://[^/\s]+(\S+)", text))]


def signed_in(who: Participant) -> Client:
    """A client that has opened somebody's page by a link."""
    from django.test import Client

    client = Client()
    ask(who.email, client)
    answer = client.post(links()[-1])
    assert answer.status_code == 302 and answer.headers["Location"] == "/me/"
    return client
