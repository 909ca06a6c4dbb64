"""What a kiosk notes for `tableside doctor`: that somebody directs who does not let it in."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

_FILE = "shut-out.json"


class Outside(msgspec.Struct, frozen=True):
    """``by``: the device that directs; ``at``: since when, UTC ms."""

    by: str
    at: int


def note(folder: Path, by: str, at: int) -> None:
    """Write it down, or with ``by`` empty that it is over; a disk that refuses costs nothing else."""
    file = folder / _FILE
    with contextlib.suppress(OSError):
        if by:
            file.write_bytes(msgspec.json.encode(Outside(by, at)))
        else:
            file.unlink(missing_ok=True)


def noted(folder: Path) -> Outside | None:
    """What stands there; None where there is nothing, or nothing whole."""
    try:
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=Outside)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
