"""The public clock goes by the venue's, and whoever looks is told when the venue is away."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db.models import F
from django.test import Client
from django.utils import timezone

from league.ingest.models import Contact
from league.live import changes
from league.rounds.models import Round
from league.site import boards
from tests.league.rounds_played import START, VenueRound, announcement, moves, planned
from tests.league.test_site import page

MINUTE = 60_000
AT = int(START.timestamp() * 1000) - 24 * MINUTE
"""When the first level begins, by the clock of the venue."""
PLAYERS = ["000101", "000102", "000103", "000104"]
LEVELS = [{"sb": 25, "bb": 50, "minutes": 20}, {"sb": 50, "bb": 100, "minutes": 20}]
AWAY = {"": "Stav k {}: herna není připojena.", "/en": "As of {}: the venue is not connected."}


@pytest.fixture
def round(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> VenueRound:
    """A round of which the first level begins at `AT`."""
    planned("K1", levels=LEVELS)
    Round.objects.update(promised=F("announcement"))
    played = VenueRound(director_key, announcement("K1", levels=LEVELS))
    for do, what in moves(PLAYERS)[:6]:
        played.do(do, **what)
    return played


def heard(ago_s: float = 0, **values: Any) -> Contact:
    """What the league knows of the venue."""
    values = {"online": True, "again_s": 60, "seen_at": timezone.now() - timedelta(seconds=ago_s)} | values
    return Contact.objects.update_or_create(venue_id="zabreh", defaults=values)[0]


def stands(minutes: float, ago_s: float = 0, pace: int = 1) -> dict[str, Any]:
    """The venue's clock stood so long after the start, so long ago."""
    return {
        "clock_at": timezone.now() - timedelta(seconds=ago_s), "clock_ms": AT + int(minutes * MINUTE), "pace": pace
    }  # fmt: skip


def left_ms() -> int:
    """What the page's clock shows."""
    found = boards.round_board(Round.objects.get(pk="K1"))
    assert found["face"] is not None
    return int(found["face"].left_ms)


@pytest.mark.parametrize(
    ("minutes", "ago_s", "pace", "left"), [(5, 0, 1, 15), (5, 120, 1, 13), (5, 60, 6, 9), (0, 10, 60, 10)]
)
def test_the_public_clock_is_the_venues_own(round: VenueRound, minutes: int, ago_s: int, pace: int, left: int) -> None:
    heard(**stands(minutes, ago_s, pace))
    assert abs(left_ms() - left * MINUTE) < 2000 * pace


def test_without_a_word_of_the_venues_clock_it_is_taken_for_right(
    round: VenueRound, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "now_ms", lambda: AT + 5 * MINUTE)
    assert left_ms() == 15 * MINUTE
    heard()
    assert left_ms() == 15 * MINUTE


def test_the_pages_script_is_told_what_the_clock_goes_by(round: VenueRound) -> None:
    known = stands(5, 30, 6)
    heard(**known)
    html = page(Client(), "/rounds/K1/")
    clock = json.loads(unescape(re.findall(r'data-clock="([^"]+)"', html)[0]))
    assert clock["by"] == {"at": int(known["clock_at"].timestamp() * 1000), "ms": AT + 5 * MINUTE, "pace": 6}
    assert clock["ends_at"] == AT + 20 * MINUTE


def test_without_a_script_the_end_of_the_level_is_told_by_the_readers_clock(round: VenueRound) -> None:
    heard(**stands(8, 0, 6))
    ends = boards.round_board(Round.objects.get(pk="K1"))["ends_at"]
    assert abs(ends - timezone.now() - timedelta(minutes=2)) < timedelta(seconds=5)


def test_a_board_is_the_same_as_long_as_nothing_changed(round: VenueRound) -> None:
    heard(**stands(5, 30, 6))
    first = boards.drawn("rounds", "K1", "cs")
    heard(1)
    assert boards.drawn("rounds", "K1", "cs") == first


@pytest.mark.parametrize("language", list(AWAY))
@pytest.mark.parametrize("gone", [{"online": False}, {"ago_s": 300}])
@pytest.mark.parametrize("address", ["/rounds/K1/", "/tv/K1/", "/tv/"])
def test_while_a_venue_is_away_the_pages_say_as_of_when_and_no_clock_goes(
    round: VenueRound, address: str, gone: dict[str, Any], language: str
) -> None:
    contact = heard(**stands(5))
    html = page(Client(), language + address)
    assert "data-clock=" in html and "data-live-now" in html
    assert AWAY[language].format("")[-12:] not in html
    contact = heard(**{"ago_s": 0, **gone}, **stands(5, 300))
    changes.bump()
    html = page(Client(), language + address)
    when = timezone.localtime(contact.seen_at)
    if when.date() == timezone.localdate():
        assert AWAY[language].format(f"{when:%-H:%M}") in html
    assert "data-clock=" not in html and "data-live-now" not in html
    heard(**stands(5))
    changes.bump()
    assert "data-clock=" in page(Client(), language + address)


def test_the_api_tells_how_old_its_word_is(round: VenueRound) -> None:
    heard(**stands(5))
    client = Client()
    assert client.get("/api/1/rounds/K1.json").json()["as_of"] is None
    contact = heard(online=False)
    changes.bump()
    told = client.get("/api/1/rounds/K1.json").json()["as_of"]
    assert told == timezone.localtime(contact.seen_at).isoformat(timespec="seconds")
    rounds = {each["round"]: each["as_of"] for each in client.get("/api/1/rounds.json").json()["rounds"]}
    assert rounds == {"R1": None, "K1": told}, "a round that nobody plays is as old as it is"
    assert client.get("/api/1/rounds.csv").content.decode().splitlines()[0].endswith(";as_of")


def test_a_round_that_is_over_or_to_come_is_not_called_live(round: VenueRound) -> None:
    heard(online=False)
    assert "data-live-now" not in page(Client(), "/rounds/R1/")
    for do, what in moves(PLAYERS)[6:]:
        round.do(do, **what)
    html = page(Client(), "/rounds/K1/")
    assert "data-live-now" not in html and "není připojena" not in html


def test_clocks_that_no_venue_has_break_no_page(round: VenueRound) -> None:
    for ms, pace in ((0, 1000), (7_258_118_399_999, 1000), (7_258_118_399_999, 1), (0, 1)):
        heard(clock_at=datetime(2026, 1, 1, tzinfo=UTC), clock_ms=ms, pace=pace)
        changes.bump()
        for address in ("/rounds/K1/", "/en/tv/", "/tv/K1/"):
            page(Client(), address)
