"""What the league tells its venues: who may play, and which rounds are theirs. Only differences are written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple, cast

import msgspec
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from appliance.game.commands import Announce, decode_command
from appliance.game.league_event import RosterEvent
from appliance.game.roster import (
    CardPolicy,
    Notice,
    Roster,
    RosterRemoved,
    RoundOffered,
    RoundWithdrawn,
    Tier,
    encode_roster_event,
)
from league.allowances import issuing
from league.ingest.everybody import Everybody, everybody, last_change
from league.ingest.lasttold import last_of
from league.ingest.outbox import Draft, Pen
from league.ingest.told import Told, offer_of
from league.people.models import CardKey
from league.rounds.models import Round, Season, Venue
from league.standings.corrections import key_to_announce
from league.standings.models import RoundReport


class Published(NamedTuple):
    """What one publishing wrote for a venue."""

    entries: int
    removals: int


class Memory:
    """What a process keeps from one publishing to the next: what venues were told, and all people for all venues."""

    def __init__(self) -> None:
        self.told = Told()
        self._all: Everybody | None = None
        self._is_old = False

    def people(self) -> Everybody:
        """All people as they are after the last change that was marked, read once for all venues."""
        if self._all is None or self._is_old or self._all.change != last_change():
            self._all = everybody(self._all.entries if self._all else {})
            self._is_old = False
        return self._all

    def read_anew(self) -> None:
        """Read them anew the next time."""
        self._is_old = True


def told(venue: str) -> Roster:
    """What the league's stream has told a venue so far."""
    return Told().of(venue)


def policy() -> CardPolicy:
    """Whose cards are taken, and what they must prove in this year's season (the latest where there is none)."""
    season = Season.objects.filter(year=timezone.localdate().year).first() or Season.objects.first()
    least = "signed" if season is None else season.least_card
    signed = CardKey.objects.first()
    if signed is None:
        return CardPolicy(least=cast(Tier, least))
    return CardPolicy(league=signed.league, key=signed.public_key, least=cast(Tier, least))


def publish_roster(venue: str, pen: Pen, memory: Memory | None = None) -> Published:
    """Bring a venue's roster to the league's records, and what cards must prove. Raises `Venue.DoesNotExist`."""
    memory = memory or Memory()
    # most of the reading before the venue is locked: on SQLite nobody else writes meanwhile
    memory.told.of(venue)
    memory.people()
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        known = memory.told.of(venue)
        before, now = known.entries, memory.people().at(venue, timezone.now())
        # mostly one object that all venues share: then nothing of it need be compared
        changed = {
            number: entry
            for number, entry in now.items()
            if (known_as := before.get(number)) is not entry and known_as != entry
        }
        gone = [RosterRemoved(participant=number) for number in before if number not in now]
        rules = policy()
        said = [*issuing.policy_for(venue), *([rules] if rules != known.policy else [])]
        # an entry that takes a card over must come after the one that gives it up
        entries = sorted(changed.values(), key=lambda entry: bool(entry.cards))
        pen.append(venue, _drafts([*said, *gone, *entries]))
    kept = {number: entry if number in changed else now.get(number, entry) for number, entry in before.items()}
    memory.told.holds(venue, replace(known, entries=kept))
    return Published(len(changed), len(gone))


def publish_notice(venue: str, notice: Notice, pen: Pen) -> bool:
    """Have a venue's screens show a notice, or with empty texts none; True if something was written.

    One that stands there already is not written again, unless with another end. Raises `Venue.DoesNotExist`.
    """
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        said = last_of(venue, "notice/1", Notice)
        stands = said if said is not None and said.text("cs") else None
        if stands == notice or (stands is None and not notice.text("cs")):
            return False
        pen.append(venue, _drafts([notice]))
    return True


def offer_round(round: Round, pen: Pen, at: datetime) -> bool:
    """Announce a round to its venue, unless it has it already; True if something was written.

    What is promised is kept with the round, the points key among it. Offered again it is the same promise, whatever
    was edited since (P). Raises `CommandError`, or ValueError when the announcement is another round's, the round was
    cancelled or its season is not played on that day (LG-11).
    """
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=round.venue_id)
        # locked, so that a correction of the season's key comes wholly before this announcement or after it
        Season.objects.select_for_update(no_key=True).get(pk=round.season_id)
        fresh = Round.objects.select_related("season").get(pk=round.pk)
        if fresh.cancelled_at is not None:
            raise ValueError(f"round {fresh.pk} was cancelled")
        if fresh.promised is None and (why := fresh.season.why_not_on(timezone.localdate(fresh.starts_at))) is not None:
            raise ValueError(f"round {fresh.pk}: season {fresh.season.year} is {why} on that day")
        terms = _promise(fresh)
        announcement = _command(fresh, terms)
        if offer_of(fresh.venue_id, fresh.pk) == announcement:
            return False
        # first whether deposits need an allowance: no venue takes up a round without knowing it (T-3)
        pen.append(
            fresh.venue_id, _drafts([*issuing.policy_for(fresh.venue_id), RoundOffered(announcement=announcement)])
        )
        first = fresh.offered_at if fresh.promised is not None else None
        Round.objects.filter(pk=fresh.pk).update(offered_at=first or at, promised=terms)
    now = int(at.timestamp() * 1000)
    if issuing.is_due(fresh, now):
        issuing.open_round(fresh, pen, now)
    return True


def withdraw_round(round: Round, pen: Pen) -> bool:
    """Take an offer back; True if there was one.

    The next offer is a new promise, unless the venue has announced the round: then what was promised stands.
    """
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=round.venue_id)
        if offer_of(round.venue_id, round.pk) is None:
            return False
        pen.append(round.venue_id, _drafts([RoundWithdrawn(round=round.pk)]))
        if not RoundReport.objects.filter(pk=round.pk).exists():
            Round.objects.filter(pk=round.pk).update(offered_at=None, promised=None)
    return True


def announcement_of(round: Round) -> Announce:
    """The announce command as it was promised or would be now.

    Raises `CommandError`, or ValueError when it is another round's.
    """
    return _command(round, _promise(round))


def _promise(round: Round) -> Any:
    """The announcement with the season's points key, where it names none of its own."""
    terms = round.terms
    if round.promised is not None or not isinstance(terms, dict) or terms.get("points_key") is not None:
        return terms
    key = key_to_announce(round.season)
    return terms if key is None else terms | {"points_key": key}


def _command(round: Round, terms: Any) -> Announce:
    command = decode_command(terms)
    if not isinstance(command, Announce) or (command.round, command.venue) != (round.pk, round.venue_id):
        raise ValueError(f"the announcement is not of round {round.pk} at {round.venue_id}")
    return command


def _drafts(events: Iterable[RosterEvent]) -> list[Draft]:
    return [Draft(kind, msgspec.Raw(data)) for kind, data in map(encode_roster_event, events)]
