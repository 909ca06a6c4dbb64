"""Looks for directors in a child process (`tableside find --watch`), while somebody wants to know.

    seeker = Seeker(command, inbox)
    seeker.start()                          # `Seen` events come into the inbox
    seeker.stop()                           # the child is gone a moment later; nothing runs, nothing wakes

What looking takes (multicast, a second client, their memory) is in the child alone. It ends with its parent; one that
dies is started again. A child is the parent's only while the thread lives that started it (prctl(2)), so that thread
reads what it says, too.
"""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from appliance.link.client import INBOX_LIMIT, Backoff
from appliance.link.sighting import MAX_LINE_BYTES, BadSighting, Sighting, from_line
from appliance.orphan import die_with_parent

LOOKING = b'{"looking":true}'
"""The child's first line: from now on what it has not said it has not seen."""

_log = logging.getLogger(__name__)


class Looking(NamedTuple):
    """The child has begun to look. Of no ``client``'s: links pass it over."""

    client: None = None


class Seen(NamedTuple):
    """Somebody says that a director is there. Whether it is one, the notice's signature tells."""

    sighting: Sighting
    client: None = None


class Sink(Protocol):
    """Where events go: a program's queue."""

    def put(self, item: Seen | Looking, /) -> None:
        """Add an event; never blocks."""

    def qsize(self) -> int:
        """How much is waiting."""


class Seeker:
    """Runs ``command`` (what `tableside find --watch --all` takes) from `start` to `stop`; both return at once."""

    def __init__(
        self, command: Sequence[str], inbox: Sink, backoff: Callable[[], Backoff] = lambda: Backoff(0.2, 5.0)
    ) -> None:
        self._command = command
        self._inbox = inbox
        self._backoff = backoff
        self._search: _Search | None = None

    @property
    def running(self) -> bool:
        """Whether somebody looks."""
        return self._search is not None

    def start(self, *options: str) -> None:
        """Begin to look, with these ``options`` of the command, if nobody does."""
        if self._search is None:
            self._search = _Search([*self._command, *options], self._inbox, self._backoff())
            self._search.start()

    def stop(self) -> None:
        """Look no more."""
        if self._search is not None:
            self._search.end()
            self._search = None


class _Search(threading.Thread):
    """One search, with one child after another."""

    def __init__(self, command: Sequence[str], inbox: Sink, backoff: Backoff) -> None:
        super().__init__(name="seeker", daemon=True)
        self._command = command
        self._inbox = inbox
        self._backoff = backoff
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None

    def end(self) -> None:
        with self._lock:
            self._over.set()
            if self._child is not None:
                self._child.kill()  # it holds nothing that would be lost

    def run(self) -> None:
        while not self._over.is_set():
            child = self._begin()
            if child is not None:
                self._read(child)
                code = child.wait()
                with self._lock:
                    self._child = None
                if not self._over.is_set():
                    _log.warning("looking for a director ended with %d: once more", code)
            self._over.wait(self._backoff.next())

    def _begin(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._over.is_set():
                return None
            try:
                self._child = subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True,
                    preexec_fn=die_with_parent(),
                )  # fmt: skip
            except OSError as error:
                _log.warning("cannot look for a director: %s", error)
            return self._child

    def _read(self, child: subprocess.Popen[bytes]) -> None:
        assert child.stdout is not None
        with child.stdout as lines:
            while line := lines.readline(MAX_LINE_BYTES):
                self._take(line.strip())

    def _take(self, line: bytes) -> None:
        if self._over.is_set() or self._inbox.qsize() >= INBOX_LIMIT:
            return
        if line == LOOKING:
            self._inbox.put(Looking())
            return
        try:
            self._inbox.put(Seen(from_line(line)))
        except BadSighting as error:
            _log.warning("no sighting: %s", error)
            return
        self._backoff.reset()
