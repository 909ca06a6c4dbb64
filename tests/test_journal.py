"""The journal keeps what it acknowledged, whole and in order."""

import os
import sqlite3
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import audit
from appliance import record as rec
from appliance.identity import public_hex
from appliance.journal import Draft, Journal, JournalError

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
STREAM = "round/R1"


def drafts(*numbers):
    return [Draft("counted/1", rec.to_raw({"n": n})) for n in numbers]


def opened(path, stream=STREAM):
    journal = Journal(path, device="director", key=KEY)
    journal.know_writer("director", public_hex(KEY))
    if not journal.epochs(stream):
        with journal.begin() as transaction:
            transaction.open_epoch(stream, "begin", 1_000)
            transaction.commit()
    return journal


def append(journal, *numbers, at=2_000, stream=STREAM):
    with journal.begin() as transaction:
        written = transaction.append(stream, journal.epochs(stream)[-1], drafts(*numbers), at)
        transaction.commit()
    return written


def change(db, old, new):
    db.execute("UPDATE block SET raw = CAST(replace(CAST(raw AS TEXT), ?, ?) AS BLOB)", (old, new))


def faults(path):
    with Journal(path, read_only=True) as journal:
        return [finding.fault for finding in audit.verify(journal)]


def test_seq_starts_at_one_and_has_no_gaps(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1, 2)
        append(journal, 3)
        numbers = [rec.decode(raw).seq for raw, _ in journal.read(STREAM, journal.epochs(STREAM)[0])]
    assert numbers == [1, 2, 3, 4]
    assert faults(tmp_path / "j") == [None]


def test_time_never_runs_back_within_a_stream(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1, at=5_000)
        [record] = append(journal, 2, at=4_000)
    assert record.at == 5_000


def test_without_commit_nothing_was_written(tmp_path):
    with opened(tmp_path / "j") as journal:
        with journal.begin() as transaction:
            transaction.append(STREAM, journal.epochs(STREAM)[0], drafts(1), 2_000)
        assert journal.newest(STREAM).seq == 1
        append(journal, 2)
    assert faults(tmp_path / "j") == [None]


def test_a_kept_answer_is_given_again(tmp_path):
    command = rec.uuid7(1, bytes(10))
    with opened(tmp_path / "j") as journal, journal.begin() as transaction:
        transaction.keep_answer(command, STREAM, journal.epochs(STREAM)[0], b"yes")
        transaction.commit()
    with Journal(tmp_path / "j") as journal:
        assert journal.answer(command) == b"yes"
        journal.forget_answers(STREAM)
        assert journal.answer(command) is None


def test_the_next_epoch_links_to_the_head_it_continues(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1)
        before = journal.newest(STREAM)
        with journal.begin() as transaction:
            transaction.open_epoch(STREAM, "takeover", 3_000)
            transaction.commit()
        first, _ = journal.read(STREAM, journal.epochs(STREAM)[1])[0]
        link = rec.epoch_opened(rec.decode(first)).after
        assert (link.epoch, link.seq, link.hash) == before[1:]
    assert faults(tmp_path / "j") == [None, None]


def test_an_epoch_beyond_the_last_number_is_refused_and_the_journal_stays_whole(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1)
        with pytest.raises(rec.RecordError, match="bad-epoch"), journal.begin() as transaction:
            transaction.open_epoch(STREAM, "takeover", 3_000, above=999_999_999)
        append(journal, 2)
    with opened(tmp_path / "j") as journal:
        assert len(journal.epochs(STREAM)) == 1 and journal.newest(STREAM).seq == 3


def test_a_copy_is_the_same_bytes_and_refuses_what_does_not_continue_it(tmp_path):
    with opened(tmp_path / "a") as source, Journal(tmp_path / "b") as copy:
        append(source, 1, 2, 3)
        epoch = source.epochs(STREAM)[0]
        rows = source.read(STREAM, epoch)
        assert copy.absorb(STREAM, epoch, rows[:2]).seq == 2
        for wrong in (rows[3:], rows[:1], [(rows[2][0].replace(b'"n":2', b'"n":9'), None), rows[3]]):
            with pytest.raises(rec.RecordError):
                copy.absorb(STREAM, epoch, wrong)
        copy.absorb(STREAM, epoch, rows[2:])
        assert copy.read(STREAM, epoch) == rows
        assert copy.heads() == source.heads()


def test_reading_in_pieces_gives_at_least_one_record(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, *range(20))
        epoch = journal.epochs(STREAM)[0]
        assert len(journal.read(STREAM, epoch, 0, 1)) == 1
        assert 1 < len(journal.read(STREAM, epoch, 0, 2_000)) < 21
        assert [rec.decode(raw).seq for raw, _ in journal.read(STREAM, epoch, 7)] == list(range(8, 22))
        assert journal.read(STREAM, epoch, 21) == []


