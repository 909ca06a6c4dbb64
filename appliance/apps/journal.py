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

_ACTIONS = {
    "verify": "check hash chain, gaps and signatures; name the first bad record",
    "dump": "list the records, one a line",
    "export": "write the records' bytes, one JSON object a line",
    "hands": "write the hands that were followed at all tables in PHH, the poker hand history format (.phhs)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The actions and their arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, summary in _ACTIONS.items():
        action = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        action.add_argument("file", type=Path, metavar="FILE", help="the journal; only read, it may be in use")
        if name in ("export", "hands"):
            where = "JSON lines, made or replaced" if name == "export" else "a .phhs file that is not there yet"
            action.add_argument("-o", "--output", type=Path, metavar="OUT", required=True, help=where)
        if name == "hands":
            action.add_argument("--force", action="store_true", help="replace OUT if it is there")


def run(args: argparse.Namespace) -> int:
    """Carry the action out; 1 if verification fails, 2 if the file cannot be read as a journal."""
    try:
        if not args.file.is_file():
            raise JournalError("unreadable", f"{args.file}: no such file")
        if args.action == "verify":
            return _verify(args.file)
        with Journal(args.file, read_only=True) as journal:
            if args.action == "hands":
                return _hands(journal, args.output, force=args.force)
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


def _hands(journal: Journal, output: Path, *, force: bool) -> int:
    _checked(journal, output)
    if output.exists() and not force:
        raise BadOutput(f"{output} is there already: --force replaces it")
    texts, unkeyed = [], 0
    for hand in hands_of(journal):
        if not hand.keyed:
            unkeyed += 1
        elif hand.text is None:
            _say(f"{hand.which}: cannot be played by this version, left out")
        else:
            texts.append(hand.text)
    if unkeyed:
        _say(f"hands left out of which nobody keyed in anything: {unkeyed}")
    if not texts:
        _say(f"{journal.path}: no hand that was followed: nothing is written")
        return 0
    partial = output.with_name(output.name + ".new")
    partial.write_text(write_all(texts), encoding="utf-8")
    partial.replace(output)
    return 0


def _say(text: str) -> None:
    print(f"tableside journal: {text}", file=sys.stderr)


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
