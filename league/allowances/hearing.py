"""Reads what venues say of their participants' allowances, and lets time do its part (T-3, DESIGN §6)."""

from __future__ import annotations

import msgspec
from django.db import transaction
from django.db.models import Q

from appliance import record as rec
from appliance.game.tokens import Asked, Returned
from appliance.record import Record
from league.allowances import issuing
from league.allowances.models import Allowance, Heard
from league.ingest.models import RawRecord, StreamHead
from league.ingest.outbox import Pen
from league.ingest.store import VenueStore
from league.people.models import Participant
from league.rounds.models import Round, Venue

FRESH_MS = 15 * 60 * 1000
"""An older question for an allowance is not answered: whoever asked has gone, or asks again."""

SOON_S, IDLE_S = 0.5, 15.0
"""How long (seconds) after the last turn the next one is: where a venue has spoken, and otherwise."""

_RETURNED, _ASKED = "allowance-returned/1", "allowance-asked/1"


class Allowances:
    """Keeps the allowances where they belong. Two of them in two processes are safe."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen
        self._looked_at: float | None = None
        self._stirred = True

    def stir(self) -> None:
        """A venue has spoken."""
        self._stirred = True

    def turn(self, seconds: float, now: int) -> int:
        """Do what there is to do, if it is time to look (monotonic seconds; UTC ms); how many tokens went out."""
        wait = SOON_S if self._stirred else IDLE_S
        if self._looked_at is not None and seconds - self._looked_at < wait:
            return 0
        self._looked_at, self._stirred = seconds, False
        return keep_up(self._pen, now) if issuing.in_force() else 0


def keep_up(pen: Pen, now: int) -> int:
    """Hear the venues, take back what ended, give what is due; how many tokens went out."""
    for venue in _grown():
        hear(venue, pen, now)
    issuing.lapse(now)
    return _to_those_who_want(pen, now) + _to_new_directors(pen, now) + _to_rounds(pen, now)


def hear(venue: str, pen: Pen, now: int) -> None:
    """Take what a venue's stream says since the last time. What is not in the stream's history is not heard."""
    asked: list[Asked] = []
    with transaction.atomic():
        Venue.objects.select_for_update(no_key=True).get(pk=venue)
        for epoch, upto in VenueStore(venue).history(f"venue/{venue}"):
            heard, _ = Heard.objects.get_or_create(venue=venue, epoch=epoch)
            rows = RawRecord.objects.filter(stream=f"venue/{venue}", epoch=epoch, seq__gt=heard.seq, seq__lte=upto)
            for row in rows.filter(type__in=(_RETURNED, _ASKED)).order_by("seq"):
                asked += _take(venue, rec.decode(bytes(row.raw)), now)
            if heard.seq < upto:
                Heard.objects.filter(pk=heard.pk).update(seq=upto)
    for question in asked:
        _answer(venue, question, pen, now)


def _take(venue: str, record: Record, now: int) -> list[Asked]:
    """Take a token back; or the question, if it is to be answered. What cannot be read says nothing."""
    try:
        if record.type == _RETURNED:
            back = msgspec.json.decode(record.data, type=Returned)
            issuing.take_back(venue, back.participant, back.token, back.spent)
            return []
        return [msgspec.json.decode(record.data, type=Asked)] if abs(now - record.at) < FRESH_MS else []
    except msgspec.MsgspecError:
        return []


def _answer(venue: str, asked: Asked, pen: Pen, now: int) -> None:
    round = Round.objects.filter(pk=asked.round, venue=venue).first()
    person = Participant.objects.filter(number=asked.participant, state=Participant.State.ACTIVE).first()
    if round is None or person is None:
        return
    _, until = issuing.window(round)
    if now < until and not issuing.give(venue, [person.pk], until, pen, now):
        issuing.ask_back(person.pk, venue, until, pen)


def _grown() -> list[str]:
    """The venues whose own streams were not read to their ends."""
    read = {(row.venue, row.epoch): row.seq for row in Heard.objects.all()}
    heads = list(StreamHead.objects.filter(stream__startswith="venue/"))
    forks = {(head.venue, head.after_epoch): head.after_seq or 0 for head in heads if head.after_epoch}
    ends = {(head.venue, head.epoch): forks.get((head.venue, head.epoch), head.seq) for head in heads}
    return sorted({venue for (venue, epoch), upto in ends.items() if read.get((venue, epoch), 0) < upto})


def _to_those_who_want(pen: Pen, now: int) -> int:
    """What came back goes where it was asked for."""
    given = 0
    wanted = Allowance.objects.filter(venue="").exclude(wanted_by="")
    for person, venue, until in list(wanted.values_list("pk", "wanted_by", "wanted_until_ms")):
        given += issuing.give(venue, [person], until or 0, pen, now)
    Allowance.objects.filter(~Q(wanted_by=""), wanted_until_ms__lte=now).update(wanted_by="", wanted_until_ms=None)
    return given


def _to_new_directors(pen: Pen, now: int) -> int:
    """Where somebody has taken over the direction, new tokens take the place of the old ones."""
    given = 0
    for venue in Allowance.objects.exclude(venue="").order_by("venue").values_list("venue", flat=True).distinct():
        old = Allowance.objects.filter(venue=venue).exclude(epoch=issuing.directing(venue))
        by_end: dict[int, list[int]] = {}
        for person, until in old.order_by("pk").values_list("pk", "until_ms"):
            by_end.setdefault(until or 0, []).append(person)
        for until, people in by_end.items():
            given += issuing.give(venue, people, until, pen, now)
    return given


def _to_rounds(pen: Pen, now: int) -> int:
    """Tokens at the league of those who are expected in a round that has opened, or soon will."""
    given = 0
    for round in Round.objects.exclude(offered_at=None):
        if not issuing.is_due(round, now):
            continue
        _, until = issuing.window(round)
        people = issuing.expected(round)
        elsewhere = set(Allowance.objects.filter(pk__in=people).exclude(venue="").values_list("pk", flat=True))
        if at_league := [pk for pk in people if pk not in elsewhere]:
            given += issuing.give(round.venue_id, at_league, until, pen, now)
    return given
