"""A small season as it comes to the league: batches twice, out of order, late, and what the league decides meanwhile.

After every act the standings are what an independent fold of the stored records gives: places by the rules, points by
the key that counts, without void participations, added up by hand (LG-8, LG-10, P).
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter, defaultdict
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record as rec
from appliance.game import round as rules
from appliance.game.codec import UnknownEvent
from appliance.game.events import decode_event
from appliance.game.places import places
from appliance.game.points import points_half
from appliance.game.state import Phase
from appliance.link import envelope, topics
from appliance.link.envelope import Batch
from league.imports.results import import_results
from league.ingest.desk import Desk, Incoming
from league.ingest.models import RawRecord, StreamHead
from league.ingest.telling import season_standings
from league.people.acts import By
from league.rounds.keys import read_key
from league.rounds.models import Device, Round, Season, Venue
from league.standings import correcting, voiding
from league.standings.models import PastRound, Result
from league.standings.results import Results
from league.standings.table import Standing, standings
from tests.league.rounds_played import FLAT, START, STEEP, announcement, moves
from tests.league.scribe import Scribe, play

PEOPLE = [f"{101 + n:06}" for n in range(12)]
VENUES = ("zabreh", "brno", "ostrava")
ROUNDS = 7


class Year:
    """The league with its venues, all they will send, and what was decided so far."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.desk, self.results = Desk(time.monotonic), Results()
        self.season = Season.objects.get(year=2027)
        self.last_year = Season.objects.create(year=2026, name="2026", points_key=FLAT)
        self.streams = {self.planned(n): n for n in range(ROUNDS)}
        self.scribes = {round: self.played(round) for round in self.streams}
        self.voids: set[tuple[str, str]] = set()
        self.corrected: dict[str, Any] | None = None
        self.imports = 0

    # -- what venues do ------------------------------------------------------------------------------

    def planned(self, n: int) -> str:
        venue = Venue.objects.get_or_create(id=VENUES[n % 3], defaults={"name": VENUES[n % 3]})[0]
        command = announcement(f"S{n}", venue=venue.pk, points_key=FLAT, deposit=100)
        Round.objects.create(id=f"S{n}", season=self.season, venue=venue, starts_at=START, announcement=command)
        return f"S{n}"

    def played(self, round: str) -> Scribe:
        """All that a round's director writes: played to the end, undone in between, cancelled, or still played."""
        chance = self.chance
        order = chance.sample(PEOPLE, chance.randint(3, 6))
        told = [("announce", announcement(round, venue=self.venue_of(round), points_key=FLAT)), *moves(order)]
        match chance.randrange(5):
            case 0:
                told += [("undo", {}), ("undo", {}), *moves([order[1], order[0], *order[2:]])[-2:]]
            case 1:
                told[-1:] = [("cancel", {"reason": "power cut"})]
            case 2:
                told.pop()
        key = key_of(self.venue_of(round))
        lines = [
            json.dumps({"round": round} | fields | {"do": do, "at": (START + timedelta(minutes=n - 30)).isoformat()})
            for n, (do, fields) in enumerate(told)
        ]
        return play(Scribe(f"round/{round}", "director", key), lines)

    def venue_of(self, round: str) -> str:
        return VENUES[int(round[1:]) % 3]

    def sent(self, late: str) -> list[tuple[str, Batch]]:
        """The batches of all venues in an order of chance, some twice; those of one venue after all others."""
        sent: list[tuple[str, Batch]] = []
        for round, scribe in self.scribes.items():
            first = 1
            while first <= len(scribe.raws):
                last = min(len(scribe.raws), first + self.chance.randint(2, 9))
                batch = (self.venue_of(round), scribe.batch(first, last))
                sent += [batch] * self.chance.choice((1, 1, 2))
                first = last + 1
        place = {id(batch): (venue == late, self.chance.random()) for venue, batch in sent}
        # nearly in order, else all but the first would wait for what comes before it
        order = {id(batch): n + self.chance.random() * 12 for n, (_, batch) in enumerate(sent)}
        return sorted(sent, key=lambda one: (place[id(one[1])][0], order[id(one[1])]))

    def arrives(self, venue: str, batch: Batch) -> None:
        outcomes = self.desk.receive([Incoming(topics.up(venue, "ev"), envelope.encode(batch))])
        for grown in outcomes.grown:
            self.results.update(grown)

    # -- what the league does ------------------------------------------------------------------------

    def decides(self) -> None:
        self.chance.choice((self.declares, self.declares, self.corrects, self.imports_past, self.starts_anew))()

    def declares(self) -> None:
        """A participation void, or that taken back."""
        if self.voids and self.chance.random() < 0.4:
            round, who = self.chance.choice(sorted(self.voids))
            voiding.decide(Round.objects.get(pk=round), who, False, "a mistake", "boss")
            self.voids.remove((round, who))
            return
        over = Result.objects.filter(provisional=False, void=False).order_by("round", "number")
        if found := list(over.values_list("round", "number")):
            round, who = self.chance.choice(found)
            shown = voiding.preview(Round.objects.get(pk=round), who)
            before = {season: table_of(season) for season in Season.objects.all()}
            voiding.decide(Round.objects.get(pk=round), who, True, "another's card", "boss", shown.digest)
            self.voids.add((round, who))
            season = Round.objects.get(pk=round).season
            assert shown.moved == len(moved_between(before[season], table_of(season)))

    def corrects(self) -> None:
        """The season's key, or that withdrawn."""
        if self.corrected is None:
            if any(True for _ in self.season.rounds.filter(folded__isnull=False)):
                correcting.correct(self.season, read_key(STEEP), "misread", "boss")
                self.corrected = STEEP
        else:
            correcting.withdraw(self.season, "it was right", "boss")
            self.corrected = None

    def imports_past(self) -> None:
        """A past round of last year, or the same with others in it."""
        self.imports += 1
        order = self.chance.sample(PEOPLE, 4)
        lines = [f"P1;2026-09-0{1 + self.imports % 3};zabreh;{who};{n};0" for n, who in enumerate(order, 1)]
        text = "\n".join(["round;date;venue;number;place;prize", *lines])
        self.voids = {(round, who) for round, who in self.voids if round != "P1"} | {
            (round, who) for round, who in self.voids if round == "P1" and who in order
        }
        outcome = import_results(text.encode(), By("boss"), replace=True)
        assert outcome.done, outcome.problems

    def starts_anew(self) -> None:
        """The ingest is started anew, or everything folded anew."""
        self.desk, self.results = Desk(time.monotonic), Results()
        if self.chance.random() < 0.5:
            self.results.rebuild()

    # -- what must be true ---------------------------------------------------------------------------

    def check(self) -> None:
        for season in (self.season, self.last_year):
            for over in (False, True):
                assert table_of(season, over) == self.expected(season, over), (season.year, over)
        told = season_standings(self.season, 0)
        assert [(row.place, row.participant, row.points_half, row.rounds) for row in told.rows] == [
            line[:4] for line in self.expected(self.season, True)
        ]

    def expected(self, season: Season, over: bool) -> list[Standing]:
        points: Counter[str] = Counter()
        played: Counter[str] = Counter()
        still: Counter[str] = Counter()
        for round in season.rounds.all():
            found, finished = self.folded(round)
            for number, half in found.items() if finished or not over else ():
                points[number] += half
                played[number] += 1
                still[number] += not finished
        order = sorted(points, key=lambda number: (-points[number], number))
        return [
            Standing(
                1 + sum(other > points[number] for other in points.values()), number, points[number], played[number],
                still[number] > 0,
            )
            for number in order
        ]  # fmt: skip

    def folded(self, round: Round) -> tuple[dict[str, int], bool]:
        """Half points by participant as the stored records have it, and whether the round is over."""
        placed: dict[str, int] = {}
        key, field, finished = read_key(FLAT), 0, True
        if (past := PastRound.objects.filter(pk=round.pk).first()) is not None:
            placed = dict(past.results.values_list("number", "place"))
            field = past.registered
        elif (state := state_of(round)) is not None and state.phase is not Phase.CANCELLED:
            field, finished = len(state.players), state.phase is Phase.FINISHED
            if state.eliminations or state.finish:
                placed = {number: place for place, sharing in places(state) for number in sharing}
            key = read_key(self.corrected) if self.corrected and round.season == self.season else key
        gone = [who for at, who in self.voids if at == round.pk]
        better = [placed[who] for who in gone if who in placed]
        left = {who: place - sum(one < place for one in better) for who, place in placed.items() if who not in gone}
        sharing = Counter(left.values())
        return {who: points_half(key, field, place, sharing[place]) for who, place in left.items()}, finished


