"""``tableside journal verify|dump|export|hands``: what is in a journal file, and whether it is sound."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from appliance import audit
from appliance.apps.output import BadOutput, checked
from appliance.game.hand.phh_write import write_all
from appliance.handlog import hands_of
from appliance.journal import Journal, JournalError
from appliance.record import Record, RecordError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions and their arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    verify = actions.add_parser("verify", help="check hash chain, gaps and signatures; name the first bad record")
    verify.add_argument("file", type=Path)
    dump = actions.add_parser("dump", help="list the records, one a line")
    dump.add_argument("file", type=Path)
    export = actions.add_parser("export", help="write the records' bytes, one JSON object a line")
    export.add_argument("file", type=Path)
    export.add_argument("-o", "--output", type=Path, required=True)
    hands = actions.add_parser("hands", help="write the tracked hands of all tables as PHH (.phhs)")
    hands.add_argument("file", type=Path)
    hands.add_argument("-o", "--output", type=Path, required=True)


def run(args: argparse.Namespace) -> int:
    """Carry the action out; 1 if verification fails, 2 if the file cannot be read as a journal."""
    try:
        if not args.file.is_file():
            raise JournalError("unreadable", f"{args.file}: no such file")
        if args.action == "verify":
            return _verify(args.file)
        with Journal(args.file, read_only=True) as journal:
            if args.action == "hands":
                return _hands(journal, args.output)
            return _dump(journal) if args.action == "dump" else _export(journal, args.output)
    except BrokenPipeError:
        raise  # the one who reads has had enough: no fault of the journal
    except (BadOutput, JournalError) as error:
        print(f"tableside journal: {error}", file=sys.stderr)
    except RecordError as error:
        print(f"tableside journal: {args.file}: damaged: {error}", file=sys.stderr)
    except OSError as error:
        print(f"tableside journal: {error.filename or args.file}: {error.strerror}", file=sys.stderr)
    return 2


def _verify(file: Path) -> int:
    findings = []
    for finding in audit.verify_file(file):
        findings.append(finding)
        if finding.stream:
            verdict = finding.fault or f"ok, signed up to {finding.signed_upto}, head {finding.head[:16]}"
            print(f"{finding.stream} {finding.epoch}: {finding.records} records, {verdict}")
        else:
            print(f"{file}: {finding.fault}")
    if not findings:
        print(f"{file}: no records")
    return 1 if any(finding.fault for finding in findings) else 0


def _dump(journal: Journal) -> int:
    for record, _raw in audit.every_record(journal):
        print(_line(record))
    return 0


def _hands(journal: Journal, output: Path) -> int:
    _checked(journal, output)
    texts = []
    for where, text in hands_of(journal):
        if text is None:
            print(f"tableside journal: {where}: cannot be played by this version, left out", file=sys.stderr)
        else:
            texts.append(text)
    partial = output.with_name(output.name + ".new")
    partial.write_text(write_all(texts), encoding="utf-8")
    partial.replace(output)
    return 0


def _checked(journal: Journal, output: Path) -> None:
    checked(output, *(journal.path.with_name(journal.path.name + end) for end in ("", "-wal", "-shm")))


def _export(journal: Journal, output: Path) -> int:
    if output.exists() and not output.is_file():  # a pipe or a device: written to, never replaced
        with output.open("wb") as out:
            out.writelines(raw + b"\n" for _, raw in audit.every_record(journal))
        return 0
    _checked(journal, output)
    partial = output.with_name(output.name + ".new")
    with partial.open("wb") as out:
        out.writelines(raw + b"\n" for _, raw in audit.every_record(journal))
    partial.replace(output)
    return 0


def _line(record: Record) -> str:
    at = datetime.fromtimestamp(record.at / 1000, UTC).isoformat(timespec="milliseconds")
    data = bytes(record.data).decode("utf-8", "replace")
    return f"{record.stream} {record.epoch} {record.seq:>6} {at} {record.type} {data}"
