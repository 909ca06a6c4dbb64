"""The bytes of a file that somebody else named: of a plain file only, and never more than is asked for.

A pipe would be waited for, a device would answer for ever, and a name may be none at all: all of these are said as
any other file that cannot be read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path


class Unreadable(ValueError):
    """The text says why, without the file's name."""


def read_bytes(file: Path, most: int) -> bytes:
    """What is in a file of at most ``most`` bytes. Raises `Unreadable`."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise Unreadable("a folder" if file.is_dir() else "not a plain file")
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise Unreadable("not a plain file")
            data = stream.read(most + 1)
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    except (UnicodeError, ValueError) as error:
        raise error if isinstance(error, Unreadable) else Unreadable(f"no name of a file: {error}") from None
    if len(data) > most:
        raise Unreadable(f"larger than {size(most)}")
    return data


def size(count: int) -> str:
    """A round number of bytes."""
    return f"{count // 1024**2} MB" if count >= 1024**2 else f"{count // 1024} kB"
