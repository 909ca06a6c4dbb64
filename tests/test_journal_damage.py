"""A damaged journal is refused or named, never read as a shorter evening."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance import audit, journal_file
from appliance import record as rec
from appliance.engine import Engine
from appliance.identity import public_hex
from appliance.journal import Draft, Journal, JournalError

KEYS = {name: Ed25519PrivateKey.from_private_bytes(bytes([n] * 32)) for n, name in enumerate(("old", "new"))}
STREAM, OTHER = "round/R1", "round/R2"
MUTATIONS = int(os.environ.get("TABLESIDE_MUTATIONS", "300"))
PAGE = 1024


class Listing:
    """A kind whose state is everything that was told it."""

    def initial(self):
        return ()

    def decide(self, state, command, at, command_id):
        return []

    def fold(self, state, record):
        return (*state, rec.encode(record))


def write(journal, stream, commits, each=2):
    epoch = journal.epochs(stream)[-1] if journal.epochs(stream) else None
    for n in range(commits):
        with journal.begin() as transaction:
            epoch = epoch or transaction.open_epoch(stream, "begin", 1_000).epoch
            drafts = [Draft("counted/1", rec.to_raw({"n": n, "part": part, "x": "x" * 99})) for part in range(each)]
            transaction.append(stream, epoch, drafts, 2_000 + n)
            if n % 5 == 0:
                command = str(uuid5(NAMESPACE_OID, f"{stream} {transaction.line(stream, epoch).seq}"))
                transaction.keep_answer(command, stream, epoch, b'{"ok":false,"stream":"round/R1"}')
            transaction.commit()


def opened(path, name, seed):
    journal = Journal(path, device=name, key=KEYS[name], entropy=random.Random(seed).randbytes)
    for device, key in KEYS.items():
        journal.know_writer(device, public_hex(key))
    return journal


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A journal of two epochs and another stream: its files without a log, its files with one, its records."""
    folder = tmp_path_factory.mktemp("evening")
    with opened(folder / "first", "old", 1) as first, opened(folder / "journal", "new", 2) as journal:
        write(first, STREAM, 12)
        epoch = first.epochs(STREAM)[0]
        journal.absorb(STREAM, epoch, first.read(STREAM, epoch))
        with journal.begin() as transaction:
            transaction.open_epoch(STREAM, "takeover", 3_000)
            transaction.commit()
        write(journal, OTHER, 5)
        write(journal, STREAM, 6)
        with sqlite3.connect(folder / "journal") as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        write(journal, STREAM, 6)
        logged = {suffix: (folder / f"journal{suffix}").read_bytes() for suffix in ("", "-wal")}
        lines = everything(journal)
    assert sum(map(len, lines.values())) == 61 and len(lines) == 3
    return {"": (folder / "journal").read_bytes()}, logged, lines


def everything(journal):
    return {(s, e): [raw for raw, _ in journal.read(s, e)] for s in journal.streams() for e in journal.epochs(s)}


def place(path, files):
    for old in path.parent.glob(f"{path.name}*"):
        old.unlink()
    for suffix, data in files.items():
        path.with_name(path.name + suffix).write_bytes(data)
    return path


def tampered(path, evening, *statements):
    place(path, evening[0])
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()
    return path


def faults(path):
    return [f"{finding.stream}: {finding.fault}" for finding in audit.verify_file(path) if finding.fault]


def tableside(*arguments):
    return subprocess.run([sys.executable, "-m", "appliance", *map(str, arguments)], capture_output=True, text=True)


def started(path):
    with Journal(path, read_only=True) as journal:
        return Engine(journal, {"round": Listing()}, lambda: 0).states


SEQ = f"(key & {(1 << 40) - 1})"
MISSING = {
    "an older epoch's records": (
        ["DELETE FROM block WHERE key >> 40 = 1"],
        "0 records, no records",
    ),
    "an older epoch": (
        ["DELETE FROM block WHERE key >> 40 = 1", "DELETE FROM line WHERE id = 1"],
        "line 1 is missing, of 3",
    ),
    "the tail of an older epoch": (
        [f"DELETE FROM block WHERE key >> 40 = 1 AND {SEQ} > 10"],
        "25, which is not here, or not sound",
    ),
    "the middle of an older epoch": (
        [f"DELETE FROM block WHERE key >> 40 = 1 AND {SEQ} = 7"],
        "5 records, record 6: damaged",
    ),
    "the row of a line that has records": (
        ["DELETE FROM line WHERE id = 3"],
        "line 3 is missing: there are records",
    ),
    "a line's right name": (
        ["UPDATE line SET stream = 'round/R9' WHERE id = 1"],
        "record 1: broken-chain: it is of round/R1",
    ),
    "a line's right epoch": (
        ["UPDATE line SET epoch = '1-00c0ffee00c0ffee' WHERE id = 1"],
        "record 1: broken-chain: it is of",
    ),
    "the newest line, but not the answers given in it": (
        ["DELETE FROM block WHERE key >> 40 = 3", "DELETE FROM line WHERE id = 3"],
        "line 3 is missing: there are answers",
    ),
}