def test_reading_on_gives_the_bytes_of_every_record_behind_a_position(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, *range(7))
        epoch = journal.epochs(STREAM)[0]
        with journal.begin() as transaction:
            drafts = [Draft("counted/1", rec.to_raw({"n": n, "x": "x" * 200})) for n in range(40)]
            transaction.append(STREAM, epoch, drafts, 9_000)
            transaction.commit()
        assert len(journal.read_on(STREAM, epoch)) == journal.head(STREAM, epoch).seq
        for after in range(journal.head(STREAM, epoch).seq + 2):
            assert journal.read_on(STREAM, epoch, after) == [raw for raw, _ in journal.read(STREAM, epoch, after)]


def test_a_head_is_signed_at_the_latest_when_it_leaves(tmp_path):
    with opened(tmp_path / "j") as journal:
        epoch = journal.epochs(STREAM)[0]
        with journal.begin() as transaction:
            transaction.append(STREAM, epoch, drafts(1), 2_000)
            transaction.commit(sign=False)
        assert journal.read(STREAM, epoch)[-1][1] is None
    with opened(tmp_path / "j") as journal:
        journal.sign_heads()
        raw, sig = journal.read(STREAM, epoch)[-1]
        assert rec.verify(KEY.public_key(), journal.head(STREAM, epoch), sig)
        append(journal, 2)
        assert journal.read(STREAM, epoch)[1] == (raw, sig)


def test_a_group_takes_less_room_than_its_records_and_reads_the_same(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, *range(200))
        rows = journal.read(STREAM, journal.epochs(STREAM)[0])
    records = [rec.decode(raw) for raw, _ in rows]
    assert [rec.decode(raw).seq for raw, _ in rows] == list(range(1, 202))
    assert len({record.id for record in records}) == 201
    assert sorted(record.id for record in records[1:]) == [record.id for record in records[1:]]
    with sqlite3.connect(tmp_path / "j") as db:
        stored = db.execute("SELECT sum(length(raw)) FROM block").fetchone()[0]
    db.close()
    assert stored < sum(len(raw) for raw, _ in rows) / 2
    assert faults(tmp_path / "j") == [None]


def test_a_group_that_no_longer_inflates_is_damage(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, *range(200))
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("UPDATE block SET raw = substr(raw, 1, length(raw) - 9) WHERE length(raw) > 1000")
    db.close()
    with pytest.raises(JournalError) as caught:
        Journal(tmp_path / "j", read_only=True)
    assert caught.value.code == "damaged"
    done = tableside("journal", "verify", tmp_path / "j")
    assert done.returncode == 1 and f"{STREAM} " in done.stdout and "1 records, record 2: damaged" in done.stdout


def test_the_log_has_its_room_from_the_first_commit_on(tmp_path):
    with opened(tmp_path / "j") as journal:
        before = (tmp_path / "j-wal").stat().st_size
        for number in range(50):
            append(journal, number)
        assert before == (tmp_path / "j-wal").stat().st_size > 0


def test_a_cursor_only_rises(tmp_path):
    with opened(tmp_path / "j") as journal:
        journal.set_cursor("league", STREAM, "1-a", 7)
        journal.set_cursor("league", STREAM, "1-a", 5)
        assert journal.cursor("league", STREAM, "1-a") == 7


def test_what_is_kept_beside_the_records_is_refused_aloud_when_the_disk_is_full(tmp_path):
    with opened(tmp_path / "journal") as journal:
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="disk"):
            for n in range(1000):
                journal.set_cursor("league", f"round/R{n}", "1-00c0ffee00c0ffee", n)
        with pytest.raises(JournalError, match="disk"):
            journal.know_writer("x" * 5000, "00" * 32)
        journal._db.execute("PRAGMA max_page_count = 100000")
        journal.set_cursor("league", STREAM, "1-00c0ffee00c0ffee", 7)
        assert journal.cursor("league", STREAM, "1-00c0ffee00c0ffee") == 7


def test_a_reader_of_another_process_file_sees_new_records(tmp_path):
    with opened(tmp_path / "j") as journal, Journal(tmp_path / "j", read_only=True) as reader:
        append(journal, 1)
        assert [rec.decode(raw).seq for raw, _ in reader.read(STREAM, reader.epochs(STREAM)[0])] == [1]
        assert reader.refresh() and reader.newest(STREAM).seq == 2
        assert not reader.refresh()


def test_changed_bytes_are_found_and_named(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1, 2, 3)
    with sqlite3.connect(tmp_path / "j") as db:
        change(db, '"n":2', '"n":7')
    db.close()
    [fault] = faults(tmp_path / "j")
    assert fault.startswith("record 4: broken-chain")


