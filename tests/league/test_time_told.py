"""The league answers a director that asks for the time: once, in its own stream, and nothing older than the last."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from league.ingest import clock
from league.ingest.models import RawRecord
from league.ingest.outbox import Pen
from league.ingest.store import VenueStore
from league.rounds.models import Venue
from tests.league.scribe import Scribe

NOW = 1_800_000_000_000


@pytest.fixture
def pen() -> Pen:
    return Pen(Ed25519PrivateKey.generate(), lambda: NOW)


@pytest.fixture
def venue(imported: dict[str, Any]) -> str:
    return str(Venue.objects.order_by("pk").first().pk)


class Director:
    def __init__(self, venue: str, key: Ed25519PrivateKey) -> None:
        self.stream, self.sent = Scribe(f"venue/{venue}", "director", key, epoch="1-00c0ffee00c0ffee"), 0
        self.venue = venue

    def says(self, name: str, **fields: Any) -> None:
        self.stream.write(name, {"type": name, **fields})
        rows = [(raw, None) for raw in self.stream.raws[self.sent :]]
        VenueStore(self.venue).absorb(self.stream.stream, self.stream.epoch, rows)
        self.sent = len(self.stream.raws)


def answers(venue: str) -> list[tuple[str, int]]:
    rows = RawRecord.objects.filter(stream=f"league/{venue}", type="time-told/1").order_by("seq")
    return [(data["ask"], data["at"]) for data in (json.loads(bytes(row.raw))["data"] for row in rows)]


def test_each_question_for_the_time_is_answered_once(venue: str, pen: Pen, director_key: Ed25519PrivateKey) -> None:
    director, grown = Director(venue, director_key), [f"venue/{venue}", "round/R1"]
    assert clock.answer(grown, pen, NOW) == []  # never heard of
    director.says("card-refused/1", device="door", reason="x")
    assert clock.answer(grown, pen, NOW) == []
    director.says("time-asked/1", ask="a")
    assert clock.answer(grown, pen, NOW) == [venue]
    assert clock.answer(grown, pen, NOW + 5) == []
    director.says("time-asked/1", ask="b")
    director.says("time-asked/1", ask="c")  # the venue was cut off meanwhile: only the last one is worth an answer
    assert clock.answer(grown, pen, NOW + 7) == [venue]
    assert answers(venue) == [("a", NOW), ("c", NOW + 7)]


def test_a_question_that_cannot_be_read_is_none(venue: str, pen: Pen, director_key: Ed25519PrivateKey) -> None:
    director = Director(venue, director_key)
    director.says("time-asked/1", ask="x" * 65)
    director.says("time-asked/1", ask=7)
    assert clock.answer([f"venue/{venue}"], pen, NOW) == [] and answers(venue) == []
