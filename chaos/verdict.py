"""Whether an evening kept its promises, from what lies on the disks in the end."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from appliance import audit, kinds
from appliance import record as rec
from appliance.engine import Engine
from appliance.game.report import report
from appliance.game.state import Ledger
from appliance.game.tablestream.state import TableHands
from appliance.journal import Journal
from appliance.record import Epoch, Head, RecordError
from chaos.mind import Apart
from chaos.people import ROUND, VENUE
from chaos.play import Answered
from chaos.tracked import Deal

Held: TypeAlias = Mapping[tuple[str, str], Sequence[bytes]]
"""What somebody holds: the records' bytes by stream and epoch, in order."""
Signed: TypeAlias = Mapping[tuple[str, str], Sequence[tuple[bytes, bytes | None]]]
"""The same with the signatures of heads."""

_MONEY = ("registered/1", "deposited/1", "reentered/1")
"""Records of a round with which somebody's money comes in."""
_TIMELESS = ("round", "state", "profile", "players", "pool", "chips_in_play", "balance_needed", "results", "deal")


def held_by(file: Path) -> Held:
    """What a journal holds."""
    with Journal(file, read_only=True) as journal:
        held: dict[tuple[str, str], list[bytes]] = {}
        for record, raw in audit.every_record(journal):
            held.setdefault((record.stream, record.epoch), []).append(raw)
        return held


def held_by_league(database: Path) -> Signed:
    """The league's raw table."""
    held: dict[tuple[str, str], list[tuple[bytes, bytes | None]]] = {}
    rows = league_rows(
        database, "SELECT stream, epoch, raw, signature FROM ingest_rawrecord ORDER BY stream, epoch, seq"
    )
    for stream, epoch, raw, signature in rows:
        held.setdefault((stream, epoch), []).append((bytes(raw), bytes(signature) if signature else None))
    return held


