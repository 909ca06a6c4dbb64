"""Scripts of a round: one JSON object a line, in time order (CONTRACT, ``tableside round``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    decode_command,
)
from appliance.game.reading import MAX_COMMAND_BYTES, CommandError, read_object
from appliance.game.values import parse_time


class ScriptError(ValueError):
    """A script that cannot be run: ``line`` (from 1; 0: the whole of it) and ``reason``."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line
        self.reason = reason


class ScriptLine(NamedTuple):
    """A command of a script: where it stands, when it is given (UTC ms) and to which round."""

    line_no: int
    at_ms: int
    round_id: str
    command: Command


def parse_script(lines: Iterable[str | bytes]) -> list[ScriptLine]:
    """Read a whole script; raises `ScriptError` at the first line that is wrong.

    Empty lines and those that begin with ``#`` are skipped. Times never go back, and there is one round.
    """
    script: list[ScriptLine] = []
    for number, text in _lines(lines):
        try:
            line = _parse_line(number, text)
        except CommandError as error:
            raise ScriptError(number, str(error)) from None
        if script and line.at_ms < script[-1].at_ms:
            raise ScriptError(number, f"at: earlier than line {script[-1].line_no}")
        if script and line.round_id != script[-1].round_id:
            raise ScriptError(number, f"round: {line.round_id} in a script of {script[-1].round_id}")
        script.append(line)
    if not script:
        raise ScriptError(0, "there is no command in it")
    return script


def _lines(lines: Iterable[str | bytes]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        if len(line) > MAX_COMMAND_BYTES:
            raise ScriptError(number, f"longer than {MAX_COMMAND_BYTES} bytes")
        try:
            text = line.decode() if isinstance(line, bytes) else line
        except UnicodeDecodeError as error:
            raise ScriptError(number, f"not UTF-8 at byte {error.start + 1}") from None
        text = text.removeprefix("\ufeff").strip()
        if text and not text.startswith("#"):
            yield number, text


def _parse_line(number: int, text: str) -> ScriptLine:
    fields = read_object(text)
    at = fields.pop("at", None)
    if not isinstance(at, str):
        raise CommandError("at", "is missing" if at is None else "is no text")
    try:
        at_ms = parse_time(at)
    except ValueError as error:
        raise CommandError("at", str(error)) from None
    command = decode_command(fields)
    return ScriptLine(number, at_ms, command.round, command)
