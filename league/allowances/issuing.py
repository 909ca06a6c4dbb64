"""Moves the participants' allowances between the league and its venues (T-3, DESIGN §6).

What may happen to one is decided by `appliance.game.tokens`; here it is done: row and venue locked, the change and the
word of it to the venue in one transaction. Each locks one venue first and then rows in the order of their keys.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import timedelta

import msgspec
from django.db import transaction
from django.db.models import Q

from appliance.game import tokens
from appliance.game.league_event import RosterEvent
from appliance.game.roster import AllowanceEnded, AllowanceGiven, AllowancePolicy, encode_roster_event
from appliance.game.tokens import Account
from appliance.record import Epoch
from league.allowances.models import Allowance, InForce
from league.ingest.models import RawRecord, StreamHead
from league.ingest.outbox import Draft, Pen
from league.people.models import Participant
from league.rounds.models import Round, Venue
from league.rounds.planning import SignUp, begins

_IN_FORCE = ("allowances/1", "allowance/1")

_EVENING = timedelta(hours=12)
"""Two rounds that start within less than this are on the same evening: nobody plays both."""


def in_force() -> bool:
    """Whether deposits need an allowance."""
    return InForce.objects.exists()


def policy_for(venue: str) -> list[RosterEvent]:
    """What a venue has still to be told of whether deposits need an allowance; nothing where it was told."""
    last = RawRecord.objects.filter(stream=f"league/{venue}", type__in=_IN_FORCE).order_by("pk").last()
    told = last is not None and (last.type == "allowance/1" or b'"in_force":true' in bytes(last.raw))
    return [] if told == in_force() else [AllowancePolicy(in_force=not told)]


def switch(on: bool, pen: Pen) -> list[str]:
    """Have deposits need an allowance at every venue, or no longer; which venues were told."""
    with transaction.atomic():
        if not on:
            InForce.objects.all().delete()
        elif not in_force():
            InForce.objects.create()
    told = []
    for venue in Venue.objects.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            Venue.objects.select_for_update(no_key=True).get(pk=venue)
            events = policy_for(venue)
            pen.append(venue, drafts(events))
        told += [venue] if events else []
    return told


def expected(round: Round) -> list[int]:
    """Those who will probably play in a round: who has signed up for it, and of those whose home its venue is who has
    not signed up elsewhere for the same evening. Only active participants are.
    """
    start = round.begins_at
    signed = SignUp.objects.filter(state=SignUp.State.IN, round__cancelled_at=None)
    here = signed.filter(round=round).values("participant")
    all_of_them = signed.annotate(begins=begins("round__"))
    same_evening = all_of_them.filter(begins__gt=start - _EVENING, begins__lt=start + _EVENING)
    elsewhere = same_evening.exclude(round__venue=round.venue_id).values("participant")
    at_home = Q(home_venue=round.venue_id) & ~Q(pk__in=elsewhere)
    people = Participant.objects.filter(Q(pk__in=here) | at_home, state=Participant.State.ACTIVE)
    return list(people.order_by("pk").values_list("pk", flat=True))


def window(round: Round) -> tuple[int, int]:
    """From when until when (UTC ms) the tokens of those expected are at a round's venue."""
    starts_at = int(round.begins_at.timestamp()) * 1000
    return starts_at - tokens.LEAD_MS, tokens.until_morning(starts_at)


def is_due(round: Round, now: int) -> bool:
    """Whether the tokens of those expected should be at the round's venue now, or soon (UTC ms)."""
    opens, until = window(round)
    return opens <= now < until - tokens.EARLY_MS


def open_round(round: Round, pen: Pen, now: int) -> int:
    """Move the tokens of those expected to the round's venue, as far as they are at the league; how many went."""
    return give(round.venue_id, expected(round), window(round)[1], pen, now)


def give(venue: str, people: Sequence[int], until: int, pen: Pen, now: int) -> int:
    """Move tokens to a venue until ``until`` (UTC ms); how many went. None do before its director was ever heard."""
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        epoch = directing(venue)
        if not epoch or not in_force():
            return 0
        given: list[RosterEvent] = []
        for row in _locked(people):
            before = row.read()
            number = row.participant.number
            account, token = tokens.give(before, number, venue, epoch, until, now, str(uuid.uuid4()))
            if account != before:
                row.keep(account)
            if token is not None:
                given.append(AllowanceGiven(allowance=token))
        if given:
            pen.append(venue, drafts([*policy_for(venue), *given]))
    return len(given)


def ask_back(person: int, wanted_by: str, until: int, pen: Pen) -> bool:
    """Want a token from the venue that has it for another one; True if that was asked now."""
    venue = Allowance.objects.filter(pk=person).values_list("venue", flat=True).first()
    if venue in (None, "", wanted_by):
        return False
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        [row] = _locked([person])
        live = row.read().live
        if live is None or row.venue != venue or row.wanted_by == wanted_by:
            return False
        Allowance.objects.filter(pk=person).update(wanted_by=wanted_by, wanted_until_ms=until)
        pen.append(venue, drafts([AllowanceEnded(participant=live.participant, token=live.token)]))
    return True


def take_back(venue: str, participant: str, token: str, spent: Iterable[tokens.Spent]) -> None:
    """Take a token from a venue that gives it back; it may say so twice, or late. Within a transaction."""
    person = Participant.objects.filter(number=participant).values_list("pk", flat=True).first()
    for row in _locked([] if person is None else [person]):
        account = tokens.given_back(row.read(), venue, token, spent)
        if account != row.read():
            row.keep(account)


def lapse(now: int) -> int:
    """Take back what came to its end without a word; how many."""
    late = Allowance.objects.filter(until_ms__lte=now - tokens.LATE_MS)
    lapsed = 0
    with transaction.atomic():
        for row in late.select_for_update(no_key=True).order_by("pk"):
            account: Account = tokens.lapse(row.read(), now)
            if account != row.read():
                row.keep(account)
                lapsed += 1
    return lapsed


def directing(venue: str) -> str:
    """The epoch of a venue's own stream that its director writes, as far as the league has heard; empty: never."""
    found = StreamHead.objects.filter(venue=venue, stream=f"venue/{venue}").values_list("epoch", flat=True)
    return max(found, key=Epoch.parse, default="")


def drafts(events: Iterable[RosterEvent]) -> list[Draft]:
    """Events as they are appended to the league's stream."""
    return [Draft(kind, msgspec.Raw(data)) for kind, data in map(encode_roster_event, events)]


def _locked(people: Sequence[int]) -> list[Allowance]:
    """The rows of these participants, made where there were none, nobody else's until the transaction ends."""
    there = set(Allowance.objects.filter(pk__in=people).values_list("pk", flat=True))
    Allowance.objects.bulk_create([Allowance(pk=pk) for pk in people if pk not in there], ignore_conflicts=True)
    rows = Allowance.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=people)
    return list(rows.select_related("participant").order_by("pk"))
