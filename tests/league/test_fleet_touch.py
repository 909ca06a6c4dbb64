"""What the operator reads of a venue's clock and of its connection."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone, translation

from league.fleet.overview import VenueRow
from league.fleet.templatetags.league_fleet import clock_is_off, time_span, venue_clock
from league.ingest.models import Contact
from league.rounds.models import Venue
from tests.league.office_world import VENUE
from tests.league.test_fleet_pages import LIST, PAGE, text, world

if TYPE_CHECKING:
    from django.test import Client

__all__ = ["world"]

HOUR = 3600


def clock(off_s: float, pace: int = 1) -> None:
    now = timezone.now()
    Contact.objects.update(clock_at=now, clock_ms=round((now.timestamp() + off_s) * 1000), pace=pace)


@pytest.mark.parametrize(
    ("off_ms", "pace", "czech", "english", "late"),
    [
        (None, 1, "neřekla", "not told", False),
        (-1400, 1, "jdou s ligou", "as the league's", False),
        (12_300, 1, "o 12 s napřed před ligou", "12 s ahead of the league's", False),
        (-320_000, 1, "o 5 min 20 s pozadu za ligou", "5 min 20 s behind the league's", True),
        (-13_680_000, 6, "o 3 h 48 min pozadu za ligou, běží 6× rychleji: zkouška",
         "3 h 48 min behind the league's, runs 6 times as fast: a rehearsal", True),
        (0, 6, "jdou s ligou, běží 6× rychleji: zkouška",
         "as the league's, runs 6 times as fast: a rehearsal", True),
    ],
)  # fmt: skip
def test_a_venues_clock_is_told_against_the_leagues(
    off_ms: int | None, pace: int, czech: str, english: str, late: bool
) -> None:
    row = VenueRow(Venue(id="v"), None, 0, 0, 0, 0, None, off_ms, pace)
    for language, said in (("cs", czech), ("en", english)):
        with translation.override(language):
            assert venue_clock(row) == said
    assert clock_is_off(row) is late


def test_a_span_of_years_is_told_in_days() -> None:
    with translation.override("en"):
        assert time_span(173 * 365 * 86_400_000) == "63145 d 0 h"


def test_the_pages_tell_a_clock_that_is_off(world: Client) -> None:
    clock(-3 * HOUR - 48 * 60)
    for address in (LIST, PAGE):
        assert "3 h 48 min behind the league" in text(world, address)
    assert "3 h 48 min pozadu" in text(world, PAGE.removeprefix("/en"))
    clock(0.5)
    assert "behind" not in text(world, LIST)
    assert "as the league&#x27;s" in text(world, PAGE)
    assert "Said at (venue&#x27;s time)" in text(world, PAGE) or "Said at (venue's time)" in text(world, PAGE)


@pytest.mark.parametrize(
    ("values", "word"), [({"online": False}, "not connected"), ({"online": True, "again_s": 60}, ">silent<")]
)
def test_of_a_venue_that_is_away_nobody_says_that_nothing_is_missing(
    world: Client, values: dict[str, object], word: str
) -> None:
    for address in (LIST, PAGE):
        assert "as of" not in text(world, address) and word not in text(world, address)
    seen = timezone.now() - timedelta(minutes=5)
    Contact.objects.update(seen_at=seen, heads={}, **values)
    local = timezone.localtime(seen)
    when = f"as of {local:%-H:%M}" if local.date() == timezone.localdate() else "as of"
    for address in (LIST, PAGE):
        page = text(world, address)
        assert when in page and word in page, address
    page = text(world, PAGE)
    assert "what the venue has written since is not known here" in page
    assert "was there" in page and "is there" not in page.split("Streams")[0].split("Devices")[-1]
    assert VENUE in page
