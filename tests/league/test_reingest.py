"""`reingest`: derived tables made anew from the raw records are the same, whatever was sent, how, and decided since."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from django.db.models import Model

from appliance.link import envelope, topics
from league.ingest.desk import Desk, Incoming
from league.ingest.models import Quarantine
from league.rounds.models import Device, Round, Venue
from league.standings.models import Acceptance, ExclusionProposal, Result, RoundReport, SeasonTotal
from league.standings.results import Results
from tests.game.by_floor import AnyFloor
from tests.league import office_world
from tests.league.rounds_played import planned
from tests.league.scribe import Scribe

DERIVED: tuple[type[Model], ...] = (RoundReport, Result, SeasonTotal, Acceptance, ExclusionProposal, Quarantine)
BESIDE = {"id", "since", "change"}
"""Numbers of rows and of changes, and since when a row is there."""


def derived() -> dict[str, Any]:
    """Every row of every table that the records give."""
    tables: dict[str, Any] = {
        model.__name__: sorted(
            (sorted((name, repr(value)) for name, value in row.items() if name not in BESIDE))
            for row in model._default_manager.values()
        )
        for model in DERIVED
    }
    return tables | {"heard": list(Round.objects.order_by("pk").values("pk", "heard_starts_at", "heard_cancelled"))}


def told(round: str, venue: str, device: str, key: Ed25519PrivateKey, chance: random.Random) -> list[Scribe]:
    """A round with forged and unknown records now and then, and perhaps a second epoch that leaves some behind."""
    floor = AnyFloor(chance, venue)
    floor.gather()
    for _ in range(40):
        floor.wait()
        if chance.random() < 0.05:
            floor.forge()
        else:
            floor.ask()
    stream = Scribe(f"round/{round}", device, key)
    for number, (kind, raw, at, cause) in enumerate(floor.told):
        command = f"0198f0a0-0000-7000-8000-{int(cause.removeprefix('c')):012}"
        stream.write(kind, raw.replace(b'"R1"', f'"{round}"'.encode()), max(0, min(at, 2**53)), command)
        if chance.random() < 0.03:
            stream.write("hologram-shown/3", {"n": number})
    if chance.random() < 0.5:
        return [stream]
    fork = stream.heads[chance.randrange(len(stream.heads) // 2, len(stream.heads))]
    second = Scribe(stream.stream, device, key, epoch="2-00000000000000aa", after=fork)
    second.write("hologram-shown/3", {})
    return [stream, second]


def batches(venue: str, scribes: list[Scribe], chance: random.Random) -> list[Incoming]:
    """All their batches, doubled and out of order, and then all of them once more in order."""
    made = []
    for scribe in scribes:
        first = 1
        while first <= len(scribe.raws):
            last = min(len(scribe.raws), first + chance.randint(0, 30))
            made.append(Incoming(topics.up(venue, "ev"), envelope.encode(scribe.batch(first, last))))
            first = last + 1
    wild = made * 2
    chance.shuffle(wild)
    return [*wild, *made]


@pytest.mark.parametrize("seed", range(6))
def test_reingest_gives_the_same_tables(
    db: None, settings_dir: Path, director_key: Ed25519PrivateKey, seed: int
) -> None:
    chance = random.Random(seed)
    with office_world.standing(settings_dir):
        for table in (ExclusionProposal, Quarantine):  # the world's are nobody's records
            table._default_manager.all().delete()
        brno = Venue.objects.create(id="brno", name="Na Růžku")
        other = Ed25519PrivateKey.from_private_bytes(bytes([7] * 32))
        public = other.public_key().public_bytes_raw().hex()
        Device.objects.create(venue=brno, name="director", role="director", public_key=public)
        for name in ("R1", "R2"):
            planned(name)
        sent = [
            *batches("zabreh", told("R1", "zabreh", "director", director_key, chance), chance),
            *batches("zabreh", told("R2", "brno", "director", director_key, chance), chance),
            *batches("brno", told("R7", "brno", "director", other, chance), chance),
        ]
        desk, results = Desk(lambda: 0.0), Results()
        while sent:
            size = chance.randint(1, 20)
            for stream in desk.receive(sent[:size]).grown:
                results.update(stream)
            del sent[:size]
        before = derived()
        assert all(before[model.__name__] for model in (RoundReport, Result, SeasonTotal, Quarantine))
        call_command("reingest", stdout=io.StringIO())
        assert derived() == before
