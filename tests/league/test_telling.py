"""The league tells its venues how the season stands: derived from the results, and only what is different."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.test.utils import CaptureQueriesContext

from appliance.game.roster import SeasonLine, SeasonStandings
from league.ingest.models import RawRecord
from league.ingest.outbox import Pen
from league.ingest.publishing import publish_roster, told
from league.ingest.telling import IDLE_S, LINES, NAME_LENGTH, SOON_S, Teller, publish_standings, season_standings
from league.live import changes
from league.people.acts import By, withdraw_consent
from league.people.models import Consent, Participant
from league.rounds.keys import read_key
from league.rounds.models import Round, Season, Venue
from league.standings import voiding
from league.standings.correcting import correct
from tests.league.rounds_played import FLAT, STEEP, VenueRound, announcement, moves, planned, venue_plays

AT = 1_800_000_000_000
BEST_FIRST = ["000101", "000104", "000102"]
"""000104 has not consented to publication."""


@pytest.fixture
def pen(director_key: Ed25519PrivateKey) -> Pen:
    return Pen(director_key, lambda: AT)


@pytest.fixture
def teller(imported: dict[str, Any], pen: Pen) -> Teller:
    Venue.objects.create(id="brno", name="Brno")
    Venue.objects.create(id="ostrava", name="Ostrava")  # takes no part
    Round.objects.filter(pk="R1").update(venue="brno")
    return Teller(pen)


def plays(key: Ed25519PrivateKey, round: str, best_first: list[str]) -> VenueRound:
    planned(round, points_key=FLAT)
    return venue_plays(key, announcement(round, points_key=FLAT), moves(best_first))


def written() -> list[str]:
    return list(RawRecord.objects.filter(type="standings/1").order_by("stream").values_list("stream", flat=True))


def test_LG_8_all_venues_of_the_season_are_told_once_a_round_is_over(
    teller: Teller, director_key: Ed25519PrivateKey
) -> None:
    assert teller.tell(AT) == []
    round = plays(director_key, "R2", BEST_FIRST)
    assert teller.tell(AT) == ["brno", "zabreh"]
    assert (told("brno"), told("ostrava").standings) == (told("zabreh"), None)
    standings = told("zabreh").standings
    assert standings is not None
    assert (standings.season, standings.as_of, standings.participants, standings.key_confirmed) == ("2027", AT, 3, True)
    assert [(row.place, row.participant, row.points_half, row.rounds) for row in standings.rows] == [
        (1, "000101", 80, 1), (2, "000104", 60, 1), (3, "000102", 40, 1),
    ]  # fmt: skip
    round.do("undo")
    assert teller.tell(AT) == ["brno", "zabreh"]
    assert told("zabreh").standings is None


def test_LG_7_only_who_consents_is_named_and_a_withdrawal_is_told(
    teller: Teller, director_key: Ed25519PrivateKey
) -> None:
    plays(director_key, "R2", BEST_FIRST)
    teller.tell(AT)
    assert [row.name for row in told("zabreh").standings.rows] == ["Věra Žáčková", None, "Jiří Dvořák"]
    consent = Consent.objects.get(participant__number="000101", kind="publication")
    Consent.objects.filter(pk=consent.pk).update(withdrawn_at=consent.given_at + timedelta(days=1))
    assert teller.tell(AT) == ["brno", "zabreh"]
    assert [row.name for row in told("zabreh").standings.rows] == [None, None, "Jiří Dvořák"]


def test_nothing_is_written_where_nothing_is_different(
    teller: Teller, pen: Pen, director_key: Ed25519PrivateKey
) -> None:
    plays(director_key, "R2", BEST_FIRST)
    teller.tell(AT)
    assert written() == ["league/brno", "league/zabreh"]
    for other in (teller, Teller(pen)):  # the same process, and one that was started again
        assert other.tell(AT + 60_000) == []
    assert len(written()) == 2


def test_a_round_under_way_gives_nobody_points_yet(teller: Teller, director_key: Ed25519PrivateKey) -> None:
    planned("R2", points_key=FLAT)
    venue_plays(director_key, announcement("R2", points_key=FLAT), moves(BEST_FIRST)[:-1])
    assert season_standings(Season.objects.get(), AT).rows == ()
    assert teller.tell(AT) == []


def test_P_a_corrected_key_is_told(teller: Teller, director_key: Ed25519PrivateKey) -> None:
    plays(director_key, "R2", BEST_FIRST)
    teller.tell(AT)
    correct(Season.objects.get(), read_key(STEEP | {"confirmed": False}), "wrong table", "anna")
    assert teller.tell(AT) == ["brno", "zabreh"]
    standings = told("brno").standings
    assert standings is not None
    assert [row.points_half for row in standings.rows] == [220, 130, 40]
    assert not standings.key_confirmed


def test_LG_10_a_voided_participation_is_told(teller: Teller, director_key: Ed25519PrivateKey) -> None:
    round = plays(director_key, "R2", BEST_FIRST)
    teller.tell(AT)
    round.do("void", participant="000104", reason="somebody else's card")
    assert teller.tell(AT) == ["brno", "zabreh"]
    assert [(row.place, row.participant) for row in told("brno").standings.rows] == [(1, "000101"), (2, "000102")]


def test_a_venue_that_joins_later_is_told_what_stands(teller: Teller, director_key: Ed25519PrivateKey) -> None:
    plays(director_key, "R2", BEST_FIRST)
    teller.tell(AT)
    Round.objects.filter(pk="R1").update(venue="ostrava")
    assert teller.tell(AT) == ["ostrava"]


def test_it_is_looked_at_soon_after_something_changed_and_seldom_otherwise(
    teller: Teller, director_key: Ed25519PrivateKey
) -> None:
    plays(director_key, "R2", BEST_FIRST)
    assert teller.turn(100.0, AT) == ["brno", "zabreh"]
    Consent.objects.filter(participant__number="000101").delete()
    changes.bump()
    assert teller.turn(100.0 + SOON_S / 2, AT) == []
    assert teller.turn(100.0 + SOON_S, AT) == ["brno", "zabreh"]
    Consent.objects.all().delete()
    with CaptureQueriesContext(connection) as asked:
        assert teller.turn(100.0 + SOON_S + IDLE_S / 2, AT) == []
    assert len(asked) == 1, "only whether anything changed"
    assert teller.turn(100.0 + SOON_S + IDLE_S, AT) == ["brno", "zabreh"]


def test_a_result_a_void_and_a_consent_are_told_at_the_next_look(
    teller: Teller, director_key: Ed25519PrivateKey
) -> None:
    now = 100.0

    def turn() -> list[str]:
        nonlocal now
        now += SOON_S
        return teller.turn(now, AT)

    assert turn() == []
    plays(director_key, "R2", BEST_FIRST)
    assert turn() == ["brno", "zabreh"]
    voiding.decide(Round.objects.get(pk="R2"), "000101", True, "another's card", "boss")
    assert turn() == ["brno", "zabreh"]
    withdraw_consent(Participant.objects.get(number="000102"), Consent.Kind.PUBLICATION, By("boss"))
    assert turn() == ["brno", "zabreh"]
    assert turn() == []


def test_the_longest_standings_fit_into_a_record(imported: dict[str, Any], pen: Pen) -> None:
    line = SeasonLine(place=10**6, participant="9" * 12, points_half=2**52, rounds=10**6, name="\x01" * NAME_LENGTH)
    longest = SeasonStandings(season="2027", as_of=AT, participants=10**6, rows=(line,) * LINES)
    assert publish_standings("zabreh", longest, pen)
    assert told("zabreh").standings == longest


def test_LG_7_the_roster_tells_consent_and_language(imported: dict[str, Any], pen: Pen) -> None:
    Participant.objects.filter(number="000102").update(language="en")
    publish_roster("zabreh", pen)
    entries = told("zabreh").entries
    assert {number for number, entry in entries.items() if not entry.published} == {"000104", "000117"}
    assert [entries[number].lang for number in ("000101", "000102")] == [None, "en"]
