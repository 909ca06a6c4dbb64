"""Scripts of a cash session: the form of a round's script, with ``session`` in the place of ``round``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from appliance.game.cash.commands import CashCommand, decode_cash_command
from appliance.game.script import read_lines


class CashLine(NamedTuple):
    """A command of a script: where it stands and when it is given (UTC ms)."""

    line_no: int
    at_ms: int
    command: CashCommand


def parse_cash_script(lines: Iterable[str | bytes]) -> list[CashLine]:
    """Read a whole script; raises `ScriptError` at the first line that is wrong."""
    return [CashLine(*line) for line in read_lines(lines, decode_cash_command, "session")]
