"""Results folded from raw records: what counts, what is set aside, and that nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from league.ingest.models import Quarantine, RawRecord
from league.ingest.store import VenueStore
from league.rounds.models import Round
from league.standings.models import Result, RoundReport
from league.standings.results import Results
from tests.league.scribe import DATA, Scribe, evening, evening_script, play

STREAM = "round/R1"
EXPECTED = json.loads((DATA / "evening-18.expected.json").read_text(encoding="utf-8"))


def store(stream: Scribe, first: int = 1, last: int | None = None) -> None:
    items = [(raw, None) for raw in stream.raws[first - 1 : last]]
    VenueStore("zabreh").absorb(stream.stream, stream.epoch, items)


def rows() -> list[dict[str, Any]]:
    return [
        {"place": r.place, "participant": r.number, "prize": r.prize, "points": f"{r.half_points / 2:g}"}
        for r in Result.objects.order_by("place", "number")
    ]


def quarantined() -> list[tuple[int, str]]:
    return list(Quarantine.objects.order_by("seq").values_list("seq", "reason"))


@pytest.fixture
def played(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> Scribe:
    return evening(director_key)


def with_unknown(key: Ed25519PrivateKey, source: Scribe, kind: str, data: Any, at: int) -> Scribe:
    """The same evening with one more record after record ``at``."""
    from appliance import record as rec

    made = Scribe(source.stream, "director", key)
    for raw in source.raws[1:]:
        record = rec.decode(raw)
        made.write(record.type, bytes(record.data), record.at, record.cause)
        if record.seq == at:
            made.write(kind, data, record.at)
    return made


def test_the_evening_gives_the_expected_results(played: Scribe) -> None:
    store(played)
    Results().update(STREAM)
    assert rows() == EXPECTED["results"]
    report = RoundReport.objects.get()
    assert (report.state, report.registered, report.left, report.pool) == ("finished", 18, 1, EXPECTED["pool"])
    assert report.final
    assert report.key_unconfirmed
    assert not Result.objects.filter(provisional=True).exists()


def test_record_by_record_gives_the_same_as_all_at_once(played: Scribe) -> None:
    results = Results()
    for seq in range(1, len(played.raws) + 1):
        store(played, seq, seq)
        results.update(STREAM)
        report = RoundReport.objects.first()
        if report and report.state == "running":
            assert not Result.objects.filter(provisional=False).exists()
    step_by_step = rows()
    Results().rebuild()
    assert rows() == step_by_step == EXPECTED["results"]


def test_a_restart_in_the_middle_folds_on(played: Scribe) -> None:
    store(played, 1, 33)
    Results().update(STREAM)
    store(played, 34)
    assert Results().catch_up() == 1
    assert rows() == EXPECTED["results"]
    assert Results().catch_up() == 0


def test_a_record_of_unknown_type_is_kept_counted_and_changes_nothing(
    played: Scribe, director_key: Ed25519PrivateKey
) -> None:
    newer = with_unknown(director_key, played, "hologram-shown/3", {"x": 1}, 20)
    store(newer)
    Results().update(STREAM)
    assert rows() == EXPECTED["results"]
    assert quarantined() == [(21, "unknown-type")]
    assert RoundReport.objects.get().unknown_records == 1
    assert RawRecord.objects.count() == len(newer.raws)


@pytest.mark.parametrize(
    ("kind", "data"),
    [("busted/1", {"participant": 7}), ("busted/1", b"[]"), ("registered/1", {"participant": "000101"})],
)
def test_a_stream_that_does_not_fold_is_quarantined_and_counts_up_to_there(
    played: Scribe, director_key: Ed25519PrivateKey, kind: str, data: Any
) -> None:
    wrong = with_unknown(director_key, played, kind, data, 35)
    store(wrong)
    results = Results()
    results.update(STREAM)
    assert quarantined() == [(36, "does-not-fold")]
    assert kind in Quarantine.objects.get().detail
    report = RoundReport.objects.get()
    assert (report.seq, report.state) == (35, "running")
    results.update(STREAM)
    assert quarantined() == [(36, "does-not-fold")]
    assert RawRecord.objects.count() == len(wrong.raws)


FAR = 253_402_343_999_000
"""23:59:59 on the last day of 9999, twelve hours west of Greenwich."""


@pytest.mark.parametrize("starts_at", [FAR, 10**15, 10**30, -1])
def test_a_far_start_is_set_aside_until_it_is_undone(
    imported: dict[str, Any], director_key: Ed25519PrivateKey, starts_at: int
) -> None:
    stream = play(Scribe(STREAM, "director", director_key), evening_script()[:8])
    last = len(stream.raws)
    far = f'{{"starts_at":{starts_at}}}'.encode()
    stream.write("rescheduled/1", far, cause="far")
    stream.write("opened/1", {}, cause="open")
    store(stream)
    results = Results()
    results.update(STREAM)
    before = RoundReport.objects.get()
    assert (before.seq, quarantined()) == (last, [(last + 1, "does-not-fold")])
    stream.write("undone/1", {"n": 2, "commands": ["open", "far"]}, cause="u")
    store(stream, last + 3)
    results.update(STREAM)
    after = RoundReport.objects.get()
    assert (after.seq, after.state, after.starts_at) == (last + 3, before.state, before.starts_at)
    stream.write("cancelled/1", {"returned": {}}, cause="c")
    store(stream, last + 4)
    results.update(STREAM)
    assert (RoundReport.objects.get().state, RoundReport.objects.get().seq) == ("cancelled", last + 4)
    Results().rebuild()
    assert RoundReport.objects.get().state == "cancelled"
    assert quarantined() == [(last + 1, "does-not-fold")]


@pytest.mark.parametrize("kind", ["opened/1", "hologram-shown/3"])
def test_a_record_at_no_possible_time_stops_nobody(
    imported: dict[str, Any], director_key: Ed25519PrivateKey, kind: str
) -> None:
    stream = play(Scribe(STREAM, "director", director_key), evening_script()[:8])
    stream.write(kind, {}, at=10**15)
    store(stream)
    Results().update(STREAM)
    assert len(quarantined()) == 1
    assert RoundReport.objects.get().at.year == 2027


def test_words_that_no_postgresql_holds_are_kept_without_their_nul(
    imported: dict[str, Any], director_key: Ed25519PrivateKey
) -> None:
    stream = play(Scribe(STREAM, "director", director_key), evening_script()[:8])
    stream.write("cancelled/1", {"returned": {}, "reason": "a\0b"})
    stream.write("holo\0gram/1", {})
    store(stream)
    Results().update(STREAM)
    assert RoundReport.objects.get().reason == "a\ufffdb"
    assert Quarantine.objects.get().detail == "holo\ufffdgram/1"
    assert RawRecord.objects.order_by("seq").last().type == "holo\ufffdgram/1"


def test_an_undo_of_less_than_nothing_is_quarantined(played: Scribe, director_key: Ed25519PrivateKey) -> None:
    store(with_unknown(director_key, played, "undone/1", {"n": -1, "commands": []}, 35))
    Results().update(STREAM)
    assert quarantined() == [(36, "does-not-fold")]


def test_what_no_table_can_hold_is_quarantined_and_other_rounds_go_on(
    played: Scribe, director_key: Ed25519PrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    from league.standings import results as module

    store(played)
    real = module.results_of
    monkeypatch.setattr(module, "results_of", lambda state: [replace(r, prize=10**30) for r in real(state)])
    Results().update(STREAM)
    assert [reason for _, reason in quarantined()] == ["no-report"]
    assert not RoundReport.objects.exists()
    monkeypatch.setattr(module, "results_of", lambda state: [replace(r, prize=-1) for r in real(state)])
    Results().update(STREAM)
    assert [reason for _, reason in quarantined()] == ["no-report"]
    monkeypatch.undo()
    assert Results().catch_up() == 1
    assert (rows(), quarantined()) == (EXPECTED["results"], [])


def test_a_round_the_league_does_not_know_waits_for_it(played: Scribe, season: dict[str, Any]) -> None:
    from league.rounds import season_file, season_import

    Round.objects.all().delete()
    store(played)
    results = Results()
    results.update(STREAM)
    assert quarantined() == [(len(played.raws), "unknown-round")]
    assert rows() == []
    season_import.apply(season_file.check(season))
    assert results.rebuild() == 1
    assert quarantined() == []
    assert rows() == EXPECTED["results"]


def test_a_stream_that_tells_of_another_round_gives_no_results(played: Scribe, director_key: Ed25519PrivateKey) -> None:
    lines = [line.replace('"round": "R1"', '"round": "R9"') for line in evening_script()]
    store(play(Scribe(STREAM, "director", director_key), lines))
    Results().update(STREAM)
    assert [reason for _, reason in quarantined()] == ["another-round"]
    assert rows() == []


def test_LG_2_a_cancelled_round_gives_no_points(imported: dict[str, Any], director_key: Ed25519PrivateKey) -> None:
    lines = [line for line in evening_script() if line.startswith("{")][:8]
    lines.append('{"at": "2027-01-15T18:59:00+01:00", "do": "cancel", "round": "R1"}')
    store(play(Scribe(STREAM, "director", director_key), lines))
    Results().update(STREAM)
    assert RoundReport.objects.get().state == "cancelled"
    assert rows() == []


def test_a_new_epoch_takes_back_what_it_left_behind(played: Scribe, director_key: Ed25519PrivateKey) -> None:
    results = Results()
    store(played)
    results.update(STREAM)
    fork = 35
    second = Scribe(STREAM, "director", director_key, epoch="2-00000000000000aa", after=played.heads[fork - 1])
    store(second)
    results.update(STREAM)
    report = RoundReport.objects.get()
    assert (report.epoch, report.seq, report.state) == (second.epoch, 1, "running")
    assert all(row["points"] == "10" or row["place"] > 3 for row in rows())
    assert Results().rebuild() == 1
    assert RoundReport.objects.get().state == "running"


def test_only_rounds_have_results(played: Scribe, director_key: Ed25519PrivateKey) -> None:
    store(Scribe("venue/zabreh", "director", director_key))
    results = Results()
    results.update("venue/zabreh")
    results.update("round/never-heard-of")
    assert results.catch_up() == 0
    assert not RoundReport.objects.exists()