def league_rows(database: Path, query: str) -> list[tuple[Any, ...]]:
    """What the league's database answers."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=20)) as opened:
        return opened.execute(query).fetchall()


def what_counts(held: Held) -> Held:
    """Of each stream the history alone: from the newest epoch back along the links, without what is stranded."""
    newest: dict[str, Epoch] = {}
    for stream, epoch in held:
        newest[stream] = max(newest.get(stream, Epoch.parse(epoch)), Epoch.parse(epoch))
    history: dict[tuple[str, str], Sequence[bytes]] = {}
    for stream, last in newest.items():
        line, size = (stream, str(last)), None
        while line in held:
            history[line] = held[line][:size]
            after = rec.epoch_opened(rec.decode(held[line][0])).after
            if after is None:
                break
            line, size = (stream, after.epoch), after.seq
    return history


def raws(signed: Signed) -> Held:
    """Without signatures."""
    return {line: [raw for raw, _ in records] for line, records in signed.items()}


def chains(file: Path) -> list[str]:
    """Faults of a journal: structure, hash chains, links, signatures."""
    return [f"{file.parent.name}: {f.stream} {f.epoch}: {f.fault}" for f in audit.verify_file(file) if f.fault]


def league_chains(signed: Signed, keys: Mapping[str, str]) -> list[str]:
    """The same for the league's table; ``keys``: the devices' public keys."""
    found = []
    for (stream, epoch), records in signed.items():
        head: Head | None = None
        writer, unsigned = "", 0
        try:
            for raw, signature in records:
                record, head = rec.follow(head, raw)
                writer = rec.epoch_opened(record).by if record.seq == 1 else writer
                unsigned += 1
                if signature is not None:
                    unsigned = 0
                    if not rec.verify(Ed25519PublicKey.from_public_bytes(bytes.fromhex(keys[writer])), head, signature):
                        found.append(f"league: {stream} {epoch} {head.seq}: not signed by {writer}")
        except (RecordError, KeyError) as error:
            found.append(f"league: {stream} {epoch} {head.seq + 1 if head else 1}: {error!r}")
        if unsigned:
            found.append(f"league: {stream} {epoch}: the last {unsigned} records are under no signature")
    return found


def copies(holders: Mapping[str, Held], of: Sequence[str]) -> list[str]:
    """Where two hold other bytes at the same place, or not as far as each other; ``of``: beginnings of streams."""
    found = []
    lines = {line for held in holders.values() for line in held if line[0].startswith(tuple(of))}
    for stream, epoch in sorted(lines):
        longest, theirs = max(
            ((name, held.get((stream, epoch), ())) for name, held in holders.items()), key=lambda h: len(h[1])
        )
        for name, held in holders.items():
            ours = held.get((stream, epoch), ())
            if list(ours) != list(theirs[: len(ours)]):
                place = next(n for n, (a, b) in enumerate(zip(ours, theirs, strict=False), 1) if a != b)
                found.append(f"{stream} {epoch} {place}: {name} and {longest} differ")
            elif len(ours) < len(theirs):
                found.append(f"{stream} {epoch}: {name} has {len(ours)} records of {longest}'s {len(theirs)}")
    return found


def kept(of: str, theirs: Held, by: str, ours: Held) -> list[str]:
    """What one alone had, and the other did not keep, be it stranded."""
    found = []
    for line, records in theirs.items():
        missing = set(records) - set(ours.get(line, ()))
        if missing:
            found.append(f"{line[0]} {line[1]}: {by} lacks {len(missing)} records of {of}'s {len(records)}")
    return found


def once(answered: Iterable[Answered], league: Held) -> list[str]:
    """Acknowledged commands that are not at the league exactly once, and refused ones that are there."""
    places: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for (stream, epoch), records in league.items():
        for raw in records:
            record = json.loads(raw)
            if record.get("cause"):
                places[record["cause"]].append((stream, epoch, record["seq"]))
    found = []
    for each in answered:
        there = places.get(each.id, [])
        what = f"{each.do} {each.id}"
        if not each.ok:
            found += [f"{what} was refused and is at the league: {there}"] if there else []
        elif len(there) != each.records:
            found.append(f"{what} must have led to {each.records} records, at the league are {there}")
        elif there and there[-1] != (each.stream, each.epoch, each.seq):
            found.append(f"{what} was answered {each.stream} {each.epoch} {each.seq}, and ends at {there[-1]}")
        elif there and [seq for _, _, seq in there] != list(range(there[0][2], there[0][2] + len(there))):
            found.append(f"{what} is not in one piece: {there}")
    return found


def decided(apart: Iterable[Apart], held: Held) -> list[str]:
    """What an old director alone had: not in the list once, not settled once as was decided, or applied in silence."""
    counted = [json.loads(raw) for records in what_counts(held).values() for raw in records]
    causes = {record.get("cause") for record in counted}
    found = []
    for each in apart:
        about = [r for r in counted if r["type"].startswith("stranded-") and r["data"].get("command") == each.id]
        told = [record["type"] for record in about]
        if told != ["stranded-found/1", "stranded-accepted/1" if each.accept else "stranded-dropped/1"]:
            found.append(f"{each}: the venue's stream says {told}")
        elif each.accept and about[-1]["data"]["anew"] not in causes:
            found.append(f"{each}: was accepted, and is not there")
        if each.id in causes:
            found.append(f"{each}: counts by itself")
    return found


def under_tokens(held: Held) -> list[str]:
    """Deposits that a director took of somebody whose allowance the league had not given to that director (T-3)."""
    counting = what_counts(held)
    writer = {epoch: _writer(records) for (stream, epoch), records in held.items() if stream.startswith("venue/")}
    given = set()
    for (stream, _), records in counting.items():
        for record in map(json.loads, records if stream.startswith("league/") else ()):
            if record["type"] == "allowance/1":
                token = record["data"]["allowance"]
                given.add((token["participant"], writer.get(token["epoch"])))
    found = []
    for (stream, epoch), records in counting.items():
        if stream.startswith("round/"):
            director = _writer(held[stream, epoch])
            for record in map(json.loads, records):
                who = record["data"].get("participant")
                if record["type"] in _MONEY and (who, director) not in given:
                    found.append(f"{stream} {epoch} {record['seq']}: {director} had no allowance of {who}")
    return found


def _writer(records: Sequence[bytes]) -> str:
    """Who opened an epoch."""
    return str(rec.epoch_opened(rec.decode(records[0])).by)


def outcome(ledger: Ledger) -> dict[str, Any]:
    """A round as far as no clock has to do with it."""
    whole = report(ledger, 0)
    told = {name: whole[name] for name in _TIMELESS if name in whole}
    told["players"] = {
        who: {name: value for name, value in player.items() if name in ("status", "deposit", "chips", "seat", "paid")}
        for who, player in whole["players"].items()
    }
    told["hands"] = {number: table["hand"] for number, table in whole["tables"].items()}
    return told


def folded(file: Path) -> Ledger:
    """The round as a journal tells it."""
    with Journal(file, read_only=True) as journal:
        ledger: Ledger = Engine(journal, kinds.KINDS, lambda: 0).state(f"round/{ROUND}")
        return ledger


def dealt(deals: Iterable[Deal], told: Mapping[str, Mapping[int, TableHands]]) -> list[str]:
    """Whose copies have other hands than those that were keyed in; ``told``: by who has it, the hands of each table."""
    found = []
    for each in deals:
        for name, tables in told.items():
            hands = tables.get(each.table, TableHands())
            ended = [over.ended.stacks for over in hands.log if over.begun.hand == each.hand and over.ended is not None]
            if ended != [each.stacks]:
                found.append(f"{name}: hand {each.hand} of table {each.table} ended {ended}, must {each.stacks}")
    return found


def hands(file: Path, tables: Iterable[int]) -> dict[int, TableHands]:
    """The hands of tables as a journal tells them."""
    with Journal(file, read_only=True) as journal:
        engine = Engine(journal, kinds.KINDS, lambda: 0)
        return {table: engine.state(f"table/{VENUE}-{table}").hands for table in tables}


def outcomes(expected: Ledger, told: Mapping[str, Ledger]) -> list[str]:
    """Who shows another evening than an undisturbed one."""
    found, wanted = [], outcome(expected)
    for name, ledger in told.items():
        here = outcome(ledger)
        found += [
            f"{name}: {part} is {here.get(part)}, must be {wanted.get(part)}"
            for part in wanted
            if here.get(part) != wanted[part]
        ]
    return found


def league_results(expected: Ledger, database: Path) -> list[str]:
    """Whether the league's standings have the results of an undisturbed evening."""
    rows = league_rows(
        database, "SELECT place, number, prize, half_points FROM standings_result ORDER BY place, number"
    )
    results = report(expected, 0)["results"]
    wanted = sorted((r["place"], r["participant"], r["prize"], round(float(r["points"]) * 2)) for r in results)
    return [] if rows == wanted else [f"the league's results are {rows}, must be {wanted}"]


def league_worries(database: Path, let_in: str = "") -> list[str]:
    """What the league put aside or was alarmed by; of a device that was ``let_in`` on the spot it has to hear, once."""
    aside = league_rows(database, "SELECT stream, epoch, seq, reason, detail FROM ingest_quarantine")
    alerts = league_rows(database, "SELECT venue, stream, code, detail FROM ingest_alert")
    told = [row for row in alerts if let_in and row[2] == "device-adopted" and row[3].startswith(f"{let_in}:")]
    found = [f"league, set aside: {row}" for row in aside]
    found += [f"league, alert: {row}" for row in alerts if row not in told]
    return found + ([f"league, of {let_in} it says {told}"] if let_in and len(told) != 1 else [])
