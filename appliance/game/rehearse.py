"""Rehearse an evening in memory: the same engine, without a journal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from appliance.game.commands import (
    name_of,
)
from appliance.game.report import report
from appliance.game.round import INITIAL, Refusal, decide, fold
from appliance.game.script import ScriptLine, parse_script
from appliance.game.state import Ledger


def run(lines: Iterable[str | bytes], until_ms: int | None = None, *, seed: int = 0) -> dict[str, Any]:
    """The report of a script's round at ``until_ms``, without it at the time of the last line.

    The whole script is checked first. Refused commands are listed with their lines and change nothing. The
    command of line 12 has the id ``line-12``; ``seed`` serves where the announcement has none. Raises
    `ScriptError`.
    """
    script = parse_script(lines)
    end_ms = script[-1].at_ms if until_ms is None else until_ms
    ledger = INITIAL
    refusals: list[dict[str, Any]] = []
    for line in script:
        if line.at_ms > end_ms:
            break
        answer = step(ledger, line, seed)
        if isinstance(answer, Refusal):
            refusals.append(refusal_report(line, answer))
        else:
            ledger = answer
    found = report(ledger, end_ms)
    return {**found, "round": script[0].round_id, "refusals": refusals}


def step(ledger: Ledger, line: ScriptLine, seed: int) -> Ledger | Refusal:
    """The ledger after a line's command, or why it is refused."""
    command_id = f"line-{line.line_no}"
    answer = decide(ledger, line.command, line.at_ms, command_id, seed=seed)
    if isinstance(answer, Refusal):
        return answer
    for event in answer:
        ledger = fold(ledger, event, line.at_ms, command_id)
    return ledger


def refusal_report(line: ScriptLine, refusal: Refusal) -> dict[str, Any]:
    """A refusal as the report lists it."""
    return {
        "line": line.line_no,
        "do": name_of(line.command),
        "code": refusal.code,
        "detail": dict(refusal.detail),
    }