def test_a_forged_signature_is_found_and_named(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1)
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("UPDATE block SET sig = zeroblob(64) WHERE key % 4 = 2")
    db.close()
    [fault] = faults(tmp_path / "j")
    assert fault.startswith("record 2: bad-signature")


def test_a_missing_record_is_found_and_named(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1)
        append(journal, 2, 3)
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("DELETE FROM block WHERE instr(CAST(raw AS TEXT), '\"n\":1')")
    db.close()
    [fault] = faults(tmp_path / "j")
    assert fault.startswith("record 2: damaged") and fault.endswith("record 3 follows record 1")


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda path: path.write_bytes(b"x" * 8192), "not-a-journal"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "damaged"),
        (
            lambda path: sqlite3.connect(path).execute("PRAGMA user_version = 99").connection.close(),
            "newer-version",
        ),
        (
            lambda path: sqlite3.connect(path).execute("PRAGMA application_id = 7").connection.close(),
            "not-a-journal",
        ),
    ],
    ids=["garbage", "truncated", "future version", "another program"],
)
def test_a_file_that_cannot_serve_is_refused_with_its_reason(tmp_path, spoil, code):
    path = tmp_path / "j"
    with opened(path) as journal:
        append(journal, *range(100))
    spoil(path)
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(JournalError) as caught:
            Journal(path, read_only=read_only).close()
        assert caught.value.code == code and str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_journal(tmp_path):
    (tmp_path / "j").touch()
    with opened(tmp_path / "j") as journal:
        assert journal.newest(STREAM).seq == 1


def tableside(*arguments):
    return subprocess.run([sys.executable, "-m", "appliance", *map(str, arguments)], capture_output=True, text=True)


def test_verify_names_the_first_bad_record_and_fails(tmp_path):
    path = tmp_path / "j"
    with opened(path) as journal:
        append(journal, 1, 2)
    good = tableside("journal", "verify", path)
    assert good.returncode == 0 and "3 records, ok, signed up to 3" in good.stdout
    with sqlite3.connect(path) as db:
        change(db, '"n":1', '"n":7')
    db.close()
    bad = tableside("journal", "verify", path)
    assert bad.returncode == 1 and "record 3" in bad.stdout


def test_export_writes_the_very_bytes(tmp_path):
    with opened(tmp_path / "j") as journal:
        append(journal, 1)
        rows = journal.read(STREAM, journal.epochs(STREAM)[0])
    assert tableside("journal", "export", tmp_path / "j", "-o", tmp_path / "out").returncode == 0
    assert (tmp_path / "out").read_bytes().splitlines() == [raw for raw, _ in rows]
    assert len(tableside("journal", "dump", tmp_path / "j").stdout.splitlines()) == 2


def test_export_never_writes_over_what_it_reads_and_never_replaces_a_pipe(tmp_path):
    path = tmp_path / "j"
    with opened(path) as journal:
        append(journal, 1)
    done = tableside("journal", "export", path, "-o", path)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert faults(path) == [None]
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE)
    assert tableside("journal", "export", path, "-o", tmp_path / "pipe").returncode == 0
    assert len(reader.communicate(timeout=20)[0].splitlines()) == 2
    assert (tmp_path / "pipe").is_fifo()


def test_verify_tells_the_head_that_all_copies_of_an_evening_share(tmp_path):
    with opened(tmp_path / "a") as source, Journal(tmp_path / "b") as copy:
        append(source, 1, 2)
        copy.know_writer("director", public_hex(KEY))
        copy.absorb(STREAM, source.epochs(STREAM)[0], source.read(STREAM, source.epochs(STREAM)[0]))
        head = source.newest(STREAM).hash[:16]
    assert all(f"head {head}" in tableside("journal", "verify", tmp_path / name).stdout for name in "ab")


def test_a_missing_or_foreign_file_is_bad_input(tmp_path):
    (tmp_path / "x").write_bytes(b"garbage" * 999)
    for path in (tmp_path / "none", tmp_path / "x"):
        done = tableside("journal", "verify", path)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and str(path) in done.stderr


def test_whoever_finds_a_journal_finds_a_whole_one(tmp_path):
    """A reader that looks while the file is being made must see nothing, or a journal (never an empty database)."""
    seen = set()
    for number in range(100):
        path = tmp_path / f"j{number}"
        child = os.fork()
        if child == 0:
            Journal(path, device="director", key=KEY).close()
            os._exit(0)
        while not path.exists():
            pass
        with Journal(path, read_only=True) as journal:
            seen.add(journal.id)
        os.waitpid(child, 0)
    assert len(seen) == 100
