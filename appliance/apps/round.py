"""``tableside round SCRIPT.jsonl``: a round from a script, through the real engine into a real journal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from appliance.apps.rehearsal import play
from appliance.apps.script_file import commands_help, complain, read_script, until_ms
from appliance.game.report import report
from appliance.game.script import ScriptError, ScriptLine
from appliance.journal import JournalError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Script, journal, time, form of the answer."""
    parser.epilog = commands_help()
    parser.add_argument("script", type=Path, metavar="SCRIPT.jsonl", help="commands, one JSON object a line")
    parser.add_argument("--json", action="store_true", help="print the state as one JSON object")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="keep the journal here; it must not exist")
    parser.add_argument("--until", metavar="TIME", help="stop at this time (ISO 8601 with offset)")


def run(args: argparse.Namespace) -> int:
    """Play the script; 0 also with refusals, 2 if it cannot be read or the journal not be written."""
    try:
        script = read_script(args.script)
        until = until_ms(args.until)
        if args.journal is not None and args.journal.exists():
            raise ScriptError(0, f"--journal: {args.journal} is there already")
    except ScriptError as error:
        print(complain("round", args.script, error), file=sys.stderr)
        return 2
    try:
        answer = _play(script, args.journal, until)
    except (JournalError, OSError) as error:
        print(f"tableside round: {error}", file=sys.stderr)
        return 2
    print(json.dumps(answer, ensure_ascii=False) if args.json else "\n".join(_lines(answer)))
    return 0


def _play(script: Sequence[ScriptLine], path: Path | None, until: int | None) -> dict[str, Any]:
    """Carry out the lines up to ``until`` and report."""
    round_id, end_ms = script[0].round_id, script[-1].at_ms if until is None else until
    lines = [line for line in script if until is None or line.at_ms <= until]
    state, refusals = play(lines, f"round/{round_id}", path, script[0].at_ms)
    return {**report(state, end_ms), "round": round_id, "refusals": refusals}


def _lines(answer: dict[str, Any]) -> Iterable[str]:
    """The report for a person, short."""
    yield f"{answer['round']}  {answer['state']}  pool {answer['pool']} CZK  chips in play {answer['chips_in_play']}"
    if (clock := answer["clock"]) is not None:
        minutes, seconds = divmod(clock["remaining_s"], 60)
        what = "break after level" if clock["on_break"] else "level"
        ante = f" ante {clock['ante']}" if clock["ante"] else ""
        yield f"{what} {clock['level']}  {clock['sb']}/{clock['bb']}{ante}  {minutes}:{seconds:02} left"
    if "hand_for_hand" in answer and answer["state"] != "finished":
        yield f"hand for hand  round {answer['hand_for_hand']['round']}"
    for number, table in answer["tables"].items():
        where = "  ".join(f"{what} {table[what] or '-'}" for what in ("button", "sb", "bb"))
        yield f"table {number}  hand {table['hand']}  {where}  {'  '.join(_seats(table, answer['players']))}"
        if (call := table.get("time_call")) is not None:
            yield f"table {number}  time called: {call['participant']} {call['phase']} {call['remaining_s']} s"
    if "deal" in answer:
        amounts = "  ".join(f"{participant}: {amount} CZK" for participant, amount in answer["deal"]["amounts"].items())
        yield f"deal {answer['deal']['kind']}  {amounts}"
    for row in answer["results"]:
        paid = answer["players"][row["participant"]].get("paid", 0)
        handed_over = f"  paid {paid}" if paid else ""
        yield f"{row['place']:>4}  {row['participant']}  {row['prize']:>7} CZK  {row['points']:>6}{handed_over}"
    for refusal in answer["refusals"]:
        yield f"line {refusal['line']}: {refusal['do']} refused: {refusal['code']} {json.dumps(refusal['detail'])}"
    for notice in answer["notices"]:
        yield f"notice: {notice['code']} {json.dumps(notice['detail'])}"


def _seats(table: Mapping[str, Any], players: Mapping[str, Any]) -> Iterable[str]:
    """Who sits where, and why somebody is not dealt in as the others are."""
    for seat, participant in table["seats"].items():
        absent = "absent" if players[participant].get("absent") else ""
        marks = ", ".join(filter(None, (absent, table.get("waiting", {}).get(seat, ""))))
        yield f"{seat}: {participant}" + (f" ({marks})" if marks else "")
