"""Whether a disk has room for a director: who takes over keeps the evening's records once more, and writes on.

With less it would follow a director that serves well, and then refuse every command.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

LEAST_BYTES = 4 * 1024**2
"""For the rest of an evening, the broker and the logs."""

FULL = "disk-full"
"""Why something failed."""

_MORE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def is_short(folder: Path, copy: Path | None = None) -> bool:
    """Whether a data folder's disk has too little; ``copy``: the journal that the director begins with. Nobody knows of
    a disk that does not say.
    """
    try:
        disk = os.statvfs(folder)
        held = sum(file.stat().st_size for file in _parts(copy) if file.exists()) if copy else 0
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < LEAST_BYTES + 2 * held


def reason(error: OSError) -> str:
    """Why it failed: a code where the disk is full, else the system's words."""
    return FULL if error.errno in _MORE else error.strerror or str(error)


def _parts(journal: Path) -> tuple[Path, Path]:
    return journal, journal.with_name(f"{journal.name}-wal")
