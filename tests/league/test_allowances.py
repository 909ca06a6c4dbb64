"""The league moves participants' allowances between itself and its venues (T-3): by itself, once, to one place."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command

from appliance.game.tokens import DAY_MS, EARLY_MS, LATE_MS, LEAD_MS
from league.allowances import issuing
from league.allowances.hearing import FRESH_MS, Allowances, keep_up
from league.allowances.models import Allowance
from league.ingest.models import RawRecord
from league.ingest.outbox import Pen
from league.ingest.publishing import offer_round, publish_roster, told
from league.ingest.store import VenueStore
from league.people.models import Participant
from league.rounds.models import Round, Venue
from tests.league.scribe import Scribe

HOUR = 3_600_000
WHO = "000101"


@pytest.fixture
def pen() -> Pen:
    return Pen(Ed25519PrivateKey.generate(), lambda: 1_800_000_000_000)


@pytest.fixture
def start(imported: dict[str, Any]) -> int:
    """When the season's round starts, UTC ms."""
    return int(Round.objects.get().starts_at.timestamp()) * 1000


@pytest.fixture
def until(start: int) -> int:
    return issuing.window(Round.objects.get())[1]


class Venues:
    """What the league hears of venues."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self.key = key
        self.streams: dict[str, Scribe] = {}
        self.sent: dict[str, int] = {}

    def directs(self, venue: str, epoch: str = "1-00c0ffee00c0ffee", after: int | None = None) -> Scribe:
        """A director begins, after so many records of the one before."""
        link = self.streams[venue].heads[after - 1] if after else None
        self.streams[venue] = Scribe(f"venue/{venue}", "director", self.key, epoch=epoch, after=link)
        self.sent[venue] = 0
        self.heard(venue)
        return self.streams[venue]

    def heard(self, venue: str) -> None:
        stream, sent = self.streams[venue], self.sent[venue]
        VenueStore(venue).absorb(stream.stream, stream.epoch, [(raw, None) for raw in stream.raws[sent:]])
        self.sent[venue] = len(stream.raws)

    def gives_back(self, venue: str, token: str, *spent: tuple[int, int, str], who: str = WHO) -> None:
        note = {"type": "allowance-returned/1", "participant": who, "token": token, "spent": spent}
        self.streams[venue].write("allowance-returned/1", note)
        self.heard(venue)

    def asks(self, venue: str, round: str, at: int, who: str = WHO) -> None:
        note = {"type": "allowance-asked/1", "participant": who, "round": round}
        self.streams[venue].write("allowance-asked/1", note, at)
        self.heard(venue)


@pytest.fixture
def venues(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> Venues:
    return Venues(director_key)


@pytest.fixture
def opened(venues: Venues, pen: Pen, start: int) -> Venues:
    """In force, and the round is open at its venue."""
    venues.directs("zabreh")
    issuing.switch(True, pen)
    assert offer_round(Round.objects.get(), pen, datetime.fromtimestamp(start / 1000 - 3600, UTC))
    return venues


def token(venue: str = "zabreh", who: str = WHO) -> Any:
    return told(venue).allowances.get(who)


def second_round(start: int, announcement: dict[str, Any]) -> Round:
    """Another round the same evening, in Brno."""
    Venue.objects.create(id="brno", name="Brno")
    first = Round.objects.get(pk="R1")
    terms = announcement | {"round": "R2", "venue": "brno"}
    return Round.objects.create(
        id="R2", season=first.season, venue_id="brno", starts_at=first.starts_at, announcement=terms
    )


def test_T_3_a_venue_that_was_never_told_of_any_needs_none(venues: Venues, pen: Pen, start: int) -> None:
    venues.directs("zabreh")
    publish_roster("zabreh", pen)
    offer_round(Round.objects.get(), pen, datetime.fromtimestamp(start / 1000 - 3600, UTC))
    Allowances(pen).turn(0, start)
    assert not told("zabreh").allowances_in_force
    assert not RawRecord.objects.filter(type__startswith="allowance").exists()
    assert Allowance.objects.count() == 0


def test_T_3_opening_a_round_moves_the_tokens_of_those_at_home_there(opened: Venues, start: int, until: int) -> None:
    roster = told("zabreh")
    assert roster.allowances_in_force
    assert len(roster.allowances) == 19
    assert (token().until, token().left, token().epoch) == (until, 500, "1-00c0ffee00c0ffee")
    assert datetime.fromtimestamp(until / 1000, UTC).isoformat() == "2027-01-16T05:00:00+00:00"
    row = Allowance.objects.get(participant__number=WHO)
    assert (row.venue, row.until_ms) == ("zabreh", until)


def test_T_3_no_round_is_told_before_it_is_said_whether_allowances_are_needed(opened: Venues) -> None:
    kinds = list(RawRecord.objects.filter(stream="league/zabreh").order_by("seq").values_list("type", flat=True))
    assert kinds.index("allowances/1") < kinds.index("round-offered/1") < kinds.index("allowance/1")


def test_T_3_a_round_offered_long_before_moves_them_by_itself_when_its_time_comes(
    venues: Venues, pen: Pen, start: int
) -> None:
    issuing.switch(True, pen)
    offer_round(Round.objects.get(), pen, datetime.fromtimestamp(start / 1000 - 30 * 86400, UTC))
    work = Allowances(pen)
    assert work.turn(0, start - LEAD_MS - 1) == 0
    assert work.turn(20, start) == 0  # nobody was ever heard there
    venues.directs("zabreh")
    assert work.turn(40, start - LEAD_MS) == 19
    assert work.turn(60, start) == 0


def test_T_3_a_token_is_nowhere_else_until_it_is_given_back(
    opened: Venues, pen: Pen, start: int, announcement: dict[str, Any]
) -> None:
    round = second_round(start, announcement)
    opened.directs("brno")
    Participant.objects.filter(number=WHO).update(home_venue="brno")
    offer_round(round, pen, datetime.fromtimestamp(start / 1000, UTC))
    assert token("brno") is None
    opened.gives_back("zabreh", token().token, (start, 300, "R1"))
    assert keep_up(pen, start + HOUR) == 1
    given = token("brno")
    assert (given.left, [tuple(spent) for spent in given.deposits]) == (200, [(start, 300, "R1")])
    opened.gives_back("zabreh", token("zabreh").token)  # told twice: it says what is there now, and moves nothing
    keep_up(pen, start + HOUR)
    assert Allowance.objects.get(participant__number=WHO).venue == "brno"


def test_T_3_a_venue_that_asks_gets_it_as_soon_as_it_is_back(
    opened: Venues, pen: Pen, start: int, announcement: dict[str, Any]
) -> None:
    second_round(start, announcement)
    opened.directs("brno")
    opened.asks("brno", "R2", start)
    assert keep_up(pen, start) == 0
    first = token()
    assert told("zabreh").ended == {first.token}
    opened.asks("brno", "R2", start)
    keep_up(pen, start)  # asked for once
    assert RawRecord.objects.filter(type="allowance-ended/1").count() == 1
    opened.gives_back("zabreh", first.token)
    assert keep_up(pen, start) == 1
    assert token("brno").left == 500
    opened.asks("zabreh", "R1", start + 1, who="000102")
    assert keep_up(pen, start + 1) == 0  # it is there
    assert told("zabreh").ended == {first.token}  # and stays there


def test_T_3_a_question_that_comes_hours_late_moves_nothing(
    opened: Venues, pen: Pen, start: int, announcement: dict[str, Any]
) -> None:
    second_round(start, announcement)
    opened.directs("brno")
    opened.asks("brno", "R2", start)
    keep_up(pen, start + FRESH_MS)
    assert told("zabreh").ended == frozenset()


def test_T_3_a_token_that_ends_without_a_word_counts_as_spent(opened: Venues, pen: Pen, until: int, start: int) -> None:
    before = token()
    keep_up(pen, until + LATE_MS - 1)
    assert Allowance.objects.get(participant__number=WHO).venue == "zabreh"
    keep_up(pen, until + LATE_MS)
    assert Allowance.objects.exclude(venue="").count() == 0
    person = Participant.objects.get(number=WHO).pk
    assert issuing.give("zabreh", [person], until + DAY_MS, pen, until + HOUR) == 1  # it counts for itself
    Venue.objects.create(id="brno", name="Brno")
    opened.directs("brno")
    other = Participant.objects.get(number="000102").pk
    assert issuing.give("brno", [other], until + DAY_MS, pen, until + HOUR) == 1
    assert token("brno", "000102").left == 0
    assert token() != before


def test_T_3_who_takes_over_gets_tokens_of_their_own(opened: Venues, pen: Pen, start: int, until: int) -> None:
    old = token()
    opened.directs("zabreh", epoch="2-00c0ffee00c0ffef", after=1)
    assert keep_up(pen, start) == 19
    new = token()
    assert (new.epoch, new.until) == ("2-00c0ffee00c0ffef", until)
    assert new.token != old.token


def test_T_3_what_an_old_director_alone_said_is_not_heard(opened: Venues, pen: Pen, start: int) -> None:
    opened.gives_back("zabreh", token().token)  # the second record, past the fork
    opened.directs("zabreh", epoch="2-00c0ffee00c0ffef", after=1)
    keep_up(pen, start)
    assert Allowance.objects.get(participant__number=WHO).venue == "zabreh"
    assert token().epoch == "2-00c0ffee00c0ffef"


@pytest.mark.parametrize(
    "data", [b"[]", b'{"participant":"000101"}', b'{"participant":"000101","token":"x","spent":[[1,-5,""]]}', b'"\xff"']
)
def test_T_3_a_note_that_cannot_be_read_says_nothing(opened: Venues, pen: Pen, start: int, data: bytes) -> None:
    if b"\xff" in data:
        data = b'{"participant":"999999","token":"aa","spent":[]}'  # nobody
    opened.streams["zabreh"].write("allowance-returned/1", data)
    opened.heard("zabreh")
    keep_up(pen, start)
    assert Allowance.objects.exclude(venue="").count() == 19


def test_T_3_near_its_end_nothing_is_given(opened: Venues, pen: Pen, until: int) -> None:
    opened.gives_back("zabreh", token().token)
    assert keep_up(pen, until - EARLY_MS) == 0


def test_the_command_lists_and_opens_and_says_why_not(
    venues: Venues, pen: Pen, start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: start * 1_000_000)
    out = StringIO()
    call_command("allowances", stdout=out)
    with pytest.raises(CommandError, match="--on first"):
        call_command("allowances", "R1")
    with pytest.raises(CommandError, match="no round R7"):
        call_command("allowances", "R7")
    call_command("allowances", "--on", stdout=out)
    call_command("allowances", "R1", stdout=out)
    venues.directs("zabreh")
    call_command("allowances", "R1", stdout=out)
    call_command("allowances", "R1", stdout=out)
    call_command("allowances", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[:7] == [
        "not in force", "zabreh: told", "in force",
        "R1: zabreh was never heard of", "R1: 19 allowances to zabreh", "R1: 0 allowances to zabreh, 19 were there",
        "in force",
    ]  # fmt: skip
    assert lines[7] == "000101 at zabreh until 2027-01-16T06:00+01:00, 500 CZK left when it was given"
    call_command("allowances", "--off", stdout=StringIO())
    assert not told("zabreh").allowances_in_force
