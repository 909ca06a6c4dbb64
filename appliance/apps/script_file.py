"""Reading a script from a file, for the subcommands that play one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from appliance.filebytes import open_plain
from appliance.game.commands import AnyCommand
from appliance.game.reading import MAX_COMMAND_BYTES
from appliance.game.script import ScriptError, ScriptLine, parse_script
from appliance.game.values import parse_time

L = TypeVar("L")


def read_script(path: Path) -> Sequence[ScriptLine]:
    """Read a round's script; see `read_with`."""
    return read_with(parse_script, path)


def read_with(parse: Callable[[Iterable[bytes]], Sequence[L]], path: Path) -> Sequence[L]:
    """Read a script whole; raises `ScriptError` for the first line that is none, or a file that cannot be read."""
    try:
        return parse(_lines(path))
    except OSError as error:
        raise ScriptError(0, error.strerror or str(error)) from None


def _lines(path: Path) -> Iterator[bytes]:
    """The lines; of one that is too long only so much that it is refused, for not every file has an end."""
    with open_plain(path) as file:
        while line := file.readline(MAX_COMMAND_BYTES + 2):
            yield line.removesuffix(b"\n")


def until_ms(text: str | None) -> int | None:
    """The time of ``--until`` in UTC ms; raises `ScriptError`."""
    try:
        return None if text is None else parse_time(text)
    except ValueError as error:
        raise ScriptError(0, f"--until: {error}") from None


def commands_help(commands: Any = AnyCommand) -> str:
    """What a line may ask for, for ``--help``."""
    known = ", ".join(kind.__struct_config__.tag for kind in get_args(commands) or commands)
    return f"What a line may do: {known}. Their fields and examples: docs/, the text interface."


def complain(program: str, script: Path, error: ScriptError) -> str:
    """The one line that names program, file, line and reason."""
    where = f":{error.line}" if error.line else ""
    return f"tableside {program}: {script}{where}: {error.reason}"
