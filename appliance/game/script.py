"""Scripts of a round or a cash session: one JSON object a line, in time order (CONTRACT, ``tableside round``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from appliance.game.command import (
    Command,
)
from appliance.game.commands import (
    decode_command,
)
from appliance.game.reading import MAX_COMMAND_BYTES, CommandError, read_object
from appliance.game.values import parse_time

C = TypeVar("C", bound=Struct)


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
    """Read a whole script; raises `ScriptError` at the first line that is wrong."""
    return [ScriptLine(n, at_ms, c.round, c) for n, at_ms, c in read_lines(lines, decode_command, "round")]


def read_lines(
    lines: Iterable[str | bytes], decode: Callable[[dict[str, Any]], C], subject: str
) -> list[tuple[int, int, C]]:
    """Line number, time (UTC ms) and command of each line; raises `ScriptError` at the first that is wrong.

    Empty lines and those that begin with ``#`` are skipped. Times never go back, and there is one ``subject``: what
    the commands are for, the field of that name.
    """
    script: list[tuple[int, int, C]] = []
    for number, text in _lines(lines):
        try:
            at_ms, command = _parse_line(text, decode)
        except CommandError as error:
            raise ScriptError(number, str(error)) from None
        if script:
            before_no, before_ms, before = script[-1]
            if at_ms < before_ms:
                raise ScriptError(number, f"at: earlier than line {before_no}")
            here, there = getattr(before, subject), getattr(command, subject)
            if here != there:
                raise ScriptError(number, f"{subject}: {there} in a script of {here}")
        script.append((number, at_ms, command))
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


def _parse_line(text: str, decode: Callable[[dict[str, Any]], C]) -> tuple[int, C]:
    fields = read_object(text)
    at = fields.pop("at", None)
    if not isinstance(at, str):
        raise CommandError("at", "is missing" if at is None else "is no text")
    try:
        at_ms = parse_time(at)
    except ValueError as error:
        raise CommandError("at", str(error)) from None
    return at_ms, decode(fields)
