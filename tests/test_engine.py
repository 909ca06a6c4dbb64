"""The engine: decide → append → fold → tell."""

import sqlite3

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import record as rec
from appliance.engine import Engine, Order, history
from appliance.game.refusal import Refusal
from appliance.journal import Journal

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
STREAM = "round/R1"


class Purse:
    """A kind with a rule to break: it may not go below zero."""

    def initial(self):
        return 0

    def decide(self, state, command, at, command_id):
        if state + command < 0:
            return Refusal("too-little", {"left": state})
        return [("changed/1", msgspec.json.encode({"by": command}))]

    def fold(self, state, record):
        return state + msgspec.json.decode(record.data)["by"] if record.type == "changed/1" else state


def command_id(n):
    return rec.uuid7(n, bytes(10))


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "journal", device="director", key=KEY) as made:
        yield made


def engine(journal):
    return Engine(journal, {"round": Purse()}, lambda: 5_000)


def test_orders_of_one_group_see_what_their_predecessors_did(journal):
    run = engine(journal)
    told = run.execute(
        [Order(command_id(1), STREAM, 5), Order(command_id(2), STREAM, -3), Order(command_id(3), STREAM, -3)]
    )
    assert [t.answer.ok for t in told] == [True, True, False]
    assert (told[2].answer.code, told[2].answer.detail) == ("too-little", {"left": 2})
    assert run.state(STREAM) == 2


@pytest.mark.parametrize("amount", [5, -5], ids=["accepted", "refused"])
def test_the_same_id_again_gets_the_same_answer_and_writes_nothing(journal, amount):
    first = engine(journal).execute([Order(command_id(1), STREAM, amount)])[0]
    seq = journal.newest(STREAM).seq
    again = engine(journal).execute([Order(command_id(1), STREAM, amount), Order(command_id(1), STREAM, amount)])
    assert [t.answer for t in again] == [first.answer] * 2 and not any(t.records for t in again)
    assert journal.newest(STREAM).seq == seq


def test_the_same_id_twice_in_one_group_is_carried_out_once(journal):
    run = engine(journal)
    told = run.execute([Order(command_id(1), STREAM, 5), Order(command_id(1), STREAM, 5)])
    assert told[0].answer == told[1].answer and run.state(STREAM) == 5


def test_a_restarted_engine_stands_where_the_last_one_stood_and_goes_on_in_its_epoch(journal):
    engine(journal).execute([Order(command_id(1), STREAM, 5)])
    run = engine(journal)
    assert run.state(STREAM) == 5
    run.execute([Order(command_id(2), STREAM, 1)])
    assert len(journal.epochs(STREAM)) == 1


def test_a_disk_that_refuses_leaves_state_and_journal_as_they_were(tmp_path, journal):
    run = engine(journal)
    run.execute([Order(command_id(1), STREAM, 5)])
    page_count = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count = {page_count}")
    orders = [Order(command_id(n), STREAM, 1) for n in range(2, 400)]
    told = run.execute(orders)
    assert {t.answer.code for t in told} == {"storage"} and run.state(STREAM) == 5
    journal._db.execute("PRAGMA max_page_count = 100000")
    assert all(t.answer.ok for t in run.execute(orders)) and run.state(STREAM) == 403


def test_a_read_only_disk_is_answered_and_not_a_crash(tmp_path, journal):
    run = engine(journal)
    run.execute([Order(command_id(1), STREAM, 5)])
    with sqlite3.connect(tmp_path / "journal") as other:
        other.execute("BEGIN IMMEDIATE")
        journal._db.execute("PRAGMA busy_timeout = 1")
        [told] = run.execute([Order(command_id(2), STREAM, 1)])
        other.rollback()
    assert told.answer.code == "storage" and run.state(STREAM) == 5
    other.close()


def test_a_disk_that_refuses_is_answered_also_where_a_stream_would_begin(journal):
    run = engine(journal)
    run.execute([Order(command_id(1), STREAM, 5)])
    journal._db.execute(f"PRAGMA max_page_count = {journal._db.execute('PRAGMA page_count').fetchone()[0]}")
    while run.execute([Order(command_id(run.state(STREAM)), STREAM, 1)])[0].answer.ok:
        pass
    [told] = run.execute([Order(command_id(9_000), "round/R2", 1)])
    assert (told.answer.ok, told.answer.code) == (False, "storage")
    journal._db.execute("PRAGMA max_page_count = 100000")
    assert run.execute([Order(command_id(9_000), "round/R2", 1)])[0].answer.ok


