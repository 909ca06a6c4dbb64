"""Sends what is in the outbox: again and again until a server has taken it, rarer each time, for some days.

Several workers may run at once: a letter is lent to one of them for a while. Killed between the server's yes and ours,
a worker sends that letter again, under the same Message-ID.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import Error as DatabaseTrouble
from django.db import close_old_connections, connections
from django.db.models import F, QuerySet
from django.utils import timezone

from league.mail.models import Letter
from league.mail.server import Connection, ConnectionEnded, LetterError, Server, ServerError, without_addresses

LENT = timedelta(minutes=10)
"""So long a letter is one worker's; then another may send it."""

FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=6)
GIVEN_UP_AFTER = timedelta(days=5)
"""A letter that nobody took in this time is told to the staff, and sent no more unless they say so."""

GROUP = 50
LOOKED_EVERY_S = 5.0
AWAY_S = 60.0
ENDED = 3
"""So many letters one after the other may end the connection; after that it is the server that wants no more."""


def due(now: datetime) -> list[Letter]:
    """The letters to send now, the oldest first."""
    waiting = Letter.objects.filter(sent_at=None, given_up_at=None, not_before__lte=now).exclude(lent_until__gt=now)
    return list(waiting.order_by("pk")[:GROUP])


def drop_useless(now: datetime) -> None:
    """Forget letters that would come too late."""
    useless = Letter.objects.filter(sent_at=None, until__lte=now)
    if useless.exists():
        useless.delete()


def wait_after(attempts: int) -> timedelta:
    """How long to wait after so many attempts."""
    return min(FIRST_WAIT * (1 << min(attempts - 1, 12)), LONGEST_WAIT)


class Postman:
    """Carries letters to one server. ``now`` is the time of day."""

    def __init__(self, server: Server, now: Callable[[], datetime] = timezone.now) -> None:
        self._server, self._now = server, now
        self.trouble = ""
        """Why the server takes nothing, as it was the last time; without addresses."""

    def round(self) -> int:
        """Send what is due; how many letters the server took. Without the server they wait, whichever is due first."""
        drop_useless(self._now())
        letters = due(self._now())
        if not letters:
            return 0
        connection, sent, ended = None, 0, 0
        try:
            for n, letter in enumerate(letters):
                try:
                    connection = connection or self._connect()
                    if not self._lend(letter):
                        continue
                    sent += self._send(connection, letter)
                    ended = 0
                except ConnectionEnded as error:
                    # it may be this letter's doing: it waits as one that was refused, and the others go on without it
                    self._failed(letter, str(error), False)
                    connection, ended = None, ended + 1
                    if ended == ENDED:
                        self._away(letters[n + 1 :], str(error))
                        break
                except ServerError as error:
                    self._away(letters[n:], str(error))
                    break
        finally:
            if connection is not None:
                connection.close()
        return sent

    def _connect(self) -> Connection:
        connection = Connection(self._server)
        self.trouble = ""
        return connection

    def _send(self, connection: Connection, letter: Letter) -> bool:
        try:
            connection.send(letter)
        except LetterError as error:
            self._failed(letter, str(error), error.final)
            return False
        Letter.objects.filter(pk=letter.pk).update(
            sent_at=self._now(), attempts=F("attempts") + 1, error="", enclosed="", lent_until=None
        )
        return True

    def _lend(self, letter: Letter) -> bool:
        """Take a letter that nobody else has taken meanwhile."""
        until = self._now() + LENT
        if not self._free(letter).update(lent_until=until):
            return False
        letter.lent_until = until
        return True

    def _free(self, letter: Letter) -> QuerySet[Letter]:
        """The letter where it is as it was read, and in nobody's hand."""
        same = Letter.objects.filter(pk=letter.pk, not_before=letter.not_before, sent_at=None, given_up_at=None)
        return same.exclude(lent_until__gt=self._now())

    def _away(self, letters: list[Letter], why: str) -> None:
        """The server is away, which is no letter's fault: each is tried once it is back, or given up in the end."""
        self.trouble = without_addresses(why)
        for letter in letters:
            self._put_off(letter, why, FIRST_WAIT, letter.attempts)

    def _failed(self, letter: Letter, why: str, final: bool) -> None:
        attempts = letter.attempts + 1
        self._put_off(letter, why, wait_after(attempts), attempts, final)

    def _put_off(self, letter: Letter, why: str, wait: timedelta, attempts: int, final: bool = False) -> None:
        now = self._now()
        over = final or now - letter.tried_from >= GIVEN_UP_AFTER
        changes: dict[str, Any] = {"attempts": attempts, "error": why[:300], "not_before": now + wait}
        if over:
            changes |= {"given_up_at": now, "enclosed": ""}
        in_hand = Letter.objects.filter(pk=letter.pk, sent_at=None, lent_until=letter.lent_until)
        mine = in_hand if letter.lent_until is not None else self._free(letter)
        mine.update(**changes, lent_until=None)


def work(server: Server, say: Callable[[str], None], stopping: threading.Event) -> None:
    """Send letters until told to stop. Trouble with server or database is waited out, and said once."""
    postman, told = Postman(server), ""
    while not stopping.is_set():
        try:
            if sent := postman.round():
                say(f"{sent} sent")
            trouble = postman.trouble
        except DatabaseTrouble as error:
            trouble = f"database: {error}"
            close_old_connections()
        if trouble != told:
            say(trouble or f"{server.host} takes letters again")
            told = trouble
        stopping.wait(AWAY_S if trouble else LOOKED_EVERY_S)


@contextmanager
def sending(server: Server, say: Callable[[str], None]) -> Iterator[None]:
    """Letters are sent meanwhile, by a thread with a connection of its own to the database."""
    stopping = threading.Event()

    def run() -> None:
        try:
            work(server, say, stopping)
        finally:
            connections.close_all()

    postman = threading.Thread(target=run, name="postman", daemon=True)
    postman.start()
    try:
        yield
    finally:
        stopping.set()
        postman.join(5)
