"""Whatever a venue tells: the league has rows and pages for it, and the same ones however it came."""

from __future__ import annotations

import random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client

from appliance.game.state import Phase
from league.ingest.models import Quarantine
from league.ingest.store import VenueStore
from league.standings import results as results_module
from league.standings.models import Result, RoundReport
from league.standings.results import Results
from tests.game.by_floor import AnyFloor
from tests.league.scribe import Scribe, evening

STREAM = "round/R1"


def derived() -> list[list[dict[str, Any]]]:
    """What the league made of the records."""
    tables = (RoundReport.objects, Result.objects.order_by("number"), Quarantine.objects.order_by("epoch", "seq"))
    beside = ("id", "since")
    return [[{name: row[name] for name in row if name not in beside} for row in table.values()] for table in tables]


def told(floor: AnyFloor, key: Ed25519PrivateKey) -> Scribe:
    stream = Scribe(STREAM, "director", key)
    for kind, raw, at, cause in floor.told:
        number = int(cause.removeprefix("c"))
        stream.write(kind, raw, max(0, min(at, 2**53)), f"0198f0a0-0000-7000-8000-{number:012}")
    return stream


@pytest.mark.parametrize("seed", range(24))
def test_whatever_is_told_has_rows_and_pages(
    imported: dict[str, Any], director_key: Ed25519PrivateKey, seed: int
) -> None:
    floor = AnyFloor(random.Random(seed), "zabreh")
    floor.gather()
    for _ in range(60):
        floor.wait()
        if seed % 2 and floor.chance.random() < 0.2:
            floor.forge()
        else:
            floor.ask()
    stream = told(floor, director_key)
    results, client = Results(), Client()
    for first in range(1, len(stream.raws) + 1, 7):
        part = [(raw, None) for raw in stream.raws[first - 1 : first + 6]]
        VenueStore("zabreh").absorb(STREAM, stream.epoch, part)
        results.update(STREAM)
    for page in ("/", "/standings/", "/standings/2027/"):
        assert client.get(page, follow=True).status_code == 200, page
    announced = RoundReport.objects.filter(pk="R1").exists()  # where nothing of it folds it is a plan, and not public
    assert client.get("/rounds/R1/").status_code == (200 if announced else 404)
    came = derived()
    results.rebuild()
    assert derived() == came
    round = floor.ledger.round
    if not floor.forged and round is not None:
        [report] = RoundReport.objects.all()
        assert (report.registered, report.left, report.pool) == (len(round.players), round.left, round.pool)
        assert not Quarantine.objects.exists()
        assert Result.objects.exists() or round.phase is not Phase.FINISHED or not round.left


def test_an_undone_command_of_a_later_version_takes_nothing_else_back(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    stream = evening(director_key)
    VenueStore("zabreh").absorb(STREAM, stream.epoch, [(raw, None) for raw in stream.raws])
    Results().update(STREAM)
    before = derived()
    stream.write("teleported/9", {"to": 1}, cause="0198f0a0-0000-7000-8000-000000009001")
    undone = {"n": 1, "commands": ["0198f0a0-0000-7000-8000-000000009001"]}
    stream.write("undone/1", undone, cause="0198f0a0-0000-7000-8000-000000009002")
    VenueStore("zabreh").absorb(STREAM, stream.epoch, [(raw, None) for raw in stream.raws[-2:]])
    Results().update(STREAM)
    after = derived()
    assert after[1] == before[1]
    assert [row["reason"] for row in after[2]] == ["unknown-type"]


def test_what_follows_a_record_that_does_not_fold_is_read_once_and_in_parts(
    imported: dict[str, Any], director_key: Ed25519PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = Scribe(STREAM, "director", director_key)
    stream.write("busted/1", {"participant": "nobody"})
    for n in range(40):
        stream.write("something-new/7", {"n": n, "much": "x" * 1000})
    monkeypatch.setattr(results_module, "_AT_ONCE_BYTES", 5_000)
    read, real = list[int](), VenueStore.read

    def counted(store: VenueStore, *words: Any) -> list[tuple[bytes, bytes | None]]:
        rows = real(store, *words)
        read.append(len(rows))
        return rows

    monkeypatch.setattr(VenueStore, "read", counted)
    results = Results()
    for first in range(1, len(stream.raws) + 1, 10):
        part = [(raw, None) for raw in stream.raws[first - 1 : first + 9]]
        VenueStore("zabreh").absorb(STREAM, stream.epoch, part)
        results.update(STREAM)
    assert max(read) < 20 and sum(read) <= len(stream.raws)
    came = derived()
    assert came[2] != []
    results.rebuild()
    assert derived() == came


def test_a_round_in_doubt_goes_on_where_it_was_read_to_and_an_undo_mends_it(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    stream, number = evening(director_key), "0198f0a0-0000-7000-8000-000000009001"
    whole = len(stream.raws)
    stream.write("busted/1", {"participant": "nobody"}, cause=number)
    stream.write("something-new/7", {"n": 1}, cause="0198f0a0-0000-7000-8000-000000009002")
    stream.write("undone/1", {"n": 1, "commands": [number]}, cause="0198f0a0-0000-7000-8000-000000009003")
    results = Results()
    for upto in range(whole, len(stream.raws) + 1):
        have = VenueStore("zabreh").head(STREAM, stream.epoch)
        part = [(raw, None) for raw in stream.raws[have.seq if have else 0 : upto]]
        VenueStore("zabreh").absorb(STREAM, stream.epoch, part)
        results.update(STREAM)
    came = derived()
    results.rebuild()
    assert derived() == came
