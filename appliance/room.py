"""Whether a disk has room for a director: who takes over keeps the evening's records once more, and writes on.

With less it would follow a director that serves well, and then refuse every command.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

LEAST_BYTES = 4 * 1024**2
"""For the rest of an evening, SQLite's write-ahead log, the broker and what programs say."""

_ALWAYS_BYTES = 1024**2

FULL = "disk-full"
"""Why something failed."""

_MORE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def is_short(folder: Path, copy: Path | None = None) -> bool:
    """Whether the disk of a director's data folder has too little; ``copy``: the journal that it begins with. What it
    has from another evening takes none anew. Nobody knows of a disk that does not say.
    """
    try:
        disk = os.statvfs(folder if folder.exists() else folder.parent)
        wanted = LEAST_BYTES + (_size(copy) if copy else 0) - _size(folder / "journal") - _size(folder / "journal-wal")
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < max(wanted, _ALWAYS_BYTES)


def reason(error: OSError) -> str:
    """Why it failed: a code where the disk is full, else the system's words."""
    return FULL if error.errno in _MORE else error.strerror or str(error)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
