"""The phones' keys, and which of their counts were taken: in memory, and those of signed-in phones in a file as well.

Engine and console share it; each call holds a lock. In the file a count stands `AHEAD` of the highest that was taken,
so that not each request writes: after a restart a phone goes on above that mark, and none that was heard counts again.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Container
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from appliance.console.signing import MOST_COUNT, Window
from appliance.filebytes import own_bytes
from appliance.phonenotes import Session

FILE = "phones.json"
AHEAD = 1000

_log = logging.getLogger(__name__)


class _Saved(Struct, frozen=True, forbid_unknown_fields=True):
    session: Session
    key: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    count: Annotated[int, Meta(ge=0, le=MOST_COUNT)]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    phones: Annotated[tuple[_Saved, ...], Meta(max_length=1000)]


class _Line:
    """A phone's key; ``mark``: the count that stands in the file, None while the phone does not."""

    __slots__ = ("key", "mark", "window")

    def __init__(self, key: bytes, count: int = 0, mark: int | None = None) -> None:
        self.key, self.window, self.mark = key, Window(count), mark


class Kept:
    """Keys by session. What the file cannot be read for is lost: those phones are signed in anew."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._lines = {
            each.session: _Line(bytes.fromhex(each.key), each.count, each.count) for each in _read(self._path)
        }

    def hold(self, session: str, key: bytes) -> None:
        """A key that is offered: its phone may come with it."""
        with self._lock:
            self._lines.setdefault(session, _Line(key))

    def keep(self, session: str) -> None:
        """The phone is signed in: its key is to outlive this program. Raises OSError, and then it is not kept."""
        with self._lock:
            line = self._lines[session]
            line.mark = line.window.high + AHEAD
            try:
                self._write()
            except OSError:
                line.mark = None
                raise

    def retain(self, signed_in: Container[str], known: Container[str]) -> None:
        """Keep in the file the keys of these alone, and in memory also those that are ``known``: a phone that is signed
        in no more is told so, if it has signed its question.
        """
        with self._lock:
            out = [line for session, line in self._lines.items() if line.mark is not None and session not in signed_in]
            for line in out:
                line.mark = None
            for session in [session for session in self._lines if session not in known]:
                del self._lines[session]
            if out:
                self._save()

    def key(self, session: str) -> bytes | None:
        """The key of a phone, None where there is none (any more)."""
        with self._lock:
            line = self._lines.get(session)
            return None if line is None else line.key

    def take(self, session: str, count: int) -> bool:
        """Take a count of a phone, once."""
        with self._lock:
            line = self._lines.get(session)
            if line is None or not line.window.take(count):
                return False
            if line.mark is not None and line.window.high > line.mark:
                line.mark = min(line.window.high + AHEAD, MOST_COUNT)
                self._save()
            return True

    def high(self, session: str) -> int:
        """The highest count that was taken; after a restart, the mark."""
        with self._lock:
            line = self._lines.get(session)
            return 0 if line is None else line.window.high

    def has(self, session: str) -> bool:
        """Whether the key of a signed-in phone is here."""
        with self._lock:
            line = self._lines.get(session)
            return line is not None and line.mark is not None

    def _save(self) -> None:
        """A full disk does not keep people out: what was asked for once is still carried out once, by its id."""
        try:
            self._write()
        except OSError as error:
            _log.error("%s is not up to date: %s", self._path, error.strerror)

    def _write(self) -> None:
        saved = (
            _Saved(session, line.key.hex(), line.mark) for session, line in self._lines.items() if line.mark is not None
        )
        data = msgspec.json.encode(_File(tuple(saved))) + b"\n"
        partial = self._path.with_suffix(".json.new")
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _read(path: Path) -> tuple[_Saved, ...]:
    try:
        return msgspec.json.decode(own_bytes(path), type=_File).phones
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):  # what it says of the keys is for no log
        _log.error("%s cannot be read: phones have to be signed in anew", path)
        return ()
