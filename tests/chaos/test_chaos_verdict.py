"""The verdict of the chaos evening notices what it is there for: what is lost, doubled, changed or told otherwise."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.game.tablestream.events import HandBegun, HandEnded
from appliance.game.tablestream.state import Moment, TableHands, Tracked
from appliance.identity import public_hex
from appliance.journal import Draft, Journal
from chaos import script, verdict
from chaos.mind import Apart
from chaos.play import Answered
from chaos.tracked import Deal

STREAM = "round/R1"
CAUSES = [f"01970000-0000-7000-8000-{number:012x}" for number in range(4)]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))


class Evening:
    """A stream of four commands, the first of which led to two records."""

    def __init__(self, folder: Path) -> None:
        with Journal(folder / "journal", device="director", key=KEY) as journal:
            with journal.begin() as transaction:
                self.epoch = transaction.open_epoch(STREAM, "begin", 1).epoch
                transaction.commit()
            for cause in (CAUSES[0], *CAUSES):
                with journal.begin() as transaction:
                    transaction.append(STREAM, self.epoch, [Draft("x/1", msgspec.Raw(b"{}"), cause)], 1)
                    transaction.commit(sign=True)
            self.signed = {(STREAM, self.epoch): list(journal.read(STREAM, self.epoch))}
        self.held = verdict.raws(self.signed)
        self.answered = [
            Answered(cause, "bust", True, STREAM, self.epoch, n + 3, 2 if n == 0 else 1)
            for n, cause in enumerate(CAUSES)
        ]

    def but(self, records: list[bytes]) -> dict[tuple[str, str], list[bytes]]:
        return {(STREAM, self.epoch): records}

    @property
    def records(self) -> list[bytes]:
        return list(self.held[STREAM, self.epoch])


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path)


def test_an_evening_that_went_well_is_one(evening: Evening) -> None:
    assert verdict.once(evening.answered, evening.held) == []
    assert verdict.copies({"director": evening.held, "league": evening.held}, ("round/",)) == []
    assert verdict.league_chains(evening.signed, {"director": public_hex(KEY)}) == []


def test_a_lost_command_is_noticed(evening: Evening) -> None:
    [found] = verdict.once(evening.answered, evening.but(evening.records[:-1]))
    assert CAUSES[3] in found
    assert verdict.copies({"director": evening.held, "league": evening.but(evening.records[:-1])}, ("round/",))
    assert verdict.copies({"director": evening.held, "league": {}}, ("round/",))


def test_a_command_carried_out_twice_is_noticed(evening: Evening) -> None:
    twice = json.loads(evening.records[-1])
    twice["seq"] += 1
    [found] = verdict.once(evening.answered, evening.but([*evening.records, json.dumps(twice).encode()]))
    assert CAUSES[3] in found


def test_a_command_that_was_refused_and_is_there_is_noticed(evening: Evening) -> None:
    refused = [each._replace(ok=False, seq=0) if each.id == CAUSES[1] else each for each in evening.answered]
    [found] = verdict.once(refused, evening.held)
    assert CAUSES[1] in found


def test_another_place_than_was_answered_is_noticed(evening: Evening) -> None:
    moved = [each._replace(seq=each.seq + 1) if each.id == CAUSES[3] else each for each in evening.answered]
    [found] = verdict.once(moved, evening.held)
    assert CAUSES[3] in found


def test_a_changed_record_is_noticed(evening: Evening) -> None:
    changed = [evening.records[0], evening.records[1].replace(b"{}", b'{"a":1}'), *evening.records[2:]]
    [found] = verdict.copies({"director": evening.held, "table-1": evening.but(changed)}, ("round/",))
    assert "2: " in found
    signed = {
        line: [(raw, sig) for raw, (_, sig) in zip(changed, pairs, strict=True)]
        for line, pairs in evening.signed.items()
    }
    assert verdict.league_chains(signed, {"director": public_hex(KEY)})


def test_a_signature_of_somebody_else_is_noticed(evening: Evening) -> None:
    other = public_hex(Ed25519PrivateKey.generate())
    assert verdict.league_chains(evening.signed, {"director": other})


def test_another_result_is_noticed() -> None:
    first, other = (script.write(seed, 12, script.announcement(seed, 12, 2, AT, "chaos")) for seed in (1, 2))
    assert verdict.outcomes(first.ledger, {"director": first.ledger}) == []
    assert verdict.outcomes(first.ledger, {"director": other.ledger})


def test_a_hand_that_ended_otherwise_or_is_not_there_is_noticed() -> None:
    evening = script.write(3, 40, script.announcement(3, 40, 5, AT, "chaos"))
    first = next(step.deal for step in evening.steps if step.deal is not None)
    told = {first.table: over(first, first.stacks)}
    assert verdict.dealt([first], {"director": told}) == []
    who = next(iter(first.stacks))
    for other in ({}, {first.table: over(first, {**first.stacks, who: 1})}):
        [found] = verdict.dealt([first], {"director": told, "door": other})
        assert found.startswith("door: ")


def over(dealt: Deal, stacks: Mapping[str, int]) -> TableHands:
    """A table at which just this hand has ended, with these stacks."""
    begun = HandBegun(
        round="R1", venue="chaos", table=dealt.table, hand=dealt.hand, button=1, players=(), small_blind=None,
        big_blind=50, rules=script.write(1, 12, script.announcement(1, 12, 2, AT, "chaos")).round.rules,
    )  # fmt: skip
    return TableHands(
        now=Moment(log=(Tracked(begun=begun, facts=(), ended=HandEnded(hand=dealt.hand, stacks=dict(stacks))),))
    )


@pytest.mark.parametrize(
    ("alerts", "let_in", "well"),
    [
        ([], "", True),
        ([], "spare-1", False),
        (["spare-1"], "spare-1", True),
        (["spare-1"], "", False),
        (["spare-2"], "spare-1", False),
        (["spare-1", "spare-1"], "spare-1", False),
    ],
)
def test_the_league_hears_once_of_a_device_that_was_let_in(
    tmp_path: Path, alerts: list[str], let_in: str, well: bool
) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "league")) as database, database:
        database.execute("CREATE TABLE ingest_quarantine (stream, epoch, seq, reason, detail)")
        database.execute("CREATE TABLE ingest_alert (venue, stream, code, detail)")
        for name in alerts:
            row = ("chaos", "venue/chaos", "device-adopted", f"{name}: table, by 000001")
            database.execute("INSERT INTO ingest_alert VALUES (?, ?, ?, ?)", row)
    assert (verdict.league_worries(tmp_path / "league", let_in) == []) is well


def note(kind: str, **data: object) -> bytes:
    """A record of the venue's stream, as far as the verdict reads it."""
    return json.dumps({"seq": 1, "type": kind, "cause": f"{kind} {data}", "data": data}).encode()


