"""The bytes of a file that somebody else named: of a plain file only, and never more than is asked for.

A pipe would be waited for, a device would answer for ever, and a name may be none at all: all of these are said as
any other file that cannot be read.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


class Unreadable(ValueError):
    """The text says why, without the file's name."""


class Unusable(OSError):
    """A file that the configuration names cannot serve; the text names setting, file and reason."""


def read_bytes(file: Path, most: int) -> bytes:
    """What is in a file of at most ``most`` bytes. Raises `Unreadable`."""
    try:
        with open_plain(file) as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    if len(data) > most:
        raise Unreadable(f"larger than {size(most)}")
    return data


def open_plain(file: Path) -> BinaryIO:
    """A file to read from. Raises OSError, for what is no plain file and for what is no name of one too."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise OSError(errno.EINVAL, "a folder" if file.is_dir() else "not a plain file")
        stream = os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    except ValueError as error:
        raise OSError(errno.EINVAL, f"no name of a file: {error}") from None
    if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return stream
    stream.close()
    raise OSError(errno.EINVAL, "not a plain file")


def size(count: int) -> str:
    """A round number of bytes."""
    return f"{count // 1024**2} MB" if count >= 1024**2 else f"{count // 1024} kB"