@pytest.mark.parametrize("what", MISSING)
def test_what_is_missing_is_named_and_nothing_starts_on_it(tmp_path, evening, what):
    statements, named = MISSING[what]
    path = tampered(tmp_path / "j", evening, *statements)
    assert faults(path)
    with pytest.raises(JournalError) as caught:
        started(path)
    assert caught.value.code == "damaged" and str(path) in str(caught.value)
    done = tableside("journal", "verify", path)
    assert done.returncode == 1 and named in done.stdout and not done.stderr
    done = tableside("journal", "export", path, "-o", tmp_path / "out")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE block SET raw = CAST(replace(CAST(raw AS TEXT), '\"n\":3', '\"n\":7') AS BLOB) WHERE key >> 40 = 1",
        "UPDATE block SET raw = CAST(replace(CAST(raw AS TEXT), 'round/R1', 'round/R2') AS BLOB) WHERE key >> 40 = 1",
        "UPDATE block SET raw = x'7b' WHERE key >> 40 = 2 AND key & 3 = 1",
    ],
    ids=["other data", "another stream", "no record"],
)
def test_an_engine_does_not_start_on_a_broken_chain(tmp_path, evening, statement):
    path = tampered(tmp_path / "j", evening, statement)
    assert faults(path)
    with pytest.raises(JournalError, match="damaged"):
        started(path)


def test_a_journal_whose_newest_epoch_is_gone_is_one_of_an_earlier_moment(tmp_path, evening):
    """The limit of what one file can show."""
    gone = [
        "DELETE FROM block WHERE key >> 40 = 3",
        "DELETE FROM answer WHERE line = 3",
        "DELETE FROM line WHERE id = 3",
    ]
    path = tampered(tmp_path / "j", evening, *gone)
    assert not faults(path) and list(started(path)) == [STREAM]


def test_an_empty_journal_has_no_records_and_says_so(tmp_path):
    Journal(tmp_path / "j").close()
    done = tableside("journal", "verify", tmp_path / "j")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'j'}: no records\n")


def test_of_a_damaged_file_every_line_is_told(tmp_path, evening):
    path = tampered(tmp_path / "j", evening, f"UPDATE block SET raw = x'00' WHERE key >> 40 = 2 AND {SEQ} > 9")
    done = tableside("journal", "verify", path)
    assert done.returncode == 1 and not done.stderr
    first, second, other = done.stdout.splitlines()
    assert "25 records, ok" in first and "9 records, record 10: damaged" in second and "11 records, ok" in other
    for action in (["dump"], ["export", "-o", tmp_path / "out"]):
        done = tableside("journal", action[0], path, *action[1:])
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "damaged" in done.stderr
    assert not (tmp_path / "out").exists()