def test_a_command_is_decided_at_the_time_that_is_recorded(journal):
    decided = []

    class Watched(Purse):
        def decide(self, state, command, at, command_id):
            decided.append(at)
            return super().decide(state, command, at, command_id)

    clock = [5_000]
    run = Engine(journal, {"round": Watched()}, lambda: clock[0])
    run.execute([Order(command_id(1), STREAM, 5)])
    clock[0] = 4_000
    [told] = run.execute([Order(command_id(2), STREAM, 5)])
    assert decided == [5_000, 5_000] and told.records[0].at == 5_000


def test_records_past_a_fork_are_stranded_and_never_folded(tmp_path, journal):
    old = engine(journal)
    old.execute([Order(command_id(1), STREAM, 5)])
    fork = journal.newest(STREAM)
    rows = journal.read(STREAM, fork.epoch)
    old.execute([Order(command_id(2), STREAM, 100)])
    with Journal(tmp_path / "second", device="table-1", key=KEY) as second:
        second.absorb(STREAM, fork.epoch, rows)
        taken = engine(second)
        taken.own_epoch(STREAM, "takeover")
        taken.execute([Order(command_id(3), STREAM, 1)])
        epoch = second.newest(STREAM).epoch
        journal.absorb(STREAM, epoch, second.read(STREAM, epoch))
    old.catch_up(STREAM)
    assert old.state(STREAM) == 6
    assert history(journal, STREAM)[0] == (fork.epoch, fork.seq)


def test_the_first_record_of_a_command_says_who_gave_it_and_where(journal):
    run = engine(journal)
    [told] = run.execute([Order(command_id(1), STREAM, 5, "000001", "door")])
    data = msgspec.json.decode(told.records[0].data)
    assert data == {"actor": "000001", "device": "door", "by": 5} and run.state(STREAM) == 5


@pytest.mark.parametrize("first_id", [b"\xff" * 8, b"\x00" * 8])
def test_a_stream_begun_anew_is_later_than_what_others_hold_of_it(tmp_path, first_id):
    opened = []
    for name, now in (("lost", 1_800_000_000_000), ("fresh", 1_800_000_010_000)):
        with Journal(tmp_path / name, device="table-1", key=KEY) as journal:
            run = Engine(journal, {"table": Purse()}, lambda now=now: now)
            opened.append(rec.Epoch.parse(run.own_epoch("table/brno-1", "start", dated=True)))
            assert run.own_epoch("table/brno-1", "start", dated=True) == str(opened[-1])
    assert opened[0].n < opened[1].n
    assert opened[1] > opened[0]._replace(journal=first_id.hex())


def test_no_date_makes_an_epoch_that_is_none(tmp_path):
    for now in (0, -5, 9_999_999_999_999):
        with Journal(tmp_path / str(now), device="table-1", key=KEY) as journal:
            run = Engine(journal, {"table": Purse()}, lambda now=now: now)
            assert rec.Epoch.parse(run.own_epoch("table/brno-1", "start", dated=True)).n >= 1


def test_of_two_that_saw_the_same_the_second_in_one_group_is_told_that_the_state_has_moved_on(journal):
    run = engine(journal)
    run.execute([Order(command_id(1), STREAM, 5)])
    seen = journal.newest(STREAM).seq
    told = run.execute([Order(command_id(n), STREAM, 1, revision=seen) for n in (2, 3)])
    assert [each.answer.code for each in told] == ["", "moved-on"] and told[1].answer.detail == {"newest": seen + 1}
    assert run.state(STREAM) == 6


def test_what_moved_on_is_answered_anew_when_it_comes_again_under_its_id(journal):
    run = engine(journal)
    run.execute([Order(command_id(1), STREAM, 5)])
    [told] = run.execute([Order(command_id(2), STREAM, 1, revision=1)])
    assert told.answer.code == "moved-on" and not run.answered(command_id(2))
    [told] = run.execute([Order(command_id(2), STREAM, 1, revision=journal.newest(STREAM).seq)])
    assert told.answer.ok and run.state(STREAM) == 6
    [again] = run.execute([Order(command_id(2), STREAM, 1, revision=1)])
    assert again.answer == told.answer, "what was carried out has its answer, whatever it had seen"


def test_a_refusal_moves_nothing_on(journal):
    run = engine(journal)
    run.execute([Order(command_id(1), STREAM, 5)])
    seen = journal.newest(STREAM).seq
    told = run.execute([Order(command_id(2), STREAM, -9), Order(command_id(3), STREAM, 1, revision=seen)])
    assert [each.answer.code for each in told] == ["too-little", ""]