FOUND = note("stranded-found/1", command="old")
ACCEPTED = note("stranded-accepted/1", command="old", anew=CAUSES[0])
DROPPED = note("stranded-dropped/1", command="old")


@pytest.mark.parametrize(
    ("accept", "notes", "well"),
    [
        (True, [FOUND, ACCEPTED], True),
        (False, [FOUND, DROPPED], True),
        (True, [FOUND, note("stranded-accepted/1", command="old", anew="never")], False),
        (True, [FOUND, DROPPED], False),
        (False, [FOUND, ACCEPTED], False),
        (False, [FOUND], False),
        (False, [FOUND, FOUND, DROPPED], False),
        (False, [FOUND, DROPPED, DROPPED], False),
        (False, [], False),
    ],
)
def test_what_an_old_director_alone_had_is_listed_and_decided_once(
    evening: Evening, accept: bool, notes: list[bytes], well: bool
) -> None:
    held = {**evening.held, ("venue/chaos", evening.epoch): [evening.records[0], *notes]}
    assert (verdict.decided([Apart({}, "old", accept)], held) == []) is well


def test_what_an_old_director_alone_had_and_counts_undecided_is_noticed(evening: Evening) -> None:
    assert verdict.decided([Apart({}, CAUSES[1], False)], evening.held)


def line(epoch: str, by: str, *records: tuple[str, object]) -> list[bytes]:
    """An epoch that somebody opened, as far as the verdict reads it."""
    opened: object = {"after": None, "by": by, "why": "begin"}
    told = [("epoch-opened/1", opened), *records]
    return [
        json.dumps({
            "stream": "round/R1", "epoch": epoch, "seq": seq, "id": CAUSES[0], "at": 1, "type": kind, "data": data,
            "cause": None, "prev": "0" * 64,
        }).encode()
        for seq, (kind, data) in enumerate(told, 1)
    ]  # fmt: skip


@pytest.mark.parametrize(("who", "director", "well"), [("7", "door", True), ("8", "door", False), ("7", "new", False)])
def test_T_3_a_deposit_without_the_directors_own_allowance_is_noticed(who: str, director: str, well: bool) -> None:
    first, second = "1-00000000000000aa", "1-00000000000000bb"
    token = ("allowance/1", {"allowance": {"participant": "7", "epoch": first}})
    held = {
        ("venue/chaos", first): line(first, "door"),
        ("league/chaos", second): line(second, "league", token),
        ("round/R1", second): line(second, director, ("registered/1", {"participant": who})),
    }
    assert (verdict.under_tokens(held) == []) is well


AT = "2027-01-15T19:00:00+01:00"
