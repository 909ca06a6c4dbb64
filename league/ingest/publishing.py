"""What the league tells its venues: who may play, and which rounds are theirs. Only differences are written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple, cast

import msgspec
from django.db import transaction
from django.utils import timezone

from appliance import record as rec
from appliance.game.commands import (
    Announce,
    decode_command,
)
from appliance.game.league_event import RosterEvent
from appliance.game.roster import (
    CardPolicy,
    Language,
    Notice,
    Roster,
    RosterEntry,
    RosterRemoved,
    RoundOffered,
    RoundWithdrawn,
    Tier,
    Withdrawn,
    decode_roster_event,
    encode_roster_event,
    fold_roster,
)
from league.allowances import issuing
from league.ingest.outbox import Draft, Pen
from league.ingest.store import VenueStore
from league.people.models import Card, CardKey, Participant, published_names
from league.rounds.models import Round, Season, Venue
from league.rounds.planning import expected_at
from league.standings.corrections import key_to_announce
from league.standings.excluded import excluded
from league.standings.models import RoundReport

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


class Published(NamedTuple):
    """What one publishing wrote for a venue."""

    entries: int
    removals: int


def told(venue: str) -> Roster:
    """What the league's stream has told a venue so far."""
    store = VenueStore(venue)
    stream = f"league/{venue}"
    roster = Roster()
    for epoch, upto in store.history(stream):
        for raw, _ in store.read(stream, epoch, 0, 1 << 60):
            record = rec.decode(raw)
            if record.seq <= upto:
                roster = fold_roster(roster, decode_roster_event(record.type, record.data), record.at)
    return roster


def wanted(venue: str) -> dict[str, RosterEntry]:
    """The roster as the venue should have it: numbers, cards and states of all, revoked cards among them (LG-6).

    Names stand there only for those expected at the venue who consent to publication: a screen is public. Who is
    excluded from the league is taken nowhere (T-15).
    """
    cards: dict[int, list[str]] = {}
    withdrawn: dict[int, dict[str, Withdrawn]] = {}
    for owner, uid, state in Card.objects.order_by("uid").values_list("participant", "uid", "state"):
        if state == Card.State.VALID:
            cards.setdefault(owner, []).append(uid)
        else:
            withdrawn.setdefault(owner, {})[uid] = _WITHDRAWN[state]
    names, out, expected = published_names(), excluded(), expected_at(venue, timezone.now())
    return {
        person.number: RosterEntry(
            participant=person.number,
            state="blocked" if person.number in out else _STATES[person.state],
            cards=tuple(cards.get(person.pk, ())),
            revoked=tuple(withdrawn.get(person.pk, ())),
            withdrawn=withdrawn.get(person.pk, {}),
            role="commissioner" if person.role == Participant.Role.COMMISSIONER else "participant",
            name=names.get(person.number) if person.home_venue_id == venue or person.pk in expected else None,
            published=person.number in names,
            lang=cast(Language, person.language) if person.language else None,
            home=person.home_venue_id == venue,
            pin=(person.pin or None) if person.role == Participant.Role.COMMISSIONER else None,
        )
        for person in Participant.objects.order_by("number")
    }


def policy() -> CardPolicy:
    """Whose cards are taken, and what they must prove in this year's season (the latest where there is none)."""
    season = Season.objects.filter(year=timezone.localdate().year).first() or Season.objects.first()
    least = "signed" if season is None else season.least_card
    signed = CardKey.objects.first()
    if signed is None:
        return CardPolicy(least=cast(Tier, least))
    return CardPolicy(league=signed.league, key=signed.public_key, least=cast(Tier, least))


def publish_roster(venue: str, pen: Pen) -> Published:
    """Bring a venue's roster to the league's records, and what cards must prove. Raises `Venue.DoesNotExist`."""
    with transaction.atomic():
        Venue.objects.select_for_update().get(pk=venue)
        known = told(venue)
        before = known.entries
        now = wanted(venue)
        changed = [entry for number, entry in now.items() if before.get(number) != entry]
        # an entry that takes a card over must come after the one that gives it up
        changed.sort(key=lambda entry: bool(entry.cards))
        gone = [RosterRemoved(participant=number) for number in before if number not in now]
        rules = policy()
        said = [*issuing.policy_for(venue), *([rules] if rules != known.policy else [])]
        pen.append(venue, _drafts([*said, *gone, *changed]))
    return Published(len(changed), len(gone))


def publish_notice(venue: str, notice: Notice, pen: Pen) -> bool:
    """Have a venue's screens show a notice, or with empty texts none; True if something was written.

    One that stands there already is not written again, unless with another end. Raises `Venue.DoesNotExist`.
    """
    with transaction.atomic():
        Venue.objects.select_for_update().get(pk=venue)
        stands = told(venue).notice
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
        Venue.objects.select_for_update().get(pk=round.venue_id)
        # locked, so that a correction of the season's key comes wholly before this announcement or after it
        Season.objects.select_for_update().get(pk=round.season_id)
        fresh = Round.objects.select_related("season").get(pk=round.pk)
        if fresh.cancelled_at is not None:
            raise ValueError(f"round {fresh.pk} was cancelled")
        if fresh.promised is None and (why := fresh.season.why_not_on(timezone.localdate(fresh.starts_at))) is not None:
            raise ValueError(f"round {fresh.pk}: season {fresh.season.year} is {why} on that day")
        terms = _promise(fresh)
        announcement = _command(fresh, terms)
        if told(fresh.venue_id).offers.get(fresh.pk) == announcement:
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
        Venue.objects.select_for_update().get(pk=round.venue_id)
        if round.pk not in told(round.venue_id).offers:
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
