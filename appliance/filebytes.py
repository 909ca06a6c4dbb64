"""The bytes of a file that somebody else named: of a plain file only, and never more than is asked for.

A pipe would be waited for, a device would answer for ever, and a name may be none at all: all of these are said as
any other file that cannot be read. And how a file of our own is written, so that a power cut leaves the old one or the
new one.
"""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO
from pathlib import Path
from typing import BinaryIO

_MOST_OF_OURS = 4 * 1024**2


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


def own_bytes(file: Path) -> bytes:
    """What is in a file that this device wrote itself. Raises OSError, for a pipe or a folder in its place too."""
    with open_plain(file) as stream:
        data = stream.read(_MOST_OF_OURS + 1)
    if len(data) > _MOST_OF_OURS:
        raise OSError(errno.EFBIG, f"larger than {size(_MOST_OF_OURS)}")
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


def open_own(file: Path) -> FileIO:
    """A file of this device to read and to write, made if there is none. Raises OSError for what is no plain file."""
    number = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    stream = FileIO(number, "a+")
    if stat.S_ISREG(os.fstat(number).st_mode):
        return stream
    stream.close()
    raise OSError(errno.EINVAL, "not a plain file")


def put(file: Path, data: bytes) -> None:
    """Write a file whole or not at all, also where the power goes meanwhile. Raises OSError."""
    fresh = file.with_suffix(".new")
    with fresh.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)


def size(count: int) -> str:
    """A round number of bytes."""
    return f"{count // 1024**2} MB" if count >= 1024**2 else f"{count // 1024} kB"
