"""Where a subcommand may write: never over what it reads, never in place of a device or a pipe; and what it says."""

from __future__ import annotations

from pathlib import Path


class BadOutput(ValueError):
    """A place that must not be written to; the text says which and why."""


def one_line(reason: str) -> str:
    """A message as it is printed, whatever the names and arguments in it hold."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in reason)


def checked(output: Path, *sources: Path) -> Path:
    """``output``, if a file may be made or replaced there. Raises `BadOutput`."""
    if output.exists() and not output.is_file():
        raise BadOutput(f"{output} is no ordinary file")
    if any(output.exists() and output.samefile(source) for source in sources if source.exists()):
        raise BadOutput(f"{output} is the file that is read")
    return output