def mutated(pick, data):
    data = bytearray(data)
    at = pick.randrange(len(data))
    match pick.choice(("flip", "flip", "flip", "page head", "zero", "cut", "swap")):
        case "flip":
            data[at] ^= 1 << pick.randrange(8)
        case "page head":
            data[at // PAGE * PAGE + pick.randrange(60) if at >= PAGE else at] ^= 1 << pick.randrange(8)
        case "zero":
            size = pick.choice((1, 16, 512, PAGE))
            data[at : at + size] = bytes(len(data[at : at + size]))
        case "cut":
            del data[at:]
        case "swap":
            one, two = (n * PAGE for n in pick.sample(range(len(data) // PAGE), 2))
            data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]
    return bytes(data)


def read_back(path):
    """What a journal holds for those who read it and start on it; None if it is refused."""
    try:
        if not path.stat().st_size:  # an empty file is no journal yet; only a writer makes one of it
            return None
        found = list(audit.verify_file(path))
        states = started(path)
        with Journal(path, read_only=True) as journal:
            held = everything(journal)
    except JournalError:
        return None
    if any(finding.fault for finding in found):
        return None
    for stream, state in states.items():
        assert list(state) == [raw for (of, _), raws in held.items() if of == stream for raw in raws]
    return held


@pytest.mark.parametrize("seed", range(3))
def test_no_mutation_of_a_file_loses_a_record_silently(tmp_path, evening, seed):
    files, _, whole = evening
    pick = random.Random(seed)
    read = [read_back(place(tmp_path / "j", {"": mutated(pick, files[""])})) for _ in range(MUTATIONS // 3)]
    assert all(held in (None, whole) for held in read)
    assert 0 < read.count(None) < len(read)


@pytest.mark.parametrize("where", ["", "-wal"])
def test_with_a_log_a_mutation_can_only_take_the_newest_commits(tmp_path, evening, where):
    """What is lost with the log's end is like what never was; the copies have it (see `appliance.audit`)."""
    _, files, whole = evening
    pick = random.Random(where)
    newest = max(whole, key=lambda line: (line[0] == STREAM, line[1]))
    for _ in range(MUTATIONS // 3):
        held = read_back(place(tmp_path / "j", {**files, where: mutated(pick, files[where])}))
        if held is not None:
            assert held.keys() == whole.keys()
            assert all(held[line] == whole[line] for line in whole if line != newest)
            assert held[newest] == whole[newest][: len(held[newest])] and len(held[newest]) >= 13


def test_a_damaged_file_stays_as_it_is(tmp_path, evening):
    path = place(tmp_path / "j", {**evening[1], "": mutated_page_count(evening[1][""])})
    before = {suffix: Path(f"{path}{suffix}").read_bytes() for suffix in ("", "-wal")}
    for read_only in (True, False):
        with pytest.raises(JournalError, match="damaged"):
            Journal(path, read_only=read_only).close()
    assert {suffix: Path(f"{path}{suffix}").read_bytes() for suffix in ("", "-wal")} == before


def mutated_page_count(data):
    """The first leaf of the records says that it has fewer cells."""
    page = next(n for n in range(1, len(data) // PAGE) if data[n * PAGE] == 13 and data[n * PAGE + 4] > 2)
    return data[: page * PAGE + 4] + bytes([data[page * PAGE + 4] - 2]) + data[page * PAGE + 5 :]


def site(tmp_path, role):
    """A site file: nothing listens at its broker, for no program should come so far."""
    (tmp_path / "site.toml").write_text(
        f'[venue]\nid = "brno"\nname = "Brno"\n[league]\npublic_key = "{public_hex(KEYS["old"])}"\n'
        f"[broker]\nport = 1\n[league.broker]\nport = 1\n"
        f'[device]\nname = "door"\nrole = "{role}"\ndata = "{tmp_path}"\n'
        "[screen]\nwidth = 640\nheight = 360\nfullscreen = false\nheadless = true\n"
        f'[devices]\ndoor = "{public_hex(KEYS["new"])}"\n'
    )
    return tmp_path / "site.toml"


@pytest.mark.parametrize("damage", ["an epoch's tail", "a page"])
@pytest.mark.parametrize("program", ["director", "kiosk", "uplink", "send"])
def test_every_program_ends_on_a_damaged_journal_and_says_which(tmp_path, evening, program, damage):
    path = tampered(tmp_path / "journal", evening, *MISSING["the tail of an older epoch"][0])
    if damage == "a page":
        place(path, {"": mutated_page_count(evening[0][""])})
    (tmp_path / "commands").write_text('{"do":"open","round":"R1"}\n')
    more = {"uplink": ["--journal", path], "send": ["--actor", "000001", "--commands", tmp_path / "commands"]}
    done = tableside(program, site(tmp_path, "director" if program == "director" else "door"), *more.get(program, ()))
    [said] = [line for line in done.stderr.splitlines() if line.startswith("tableside ")]
    assert done.returncode == 2 and said.startswith(f"tableside {program}: damaged: {path}: ")
    assert "Traceback" not in done.stderr


def test_a_new_journal_has_its_log_from_the_start(tmp_path):
    """Turned on later it would be a change that a kill leaves half done, and that no reader may take back."""
    path = tmp_path / "journal"
    journal_file.open_to_write(path, os.urandom).close()
    assert path.read_bytes()[18:20] == b"\x02\x02", "file format: write-ahead log (SQLite's file header)"


def test_a_kill_while_an_older_version_turned_the_log_on_is_rolled_back(tmp_path):
    made = tmp_path / "made"
    journal_file.open_to_write(made, os.urandom).close()
    db = sqlite3.connect(made, isolation_level=None)
    assert db.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TABLE half_done (value BLOB)")
    for _ in range(50):
        db.execute("INSERT INTO half_done VALUES (?)", (os.urandom(5000),))
    path = tmp_path / "journal"
    shutil.copy(made, path)
    shutil.copy(f"{made}-journal", f"{path}-journal")
    db.close()
    with pytest.raises(journal_file.JournalError):
        journal_file.open_to_read(path)
    opened = journal_file.open_to_write(path, os.urandom)
    assert opened.execute("SELECT name FROM sqlite_schema WHERE name = 'half_done'").fetchone() is None
    opened.close()


@pytest.mark.parametrize(
    ("stream", "kind"), [("venue/v", "device-adopted/1"), ("league/v", "device/1"), ("round/R9", "device/1")]
)
def test_a_writer_that_the_venues_streams_name_is_known_to_the_file(tmp_path, stream, kind):
    """Who was let in on the spot stands in no site file; a round's stream says nothing of devices."""
    spare = Ed25519PrivateKey.from_private_bytes(bytes([9] * 32))
    with opened(tmp_path / "j", "old", 1) as journal:
        with Journal(tmp_path / "spare", device="spare-1", key=spare) as theirs:
            write(theirs, STREAM, 3)
            epoch = theirs.epochs(STREAM)[0]
            journal.absorb(STREAM, epoch, theirs.read(STREAM, epoch))
        assert len(faults(tmp_path / "j")) == 1
        for key in (bytes(32), spare.public_key().public_bytes_raw()):  # the first one was not its own for long
            with journal.begin() as transaction:
                named = transaction.open_epoch(stream, "begin", 1).epoch
                transaction.append(stream, named, [Draft(kind, rec.to_raw({"device": "spare-1", "key": key.hex()}))], 2)
                transaction.commit(sign=True)
    assert len(faults(tmp_path / "j")) == (1 if stream.startswith("round") else 0)
