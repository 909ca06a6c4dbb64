"""Small rounds with real records, for tests that need more than one."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.game import round as rules
from appliance.game.events import encode_event
from appliance.game.script import parse_script
from league.ingest.store import VenueStore
from league.rounds.models import Round, Season, Venue
from league.standings.results import Results
from tests.league.scribe import Scribe

START = datetime.fromisoformat("2027-02-05T19:00:00+01:00")

FLAT: dict[str, Any] = {"name": "flat", "winner": {"3": 30, "4": 40}, "registering": 10, "step": 10, "scoring": "all"}
"""With 4 players 40, 30, 20, 10 points for places, 10 more for registering."""

STEEP: dict[str, Any] = FLAT | {"name": "steep", "winner": {"3": 100}, "step": 45}
"""100, 55, 10, 0 points for places."""


def announcement(round: str, **changes: Any) -> dict[str, Any]:
    """An announce command for a small round."""
    return {
        "do": "announce", "round": round, "venue": "zabreh", "starts_at": START.isoformat(), "profile": "cpl-2017",
        "deposit": 100, "shares": ["50", "30", "20"], "seats_per_table": 9, "seed": 7,
        "levels": [{"sb": 25, "bb": 50, "minutes": 20}],
    } | changes  # fmt: skip


def planned(round: str, **changes: Any) -> Round:
    """A round of the season of 2027 in the league's database, not announced yet."""
    return Round.objects.create(
        id=round, season=Season.objects.get(year=2027), venue=Venue.objects.get(pk="zabreh"), starts_at=START,
        announcement=announcement(round, **changes),
    )  # fmt: skip


def moves(best_first: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Everything from the open door to the last bust, for players who end in this order."""
    registered = [("register", {"participant": one, "identity_checked": True}) for one in sorted(best_first)]
    busts = [("bust", {"participant": one}) for one in best_first[:0:-1]]
    return [("open", {}), *registered, ("start", {}), *busts]


class VenueRound:
    """A round as its venue plays it, each time stored and folded at the league."""

    def __init__(self, key: Ed25519PrivateKey, command: dict[str, Any], start: datetime = START) -> None:
        self._start = start
        self.stream = Scribe(f"round/{command['round']}", "director", key)
        self._ledger = rules.INITIAL
        self._given: list[dict[str, Any]] = []
        self._stored = 0
        self.all_of([("announce", command)])

    def do(self, do: str, **fields: Any) -> None:
        """Give one command, a minute after the one before; the league has its records at once."""
        self.all_of([(do, fields)])

    def all_of(self, moves: list[tuple[str, dict[str, Any]]]) -> None:
        """Give commands, then let the league have all their records together."""
        for do, fields in moves:
            at = self._start + timedelta(minutes=len(self._given) - 30)
            round_id = self.stream.stream.removeprefix("round/")
            self._given.append({"round": round_id} | fields | {"do": do, "at": at.isoformat()})
            line = parse_script(json.dumps(given) for given in self._given)[-1]
            cause = f"0198f0a0-0000-7000-8000-{len(self._given):012}"
            outcome = rules.decide(self._ledger, line.command, line.at_ms, cause)
            assert not isinstance(outcome, rules.Refusal), (do, fields, outcome)
            for event in outcome:
                self._ledger = rules.fold(self._ledger, event, line.at_ms, cause)
                kind, data = encode_event(event)
                self.stream.write(kind, data, line.at_ms, cause)
        store(self.stream, self._stored + 1)
        self._stored = len(self.stream.raws)


def venue_plays(key: Ed25519PrivateKey, command: dict[str, Any], done: list[tuple[str, dict[str, Any]]]) -> VenueRound:
    """A round announced by its venue and played on."""
    round = VenueRound(key, command)
    round.all_of(done)
    return round


def store(stream: Scribe, first: int = 1) -> None:
    """Store records of a stream at the league and fold them."""
    VenueStore("zabreh").absorb(stream.stream, stream.epoch, [(raw, None) for raw in stream.raws[first - 1 :]])
    Results().update(stream.stream)
