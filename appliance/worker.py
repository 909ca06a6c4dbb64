"""The engine thread that kiosk and director have in common: it owns the journal, and lives as long as its program.

Other threads put things into its `inbox`; it alone touches SQLite and the link's role. A thread that dies ends the
program: `failure` says why, and the service manager starts it again where the journal stands.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from appliance.filebytes import Unusable
from appliance.journal import Journal, JournalError
from appliance.link.client import Connected, Disconnected
from appliance.link.replication import Alert
from appliance.workplace import FolderTaken, Workplace

_FINISH_S = 5.0
_OWN_WORDS = (JournalError, FolderTaken, Unusable)
"""They say what is wrong and where: no place in the program would add to that."""
_log = logging.getLogger(__name__)


class Worker(threading.Thread, ABC):
    """Opens the journal and works until `stop`. ``ended`` is called when it is over, however it ended."""

    def __init__(self, place: Workplace, ended: Callable[[], None] = lambda: None) -> None:
        super().__init__(name="engine", daemon=True)
        self.failure: Exception | None = None
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._place = place
        self._ended = ended
        self._stopping = False
        self._over = False

    @property
    def working(self) -> bool:
        """Whether there is more to come. False once ``ended`` is called, when the thread may live for a moment yet."""
        return self.is_alive() and not self._over

    def stop(self) -> None:
        """Ask the thread to end; what was answered is on the disk already."""
        self._stopping = True
        self.inbox.put(None)

    def run(self) -> None:
        try:
            with self._place.claimed(), self._place.journal() as journal:
                self._work(journal)
        except _OWN_WORDS as error:
            self.failure = error
        except Exception as error:  # noqa: BLE001 (whatever it was, the main thread ends the program on it)
            self.failure = error
            _log.exception("the engine thread has ended")
        finally:
            self._over = True
            self._ended()

    def finish(self, program: str) -> int:
        """Stop, wait, and return the program's exit status: 2 if a file or folder cannot serve, 1 if it failed."""
        self.stop()
        self.join(_FINISH_S)
        if isinstance(self.failure, _OWN_WORDS):
            print(f"tableside {program}: {self.failure}", file=sys.stderr)
            return 2
        return 0 if self.failure is None else 1

    @abstractmethod
    def _work(self, journal: Journal) -> None:
        """What this program does; in the thread, until it is told to stop."""


def tell_connection(event: object) -> None:
    """A line for the log when the broker comes or goes."""
    match event:
        case Connected(client=client):
            _log.info("connected to the broker at %s", client.endpoint)
        case Disconnected(client=client):
            _log.info("the broker at %s is gone", client.endpoint)


def tell(alert: Alert) -> None:
    """An alert of the link, for whoever reads the log."""
    _log.log(logging.WARNING if alert.heals else logging.ERROR, "%s", alert.line)


def end_with_any_thread() -> None:
    """Let a thread that dies unexpectedly (a reader's, the network's) end the whole program with status 1."""

    def end(args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread else "?"
        _log.error("thread %s has died", name, exc_info=args.exc_value)
        os._exit(1)

    threading.excepthook = end
