"""All who take part, as venues are to know them: read from the database once for all venues (LG-6, LG-7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, cast

from django.db import connection
from msgspec.structs import replace

from appliance.game.roster import Language, RosterEntry, Withdrawn
from league.people.models import Card, Participant, published_names
from league.rounds.planning import expected_at
from league.standings.excluded import excluded

_STATES: dict[str, Any] = {
    Participant.State.ACTIVE: "active",
    Participant.State.CANCELLED: "cancelled",
    Participant.State.REFUSED: "blocked",
}

_WITHDRAWN: dict[str, Withdrawn] = {
    Card.State.LOST: "lost",
    Card.State.STOLEN: "stolen",
    Card.State.DAMAGED: "damaged",
    Card.State.REVOKED: "revoked",
    Card.State.REPLACED: "revoked",
    Card.State.KEPT: "revoked",
}
"""``revoked`` stands beside it for venues whose software does not know the reasons yet."""

_AT_ONCE = 5000
_NOBODY: Mapping[str, RosterEntry] = {}


class Everybody(NamedTuple):
    """Numbers, cards and states of all, revoked cards among them (LG-6), as they were at a change of the rosters.

    Who is excluded from the league is taken nowhere (T-15).
    """

    change: int
    entries: dict[str, RosterEntry]
    """As a venue knows them who is not theirs: without a name."""
    names: dict[str, str]
    """Those that may be published."""
    at_home: dict[str, list[str]]
    numbers: dict[int, str]
    """By primary key."""

    def at(self, venue: str, now: datetime) -> dict[str, RosterEntry]:
        """The roster as a venue should have it.

        Names stand there only for those expected at the venue who consent to publication: a screen is public.
        """
        entries = dict(self.entries)
        for number in self.at_home.get(venue, ()):
            entries[number] = replace(entries[number], home=True, name=self.names.get(number))
        for person in expected_at(venue, now):
            # who came after all were read is told with the next change: their own
            if (number := self.numbers.get(person, "")) in self.names:
                entries[number] = replace(entries[number], name=self.names[number])
        return entries


def everybody(before: Mapping[str, RosterEntry] = _NOBODY) -> Everybody:
    """All as they are now, or later than the change it says.

    ``before``: entries that are known already; who is as before keeps theirs, so that it is known at once for equal.
    """
    change = last_change()
    cards: dict[int, list[str]] = {}
    withdrawn: dict[int, dict[str, Withdrawn]] = {}
    found = Card.objects.order_by("uid").values_list("participant", "uid", "state")
    for owner, uid, state in found.iterator(chunk_size=_AT_ONCE):
        if state == Card.State.VALID:
            cards.setdefault(owner, []).append(uid)
        else:
            withdrawn.setdefault(owner, {})[uid] = _WITHDRAWN[state]
    names, out = published_names(), excluded()
    entries: dict[str, RosterEntry] = {}
    at_home: dict[str, list[str]] = defaultdict(list)
    numbers: dict[int, str] = {}
    people = Participant.objects.order_by("number").values_list(
        "pk", "number", "state", "role", "language", "home_venue", "pin"
    )
    for pk, number, state, role, language, home, pin in people.iterator(chunk_size=_AT_ONCE):
        directs = role == Participant.Role.COMMISSIONER
        gone = withdrawn.get(pk, {})
        entry = RosterEntry(
            participant=number,
            state="blocked" if number in out else _STATES[state],
            cards=tuple(cards.get(pk, ())),
            revoked=tuple(gone),
            withdrawn=gone,
            role="commissioner" if directs else "participant",
            published=number in names,
            lang=cast(Language, language) if language else None,
            pin=(pin or None) if directs else None,
        )
        known = before.get(number)
        entries[number] = known if known is not None and known == entry else entry
        numbers[pk] = number
        if home is not None:
            at_home[home].append(number)
    return Everybody(change, entries, names, dict(at_home), numbers)


def last_change() -> int:
    """How many changes there were that venues' rosters are to tell, counted already or only marked."""
    with connection.cursor() as cursor:
        # in one statement: between two of them marks may just be counted
        cursor.execute(
            "SELECT COALESCE((SELECT change FROM ingest_rosterchange), 0) + (SELECT COUNT(*) FROM ingest_rostermark)"
        )
        return int(cursor.fetchone()[0])