def key_of(venue: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(
        bytes(range(32)) if venue == "zabreh" else venue.encode().ljust(32, b"-")
    )


def state_of(round: Round) -> Any:
    """A round as all its stored records tell it."""
    ledger = rules.INITIAL
    for raw in RawRecord.objects.filter(stream=round.stream).order_by("seq").values_list("raw", flat=True):
        record = rec.decode(bytes(raw))
        if record.type != rec.EPOCH_OPENED:
            event = decode_event(record.type, record.data)
            assert not isinstance(event, UnknownEvent)
            ledger = rules.fold(ledger, event, record.at, record.cause)
    return ledger.round


def table_of(season: Season, over: bool = False) -> list[Standing]:
    """The standings, read a few lines at a time."""
    lines: list[Standing] = []
    while found := standings(season, len(lines), 5, over=over).lines:
        lines += found
    assert standings(season, over=over).lines == lines
    return lines


def moved_between(before: list[Standing], after: list[Standing]) -> set[str]:
    sides: dict[str, list[tuple[int, int] | None]] = defaultdict(lambda: [None, None])
    for side, lines in enumerate((before, after)):
        for line in lines:
            sides[line.number][side] = (line.place, line.half_points)
    return {number for number, (one, other) in sides.items() if one != other}


@pytest.fixture
def venues(imported: dict[str, Any]) -> None:
    for venue in VENUES[1:]:
        Venue.objects.create(id=venue, name=venue)
        public = key_of(venue).public_key().public_bytes_raw().hex()
        Device.objects.create(venue_id=venue, name="director", role="director", public_key=public)


@pytest.mark.parametrize("seed", range(4))
def test_LG_8_the_standings_are_what_the_records_say_whatever_comes_when(venues: None, seed: int) -> None:
    year = Year(random.Random(seed))
    for venue, batch in year.sent(late=VENUES[seed % 3]):
        year.arrives(venue, batch)
        if year.chance.random() < 0.3:
            year.decides()
            year.check()
    for round, scribe in year.scribes.items():  # what was lost is sent again
        year.arrives(year.venue_of(round), scribe.batch())
    year.check()
    assert {head.stream: head.seq for head in StreamHead.objects.filter(stream__startswith="round/S")} == {
        scribe.stream: len(scribe.raws) for scribe in year.scribes.values()
    }
    moved = Round.objects.get(pk=year.chance.choice(sorted(year.streams)))
    moved.season = year.last_year
    if year.corrected is None:  # a corrected key is the season's own: the round would count by another there
        moved.save()
        year.check()
    year.results.rebuild()
    year.check()
    assert table_of(year.season)
