"""``tableside cash SCRIPT.jsonl``: a cash session from a script, through the real engine into a real journal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from appliance.apps.cash_log import page
from appliance.apps.rehearsal import play
from appliance.apps.script_file import commands_help, complain, read_with, until_ms
from appliance.game.cash.fold import EMPTY
from appliance.game.cash.report import report
from appliance.game.cash.script import CashLine, line_commands, parse_cash_script
from appliance.game.cash.tracking import commands_of
from appliance.game.script import ScriptError
from appliance.i18n import LANGUAGES, Translator
from appliance.journal import JournalError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Script, journal, time, form and language of the answer."""
    parser.epilog = commands_help(line_commands())
    parser.add_argument("script", type=Path, metavar="SCRIPT.jsonl", help="commands, one JSON object a line")
    parser.add_argument("--json", action="store_true", help="print the state as one JSON object")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the journal here; it must not exist")
    parser.add_argument("--until", metavar="TIME", help="stop at this time (ISO 8601 with offset)")
    parser.add_argument("--lang", default="cs", metavar="LANG", help="of the report: cs or en; cs unless told")


def run(args: argparse.Namespace) -> int:
    """Play the script; 0 also with refusals, 2 if it cannot be read or the journal not be written."""
    if args.lang not in LANGUAGES:
        print(f"tableside cash: --lang: {args.lang[:40]!r} is none of {', '.join(LANGUAGES)}", file=sys.stderr)
        return 2
    try:
        script = read_with(parse_cash_script, args.script)
        until = until_ms(args.until)
        if args.journal is not None and args.journal.exists():
            raise ScriptError(0, f"--journal: {args.journal} is there already")
    except ScriptError as error:
        print(complain("cash", args.script, error), file=sys.stderr)
        return 2
    try:
        answer = _play(script, args.journal, until)
    except (JournalError, OSError) as error:
        print(f"tableside cash: {error}", file=sys.stderr)
        return 2
    print(json.dumps(answer, ensure_ascii=False) if args.json else "\n".join(page(answer, Translator(args.lang))))
    return 0


def _play(script: Sequence[CashLine], path: Path | None, until: int | None) -> dict[str, Any]:
    """Carry out the lines up to ``until`` and report."""
    session = script[0].command.session
    lines = [line for line in script if until is None or line.at_ms <= until]
    state, refusals = play(lines, f"table/{session}", path, script[0].at_ms, commands_of)
    return {"session": session, **report(state.cash or EMPTY), "refusals": refusals}
